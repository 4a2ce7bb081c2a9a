"""`webgym tasks clean`: remove unsuitable and duplicate tasks."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.tasks.options import AsJson, Out, Rejects, Replace, SetNames, joined, tell_card, write_rejects

if TYPE_CHECKING:
    from webgym.tasks.clean.run import CleanSet


class CleaningRule(enum.StrEnum):
    """A cleaning rule."""

    DEAD = "dead"
    UNSAFE = "unsafe"
    LOGIN = "login"


def clean(
    names: SetNames,
    out: Out = Path("clean"),
    replace: Replace = False,
    rejects: Rejects = None,
    keep: Annotated[
        list[CleaningRule] | None, typer.Option(help="Disable this rule: keep the tasks it would drop; repeatable.")
    ] = None,
    duplicates: Annotated[bool, typer.Option(help="Drop exact and near duplicates.")] = True,
    similarity: Annotated[
        float, typer.Option(min=0.5, max=1, help="Word-pair overlap from which two tasks are near duplicates.")
    ] = 0.85,
    any_website: Annotated[bool, typer.Option("--any-website", help="Also drop duplicates across websites.")] = False,
    dates: Annotated[bool, typer.Option(help="Make planned dates relative, such as {{today+14d}}.")] = True,
    json: AsJson = False,
) -> None:
    """Drop duplicate and unsuitable tasks, and make dates relative.

    Unsuitable tasks are dead, unsafe or behind a login. Duplicates are detected
    within and across all given sets. Of two duplicates the one with a rubric is
    kept, else the one with a website. The same text on two websites is two
    tasks, unless --any-website is given.

    For example: webgym tasks clean sets/webvoyager sets/mind2web --out
    sets/clean --rejects rejects.jsonl
    """
    import datetime as dt

    from webgym.tasks.clean.rules import KINDS
    from webgym.tasks.clean.run import Cleaning
    from webgym.tasks.clean.run import clean as cleaned
    from webgym.tasks.sets import save_set

    rules = [kind for kind in KINDS if kind not in {one.value for one in keep or ()}]
    today = dt.datetime.now(tz=dt.UTC).date()
    found = cleaned(joined(names), today, Cleaning(rules, duplicates, any_website, similarity, dates))
    card = save_set(found.tasks, out, replace=replace)
    write_rejects(rejects, found.dropped)
    if json:
        _as_json(found)
        return
    tell_card(card, out)
    texts, sources, websites = found.repeated
    typer.echo(f"  {texts:,} texts occurred more than once after normalization: {sources:,} in several sources, "
               f"{websites:,} on several websites")  # fmt: skip
    for reason, number in found.counts().items():
        typer.echo(f"  {number:,} dropped, {reason}")
    typer.echo(f"  {found.dated:,} with dates made relative")


def _as_json(found: CleanSet) -> None:
    import msgspec

    texts, sources, websites = found.repeated
    told = {
        "kept": len(found.tasks),
        "dropped": found.counts(),
        "dated": found.dated,
        "repeated_texts": {"all": texts, "across_sources": sources, "across_websites": websites},
    }
    typer.echo(msgspec.json.encode(told).decode())
