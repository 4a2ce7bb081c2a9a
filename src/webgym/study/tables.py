"""A study as tables of text, each with a caption and with what its columns mean."""

from __future__ import annotations

from webgym.curves.study_page import StudyColumn, StudyTable
from webgym.store.statistics import Estimate, Interval
from webgym.study.compare import ArmResult, Phase, Study

NOT_TOLD = "not told"


def tables_of(found: Study) -> tuple[StudyTable, ...]:
    """Return the tables of a study, without those that would be empty."""
    tables = (_rise(found), _lengths(found), _by_facts(found), _curves(found), _against(found))
    return tuple(table for table in tables if table.rows)


def share(rate: float) -> str:
    """Return a rate as a percentage."""
    return f"{100 * rate:.1f}%"


def points(interval: Interval | None) -> str:
    """Return a difference of rates in percentage points, with its interval."""
    if interval is None or interval.n == 0:  # the estimate over nothing is meaningless
        return NOT_TOLD
    return f"{100 * interval.estimate:+.1f} ({100 * interval.low:+.1f} to {100 * interval.high:+.1f})"


def _rise(found: Study) -> StudyTable:
    columns = (
        StudyColumn("arm"),
        StudyColumn("seeds", "runs with evaluations before and after training"),
        StudyColumn("tasks", "tasks graded in both evaluations"),
        StudyColumn("before", "success in the first evaluation"),
        StudyColumn("after", "success in the last one"),
        StudyColumn(
            "rise (95 %, over tasks)", "after minus before in points; other tasks might change it within the interval"
        ),
        StudyColumn("over seeds", "the same rise; other seeds might change it within this interval"),
    )

    def row(arm: ArmResult) -> tuple[str, ...]:
        before, after = (NOT_TOLD if one is None else share(one.success) for one in (arm.before, arm.after))
        one_seed = arm.rise_over_seeds is not None and arm.rise_over_seeds.n < 2
        over_seeds = "one seed" if one_seed else points(arm.rise_over_seeds)
        return arm.name, _seeds(arm), _count(arm.rise), before, after, points(arm.rise), over_seeds

    return StudyTable(
        "Success on unseen tasks",
        "Success before and after training, on the same tasks of websites that training never uses.",
        columns,
        tuple(map(row, found.arms)),
    )


def _seeds(arm: ArmResult) -> str:
    """Return how many seeds there are, and how many of them have evaluations if not all do."""
    rated = sum(seed.after is not None for seed in arm.seeds)
    return str(rated) if rated == len(arm.seeds) else f"{rated} of {len(arm.seeds)}"


def _lengths(found: Study) -> StudyTable:
    columns = (
        StudyColumn("arm"),
        StudyColumn("evaluation", "the first one, before training, or the last one"),
        StudyColumn("success"),
        StudyColumn("steps: won", "mean number of steps of attempts that succeeded"),
        StudyColumn("steps: lost", "of graded attempts that did not"),
        StudyColumn("tokens/step: won", "mean number of sampled tokens per step of attempts that succeeded"),
        StudyColumn("tokens/step: lost", "of graded attempts that did not"),
    )

    def row(name: str, place: str, phase: Phase) -> tuple[str, ...]:
        won, lost = phase.successes, phase.failures
        figures = (won.steps, lost.steps, won.tokens_per_step, lost.tokens_per_step)
        return name, place, share(phase.success), *(f"{figure:.1f}" for figure in figures)

    phases = [(arm.name, (("before", arm.before), ("after", arm.after))) for arm in found.arms]
    return StudyTable(
        "Length of attempts",
        "How long the graded attempts of the two evaluations were.",
        columns,
        tuple(row(name, place, phase) for name, both in phases for place, phase in both if phase is not None),
    )


def _by_facts(found: Study) -> StudyTable:
    columns = (
        StudyColumn("arm"),
        StudyColumn("facts", "facts that have to hold in the end: the more, the harder the task"),
        StudyColumn("tasks", "tasks with so many facts that are graded in both evaluations"),
        StudyColumn("rise (95 %)", "success after minus before, in points, with its interval over these tasks"),
    )
    return StudyTable(
        "Rise by difficulty",
        "The rise on tasks with the same number of facts.",
        columns,
        tuple(
            (arm.name, kind, _count(interval), points(interval))
            for arm in found.arms
            for kind, interval in arm.by_facts.items()
        ),
    )


def _curves(found: Study) -> StudyTable:
    level = f" The level is {share(found.level)}: the highest that all arms reached." if found.level is not None else ""
    columns = (
        StudyColumn("arm"),
        StudyColumn("training s", "seconds a run spent on training, mean over seeds"),
        StudyColumn("evaluating s", "seconds training was paused for evaluations"),
        StudyColumn("s to level", "seconds of training until the mean curve of the arm first reached the level"),
        StudyColumn("lag", "updates between the weights that sampled a token and those that learned from it, mean"),
        StudyColumn("max lag", "the same, at most"),
        StudyColumn(
            "clipped (95 %, runs)", "share of tokens whose gradient was clipped away, with its interval over runs"
        ),
    )

    def row(arm: ArmResult) -> tuple[str, ...]:
        return (
            arm.name,
            f"{arm.spent.training:.0f}" if arm.spent else NOT_TOLD,
            f"{arm.spent.evaluating:.0f}" if arm.spent else NOT_TOLD,
            NOT_TOLD if arm.seconds_to_level is None else f"{arm.seconds_to_level:.0f}",
            f"{arm.lag.mean:.2f}" if arm.lag else NOT_TOLD,
            str(arm.lag.most) if arm.lag else NOT_TOLD,
            _percent(arm.clip_share),
        )

    return StudyTable(
        "Time and updates",
        f"What the curves of the runs say.{level}",
        columns,
        tuple(map(row, found.arms)),
    )


def _against(found: Study) -> StudyTable:
    columns = (
        StudyColumn("arm"),
        StudyColumn("compared with"),
        StudyColumn("tasks", "tasks graded in the last evaluations of both"),
        StudyColumn(
            "difference after training (95 %)", "success of this arm minus that of the first, in points, over tasks"
        ),
        StudyColumn("time to level", "seconds to the level as a multiple of the first arm's: below 1 is faster"),
        StudyColumn("clipped", "clipped share as a multiple of the first arm's"),
    )
    return StudyTable(
        "Against the first arm",
        "Every arm compared with the first one. A difference whose interval includes 0, or a multiple whose interval "
        "includes 1, may be chance.",
        columns,
        tuple(
            (
                one.name,
                one.than,
                _count(one.difference),
                points(one.difference),
                times(one.seconds_to_level),
                times(one.clip_share),
            )
            for one in found.against_first
        ),
    )


def times(found: Estimate | None) -> str:
    """Return a ratio with its interval, if it has one."""
    if found is None:
        return NOT_TOLD
    if found.low is None or found.high is None:
        return f"{found.estimate:.2f} times"
    return f"{found.estimate:.2f} times ({found.low:.2f} to {found.high:.2f})"


def _count(interval: Interval | None) -> str:
    return NOT_TOLD if interval is None or interval.n == 0 else str(interval.n)


def _percent(found: Estimate | None) -> str:
    if found is None:
        return NOT_TOLD
    if found.low is None or found.high is None:
        return f"{100 * found.estimate:.2f}%"
    return f"{100 * found.estimate:.2f}% ({100 * max(0.0, found.low):.2f} to {100 * found.high:.2f})"
