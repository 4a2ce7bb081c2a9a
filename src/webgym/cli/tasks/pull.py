"""`webgym tasks pull`: published task sets."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.tasks.options import Replace, tell_card, tell_problems


def pull(
    name: Annotated[str, typer.Argument(help="The published set: webgym.")] = "webgym",
    copy: Annotated[
        Path | None, typer.Option("--from", help="Folder with train.jsonl and test.jsonl, instead of the hub.")
    ] = None,
    drop_leaks: Annotated[
        bool, typer.Option("--drop-leaks", help="Leave out training tasks that give test tasks away.")
    ] = False,
    any_count: Annotated[bool, typer.Option("--any-count", help="Take it even if tasks are missing.")] = False,
    replace: Replace = False,
) -> None:
    """Fetch a published task set, check it, and keep it under its name.

    Checked are the numbers of tasks (webgym: 292,092 to train, 1,167 to test) and that no training task is on a test
    website. From then on `webgym:train` and `webgym:test` name its splits, for every command that takes a set.

    For example: webgym tasks pull webgym; webgym tasks stats webgym:test
    """
    from webgym.tasks.pull import pull as pulled

    found = pulled(name, copy=copy, drop_leaks=drop_leaks, replace=replace, counts=not any_count)
    tell_card(found.card, found.folder)
    typer.echo("  " + ", ".join(f"{number:,} {split}: {name}:{split}" for split, number in found.card.splits.items()))
    kinds = Counter(leak.kind for leak in found.leaks)
    if kinds:
        told = ", ".join(f"{number:,} by {kind}" for kind, number in kinds.most_common())
        rest = f"{found.dropped:,} training tasks left out" if drop_leaks else "--drop-leaks leaves them out"
        typer.echo(f"  under our stricter rule tasks give test tasks away: {told}; {rest}")
    tell_problems(found.tally.problems)
