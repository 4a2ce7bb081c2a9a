"""`webgym study`: ways of learning against each other, over seeds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from webgym.pipeline.train.study import Study
    from webgym.store.statistics import Interval


def study(
    arms: Annotated[
        list[str],
        typer.Argument(metavar="NAME=RUN[,RUN…]", help="A way of learning and its training runs, one for each seed."),
    ],
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Training runs before and after learning, on the same unseen tasks: by arm, over seeds, each against the first.

    For example: webgym study 1/k=runs/k0,runs/k1,runs/k2 1/len=runs/t0,runs/t1,runs/t2
    """
    import msgspec
    from rich.console import Console

    from webgym.pipeline.train.study import study as studied

    found = studied(_arms(arms))
    if json:
        typer.echo(msgspec.json.encode(found).decode())
        return
    console = Console(highlight=False)
    for table in _tables(found):
        console.print(table)


def _arms(told: list[str]) -> dict[str, list[Path]]:
    from webgym.errors import ConfigError
    from webgym.store.read import locate

    arms: dict[str, list[Path]] = {}
    for one in told:
        name, equals, runs = one.rpartition("=")
        if not equals or not name or not runs:
            raise ConfigError(f"an arm is written as NAME=RUN[,RUN…], not {one!r}")
        if name in arms:
            raise ConfigError(f"the arm {name!r} is named twice: put all of its runs behind one name, with commas")
        arms[name] = [locate(Path(run)) for run in runs.split(",") if run]
        if not arms[name]:
            raise ConfigError(f"an arm is written as NAME=RUN[,RUN…], and {one!r} has no run")
    return arms


def _tables(found: Study) -> list[Table]:
    from rich.markup import escape
    from rich.table import Table

    rise = Table("arm", "seeds", "tasks", "before", "after", "rise (95 %, over tasks)", "over seeds", box=None)
    length = Table("arm", "", "success", "steps: won", "lost", "tokens a step: won", "lost", box=None)
    facts = Table("arm", "facts", "tasks", "rise (95 %)", box=None)
    for arm in found.arms:
        before, after = arm.before.success, arm.after.success
        arm_name, tasks = escape(arm.name), str(arm.rise.n)
        rise.add_row(
            arm_name, str(len(arm.seeds)), tasks, _share(before), _share(after), _told(arm.rise),
            _told(arm.rise_over_seeds) if len(arm.seeds) > 1 else "one seed",
        )  # fmt: skip
        for name, phase in (("before", arm.before), ("after", arm.after)):
            won, lost = phase.successes, phase.failures
            length.add_row(
                arm_name, name, _share(phase.success), f"{won.steps:.1f}", f"{lost.steps:.1f}",
                f"{won.tokens_per_step:.1f}", f"{lost.tokens_per_step:.1f}",
            )  # fmt: skip
        for kind, interval in arm.by_facts.items():
            facts.add_row(arm_name, escape(kind), str(interval.n), _told(interval))
    against = Table("arm", "against", "tasks", "higher after learning by (95 %)", box=None)
    for one in found.against_first:
        against.add_row(escape(one.name), escape(one.than), str(one.difference.n), _told(one.difference))
    return [rise, length, facts, against] if found.against_first else [rise, length, facts]


def _share(rate: float) -> str:
    return f"{100 * rate:.1f}%"


def _told(interval: Interval) -> str:
    return f"{100 * interval.estimate:+.1f} ({100 * interval.low:+.1f} to {100 * interval.high:+.1f})"
