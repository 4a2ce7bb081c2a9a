"""`webgym tasks pull`: download published task sets."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.tasks.options import Replace, tell_card, tell_problems


def pull(
    name: Annotated[str, typer.Argument(help="Name of the published set: webgym.")] = "webgym",
    copy: Annotated[
        Path | None,
        typer.Option("--from", help="Folder with train.jsonl and test.jsonl to read instead of downloading."),
    ] = None,
    drop_leaks: Annotated[bool, typer.Option("--drop-leaks", help="Drop training tasks that leak test tasks.")] = False,
    any_count: Annotated[bool, typer.Option("--any-count", help="Accept a set with missing tasks.")] = False,
    replace: Replace = False,
) -> None:
    """Download and verify a published task set.

    Verifies the number of tasks (webgym: 292,092 for training, 1,167 for
    testing) and that no training task is on a test website. Afterwards
    `webgym:train` and `webgym:test` name its splits in every command that takes
    a set.

    For example: webgym tasks pull webgym; webgym tasks stats webgym:test
    """
    from webgym.tasks.pull import pull as pulled

    found = pulled(name, copy=copy, drop_leaks=drop_leaks, replace=replace, counts=not any_count)
    tell_card(found.card, found.folder)
    typer.echo("  " + ", ".join(f"{number:,} {split}: {name}:{split}" for split, number in found.card.splits.items()))
    kinds = Counter(leak.kind for leak in found.leaks)
    if kinds:
        told = ", ".join(f"{number:,} by {kind}" for kind, number in kinds.most_common())
        rest = f"{found.dropped:,} training tasks dropped" if drop_leaks else "--drop-leaks drops them"
        typer.echo(f"  training tasks that leak test tasks under our stricter rule: {told}; {rest}")
    tell_problems(found.tally.problems)
