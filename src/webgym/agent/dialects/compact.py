"""A dialect for models of a few million parameters: one action per line, in few tokens."""

from __future__ import annotations

from dataclasses import dataclass

from webgym.agent.dialects.arguments import Complaint
from webgym.agent.dialects.compact_lines import read_line, write_line
from webgym.agent.dialects.dialect import Convention
from webgym.agent.dialects.replies import is_open
from webgym.agent.prompts import files
from webgym.agent.untrusted import one_line, storable, without_tokens
from webgym.records.action import Action, Point, TypeText
from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import Observation, Viewport
from webgym.records.prompt import Completion
from webgym.records.session import Look

_NOTE = "#"
_MOST_NOTE = 300


@dataclass(frozen=True, slots=True)
class Compact:
    """Lines that begin with # are notes to remember; the one other line is the action."""

    name: str = "compact"
    coordinates: Convention = "thousandths"

    @property
    def look(self) -> Look:
        return Look()

    def system(self, version: str, viewport: Viewport) -> str:
        example = write_line(
            TypeText("wool hats", Point(viewport.width // 2, viewport.height // 10), submit=True),
            Observation(1, "", "", viewport),
        )
        return files.fill(files.read(version, "compact.md"), {"example": example})

    def tools(self, version: str) -> tuple[str, ...]:  # noqa: ARG002 - part of the system prompt in every version
        return ()

    def parse(self, completion: Completion, seen: Observation) -> Decision | MalformedReply:
        # Not splitlines(): texts may contain the rarer line separators.
        lines = [line for line in storable(completion.text).split("\n") if line.strip()]
        notes = [line.strip().removeprefix(_NOTE) for line in lines if line.lstrip().startswith(_NOTE)]
        calls = [line.strip() for line in lines if not line.lstrip().startswith(_NOTE)]
        memory = one_line(" ".join(notes), _MOST_NOTE)
        try:
            action = read_line(_only(calls, cut=is_open(completion) and not _is_note(lines[-1:])), seen)
        except Complaint as complaint:
            return MalformedReply(complaint.problem, complaint.message, completion.reasoning, memory)
        return Decision(action, thought=completion.reasoning, call=calls[0], memory=memory)

    def call(self, action: Action, seen: Observation) -> str:
        return write_line(action, seen)

    def say(self, decision: Decision, seen: Observation) -> str:
        note = one_line(decision.memory, _MOST_NOTE)
        line = self.call(decision.action, seen)
        return f"{_NOTE} {note}\n{line}" if note else line

    def keep(self, completion: Completion) -> str:
        return without_tokens(completion.text.strip())


def _is_note(last: list[str]) -> bool:
    return any(line.lstrip().startswith(_NOTE) for line in last)


def _only(calls: list[str], *, cut: bool) -> str:
    match calls:
        case [_] if cut:
            raise Complaint("cut_off", "it was cut off before the end of its line")
        case [call]:
            return call
        case []:
            raise Complaint("empty", "it holds no action; write one, such as: click 500 300")
        case _:
            raise Complaint("several_calls", f"it holds {len(calls)} lines with actions; write one")


COMPACT = Compact()
