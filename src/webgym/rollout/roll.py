"""One attempt, from its first try to its recorded ending."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field

import anyio
import msgspec

from webgym.errors import (
    AuthError,
    BudgetSpent,
    CapacityError,
    ConfigError,
    EgressRefused,
    JudgeError,
    LossReason,
    PolicyRejected,
    SessionLost,
    StoreError,
    TransportError,
    WebGymError,
)
from webgym.records.event import AttemptBegan, AttemptEnded
from webgym.records.trajectory import (
    Attempt,
    Cancellation,
    Ending,
    FailedTry,
    Failure,
    Infrastructure,
    JudgeUnknown,
    Outcome,
    SiteBlock,
    Success,
    Truncation,
    outcome_kind,
    reward,
)
from webgym.records.verdict import Verdict
from webgym.rollout.outcome import End, EndedByEnvironment, outcome_of
from webgym.rollout.play import Play, Tools, play
from webgym.stages import BlockDetector, Episodes, Judge

logger = logging.getLogger(__name__)

FATAL = (AuthError, BudgetSpent, ConfigError, StoreError)
"""Errors that need intervention by the user: they end the run, not just the attempt."""
_HOPELESS = (EgressRefused, PolicyRejected)
"""Errors that a retry with a fresh session would meet again."""
_RECORD_SECONDS = 30.0
_PAUSE_SECONDS = 0.5
"""Backoff before the second try, doubled before each further one."""
_LONGEST_PAUSE_SECONDS = 5.0
_OUTAGE_SECONDS = 120.0
"""How long tries that never got a session are free: whatever we restart is back by then, or does not come back."""


@dataclass(slots=True)
class _Story:
    """State of an attempt across its tries."""

    began: float
    play: Play
    failed: list[FailedTry] = field(default_factory=list[FailedTry])
    queued: float = 0.0
    tries: int = 0
    """Begun so far."""
    charged: int = 0
    """Failed so far, those of an outage excluded."""
    outage: float | None = None
    """Since when no try got a session; None if the last one got one."""


async def roll(attempt: Attempt, episodes: Episodes, tools: Tools, *, tries: int = 3) -> Ending:
    """Run an attempt and record its ending: exactly one trajectory, unless an error below is raised.

    After an infrastructure error the attempt is retried with a fresh session, up to `tries` tries in total. Tries that
    never got a session, because what they need is down or full, are free for two minutes.

    Raises:
        AuthError, BudgetSpent, ConfigError, StoreError: No attempt can succeed until this is fixed.
    """
    story = _Story(time.time(), Play(attempt))
    try:
        ending = await _within(attempt, episodes, tools, tries, story)
    except FATAL:
        raise
    except anyio.get_cancelled_exc_class():
        with anyio.CancelScope(shield=True), anyio.move_on_after(_RECORD_SECONDS):
            await _end(tools, story, _ending(story, Cancellation("stopped from outside")))
        raise
    # Shielded: a cancellation now would make the returned and the stored ending differ. The store has its own timeout.
    with anyio.CancelScope(shield=True):
        await _end(tools, story, ending)
    return ending


async def _within(attempt: Attempt, episodes: Episodes, tools: Tools, tries: int, story: _Story) -> Ending:
    limit = tools.limits.wall_seconds
    with anyio.move_on_after(limit):
        return await _try_and_try(attempt, episodes, tools, tries, story)
    return _ending(story, Infrastructure("timeout", f"not finished after {limit:.0f} s, time in queues included"))


async def _try_and_try(attempt: Attempt, episodes: Episodes, tools: Tools, tries: int, story: _Story) -> Ending:
    while True:
        began = anyio.current_time()
        story.play = Play(attempt)
        story.tries += 1
        tools.events.emit(AttemptBegan(attempt.attempt_id, story.tries))
        try:
            return await _one_try(attempt, episodes, tools, story)
        except FATAL:
            raise
        except Exception as error:  # noqa: BLE001 (a custom agent or judge may raise anything: only its own attempt ends)
            if isinstance(error, SessionLost) and error.reason is LossReason.WEBSITE:
                return _ending(story, SiteBlock(f"the website ended its own session: {error}"))
            trouble = _trouble(error)
            _charge(story, error, began)
            if story.charged >= tries or not _worth_another(error):
                return _ending(story, trouble)
            _note(story, trouble, anyio.current_time() - began)
        await anyio.sleep(min(_PAUSE_SECONDS * 2 ** (story.tries - 1), _LONGEST_PAUSE_SECONDS))


def _charge(story: _Story, error: Exception, began: float) -> None:
    """Count a failed try, unless it met an outage: attempts would use up their tries while one process restarts."""
    if story.play.opened or not _is_outage(error):
        story.outage = None
        story.charged += 1
        return
    story.outage = began if story.outage is None else story.outage
    if anyio.current_time() - story.outage >= _OUTAGE_SECONDS:
        story.charged += 1


def _is_outage(error: Exception) -> bool:
    """Return whether what failed is not the attempt's doing: a page can kill its browser, but not these."""
    match error:
        case TransportError() | CapacityError():
            return True
        case SessionLost(reason=LossReason.NODE_LOST | LossReason.SHUTDOWN):
            return True
        case _:
            return False


