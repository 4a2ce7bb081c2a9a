"""`webgym tasks split` and `check`: test websites that training never sees."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.tasks.options import AsJson, Out, Rejects, Replace, SetName, SetNames, joined, tell_card, write_rejects


def split(
    names: SetNames,
    test: Annotated[int, typer.Option(min=1, help="Test tasks, each on a website of its own.")],
    out: Out = Path("split"),
    replace: Replace = False,
    rejects: Rejects = None,
    seed: Annotated[int, typer.Option(help="Another seed, other test websites.")] = 0,
    most_per_site: Annotated[
        int, typer.Option(min=1, help="Websites with more tasks than that stay in training.")
    ] = 100,
    without_rubric: Annotated[
        bool, typer.Option("--without-rubric", help="Also test on tasks that have no rubric yet.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Split by website: one test task on each of so many websites, and training on others only.

    A website is its registered domain and whatever else it is known as: sub-domains, other countries' domains, short
    names. Training tasks on a test website, that name one, or that say nearly the same as a test task are left out.
    Levels and domains are in the test split as in the whole set. The leak check runs at the end.

    For example: webgym tasks split sets/clean --test 500 --out sets/mine
    """
    import msgspec

    from webgym.tasks.sets import save_set
    from webgym.tasks.split.make import SplitPlan, make_split

    plan = SplitPlan(test, seed, most_per_site, ready_only=not without_rubric)
    made = make_split(joined(names), plan)
    card = save_set(made.tasks, out, replace=replace)
    write_rejects(rejects, made.aside)
    if json:
        typer.echo(msgspec.json.encode({"splits": card.splits, "set_aside": made.counts()}).decode())
        return
    tell_card(card, out)
    typer.echo("  " + ", ".join(f"{number:,} {name}" for name, number in card.splits.items()) + "; no leaks")
    for reason, number in made.counts().items():
        typer.echo(f"  {number:,} left out: {reason}")


def check(
    name: SetName,
    train: Annotated[str, typer.Option(help="The split that is trained on.")] = "train",
    test: Annotated[str, typer.Option(help="The split that is tested on.")] = "test",
    json: Annotated[bool, typer.Option("--json", help="One line of JSON per leak.")] = False,
) -> None:
    """Look for leaks: training tasks that give test tasks away. Fails if there is one, or if the file was changed.

    It fails too if one of the splits is empty: nothing was looked at then.
    """
    import msgspec

    from webgym.errors import TaskSetError
    from webgym.tasks.library import folder_of
    from webgym.tasks.sets import check_hash, open_set
    from webgym.tasks.split.leaks import complain, find_leaks

    tasks = open_set(name)
    folder = folder_of(name)
    if folder.is_dir() and not check_hash(folder):
        raise TaskSetError(f"{folder} is not what its card was written for: the SHA-256 differs")
    splits = tasks.card().splits
    for one in (train, test):
        if not splits.get(one):
            raise TaskSetError(f"{name} has no tasks of the split {one}: `webgym tasks split` makes one")
    leaks = find_leaks(tasks, train=train, test=test)
    if json:
        for leak in leaks:
            typer.echo(msgspec.json.encode(leak).decode())
    complain(leaks, name)
    if not json:
        typer.echo(f"{len(tasks):,} tasks of {name}: no leaks from {train} to {test}")
