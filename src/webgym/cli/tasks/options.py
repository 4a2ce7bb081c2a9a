"""What several commands of `webgym tasks` are told, and how they tell what they did."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.outputs import new_file, new_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webgym.tasks.card import Card
    from webgym.tasks.problem import Problem
    from webgym.tasks.sets import TaskSet

SetName = Annotated[
    str, typer.Argument(metavar="SET", help="Folder or name of a task set; `:test` behind it takes that split only.")
]
SetNames = Annotated[
    list[str], typer.Argument(metavar="SET...", help="Folders or names of task sets; several are joined.")
]
Out = Annotated[Path, typer.Option("--out", "-o", callback=new_folder, help="Folder the new task set is written to.")]
Replace = Annotated[bool, typer.Option("--replace", help="Replace the task set that is there.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]
Rejects = Annotated[
    Path | None,
    typer.Option(callback=new_file, help="Write what was left out here, one JSON object a line, with the reason."),
]
MOST_SHOWN = 10


def joined(names: Sequence[str]) -> TaskSet:
    """The tasks of all these sets."""
    from webgym.tasks.join import join
    from webgym.tasks.sets import open_set

    return join([open_set(name) for name in names])


def tell_card(card: Card, out: Path) -> None:
    """What was written, and where."""
    typer.echo(f"{card.rows:,} tasks on {card.websites:,} websites written to {out}")
    missing = [
        f"{number:,} without {what}"
        for number, what in ((card.without_website, "a website"), (card.without_rubric, "a rubric"))
        if number
    ]
    if missing:
        typer.echo(f"  {', '.join(missing)}: `webgym tasks enrich {out}` fills in what it can")


def tell_problems(problems: Iterable[Problem]) -> None:
    """The first few, in full, and how many more there are."""
    found = list(problems)
    for one in found[:MOST_SHOWN]:
        typer.echo(f"  {one.kind}: {one}", err=True)
    if len(found) > MOST_SHOWN:
        typer.echo(f"  and {len(found) - MOST_SHOWN:,} more: --rejects FILE writes all of them", err=True)


def write_rejects(path: Path | None, rejects: Iterable[object]) -> None:
    """One JSON object a line."""
    if path is None:
        return
    import msgspec

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for one in rejects:
            file.write(msgspec.json.encode(one) + b"\n")
