"""`webgym judge compare`: compare two judges."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.completions import run_names
from webgym.cli.judge import options

if TYPE_CHECKING:
    from rich.console import Console

    from webgym.run.judging.agreement import Agreement

_MOST_LISTED = 20


def compare(
    run: Annotated[str, typer.Argument(help="Folder of a run, or its name in runs/.", autocompletion=run_names)],
    judgements: Annotated[
        list[Path] | None,
        typer.Option(
            "--judgements",
            help="Folder of judgements, as written by `webgym judge run`. One: compare it with the run. Two: compare "
            "them with each other. None: compare the two judges of a run with judge.use=both.",
        ),
    ] = None,
    json: options.AsJson = False,
) -> None:
    """Compare two judges on the same attempts: outcomes, rewards, facts, and the attempts they differ on.

    For example, the exact judge and the model of one run, and two models on
    another:

    webgym judge compare runs/eval-1

    webgym judge compare runs/eval-2 --judgements runs/eval-2/judgements/a
    --judgements runs/eval-2/judgements/b
    """
    import msgspec
    from rich.console import Console

    from webgym.errors import ConfigError
    from webgym.run.judging.pairs import pairs_of
    from webgym.store.read import locate, open_run

    if len(judgements or []) > 2:
        raise ConfigError("only two judges can be compared: give --judgements at most twice")
    with open_run(locate(run)) as found:
        compared = pairs_of(found, judgements or [])
    if json:
        print(msgspec.json.encode(compared).decode())
    print_agreement(compared.agreement, compared.first, compared.second, Console(stderr=json))


def print_agreement(found: Agreement, first: str, second: str, console: Console) -> None:
    """Print the agreement of two judges as tables."""
    from rich.markup import escape
    from rich.table import Table

    columns = sorted({kind for row in found.outcomes.values() for kind in row})
    table = Table(escape(f"{first} ↓   {second} →"), *columns, box=None)
    for kind, row in found.outcomes.items():
        table.add_row(kind, *(str(row.get(column, 0)) if row.get(column) else "·" for column in columns))
    console.print(table)
    rewards, facts = found.rewards, found.facts
    if rewards.n:
        console.print(
            f"same reward: {rewards.estimate:.1%} ({rewards.low:.1%} to {rewards.high:.1%}) of {rewards.n} attempts "
            f"graded by both; {found.only_first} successes only in the first, {found.only_second} only in the second"
        )
    if facts.n:
        console.print(f"same verdict on facts: {facts.estimate:.1%} ({facts.low:.1%} to {facts.high:.1%}) of {facts.n}")
    for difference in found.differences[:_MOST_LISTED]:
        told = f", facts {', '.join(difference.facts)}" if difference.facts else ""
        console.print(f"  {difference.attempt_id}: {difference.first} → {difference.second}{told}", markup=False)
    if len(found.differences) > _MOST_LISTED:
        console.print(f"  and {len(found.differences) - _MOST_LISTED} more; --json lists all")