def _note(story: _Story, trouble: Infrastructure, seconds: float) -> None:
    """Note a failed try; those of one outage are noted as one."""
    last = story.failed[-1] if story.failed else None
    story.queued += story.play.queued
    if story.outage is not None and last and not last.steps and last.cause == trouble.cause:
        story.failed[-1] = FailedTry(trouble.cause, trouble.message, 0, last.seconds + seconds)
    else:
        story.failed.append(FailedTry(trouble.cause, trouble.message, len(story.play.steps), seconds))


async def _one_try(attempt: Attempt, episodes: Episodes, tools: Tools, story: _Story) -> Ending:
    going = story.play
    async with episodes.prepare(attempt) as episode:
        going.attempt = episode.attempt
        await _begin(tools, going)
        await play(episode, tools, going)
        try:
            verdict = await _judged(episode.judge, tools, going)
            branch_rewards = await _branches_judged(episode.judge, tools, going, verdict)
            refused = going.refusal or (await _refused(episode.judge, tools, going) if verdict is None else "")
        except JudgeError as error:
            return _ending(story, JudgeUnknown(str(error)))
    outcome = outcome_of(going.answer, going.end, verdict, refused)
    return msgspec.structs.replace(_ending(story, outcome, verdict), branch_rewards=branch_rewards)


async def _judged(judge: Judge, tools: Tools, going: Play) -> Verdict | None:
    """Ask the judge for a verdict; without an answer only an exact one, unless the environment ended the attempt."""
    if going.answer is None and not judge.exact and not isinstance(going.end, EndedByEnvironment):
        return None
    async with tools.gates.through("judge", going.attempt.attempt_id, len(going.steps)) as passage:
        verdict = await judge.judge(going.attempt, going.steps, going.last, going.answer or "")
    going.queued += passage.queued
    return verdict


async def _branches_judged(
    judge: Judge, tools: Tools, going: Play, verdict: Verdict | None
) -> tuple[float | None, ...]:
    """Return the reward of every branch, had it been the agent's answer. Each answer is judged once."""
    if verdict is None or not going.branches:
        return ()
    rewards: dict[str | None, float | None] = {None: None, going.answer: _reward_of(going, going.answer, verdict)}
    async with tools.gates.through("judge", going.attempt.attempt_id, len(going.steps)) as passage:
        for answer in going.branches:
            if answer is not None and answer not in rewards:
                rewards[answer] = await _branch_reward(judge, going, answer)
    going.queued += passage.queued
    return tuple(rewards[answer] for answer in going.branches)


async def _branch_reward(judge: Judge, going: Play, answer: str) -> float | None:
    try:
        return _reward_of(going, answer, await judge.judge(going.attempt, going.steps, going.last, answer))
    except JudgeError:
        return None


def _reward_of(going: Play, answer: str | None, verdict: Verdict) -> float | None:
    return reward(outcome_of(answer, going.end, verdict, ""))


async def _refused(judge: Judge, tools: Tools, going: Play) -> str:
    """Ask the judge, if it can tell, whether the website refused to serve a truncated attempt that no rule flags."""
    if not isinstance(judge, BlockDetector) or not isinstance(going.end, Truncation):
        return ""
    if going.seen is None:
        return ""
    async with tools.gates.through("judge", going.attempt.attempt_id, len(going.steps)) as passage:
        refused = await judge.blocked(going.attempt, going.steps, going.last, going.blobs)
    going.queued += passage.queued
    return refused


def _ending(story: _Story, outcome: Outcome, verdict: Verdict | None = None) -> Ending:
    going = story.play
    return Ending(
        outcome=outcome,
        answer=going.answer,
        verdict=verdict,
        last=going.last,
        steps=len(going.steps),
        failed_tries=tuple(story.failed),
        notes=(*going.progress.notes, *_told_end(going.end)),
        began=story.began,
        ended=time.time(),
        queued=story.queued + going.queued,
    )


def _told_end(end: End | None) -> tuple[str, ...]:
    match end:
        case EndedByEnvironment(why=why):
            return (f"the environment ended the attempt: {why}",)
        case _:
            return ()


async def _begin(tools: Tools, going: Play) -> None:
    await tools.recorder.begin(going.attempt)
    going.recorded = True


async def _end(tools: Tools, story: _Story, ending: Ending) -> None:
    attempt = story.play.attempt
    if not story.play.recorded:  # the try ended before its environment had prepared it
        await _begin(tools, story.play)
    await tools.recorder.end(attempt, ending, story.play.blobs)
    seconds = ending.ended - ending.began
    kind = outcome_kind(ending.outcome)
    tools.events.emit(AttemptEnded(attempt.attempt_id, kind, ending.steps, seconds, detail_of(ending.outcome)))


def detail_of(outcome: Outcome) -> str:
    """Return the details of an outcome beyond its kind."""
    match outcome:
        case Success():
            return ""
        case Infrastructure(cause=cause, message=message):
            return f"{cause}: {message}" if message else cause
        case Failure(why=why) | SiteBlock(why=why) | JudgeUnknown(why=why) | Cancellation(why=why):
            return why
        case _:
            return outcome.limit


def _worth_another(error: Exception) -> bool:
    return isinstance(error, WebGymError) and not isinstance(error, _HOPELESS)


def _trouble(error: Exception) -> Infrastructure:
    if isinstance(error, WebGymError):
        return Infrastructure(error.code, str(error))
    logger.error("an attempt failed unexpectedly", exc_info=error)
    return Infrastructure("internal", f"{type(error).__name__}: {error}")
