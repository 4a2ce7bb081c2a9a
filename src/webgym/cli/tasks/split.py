"""`webgym tasks split` and `check`: train and test splits without shared websites."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.tasks.options import AsJson, Out, Rejects, Replace, SetName, SetNames, joined, tell_card, write_rejects


def split(
    names: SetNames,
    test: Annotated[int, typer.Option(min=1, help="Number of test tasks, each on a different website.")],
    out: Out = Path("split"),
    replace: Replace = False,
    rejects: Rejects = None,
    seed: Annotated[int, typer.Option(help="Seed for the choice of test websites.")] = 0,
    most_per_site: Annotated[
        int, typer.Option(min=1, help="Websites with more tasks than this stay in the training split.")
    ] = 100,
    without_rubric: Annotated[
        bool, typer.Option("--without-rubric", help="Allow test tasks without a rubric.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Split a task set into train and test by website.

    A website is its registered domain and its aliases: subdomains, country
    domains, short names. Training tasks are dropped if they are on a test
    website, mention one, or nearly duplicate a test task. The test split has
    the same distribution of levels and domains as the whole set. The leak check
    runs at the end.

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
    train: Annotated[str, typer.Option(help="Name of the training split.")] = "train",
    test: Annotated[str, typer.Option(help="Name of the test split.")] = "test",
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON per leak.")] = False,
) -> None:
    """Check a task set for training tasks that leak test tasks.

    Fails if there is a leak, if the file does not match the checksum on its
    card, or if a split is empty.
    """
    import msgspec

    from webgym.errors import TaskSetError
    from webgym.tasks.library import folder_of
    from webgym.tasks.sets import check_hash, open_set
    from webgym.tasks.split.leaks import complain, find_leaks

    tasks = open_set(name)
    folder = folder_of(name)
    if folder.is_dir() and not check_hash(folder):
        raise TaskSetError(f"{folder} does not match its card: the SHA-256 differs")
    splits = tasks.card().splits
    for one in (train, test):
        if not splits.get(one):
            raise TaskSetError(f"{name} has no split {one}: create one with `webgym tasks split`")
    leaks = find_leaks(tasks, train=train, test=test)
    if json:
        for leak in leaks:
            typer.echo(msgspec.json.encode(leak).decode())
    complain(leaks, name)
    if not json:
        typer.echo(f"{len(tasks):,} tasks of {name}: no leaks from {train} to {test}")
