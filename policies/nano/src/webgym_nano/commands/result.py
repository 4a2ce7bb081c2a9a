"""The result of a demo in words: success before and after, and whether more than chance explains the difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgym.records.curve import ENOUGH_FOR_A_RATE

if TYPE_CHECKING:
    from rich.table import Table

    from webgym.records.curve import Rate
    from webgym_nano.demo.outcome import Course, Outcome


def told(rate: Rate) -> str:
    """Format successes: as a rate with its interval, or as a count if there are too few attempts for a rate."""
    if not rate.telling:
        return f"{rate.successes} of {rate.attempts} tasks solved"
    return f"{rate.rate:.1%} of {rate.attempts} tasks solved (95 % interval {rate.low:.1%} to {rate.high:.1%})"


def before_and_after(outcome: Outcome) -> Table:
    """Return a table of success before and after: of this run, and of a full-length one."""
    from rich.table import Table

    table = Table("unseen websites", "before", "after", "tasks", "learned from", box=None, padding=(0, 2, 0, 0))
    if outcome.course is not None:
        table.add_row("[bold]this run[/]", *_cells(outcome.course))
    if outcome.full is not None:
        table.add_row("at full length", *_cells(outcome.full))
    return table


def _cells(course: Course) -> tuple[str, str, str, str]:
    after = _cell(course.after) if course.after is not None else "-"
    return _cell(course.before), after, str(course.before.attempts), f"{course.episodes:,} attempts"


def _cell(rate: Rate) -> str:
    if not rate.telling:
        return f"{rate.successes} solved"
    return f"{rate.rate:.1%} ({rate.low * 100:.0f} to {rate.high * 100:.0f})"


def difference_told(outcome: Outcome, minutes: int) -> str:
    """Format the paired difference. `minutes` is how long a demo would have to be for one; 0 if it is unknown."""
    compared = outcome.compared
    if compared is None:
        return ""
    if compared.tasks < ENOUGH_FOR_A_RATE:
        longer = f", which --minutes {minutes} would allow on this machine" if minutes else ""
        few = f"{compared.tasks} tasks are too few to say whether that is a change"
        return f"{few}: it takes {ENOUGH_FOR_A_RATE}{longer}"
    found = compared.difference
    verdict = "more than chance alone explains" if found.excludes_zero else "chance alone explains that"
    bounds = f"95 % interval {100 * found.low:+.1f} to {100 * found.high:+.1f}, paired over {compared.tasks} tasks"
    return f"this run changed success by {100 * found.estimate:+.1f} points ({bounds}): {verdict}"
