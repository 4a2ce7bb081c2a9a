"""An oracle whose decisions go through prompt, dialect and parser like a model's, for demonstrations."""

from __future__ import annotations

from collections.abc import Mapping

import anyio.lowlevel
import msgspec

from webgym.agent.dialects.dialect import Dialect
from webgym.agent.dialects.registry import dialect_named
from webgym.agent.settings import AgentSettings
from webgym.agent.vlm import VlmAgent
from webgym.records.action import Scroll
from webgym.records.decision import Decision, MalformedReply, Turn
from webgym.records.observation import Capture
from webgym.records.prompt import Completion, Prompt
from webgym.records.task import Task
from webgym.stages import Agent

MODEL = "oracle"


class _Prompter:
    """A policy that returns a preset reply."""

    def __init__(self) -> None:
        self.next = ""

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        """Return the preset reply."""
        del prompt, pictures, affinity
        await anyio.lowlevel.checkpoint()
        return Completion(self.next, model=MODEL)


class SpokenAgent:
    """Wraps an agent and expresses its decisions as a model of this dialect would."""

    def __init__(self, inner: Agent, task: Task, settings: AgentSettings) -> None:
        self._inner = inner
        self._dialect: Dialect = dialect_named(settings.dialect)
        self._prompter = _Prompter()
        self._vlm = VlmAgent(task, self._prompter, self._dialect, settings)

    async def decide(self, capture: Capture) -> Turn:
        """Write the inner agent's decision in the dialect and parse it; keep its target box, which no dialect has."""
        decided = (await self._inner.decide(capture)).choice
        match decided:
            case Decision():
                meant = _one_direction(decided)
                self._prompter.next = self._dialect.say(meant, capture.observation)
                turn = await self._vlm.decide(capture)
                return _with_box(turn, meant)
            case MalformedReply():
                return Turn(decided)


def _one_direction(decision: Decision) -> Decision:
    """Keep only the vertical part of a diagonal scroll, which no dialect can express."""
    match decision.action:
        case Scroll(dx=dx, dy=dy) as scroll if dx and dy:
            return msgspec.structs.replace(decision, action=msgspec.structs.replace(scroll, dx=0))
        case _:
            return decision


def _with_box(turn: Turn, meant: Decision) -> Turn:
    match turn.choice:
        case Decision() as said:
            return msgspec.structs.replace(turn, choice=msgspec.structs.replace(said, box=meant.box))
        case MalformedReply():
            return turn
