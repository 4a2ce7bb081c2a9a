"""`webgym tasks show`: print tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.tasks.options import SetName

if TYPE_CHECKING:
    from webgym.records.task_row import TaskRow


def show(
    name: SetName,
    task_id: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Ids of tasks to show.")] = None,
    count: Annotated[int, typer.Option(min=1, help="Number of tasks to show if no ID is given.")] = 10,
    level: Annotated[str, typer.Option(help="Only tasks of this level: easy, medium or hard.")] = "",
    site: Annotated[str, typer.Option(help="Only tasks of this website, such as example.com.")] = "",
    source: Annotated[str, typer.Option(help="Only tasks of this source.")] = "",
    domain: Annotated[str, typer.Option(help="Only tasks of this domain.")] = "",
    open_sealed: Annotated[bool, typer.Option("--open", help="Decrypt encrypted tasks.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON per task.")] = False,
) -> None:
    """Show tasks by id, or the first that match the filters."""
    import itertools

    import msgspec

    from webgym.errors import ConfigError
    from webgym.tasks.filters import Filter
    from webgym.tasks.sealing import opened
    from webgym.tasks.sets import open_set

    tasks = open_set(name)
    wanted = Filter(level=level, site=site, source=source, domain=domain, task_ids=tuple(task_id or ()))
    found = list(itertools.islice(wanted.of(tasks).rows(), None if task_id else count))
    if not found:
        raise ConfigError(f"{name} has no task with this id")
    for row in found:
        shown = opened(row) if open_sealed else row
        if json:
            typer.echo(msgspec.json.encode(shown).decode())
        else:
            typer.echo(_told(shown))


def _told(row: TaskRow) -> str:
    where = row.website or "no website yet"
    parts = (row.split, row.benchmark, row.domain, row.subdomain, row.level or "no rubric yet")
    instruction = f"(encrypted, {row.sealed}; --open shows it)" if row.sealed else row.instruction
    lines = [f"{row.task_id}  {where}  {' · '.join(filter(None, parts))}", f"  {instruction}"]
    for group in row.rubric:
        lines += [f"  {group.id}. {group.description}", *(f"     - {fact}" for fact in group.facts)]
    if row.answer and not row.sealed:
        lines.append(f"  answer: {row.answer}")
    origin = row.provenance
    lines.append(f"  from {origin.source or 'nowhere'} {origin.file}:{origin.line}, {origin.licence or 'no licence'}")
    if row.inferred:
        lines.append(f"  inferred: {', '.join(row.inferred)}")
    return "\n".join(lines) + "\n"
