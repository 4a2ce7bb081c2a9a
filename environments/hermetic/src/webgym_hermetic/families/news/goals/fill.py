"""Filling in forms and sending them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from webgym_hermetic.controls import choose, count, pick_date, switch, write
from webgym_hermetic.families.news.comments import comments
from webgym_hermetic.families.news.forms import problem, sample_value, shown_value, stepwise
from webgym_hermetic.families.news.goals.openings import openings
from webgym_hermetic.families.news.goals.ways import at_article, go, go_article, link
from webgym_hermetic.families.news.records import Field, Form, World
from webgym_hermetic.families.news.state import State
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View, Write


class Submit(Goal, frozen=True):
    """Send a form with these values; each is one fact about what was sent last."""

    form: str
    values: dict[str, str]
    target: str = ""
    """What it is about: an article's slug, or `slug/comment`."""

    def facts(self, world: Any) -> tuple[Fact, ...]:
        form: Form = world.forms[self.form]
        found: list[Fact] = []
        for name, value in self.values.items():
            field = form.field(name)
            shown = shown_value(field, value)
            found.append(Fact(name, f"{self._what(world)} has \u201c{field.label}\u201d: {shown}."))
        return tuple(found)

    def holds(self, fact: str, end: End) -> bool:
        return self._right(fact, end.world, end.state)

    def next(self, view: View) -> Intent | None:
        world: World = view.world
        if all(self._right(name, world, view.state) for name in self.values):
            return None
        if not self._near(view) or view.find(f"submit:{self._key()}") is None:
            return self._reach(view)
        return self._earlier_step(view) or self._fill(view) or view.tap(f"submit:{self._key()}")

    def spoil(self, fact: str, world: Any) -> Goal:
        field = world.forms[self.form].field(fact)
        return Submit(self.form, {**self.values, fact: other_value(field, self.values[fact])}, self.target)

    def clauses(self, world: Any) -> tuple[str, ...]:
        form: Form = world.forms[self.form]
        full = [phrase(form.field(name), value) for name, value in self.values.items()]
        short = [brief(form.field(name), value) for name, value in self.values.items()]
        openings = self._openings(world)
        listed = [f"{opening} {_joined(full)}" for opening in openings]
        return (*listed, *(f"{opening.rstrip(':')} these entries: {'; '.join(short)}" for opening in openings[::2]))

    def _openings(self, world: World) -> tuple[str, ...]:
        slug, _, comment = self.target.partition("/")
        article = world.by_slug.get(slug)
        title = f"the {world.labels.article} \u201c{article.title}\u201d" if article else ""
        name = next((one.name for one in comments(world, slug) if one.id == comment), "") if comment else ""
        return tuple(one.format(labels=world.labels, title=title, name=name) for one in openings().forms[self.form])

    def _what(self, world: World) -> str:
        form: Form = world.forms[self.form]
        about = world.by_slug.get(self.target.partition("/")[0])
        if form.keeps:
            return f"\u201c{form.title}\u201d"
        return f"The latest {form.noun} sent" + (f" on \u201c{about.title}\u201d" if about else "")

    def _right(self, name: str, world: World, state: State) -> bool:
        sent = state.latest(self.form, self.target)
        return sent is not None and same(world.forms[self.form].field(name), sent.get(name, ""), self.values[name])

    def _key(self) -> str:
        return f"reply-{self.target.partition('/')[2]}" if self.form == "reply" else self.form

    def _near(self, view: View) -> bool:
        """Whether the page shown is of the article that the form is about, if it is about one."""
        href = view.world.href(self.target.partition("/")[0])
        return not self.target or view.path == href or view.path.startswith(f"{href}/")

    def _reach(self, view: View) -> Intent:
        world: World = view.world
        if not self.target:
            path = world.forms[self.form].path
            return link(view, path) or go(view, {"event": "/events", "advert": "/classifieds"}.get(self.form, path))
        slug = self.target.partition("/")[0]
        if self.form in ("comment", "reply") and (tap := link(view, f"{world.href(slug)}/comments")):
            return tap
        if at_article(view, slug):
            return go(view, "/")
        return go_article(view, slug)

    def _fill(self, view: View) -> Intent | None:
        """The first control that is not as it should be."""
        form: Form = view.world.forms[self.form]
        for field in form.fields:
            key = f"{self._key()}.{field.name}"
            if field.name in self.values:
                intent = operate(view, field, key, self.values[field.name])
            else:
                intent = _mend(view, field, key)
            if intent:
                return intent
        return None

    def _earlier_step(self, view: View) -> Intent | None:
        """Back to a step that was left with something wrong in it."""
        form: Form = view.world.forms[self.form]
        if not stepwise(view.site.structure, form):
            return None
        here = view.query.get("step", "1")
        current = int(here) if here.isdecimal() else 1
        draft = view.state.drafts.get(form.name, {})
        for number, (_, fields) in enumerate(form.groups[: current - 1], start=1):
            if any(not self._fits(field, draft.get(field.name, "")) for field in fields):
                return link(view, f"{form.path}?step={number}")
        return None

    def _fits(self, field: Field, value: str) -> bool:
        wanted = self.values.get(field.name)
        return not problem(field, value) if wanted is None else same(field, value, wanted)


