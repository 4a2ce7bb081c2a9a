"""A study as tables: success before and after, attempt lengths, training time, policy lag and clipping."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from webgym.pipeline.study.compare import Arm, Study
    from webgym.store.statistics import Estimate, Interval

_NOT_TOLD = "not told"


def print_study(found: Study, console: Console) -> None:
    """Print a study as tables."""
    for table in (_rise(found), _lengths(found), _by_facts(found), _curves(found)):
        if table.row_count:
            console.print(table)
    if found.against_first:
        console.print(_against(found))
    if found.level is not None:
        console.print(f"level: {_share(found.level)} success on unseen tasks, reached by the mean curve of every arm")
    for note in found.notes:
        console.print(note, markup=False, soft_wrap=True)  # so that its command can be copied


def _rise(found: Study) -> Table:
    table = _table("arm", "seeds", "tasks", "before", "after", "rise (95 %, over tasks)", "over seeds")
    for arm in found.arms:
        before, after = (_NOT_TOLD if one is None else _share(one.success) for one in (arm.before, arm.after))
        one_seed = arm.rise_over_seeds is not None and arm.rise_over_seeds.n < 2
        over_seeds = "one seed" if one_seed else _points(arm.rise_over_seeds)
        _add(table, arm.name, _seeds(arm), _count(arm.rise), before, after, _points(arm.rise), over_seeds)
    return table


def _seeds(arm: Arm) -> str:
    """Return how many seeds there are, and how many of them have evaluations if not all do."""
    rated = sum(seed.after is not None for seed in arm.seeds)
    return str(rated) if rated == len(arm.seeds) else f"{rated} of {len(arm.seeds)}"


def _lengths(found: Study) -> Table:
    table = _table("arm", "", "success", "steps: won", "lost", "tokens/step: won", "lost")
    for arm in found.arms:
        for name, phase in (("before", arm.before), ("after", arm.after)):
            if phase is None:
                continue
            won, lost = phase.successes, phase.failures
            figures = (won.steps, lost.steps, won.tokens_per_step, lost.tokens_per_step)
            _add(table, arm.name, name, _share(phase.success), *(f"{figure:.1f}" for figure in figures))
    return table


def _by_facts(found: Study) -> Table:
    table = _table("arm", "facts", "tasks", "rise (95 %)")
    for arm in found.arms:
        for kind, interval in arm.by_facts.items():
            _add(table, arm.name, kind, _count(interval), _points(interval))
    return table


def _curves(found: Study) -> Table:
    table = _table("arm", "training s", "evaluating s", "s to level", "lag", "max lag", "clipped (95 %, runs)")
    for arm in found.arms:
        _add(
            table,
            arm.name,
            f"{arm.spent.training:.0f}" if arm.spent else _NOT_TOLD,
            f"{arm.spent.evaluating:.0f}" if arm.spent else _NOT_TOLD,
            _NOT_TOLD if arm.seconds_to_level is None else f"{arm.seconds_to_level:.0f}",
            f"{arm.lag.mean:.2f}" if arm.lag else _NOT_TOLD,
            str(arm.lag.most) if arm.lag else _NOT_TOLD,
            _percent(arm.clip_share),
        )
    return table


def _against(found: Study) -> Table:
    table = _table("arm", "compared with", "tasks", "difference after training (95 %)", "time to level", "clipped")
    for one in found.against_first:
        times, clipped = _times(one.seconds_to_level), _times(one.clip_share)
        _add(table, one.name, one.than, _count(one.difference), _points(one.difference), times, clipped)
    return table


def _table(*columns: str) -> Table:
    from rich.table import Table

    return Table(*columns, box=None)


def _add(table: Table, *cells: str) -> None:
    from rich.markup import escape

    table.add_row(*map(escape, cells))


def _share(rate: float) -> str:
    return f"{100 * rate:.1f}%"


def _count(interval: Interval | None) -> str:
    return _NOT_TOLD if interval is None or interval.n == 0 else str(interval.n)


def _points(interval: Interval | None) -> str:
    if interval is None or interval.n == 0:  # the estimate over nothing is meaningless
        return _NOT_TOLD
    return f"{100 * interval.estimate:+.1f} ({100 * interval.low:+.1f} to {100 * interval.high:+.1f})"


def _percent(found: Estimate | None) -> str:
    if found is None:
        return _NOT_TOLD
    if found.low is None or found.high is None:
        return f"{100 * found.estimate:.2f}%"
    return f"{100 * found.estimate:.2f}% ({100 * max(0.0, found.low):.2f} to {100 * found.high:.2f})"


def _times(found: Estimate | None) -> str:
    if found is None:
        return _NOT_TOLD
    if found.low is None or found.high is None:
        return f"{found.estimate:.2f} times"
    return f"{found.estimate:.2f} times ({found.low:.2f} to {found.high:.2f})"
