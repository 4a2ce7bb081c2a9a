"""Rejudges a stored run concurrently and resumably."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import anyio
import anyio.lowlevel
import anyio.to_thread
import msgspec

from webgym.errors import BudgetSpent, ConfigError, JudgeError, JudgeRejected, JudgeUnavailable, StoreError
from webgym.judge.rubric import config_hash, open_rubric_judge
from webgym.llm.paid_reply import ReplyStore
from webgym.records.base import Record
from webgym.records.judgement import Judgement
from webgym.records.trajectory import JudgeUnknown, OutcomeKind, Trajectory, Truncation, outcome_kind
from webgym.records.verdict import Verdict, VerdictCost
from webgym.rollout.blocked import last_refusal
from webgym.rollout.outcome import outcome_of
from webgym.run.complete_verdicts import CompleteVerdictJudge
from webgym.run.config import JudgeConfig
from webgym.run.import_path import made
from webgym.run.judges import ASKING, refuse_policy_servers
from webgym.run.judging.agreement import Agreement, Pair, agreement
from webgym.run.judging.judgement_log import JUDGEMENTS, JudgementLog, Plan, open_judgement_log
from webgym.run.load import sections_from
from webgym.stages import BlockDetector, Judge
from webgym.store.read import Run, open_run

_MOST_SILENT = 16
"""Consecutive attempts without a reply after which the servers are presumed down."""
_JUDGED: frozenset[str] = frozenset({"success", "failure", "blocked", "judge_unknown", "truncated"})
"""Outcomes of completed attempts. Cancelled attempts and technical errors are not judged."""


class Rejudging(Record, frozen=True):
    """Options for rejudging a run."""

    at_once: int = 16
    retry: bool = False
    """Retry attempts that got no verdict before."""
    only: tuple[OutcomeKind, ...] = ()
    """Only attempts with these outcomes; empty: all."""
    limit: int = 0
    """Maximum number of attempts; 0: all."""
    attempts: frozenset[str] | None = None
    """Only these attempts; None: all."""


class RejudgingResult(Record, frozen=True, omit_defaults=False):
    """The result of rejudging a run."""

    run: str
    judge: str
    config: str
    out: str
    planned: int
    judged: int
    """Number of planned attempts judged so far, over all sessions."""
    now: int
    """Number judged in this session."""
    unanswered: int
    """Attempts without a reply in this session, still to be judged."""
    outcomes: dict[str, int]
    spent: VerdictCost
    """Cost over all sessions."""
    agreement: Agreement
    """Agreement with the run's own outcomes."""
    stopped: str
    """Why not all attempts are judged; empty if all are."""


class _Judging:
    """The state of one session."""

    def __init__(self, run: Run, judge: Judge, log: JudgementLog, tell: Callable[[Judgement], None]) -> None:
        self.run = run
        self.judge = judge
        self.log = log
        self.tell = tell
        self.stopped = ""
        self.now = 0
        self.unanswered = 0
        self.silence = ""
        """Error message of the last attempt without a reply."""
        self._silent = 0

    def stop(self, why: str) -> None:
        """Start no more attempts."""
        self.stopped = self.stopped or why

    async def one_after_the_other(self, attempts: Iterator[str]) -> None:
        """Judge attempts until none are left or judging is stopped."""
        for attempt_id in attempts:
            if self.stopped:
                return
            try:
                await self._one(attempt_id)
            except BudgetSpent as error:
                self.stop(str(error))
                return
            except JudgeUnavailable as error:  # not recorded as a judgement, so that it is retried next time
                self.unanswered += 1
                self.silence = str(error)
            await anyio.lowlevel.checkpoint()  # cached replies arrive without ever yielding to the event loop

    async def _one(self, attempt_id: str) -> None:
        made_then = await anyio.to_thread.run_sync(self.run.trajectory, attempt_id)
        judgement = await self._judgement(made_then)
        self.log.keep(judgement)
        self.now += 1
        self.tell(judgement)

    async def _judgement(self, made_then: Trajectory) -> Judgement:
        attempt, ending = made_then.attempt, made_then.ending
        verdict, refused = None, ""
        end = ending.outcome if isinstance(ending.outcome, Truncation) else None
        try:
            if ending.answer is not None:
                verdict = await self.judge.judge(attempt, made_then.steps, ending.last, ending.answer)
            elif isinstance(self.judge, BlockDetector):
                refused = await self.judge.blocked(attempt, made_then.steps, ending.last, {})
        except JudgeError as error:
            self._unclear(error)
            if isinstance(error, JudgeUnavailable):
                raise
            return Judgement(attempt.attempt_id, JudgeUnknown(str(error)), None, time.time())
        self._silent = 0
        if not self.judge.exact:
            refused = last_refusal(made_then.steps, ending.last) or refused
        outcome = outcome_of(ending.answer, end, verdict, refused)
        return Judgement(attempt.attempt_id, outcome, self._with_costs(attempt.attempt_id, verdict), time.time())

    def _unclear(self, error: JudgeError) -> None:
        self._silent = self._silent + 1 if isinstance(error, JudgeUnavailable | JudgeRejected) else 0
        if self._silent >= _MOST_SILENT:
            self.stop(f"{self._silent} attempts in a row had no reply: {error}")

    def _with_costs(self, attempt_id: str, verdict: Verdict | None) -> Verdict | None:
        """Set the cost to the ledger's total, which includes replies paid for before an interruption."""
        if verdict is None:
            return None
        paid = self.log.replies.spent_on(attempt_id)
        if paid.calls <= verdict.spent.calls:
            return verdict
        needed = verdict.spent.calls + verdict.spent.remembered
        whole = msgspec.structs.replace(paid, remembered=max(0, needed - paid.calls))
        return msgspec.structs.replace(verdict, spent=whole)