def operate(view: View, field: Field, key: str, value: str) -> Intent | None:
    """What to do next to get a control to a value; None if it is there or not on this page."""
    match field.kind:
        case "choice":
            return choose(view, key, value)
        case "toggle":
            return switch(view, key, on=value == "on")
        case "date":
            return pick_date(view, key, value)
        case "number":
            control = view.find(f"field:{key}")
            junk = control is not None and control.tag == "input" and not control.value.isdecimal()
            return Write(control, value) if control and junk else count(view, key, int(value))
        case _:
            return write(view, key, value)


def same(field: Field, one: str, other: str) -> bool:
    """Whether two values of a field mean the same."""
    if field.kind == "price":
        return not problem(field, one) and bool(one) and float(one) == float(other)
    return " ".join(one.split()) == " ".join(other.split())


def other_value(field: Field, value: str) -> str:
    """A value that would be accepted but is another one."""
    match field.kind:
        case "choice":
            return next(option for option, _ in field.options if option != value)
        case "toggle":
            return "" if value == "on" else "on"
        case "date":
            day = date.fromisoformat(value)
            return (day + timedelta(days=1 if value < field.high else -1)).isoformat()
        case "number":
            return str(int(value) + (1 if int(value) < int(field.high) else -1))
        case "price":
            return f"{int(float(value)) + 3}"
        case "email":
            return f"x{value}"
        case _:
            return f"{value} again"


def phrase(field: Field, value: str) -> str:
    """How a request says what a field should hold."""
    label, shown = field.label, shown_value(field, value)
    match field.kind:
        case "toggle":
            return f"\u201c{label}\u201d {'switched on' if value == 'on' else 'switched off'}"
        case "price":
            return f"\u201c{label}\u201d {shown} dollars"
        case "choice" | "date" | "number":
            return f"\u201c{label}\u201d set to {shown}"
        case _:
            return f"\u201c{label}\u201d: \u201c{value}\u201d"


def brief(field: Field, value: str) -> str:
    """The same as an entry of a list: label and value."""
    shown = "on" if value == "on" else "off" if field.kind == "toggle" else shown_value(field, value)
    sentence = shown.endswith((".", "!", "?"))  # whose end is part of what to write
    return f"{field.label}: \u201c{shown}\u201d" if sentence else f"{field.label}: {shown}"


def _joined(parts: list[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


def _mend(view: View, field: Field, key: str) -> Intent | None:
    """Make a field acceptable that nobody asked about."""
    if field.kind == "toggle":
        return None
    value = _value(view, field, key)
    if value is None or not problem(field, value):
        return None
    return operate(view, field, key, sample_value(field))


def _value(view: View, field: Field, key: str) -> str | None:
    """What a control holds now, if it is on the page."""
    if field.kind == "date":
        control = view.find(f"date:{key}")
        return control.value if control else None
    if field.kind == "choice":
        options = list(view.starting(f"choice:{key}="))
        if options:
            return next((one.key.partition("=")[2] for one in options if one.checked), "")
        control = view.find(f"choice:{key}")
        return control.value if control else None
    control = view.find(f"field:{key}")
    return control.value if control else None
