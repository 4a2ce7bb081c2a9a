"""Rules for incoming mail."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

from typing import Any

import msgspec

from webgym_hermetic.families.mail.goals import saying, steps
from webgym_hermetic.families.mail.goals.settings import to_form
from webgym_hermetic.families.mail.records import ACTIONS, Rule, World
from webgym_hermetic.families.mail.state import State
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View

_WHERE = {"from": "sender", "subject": "subject"}


class AddRule(Goal, frozen=True):
    """A new rule for incoming mail: where it looks and what it does."""

    field: str
    text: str
    action: str
    label: str = ""

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return (
            Fact("condition", f'A new rule applies when the {_WHERE[self.field]} contains "{self.text}".'),
            Fact("action", f"It does this: {self._does()}."),
        )

    def _does(self) -> str:
        return f'add the label "{self.label}"' if self.action == "label" else dict(ACTIONS)[self.action].lower()

    def _made(self, world: World, state: State) -> Rule | None:
        known = {one.id for one in world.rules}
        for rule in reversed(state.rules):
            does = (rule.action, rule.label) == (self.action, self.label)
            if rule.id not in known and rule.on and (does or saying.same(rule.text, self.text)):
                return rule
        return None

    def holds(self, fact: str, end: End) -> bool:
        made = self._made(end.world, end.state)
        return made is not None and self._is_right(made, fact)

    def _is_right(self, rule: Rule, fact: str) -> bool:
        if fact == "condition":
            return rule.field == self.field and saying.same(rule.text, self.text)
        return (rule.action, rule.label) == (self.action, self.label)

    def next(self, view: View) -> Intent | None:
        world, state = steps.box(view)
        made = self._made(world, state)
        if made is not None and all(self._is_right(made, fact) for fact in ("condition", "action")):
            return None
        form: list[steps.Control] = [
            ("choice", "rule_field", self.field),
            ("text", "rule_text", self.text),
            ("choice", "rule_action", self.action),
        ]
        form += [("choice", "rule_label", self.label)] if self.action == "label" else []
        return to_form(view, "rules", form)

    def spoil(self, fact: str, world: Any) -> Goal:
        if fact == "condition":
            return msgspec.structs.replace(self, text=f"{self.text}s")
        return msgspec.structs.replace(self, action="star" if self.action != "star" else "read", label="")

    def clauses(self, world: Any) -> tuple[str, ...]:
        where = _WHERE[self.field]
        return (
            f'create a rule: when the {where} contains "{self.text}", {self._does()}',
            f'add a filter rule for messages whose {where} contains "{self.text}" ({self._does()})',
            f'set up a new rule that applies if the {where} contains "{self.text}" and does this: {self._does()}',
            f'make a mail filter on the {where} "{self.text}" with the action: {self._does()}',
        )
