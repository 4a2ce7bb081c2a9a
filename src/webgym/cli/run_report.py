"""Tables of a run's results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console
    from rich.table import Table

    from webgym.records.curve import Rate
    from webgym.run.config import RunConfig
    from webgym.run.summary import Summary

_MOST_SITES = 12
_FEWEST_PER_SITE = 5
"""If there are many sites, those with fewer attempts are not listed; `--json` has them all."""

_RATES = (
    "all attempts: those without a reward count as not solved; graded attempts and the lines below: only attempts "
    "with a reward, so none that were blocked, stopped, or ended by an infrastructure or judge error\n"
    "intervals: clustered by task"
)


def print_settings(config: RunConfig) -> None:
    """Print all settings as TOML."""
    from webgym.run.load import to_toml

    print(to_toml(config), end="")


def print_report(folder: Path, console: Console, *, as_json: bool) -> None:
    """Print the outcomes of a run's attempts."""
    import msgspec
    from rich.markup import escape

    from webgym.run.summary import summarise
    from webgym.store.read import open_run

    with open_run(folder) as run:
        summary = summarise(run.rows())
        name = run.name
    if as_json:
        print(msgspec.json.encode({"run": name, "path": str(folder), **msgspec.to_builtins(summary)}).decode())
    _tables(summary, console)
    for warning in summary.warnings:
        console.print(f"[yellow]careful:[/] {escape(warning)}")
    console.print(f"look at it: webgym view {folder}", markup=False)


def print_baselines(runs: Sequence[Path], split: str, console: Console) -> None:
    """Print these runs in one table with baselines on the same kind of tasks: floors, or published figures."""
    from rich.markup import escape
    from rich.table import Table

    from webgym.run.baselines import Kind, baselines_for, kind_of
    from webgym.run.summary import summarise
    from webgym.store.read import open_run

    table = Table("", "success", "95 % interval", "on", box=None)
    kinds: list[Kind] = []
    for folder in runs:
        with open_run(folder) as run:
            rows = run.rows()
            kinds.append(kind_of(run.meta.config))
            found = summarise(rows)
            rate = found.success_over_all
            table.add_row(
                f"[bold]{escape(run.name)}[/]", f"{rate.rate:.1%}", _interval(rate), f"its {found.tasks} tasks"
            )
    for one in baselines_for(kinds, split):
        interval = f"{one.low:.1%} to {one.high:.1%}" if one.high else ""
        table.add_row(one.agent, f"{one.rate:.1%}", interval, one.on)
    if table.row_count == 1:  # already in the report above
        return
    console.print()
    console.print(table)


def _tables(summary: Summary, console: Console) -> None:
    from rich.table import Table

    counts = "  ".join(f"{kind} {count}" for kind, count in summary.outcomes.items() if count)
    total = sum(summary.outcomes.values())
    console.print(f"submitted {summary.submitted} = {total} ended + {summary.open} open:  {counts}")
    table = Table("", "success", "95 % interval", "attempts", box=None)
    _row(table, "all attempts", summary.success_over_all)
    _row(table, "graded attempts", summary.success_over_graded)
    _rows(table, "", summary.by_level)
    _rows(table, "", summary.by_domain)
    _rows(table, "", _sites_worth_a_line(summary.by_site))
    console.print(table)
    console.print(_RATES, style="dim")
    console.print(
        f"blocked {summary.blocked_rate:.1%}   steps {summary.mean_steps:.1f} on average, "
        f"{summary.mean_steps_of_successes:.1f} of successes   {summary.sampled_tokens:,} tokens sampled   "
        f"{summary.seconds:.0f} s"
    )


def _sites_worth_a_line(sites: Mapping[str, Rate]) -> dict[str, Rate]:
    """Return all sites, or if there are too many, those with the lowest success rates."""
    known = {
        name: rate for name, rate in sites.items() if len(sites) <= _MOST_SITES or rate.attempts >= _FEWEST_PER_SITE
    }
    return dict(sorted(known.items(), key=lambda item: item[1].rate)[:_MOST_SITES])


def _rows(table: Table, prefix: str, rates: Mapping[str, Rate]) -> None:
    for name, rate in rates.items():
        _row(table, prefix + name, rate)


def _row(table: Table, name: str, rate: Rate) -> None:
    from rich.markup import escape

    table.add_row(escape(name), f"{rate.rate:.1%}", _interval(rate), str(rate.attempts))


def _interval(rate: Rate) -> str:
    return f"{rate.low:.1%} to {rate.high:.1%}"
