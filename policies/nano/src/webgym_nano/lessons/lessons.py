"""Attempts that yield lessons: at each step an oracle labels the right action, whoever acts (as in DAgger)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import anyio.lowlevel
from webgym_hermetic.environment import hermetic_state
from webgym_hermetic.oracle.oracle import decide
from webgym_hermetic.states import Snapshot
from webgym_hermetic.tasks.goals import goals_of

from webgym.agent.baselines import stray
from webgym.agent.dialects.nano import NANO, verb_of
from webgym.agent.vlm import vlm_agent
from webgym.records.action import Answer, Scroll, Wait
from webgym.records.decision import Decision, MalformedReply, Turn
from webgym.records.lesson import Lesson, Question
from webgym.records.observation import Capture, Observation, PageChange
from webgym.records.prompt import Completion, Prompt
from webgym.rng import Rng
from webgym.stages import AttemptSetup, Policy
from webgym_nano.lessons.agent_settings import LOOK, SETTINGS
from webgym_nano.lessons.answers import shortest_answer
from webgym_nano.lessons.decisions import answered, as_seen, uncover
from webgym_nano.lessons.names import sides_of
from webgym_nano.lessons.other_tasks import Situation, other_answers, other_tasks
from webgym_nano.lessons.questions import questions_about

_STUCK = 2
"""Consecutive steps without effect after which the oracle takes over from the policy."""
_PATIENCE = 2
"""Maximum consecutive waits: an oracle that waits longer waits for something that never comes."""
_PEACEFUL = 5
"""Final steps without random actions, as there would be no time to recover from them."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Who acts in an attempt."""

    strays: float = 0.12
    """Share of the oracle's steps that are replaced by random actions."""
    policy: Policy | None = None
    """Acts instead of the oracle."""
    share: float = 0.85
    """Share of steps in which the policy acts."""
    steps: int = 12
    """Maximum steps of the attempt."""
    others: bool = True
    """Whether each page also yields lessons for other tasks of its site."""


@dataclass(slots=True)
class Unsaid:
    """Counts of oracle decisions that nano cannot express, by kind of action."""

    steps: int = 0
    """Number of all decisions."""
    kinds: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, decision: Decision) -> None:
        kind = str(decision.action.__struct_config__.tag)
        self.kinds[kind] = self.kinds.get(kind, 0) + 1


