"""`webgym tasks import`: convert the files of a benchmark into a task set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from webgym.cli.tasks.options import Out, Rejects, Replace, tell_card, tell_problems, write_rejects

if TYPE_CHECKING:
    from webgym.environments.optional import RowSource
    from webgym.tasks.importing import ImportTally
    from webgym.tasks.sources.source import Source

OTHER = "other"


def import_files(
    source: Annotated[
        str, typer.Argument(help="Source format; `webgym tasks sources` lists them. `other`: any file, with --map.")
    ],
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE...", help="JSON Lines, JSON, CSV or Parquet files, or hf://datasets/… URLs."),
    ] = None,
    out: Out = Path("tasks"),
    replace: Replace = False,
    rejects: Rejects = None,
    mapping: Annotated[
        list[str] | None,
        typer.Option(
            "--map", metavar="OURS=THEIRS", help="For `other`: a task field and its name in the file; repeatable."
        ),
    ] = None,
    benchmark: Annotated[str, typer.Option(help="For `other`: name of the benchmark.")] = "",
    licence: Annotated[str, typer.Option(help="Licence of the data; overrides the source's known licence.")] = "",
    revision: Annotated[str, typer.Option(help="Version, commit or date of the source, recorded as provenance.")] = "",
    sites: Annotated[int, typer.Option(min=1, help="For an environment such as `hermetic`: sites per family.")] = 50,
    per_site: Annotated[int, typer.Option(min=1, help="For an environment: tasks per site.")] = 100,
) -> None:
    """Import the tasks of a benchmark, or of any file, as a task set.

    Entries that cannot be read are reported with file and line; the rest is
    kept.

    For example:

    webgym tasks import webvoyager WebVoyager_data.jsonl --out sets/webvoyager

    webgym tasks import hermetic --sites 10 --out sets/hermetic

    webgym tasks import other mine.csv --map instruction=question --map
    website=url --out sets/mine
    """
    from webgym.tasks.hub import local
    from webgym.tasks.importing import ImportTally, import_rows
    from webgym.tasks.sets import save_set, set_of

    tally = ImportTally()
    if source in _environments():
        from webgym.environments.registry import environment_named

        rows = cast("RowSource", environment_named(source)).rows(sites, per_site)
        made = f"{source} sites: {sites} of each family, {per_site} tasks each"
    else:
        chosen = _source(source, mapping or [], benchmark, licence)
        paths = [local(one) for one in files or []]
        if not paths:
            raise typer.BadParameter(f"give the files of {source}: {chosen.about}")
        rows = import_rows(chosen, paths, tally, revision=revision)
        made = f"imported from {source}: {', '.join(path.name for path in paths)}"
    card = save_set(set_of(out.name, rows, (made,)), out, replace=replace)
    tell_card(card, out)
    _tell(tally)
    write_rejects(rejects, tally.problems)


def sources() -> None:
    """List the importable sources with their licences and files."""
    from webgym.tasks.sources.registry import SOURCES

    for one in SOURCES.values():
        typer.echo(f"{one.name:<16} {one.licence:<20} {one.about}")
    for name in _environments():
        typer.echo(f"{name:<16} {'its own':<20} tasks of the environment; no files")
    typer.echo(f"{OTHER:<16} {'(--licence)':<20} any JSON Lines, JSON, CSV or Parquet, with --map OURS=THEIRS")


def _environments() -> list[str]:
    """Return the installed environments whose tasks can be rows of a task set."""
    from webgym.environments.registry import installed_environments

    return [name for name in installed_environments() if _brings_rows(name)]


def _brings_rows(environment: str) -> bool:
    from webgym.environments.optional import RowSource
    from webgym.environments.registry import maker_of
    from webgym.errors import ConfigError

    try:
        maker = maker_of(environment)
    except ConfigError:  # one broken package should not break the import of files
        return False
    return isinstance(maker, type) and issubclass(maker, RowSource)


def _source(name: str, mapping: list[str], benchmark: str, licence: str) -> Source:
    import dataclasses

    from webgym.environments.registry import installed_environments
    from webgym.errors import ConfigError
    from webgym.plugins import ENVIRONMENTS, remedy
    from webgym.tasks.sources.mapped import mapped, parse_mapping
    from webgym.tasks.sources.registry import SOURCES

    if name == OTHER:
        return mapped(benchmark or OTHER, parse_mapping(mapping), benchmark=benchmark, licence=licence or "unknown")
    if mapping or benchmark:
        raise ConfigError("--map and --benchmark only apply to the source `other`")
    if name not in SOURCES:
        if name not in installed_environments() and (missing := remedy(ENVIRONMENTS, name)):
            raise ConfigError(f"the environment {name!r} is not installed: {missing}")
        raise ConfigError(f"unknown source {name!r}: `webgym tasks sources` lists all, and `other` reads any file")
    return dataclasses.replace(SOURCES[name], licence=licence) if licence else SOURCES[name]


def _tell(tally: ImportTally) -> None:
    if tally.read:
        websites = ", ".join(f"{number:,} from {how}" for how, number in tally.inferred.most_common())
        typer.echo(f"  {tally.read:,} entries read, {tally.kept:,} kept; websites: {websites or 'none'}")
    tell_problems(tally.problems)
