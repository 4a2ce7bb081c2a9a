"""`webgym tasks health`: success and error rates of tasks and websites across runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.outputs import new_file

if TYPE_CHECKING:
    from webgym.tasks.health.database import Rates


def health(
    book: Annotated[Path, typer.Argument(callback=new_file, help="Health database file; created if missing.")],
    record: Annotated[list[Path] | None, typer.Option(help="Run whose outcomes to record first; repeatable.")] = None,
    tasks: Annotated[bool, typer.Option("--tasks", help="Show tasks instead of websites.")] = False,
    release: Annotated[
        list[str] | None, typer.Option(help="Website or task to release from quarantine; repeatable.")
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="Number of rows to show.")] = 20,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show success, blocked and error rates over all runs, and the quarantine.

    A website or task is quarantined when at least half of its latest attempts
    (four or more) were blocked or failed for technical reasons: for 12 hours at
    first, doubling each consecutive time.

    For example: webgym tasks health health.db --record runs/first --record
    runs/second
    """
    import time

    import msgspec

    from webgym.run.task_sets.health import record_run
    from webgym.tasks.health.database import HealthDatabase
    from webgym.tasks.health.quarantine import review

    database = HealthDatabase(book)
    try:
        new = sum(record_run(database, run) for run in record or ())
        database.forgive((kind, name) for kind in ("site", "task") for name in release or ())
        now = time.time()
        review(database, now)
        held = [one for one in database.held().values() if one.until > now]
        rates = database.rates("task" if tasks else "site")
    finally:
        database.close()
    if json:
        typer.echo(msgspec.json.encode({"new": new, "held": held, "rates": rates[:count]}).decode())
        return
    if record:
        typer.echo(f"{new:,} attempts recorded")
    typer.echo(f"{'task' if tasks else 'website':<40} attempts  success  blocked  errors")
    for rate in rates[:count]:
        typer.echo(_told(rate))
    for one in sorted(held, key=lambda one: one.until):
        hours = (one.until - now) / 3600
        typer.echo(f"quarantined for {hours:.1f} h more: {one.kind} {one.name}, {one.reason}")


def _told(one: Rates) -> str:
    success = "-" if one.success_rate is None else f"{one.success_rate:.0%}"
    return f"{one.name[:40]:<40} {one.attempts:>8}  {success:>7}  {one.blocked_rate:>7.0%}  {one.error_rate:>6.0%}"
