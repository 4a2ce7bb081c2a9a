"""Pairs of judgements to compare: a run's own, its second judge's, and later ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from webgym.errors import ConfigError
from webgym.records.base import Record
from webgym.records.trajectory import JudgeUnknown
from webgym.rollout.blocked import last_refusal
from webgym.rollout.outcome import outcome_of
from webgym.run.judging.agreement import Agreement, Pair, agreement
from webgym.run.judging.judgement_log import read_judgements, read_plan
from webgym.store.read import Run


class JudgeComparison(Record, frozen=True, omit_defaults=False):
    """The agreement of two judges on one run."""

    run: str
    first: str
    second: str
    agreement: Agreement


def pairs_of(run: Run, folders: Sequence[Path]) -> JudgeComparison:
    """Compare the run's two judges, the run's with one folder's, or those of two folders.

    Raises:
        ConfigError: The run has only one judge, and no folder is given.
        StoreError: A folder holds no judgements.
    """
    match len(folders):
        case 0:
            pairs = tuple(_within(run))
            if not pairs:
                raise ConfigError(
                    f"run {run.name} has only one judge: use a run with judge.use=both, or judge this one again with "
                    "`webgym judge run` and give --judgements"
                )
            names = ("the run's judge", "the second judge")
        case 1:
            pairs, names = tuple(_with_run(run, folders[0])), ("stored in the run", read_plan(folders[0]).judge)
        case _:
            pairs = tuple(_of_two(folders[0], folders[1]))
            names = (read_plan(folders[0]).judge, read_plan(folders[1]).judge)
    return JudgeComparison(run.name, *names, agreement(pairs))


def _within(run: Run) -> Iterator[Pair]:
    for row in run.rows():
        ending = run.ending(row.attempt_id)
        if ending is None or ending.verdict is None:
            continue
        second, failed = ending.verdict.second, ending.verdict.second_failed
        if second is not None:
            theirs = outcome_of(ending.answer, None, second, last_refusal(run.steps(row.attempt_id), ending.last))
            yield Pair(row.attempt_id, ending.outcome, theirs, ending.verdict, second)
        elif failed:
            yield Pair(row.attempt_id, ending.outcome, JudgeUnknown(failed), ending.verdict, None)


def _with_run(run: Run, folder: Path) -> Iterator[Pair]:
    for judgement in read_judgements(folder):
        ending = run.ending(judgement.attempt_id)
        if ending is not None:
            yield Pair(judgement.attempt_id, ending.outcome, judgement.outcome, ending.verdict, judgement.verdict)


def _of_two(first: Path, second: Path) -> Iterator[Pair]:
    theirs = {judgement.attempt_id: judgement for judgement in read_judgements(second)}
    for judgement in read_judgements(first):
        if (other := theirs.get(judgement.attempt_id)) is not None:
            yield Pair(judgement.attempt_id, judgement.outcome, other.outcome, judgement.verdict, other.verdict)
