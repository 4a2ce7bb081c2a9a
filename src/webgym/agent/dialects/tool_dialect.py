"""A dialect whose actions are tool calls."""

from __future__ import annotations

import json
from dataclasses import dataclass

from webgym.agent.dialects.arguments import Complaint
from webgym.agent.dialects.calls import ParsedCall, UnparsedReply, find_calls, read_call, write_call
from webgym.agent.dialects.dialect import Convention
from webgym.agent.dialects.places import mark_numbered
from webgym.agent.dialects.replies import read_prose, split_thought, write_prose
from webgym.agent.dialects.vocabulary import ActionVocabulary, read_action
from webgym.agent.prompts import files
from webgym.agent.sentences import sentence_for
from webgym.agent.untrusted import without_tokens
from webgym.records.action import Action, Click, MarkRef, TypeText
from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import Box, Mark, Observation, Viewport
from webgym.records.prompt import Completion
from webgym.records.session import Look

_EXAMPLE_MARKS = (Mark(7, "searchbox", "Search", Box(100, 20, 400, 40)),)


@dataclass(frozen=True, slots=True)
class ToolDialect:
    """Tool calls between tags in the text, or separate from it."""

    name: str
    vocabulary: ActionVocabulary
    coordinates: Convention
    thinks: bool = False
    """Whether replies begin with reasoning."""
    beside: bool = False
    """Whether tool schemas are sent and tool calls returned as separate fields of the API, not in the text."""

    @property
    def look(self) -> Look:
        return Look(marks=self.coordinates == "marks")

    def system(self, version: str, viewport: Viewport) -> str:
        width, height = self.vocabulary.places.space(viewport)
        seen = Observation(sequence=1, url="", viewport=viewport, marks=_EXAMPLE_MARKS)
        values = {
            "seeing": files.fill(
                files.read(version, f"seeing-{_SEEING[self.coordinates]}.md"), {"width": width, "height": height}
            ),
            "calling": self._calling(version),
            "rules": files.read(version, "rules.md"),
            "example": self._example(seen),
        }
        return files.fill(files.read(version, "system.md"), values).strip()

    def tools(self, version: str) -> tuple[str, ...]:
        return self._schemas(version) if self.beside else ()

    def parse(self, completion: Completion, seen: Observation) -> Decision | MalformedReply:
        thought, rest = split_thought(completion.text, thinks=self.thinks)
        found = find_calls(completion, rest, loose=self.beside)
        said = read_prose(found.prose, (completion.reasoning.strip(), thought))
        try:
            call = self._only(found, rest)
            action = read_action(self.vocabulary, call, seen)
        except Complaint as complaint:
            return MalformedReply(complaint.problem, complaint.message, said.thought, said.memory)
        return Decision(action, _box(action, seen), said.sentence, said.thought, call.text, said.memory)

    def call(self, action: Action, seen: Observation) -> str:
        tool, arguments = self.vocabulary.write(action, seen)
        if self.beside:
            return f"{tool}({json.dumps(arguments, ensure_ascii=False)})"
        return write_call(tool, arguments)

    def say(self, decision: Decision, seen: Observation) -> str:
        call = write_call(*self.vocabulary.write(decision.action, seen))
        return f"{write_prose(decision, sentence_for(decision.action, seen), thinks=self.thinks)}\n{call}"

    def keep(self, completion: Completion) -> str:
        rest = split_thought(completion.text, thinks=self.thinks)[1]
        calls = find_calls(completion, "", loose=False).calls
        return without_tokens("\n".join([rest, *(f"<tool_call>\n{call}\n</tool_call>" for call in calls)]).strip())

    def _only(self, found: UnparsedReply, rest: str) -> ParsedCall:
        match found.calls:
            case [call]:
                return read_call(call)
            case []:
                problem = "no_call" if rest else "empty"
                what = "it holds no tool call" if rest else "it is empty"
                raise Complaint(problem, f"{what}; {self._right()}")
            case _:
                raise Complaint("several_calls", "it holds several tool calls; make exactly one")

    def _right(self) -> str:
        if self.beside:
            return f"call one of your tools: {', '.join(self.vocabulary.tools)}"
        seen = Observation(sequence=1, url="", marks=_EXAMPLE_MARKS)
        call = self.call(Click(self.vocabulary.places.example), seen).replace("\n", "")
        return f"end your reply with one, such as {call}"

    def _example(self, seen: Observation) -> str:
        call = self.call(TypeText("wool hats", self.vocabulary.places.example, submit=True), seen)
        return f"(and the call {call})" if self.beside else call

    def _calling(self, version: str) -> str:
        if self.beside:
            template, tools = "calling-beside.md", ", ".join(f"`{tool}`" for tool in self.vocabulary.tools)
        else:
            template, tools = "calling-hermes.md", "\n".join(self._schemas(version))
        return files.fill(files.read(version, template), {"tools": tools, "tool": self.vocabulary.tools[0]})

    def _schemas(self, version: str) -> tuple[str, ...]:
        return tuple(files.tool_schema(version, name) for name in self.vocabulary.schemas)


_SEEING: dict[Convention, str] = {
    "thousandths": "thousandths",
    "pixels": "pixels",
    "resized": "pixels",
    "marks": "marks",
}


def _box(action: Action, seen: Observation) -> Box | None:
    """Return the box of the mark that an action targets, if any."""
    target = getattr(action, "target", None)
    mark = mark_numbered(target.mark, seen) if isinstance(target, MarkRef) else None
    return None if mark is None else mark.box
