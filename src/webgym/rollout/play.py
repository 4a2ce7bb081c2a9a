"""One try of an attempt in one session: observe, decide, act, until the agent answers or a limit is reached."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import anyio
import msgspec

from webgym.errors import EgressRefused, WebGymError
from webgym.records.action import Action, Answer, Navigate
from webgym.records.decision import Decision, MalformedReply, Turn
from webgym.records.event import Operation, StepDecided
from webgym.records.observation import ActionFailure, Capture, FailedReason, Observation
from webgym.records.session import SessionSpec
from webgym.records.trajectory import Attempt, SiteBlock, Step, StepTimes, Truncation
from webgym.rollout.blocked import refusal_of
from webgym.rollout.gates import Gates
from webgym.rollout.limits import Limits
from webgym.rollout.outcome import End, EndedByEnvironment
from webgym.rollout.progress import Progress
from webgym.stages import Browser, Episode, Events, Recorder, Session

logger = logging.getLogger(__name__)

_BLOCKED_IN_A_ROW = 3
"""Consecutive refusals after which the attempt ends."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What all attempts of a pool share."""

    browser: Browser
    gates: Gates
    recorder: Recorder
    events: Events
    limits: Limits


@dataclass(slots=True)
class Play:
    """State of a try in progress. Keeps what judging needs, without prompts and earlier pictures."""

    attempt: Attempt
    recorded: bool = False
    """Whether the recorder knows of this try."""
    opened: bool = False
    """Whether it got a session."""
    steps: list[Step] = field(default_factory=list[Step])
    last: Observation | None = None
    """The latest observation; None after an answer, which no observation follows."""
    blobs: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """Blobs of `last`."""
    answer: str | None = None
    branches: tuple[str | None, ...] = ()
    """What the branches of the last turn answer."""
    end: End | None = None
    """Why the try ended, if not by an answer."""
    progress: Progress = field(default_factory=Progress)
    own_seconds: float = 0.0
    """Time spent by the agent and the page, queues excluded."""
    queued: float = 0.0
    sampled: int = 0
    malformed: int = 0
    """Consecutive malformed replies."""
    refusal: str = ""
    """Evidence that the latest page is a refusal; empty if an exact judge decides."""
    blocked: int = 0
    """Consecutive refusals."""
    times: StepTimes = StepTimes()
    """Times of the current step."""

    @property
    def seen(self) -> Observation | None:
        """The last observation; None if there was none."""
        return self.last or (self.steps[-1].observation if self.steps else None)


async def play(episode: Episode, tools: Tools, going: Play) -> None:
    """Play one episode to its end. Failures are raised; `going` then holds the state reached so far."""
    async with _session(episode.spec, tools, going) as session:
        capture = await _look(session, None, episode, tools, going)
        _check_reached(capture.observation, episode.spec.start_url)
        while (end := await _ended(episode, going) or _over(going, tools.limits)) is None:
            turn = await _decide(episode, tools, going, capture)
            await _record(tools, going, capture, turn)
            match turn.choice:
                case Decision(action=Answer(text=text)):
                    going.answer, going.last, going.blobs = text, None, {}
                    going.branches = tuple(branch.answer for branch in turn.branches)
                    return
                case Decision(action=action):
                    going.malformed = 0
                    going.progress.took(capture.observation, action)
                    capture = await _look(session, action, episode, tools, going)
                    going.progress.led_to(capture.observation)
                case MalformedReply():
                    going.malformed += 1
        going.end = end


def _check_reached(first: Observation, start: str) -> None:
    """Check that the attempt may see its page at all: what follows otherwise says nothing about the agent.

    Raises:
        EgressRefused: The fleet's egress policy forbids the address.
    """
    match first.effect:
        case ActionFailure(reason=FailedReason.EGRESS_REFUSED, detail=detail):
            raise EgressRefused(
                f"the egress policy of the fleet refuses {start}, where the task starts ({detail}): its nodes have to "
                "allow that address, with `webgym serve --allow HOST:PORT` (or, for hermetic websites, "
                "node.chromium.egress.hermetic); for a fleet that the run starts itself, set browser.allow"
            )
        case _:
            pass


