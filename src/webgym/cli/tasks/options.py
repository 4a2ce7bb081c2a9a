"""Options and output helpers shared by `webgym tasks` commands."""

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
    str,
    typer.Argument(metavar="SET", help="Folder or name of a task set; append a split, such as `:test`, to select it."),
]
SetNames = Annotated[list[str], typer.Argument(metavar="SET...", help="Folders or names of task sets, concatenated.")]
Out = Annotated[Path, typer.Option("--out", "-o", callback=new_folder, help="Folder to write the new task set to.")]
Replace = Annotated[bool, typer.Option("--replace", help="Replace an existing task set.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Rejects = Annotated[
    Path | None,
    typer.Option(callback=new_file, help="File to write rejected tasks to, with reasons, as JSON Lines."),
]
MOST_SHOWN = 10


def joined(names: Sequence[str]) -> TaskSet:
    """Return the tasks of all named sets as one set."""
    from webgym.tasks.join import join
    from webgym.tasks.sets import open_set

    return join([open_set(name) for name in names])


def tell_card(card: Card, out: Path) -> None:
    """Print what was written, and where."""
    typer.echo(f"{card.rows:,} tasks on {card.websites:,} websites written to {out}")
    missing = [
        f"{number:,} without {what}"
        for number, what in ((card.without_website, "a website"), (card.without_rubric, "a rubric"))
        if number
    ]
    if missing:
        typer.echo(f"  {', '.join(missing)}: `webgym tasks enrich {out}` fills in what it can")


def tell_problems(problems: Iterable[Problem]) -> None:
    """Print the first few problems, and how many more there are."""
    found = list(problems)
    for one in found[:MOST_SHOWN]:
        typer.echo(f"  {one.kind}: {one}", err=True)
    if len(found) > MOST_SHOWN:
        typer.echo(f"  and {len(found) - MOST_SHOWN:,} more: --rejects FILE writes all of them", err=True)


def write_rejects(path: Path | None, rejects: Iterable[object]) -> None:
    """Write the rejects as JSON Lines, if a path is given."""
    if path is None:
        return
    import msgspec

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for reject in rejects:
            file.write(msgspec.json.encode(reject) + b"\n")