class LessonAgent:
    """An agent on a hermetic site that emits a lesson for every page it sees.

    It acts through nano's own prompts and replies, so that lessons match what nano will be asked.
    """

    look = LOOK

    def __init__(
        self, setup: AttemptSetup, lead: Lead, give: Callable[[Lesson], None], unsaid: Unsaid | None = None
    ) -> None:
        state = hermetic_state(setup)
        self._site = state.site
        self._snapshot = state.snapshot
        self._task = setup.attempt.task
        self._goals = goals_of(self._task, self._site.family)
        self._lead = lead
        self._give = give
        self._unsaid = unsaid or Unsaid()
        self._rng = Rng("lessons", setup.attempt.attempt_id, setup.attempt.seed)
        self._voice = _Voice(lead.policy)
        self._vlm = vlm_agent(self._task, self._voice, SETTINGS, affinity=setup.attempt.attempt_id)
        self._step = 0
        self._last: Decision | MalformedReply | None = None
        self._stuck = 0
        self._waits = 0
        self._direction = 0
        """Direction of the last scroll towards an answer."""

    async def decide(self, capture: Capture) -> Turn:
        """Emit a lesson, then act. If the oracle's decision cannot be expressed by nano, the attempt ends."""
        seen = capture.observation
        self._step += 1
        # After a malformed reply nothing was done: the effect is still that of the earlier action.
        moved = isinstance(seen.effect, PageChange) and not isinstance(self._last, MalformedReply)
        self._stuck = 0 if moved or self._last is None else self._stuck + 1
        unmoved = not moved and isinstance(self._last, Decision) and isinstance(self._last.action, Scroll)
        snapshot = await self._snapshot()
        wanted = self._wanted(seen, snapshot, moved=moved, unmoved=unmoved)
        reply = NANO.say(wanted, seen) if wanted is not None else ""
        self._voice.oracle = reply
        self._voice.spoken, self._voice.policy_speaks = self._choose(seen, wanted, reply)
        if not self._voice.spoken and not self._voice.policy_speaks:
            self._teach(capture, self._others(seen, snapshot, "", wanted, unmoved), "", wanted, "")
            return Turn(Decision(Answer("")))
        turn = await self._vlm.decide(capture)
        asked = self._voice.asked
        self._teach(capture, self._others(seen, snapshot, asked, wanted, unmoved), asked, wanted, reply)
        self._last = turn.choice
        return turn

    def _others(
        self, seen: Observation, snapshot: Snapshot, asked: str, wanted: Decision | None, unmoved: bool
    ) -> tuple[Question, ...]:
        if not self._lead.others:
            return ()
        at = Situation(self._site, seen, snapshot, self._task, asked, unmoved)
        rng = self._rng.fork("others", self._step)
        answers = other_answers(at, rng) if wanted is not None and isinstance(wanted.action, Answer) else ()
        return (*answers, *other_tasks(at, rng))

    def _wanted(self, seen: Observation, snapshot: Snapshot, *, moved: bool, unmoved: bool) -> Decision | None:
        """Return the oracle's decision in nano's terms; None if it cannot be expressed."""
        decision = decide(self._site, self._goals, seen, snapshot)
        self._unsaid.steps += 1
        match decision.action:
            case Answer(full):
                said = shortest_answer(self._site, self._goals, snapshot, full, seen.lines or ())
                told = self._towards(answered(said, seen, unmoved=unmoved))
            case _:
                told = as_seen(decision, seen, unmoved=unmoved, instruction=self._task.instruction)
        if (
            told is not None
            and not moved
            and isinstance(self._last, Decision)
            and NANO.say(told, seen) == self._last.call
        ):
            told = uncover(seen) or told  # it was already done, without effect
        self._waits = self._waits + 1 if isinstance(decision.action, Wait) else 0
        if told is None or self._waits > _PATIENCE:
            self._unsaid.add(decision)
            return None
        return told

    def _towards(self, told: Decision | None) -> Decision | None:
        """Return a step towards an answer; None if it would scroll back, as the answer does not fit on one screen."""
        if told is None or not isinstance(told.action, Scroll):
            return told
        before, self._direction = self._direction, told.action.dy
        return None if before * told.action.dy < 0 else told

    def _choose(self, seen: Observation, wanted: Decision | None, reply: str) -> tuple[str, bool]:
        """Return what to say, and whether to ask the policy instead."""
        lead = self._lead
        if lead.policy is not None:
            return reply, self._stuck < _STUCK and self._rng.chance(lead.share)
        ends = wanted is None or isinstance(wanted.action, Answer)
        if not ends and self._step <= lead.steps - _PEACEFUL and self._rng.chance(lead.strays):
            astray = as_seen(Decision(stray(seen, self._rng)), seen)
            return (reply if astray is None else NANO.say(astray, seen)), False
        return reply, False

    def _teach(
        self, capture: Capture, others: tuple[Question, ...], asked: str, wanted: Decision | None, reply: str
    ) -> None:
        shot = capture.observation.screenshot
        picture = capture.blobs.get(shot.address) if shot is not None else None
        if picture is None:
            return  # a dialog is open: there is no screenshot
        self._give(
            Lesson(
                picture=picture,
                site=self._site.name,
                questions=(
                    *others,
                    *questions_about(capture.observation, self._rng.fork("questions", self._step)),
                ),
                ask=asked if reply else "",
                reply=reply,
                verb=verb_of(reply),
                box=sides_of(wanted.box) if wanted is not None and reply else None,
                by="policy" if self._lead.policy is not None else "oracle",
                task_id=self._task.task_id,
                step=self._step,
            )
        )


class _Voice:
    """A policy that says what it is told, or asks another one, but always answers as the oracle does."""

    def __init__(self, policy: Policy | None) -> None:
        self._policy = policy
        self.policy_speaks = False
        self.spoken = ""
        self.oracle = ""
        self.asked = ""
        """Text of the latest prompt."""

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        """Return one reply."""
        self.asked = prompt.messages[-1].text
        if self._policy is None or not self.policy_speaks:
            await anyio.lowlevel.checkpoint()
            return Completion(self.spoken)
        completion = await self._policy.sample(prompt, pictures, affinity=affinity)
        if self.oracle and not _acts(completion.text):
            return Completion(self.oracle)
        return completion


def _acts(reply: str) -> bool:
    """Whether a reply acts on the page, judging by its verb."""
    return verb_of(reply) not in ("", "answer")