@asynccontextmanager
async def _session(spec: SessionSpec, tools: Tools, going: Play) -> AsyncGenerator[Session]:
    attempt = going.attempt.attempt_id
    async with AsyncExitStack() as stack:
        async with tools.gates.through("open", attempt, 0) as passage:
            session = await stack.enter_async_context(tools.browser.open(spec))
        going.opened = True
        going.queued += passage.queued
        try:
            yield session
        finally:
            await _close(stack, tools, going)


async def _close(stack: AsyncExitStack, tools: Tools, going: Play) -> None:
    """Release the session, even during cancellation. A failure here does not invalidate the attempt."""
    with anyio.CancelScope(shield=True):
        try:
            async with tools.gates.through("close", going.attempt.attempt_id, len(going.steps)):
                await stack.aclose()
        except WebGymError as error:
            logger.warning("a session could not be released; its lease will expire: %s", error)


async def _look(session: Session, action: Action | None, episode: Episode, tools: Tools, going: Play) -> Capture:
    operation = _operation(action)
    async with tools.gates.through(operation, going.attempt.attempt_id, len(going.steps)) as passage:
        capture = await session.step(action, episode.look)
    seen = capture.observation
    going.queued += passage.queued + seen.timings.queued
    going.own_seconds += max(0.0, passage.seconds - seen.timings.queued)
    going.last, going.blobs = seen, capture.blobs
    going.refusal = "" if episode.judge.exact else refusal_of((step.observation for step in going.steps), seen)
    going.blocked = going.blocked + 1 if going.refusal else 0
    going.times = StepTimes(look_queued=passage.queued, look=passage.seconds)
    return capture


async def _decide(episode: Episode, tools: Tools, going: Play, capture: Capture) -> Turn:
    async with tools.gates.through("infer", going.attempt.attempt_id, len(going.steps) + 1) as passage:
        turn = await episode.agent.decide(capture)
    going.queued += passage.queued
    going.own_seconds += passage.seconds
    going.sampled += turn.completion.sampled_tokens if turn.completion else 0
    going.times = msgspec.structs.replace(going.times, infer_queued=passage.queued, infer=passage.seconds)
    return turn


async def _record(tools: Tools, going: Play, capture: Capture, turn: Turn) -> None:
    seen = capture.observation
    step = Step(len(going.steps) + 1, seen, turn, going.times)
    going.steps.append(_slim(step))
    await tools.recorder.step(going.attempt, step, capture.blobs)
    kind, sentence = _told(turn)
    screenshot = seen.screenshot.address if seen.screenshot else ""
    said = turn.completion
    prompt, sampled = (said.prompt_tokens, said.sampled_tokens) if said else (0, 0)
    tools.events.emit(
        StepDecided(going.attempt.attempt_id, step.number, kind, sentence, seen.url, screenshot, prompt, sampled)
    )


async def _ended(episode: Episode, going: Play) -> EndedByEnvironment | None:
    """Ask the environment, if it wants to be asked, whether the latest action has ended the attempt."""
    if episode.end is None or not going.steps or going.last is None:
        return None
    why = await episode.end.reason(going.last)
    return EndedByEnvironment(why) if why else None


def _over(going: Play, limits: Limits) -> Truncation | SiteBlock | None:
    """Return why the attempt must end, or None to continue."""
    if going.blocked >= _BLOCKED_IN_A_ROW:
        return SiteBlock(going.refusal)
    if len(going.steps) >= limits.steps(going.attempt.task.level):
        return Truncation("steps")
    if limits.tokens and going.sampled >= limits.tokens:
        return Truncation("tokens")
    if limits.seconds and going.own_seconds >= limits.seconds:
        return Truncation("time")
    if limits.malformed and going.malformed >= limits.malformed:
        return Truncation("format")
    if limits.repeats and going.progress.repeats >= limits.repeats:
        return Truncation("loop")
    return None


def _operation(action: Action | None) -> Operation:
    match action:
        case None:
            return "observe"
        case Navigate():
            return "navigate"
        case _:
            return "act"


def _told(turn: Turn) -> tuple[str, str]:
    match turn.choice:
        case Decision(action=action, sentence=sentence):
            return str(action.__struct_config__.tag), sentence
        case MalformedReply(problem=problem, message=message):
            return "malformed", f"{problem}: {message}"


def _slim(step: Step) -> Step:
    """Strip the large parts of a step, which only the store needs."""
    seen = msgspec.structs.replace(step.observation, elements=None, lines=None, accessibility=None, storage_state=None)
    return msgspec.structs.replace(step, observation=seen, turn=Turn(step.turn.choice))