async def judge_again(
    folder: Path,
    config: JudgeConfig,
    how: Rejudging,
    out: Path | None = None,
    begin: Callable[[int, int], None] = lambda _planned, _kept: None,
    tell: Callable[[Judgement], None] = lambda _judgement: None,
    spent: float = 0.0,
) -> RejudgingResult:
    """Judge a stored run with another judge, and compare. Attempts that are already judged are skipped.

    Args:
        folder: Folder of the run.
        config: Settings of the judge: `rubric`, or a custom one.
        how: Which attempts to judge, and how many concurrently.
        out: Folder for judgements; None: one within the run, named after the judge and its configuration.
        begin: Called with the number of attempts planned, and how many of them are already judged.
        tell: Called with every judgement.
        spent: Dollars of the budget already spent elsewhere.

    Raises:
        ConfigError: The judge cannot judge stored runs, or the log was started with another judge.
        StoreError: There is no such run.
    """
    with open_run(folder) as run:
        plan = _plan(run, config)
        out = out or folder / JUDGEMENTS / f"{_plain(plan.judge)}-{plan.config}"
        planned = _planned(run, how)
        with open_judgement_log(out, plan) as log:
            if how.retry:
                _forget_unknown(log, planned)
            over = log.judged()
            todo = [attempt_id for attempt_id in planned if attempt_id not in over]
            begin(len(planned), len(planned) - len(todo))
            async with _judge(config, run, log.replies, spent + log.replies.dollars) as judge:
                going = _Judging(run, judge, log, tell)
                await _judge_all(going, todo, how.at_once)
            return _result(run, plan, out, planned, log, going)


def _forget_unknown(log: JudgementLog, planned: Sequence[str]) -> None:
    outcomes = log.judged()
    for attempt_id in planned:
        if outcomes.get(attempt_id) == "judge_unknown":
            log.forget(attempt_id)


async def _judge_all(going: _Judging, todo: Sequence[str], at_once: int) -> None:
    left = iter(todo)
    async with anyio.create_task_group() as watch:
        watch.start_soon(_heed_signals, going)
        async with anyio.create_task_group() as group:
            for _ in range(min(at_once, len(todo))):
                group.start_soon(going.one_after_the_other, left)
        watch.cancel_scope.cancel()


async def _heed_signals(going: _Judging) -> None:
    """On the first signal, let requests in flight finish; a second one has its default effect."""
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            going.stop("interrupted")
            break


@asynccontextmanager
async def _judge(config: JudgeConfig, run: Run, replies: ReplyStore, spent: float) -> AsyncGenerator[Judge]:
    if config.use not in ASKING:
        yield CompleteVerdictJudge(made(config.use, "judge.use", Judge))
        return

    def find(address: str) -> bytes | None:
        try:
            return run.blob(address)
        except StoreError:
            return None

    # Training configs have more sections; only those that say where the policy is served are read.
    refuse_policy_servers(config, sections_from(run.meta.config, "model", "policy"))
    async with open_rubric_judge(config, find, replies, spent=spent) as judge:
        yield judge


def _plan(run: Run, config: JudgeConfig) -> Plan:
    if config.use in {"exact", "none"}:
        raise ConfigError(
            f"judge.use = {config.use!r} cannot judge a stored run: its websites no longer run. Use 'rubric' or your "
            "own judge"
        )
    asks = config.use in ASKING
    settings = cast("dict[str, object]", config.model_dump(mode="json", exclude_none=True))
    name = f"rubric:{config.model.model}" if asks and config.model else config.use
    return Plan(run.name, name, config_hash(config) if asks else "own", settings, time.time())


def _planned(run: Run, how: Rejudging) -> list[str]:
    """Return the attempts that ended with an answer or by truncation, and match the options."""
    wanted = set(how.only) or _JUDGED
    found = [
        row.attempt_id
        for row in run.rows()
        if row.outcome in wanted and row.outcome in _JUDGED and (row.answer is not None or row.outcome == "truncated")
        if how.attempts is None or row.attempt_id in how.attempts
    ]
    return found[: how.limit] if how.limit else found


def _result(
    run: Run, plan: Plan, out: Path, planned: Sequence[str], log: JudgementLog, going: _Judging
) -> RejudgingResult:
    wanted = set(planned)
    judgements = [judgement for judgement in log.judgements() if judgement.attempt_id in wanted]
    outcomes: dict[str, int] = {}
    for judgement in judgements:
        kind = outcome_kind(judgement.outcome)
        outcomes[kind] = outcomes.get(kind, 0) + 1
    return RejudgingResult(
        run=run.name,
        judge=plan.judge,
        config=plan.config,
        out=str(out),
        planned=len(planned),
        judged=len(judgements),
        now=going.now,
        unanswered=going.unanswered,
        outcomes=dict(sorted(outcomes.items())),
        spent=log.spent(),
        agreement=agreement(_pairs(run, judgements)),
        stopped=_why_not_all(going) if len(judgements) < len(planned) else "",
    )


def _why_not_all(going: _Judging) -> str:
    count = going.unanswered
    return going.stopped or f"{count} {'attempt' if count == 1 else 'attempts'} had no reply: {going.silence}"


def _pairs(run: Run, judgements: Sequence[Judgement]) -> Iterator[Pair]:
    for judgement in judgements:
        ending = run.ending(judgement.attempt_id)
        if ending is not None:
            yield Pair(judgement.attempt_id, ending.outcome, judgement.outcome, ending.verdict, judgement.verdict)


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-") or "judge"
