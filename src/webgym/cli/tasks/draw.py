"""`webgym tasks draw`: sample tasks from a task set."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.outputs import new_file
from webgym.cli.tasks.options import SetName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgym.records.task_row import TaskRow
    from webgym.tasks.samplers.pool import TaskPool
    from webgym.tasks.samplers.sampler import PoolSampler, TaskSampling
    from webgym.tasks.similarity.shingles import Places


class SamplerKind(enum.StrEnum):
    """A sampling strategy."""

    UNIFORM = "uniform"
    RATIO = "ratio"
    BALANCED = "balanced"
    ADAPTIVE = "adaptive"


def draw(
    name: SetName,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="Number of distinct tasks.")] = 16,
    sampler: Annotated[
        SamplerKind,
        typer.Option(
            help="uniform: every task once before any repeats. ratio: levels in the shares of --ratio. balanced: every "
            "website equally often. adaptive: tasks whose success is uncertain."
        ),
    ] = SamplerKind.UNIFORM,
    ratio: Annotated[str, typer.Option(help="For `ratio`: shares of the levels.")] = "easy=5,medium=3,hard=2",
    group: Annotated[int, typer.Option(min=1, help="Attempts per task: each task is written this many times.")] = 1,
    hardest_first: Annotated[bool, typer.Option("--hardest-first", help="Sort the hardest tasks first.")] = False,
    seed: Annotated[int, typer.Option(help="Random seed; the same seed draws the same tasks.")] = 0,
    worker: Annotated[int, typer.Option(min=0, help="Index of this worker; workers draw disjoint tasks.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Number of workers.")] = 1,
    state: Annotated[
        Path | None, typer.Option(callback=new_file, help="Sampler state file: resumed from if it exists, and updated.")
    ] = None,
    health: Annotated[
        Path | None,
        typer.Option(
            callback=new_file, help="Health database: excludes quarantined sites and tasks, and informs `adaptive`."
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Also draw tasks without a website or a rubric.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            callback=new_file,
            help="File to write the tasks to, one per line, for `tasks.file` of a run.",
        ),
    ] = None,
) -> None:
    """Draw a sample of tasks, as ids or as a file for a run.

    For example: webgym tasks draw webgym:train -n 1024 --sampler balanced --out
    batch.jsonl

    webgym rollout tasks.use=file tasks.file=batch.jsonl tasks.count=0
    """
    from webgym.tasks.filters import Filter
    from webgym.tasks.samplers.pool import pool_of
    from webgym.tasks.samplers.sampler import PoolSampler, TaskSampling, in_groups, read_state, shares_of
    from webgym.tasks.samplers.sampler import hardest_first as in_order
    from webgym.tasks.sets import open_set

    pool = pool_of(Filter(ready=not everything, clear=True).of(open_set(name)))
    shares = shares_of(ratio) if sampler is SamplerKind.RATIO else {}
    sampling = TaskSampling(sampler.value, seed, worker, workers, shares, group)
    known = read_state(state.read_bytes()) if state and state.exists() else None
    drawing = PoolSampler(pool, sampling, known)
    places = _drawn(drawing, pool, sampling, count, health)
    if hardest_first:
        places = in_order(pool, places)
    rows = pool.tasks.take([int(place) for place in in_groups(places, group)])
    if out is None:
        for row in rows:
            typer.echo(row.task_id)
    else:
        _write(out, rows)
        typer.echo(f"{len(rows):,} tasks written to {out}")
    if state is not None:
        _keep(state, drawing)


def _drawn(drawing: PoolSampler, pool: TaskPool, sampling: TaskSampling, count: int, health: Path | None) -> Places:
    import time

    from webgym.tasks.health.database import HealthDatabase
    from webgym.tasks.health.estimates import estimates_of
    from webgym.tasks.health.quarantine import review

    if health is None:
        return drawing.draw(count)
    database = HealthDatabase(health)
    try:
        out = review(database, time.time())
        estimates = estimates_of(database, pool) if sampling.kind == "adaptive" else None
        return drawing.draw(count, without=pool.without(out.sites, out.tasks), estimates=estimates)
    finally:
        database.close()


def _write(path: Path, rows: Sequence[TaskRow]) -> None:
    import datetime as dt

    import msgspec

    from webgym.tasks.task_from_row import task_of

    today = dt.datetime.now(tz=dt.UTC).date()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for row in rows:
            file.write(msgspec.json.encode(task_of(row, today)) + b"\n")


def _keep(path: Path, drawing: PoolSampler) -> None:
    import msgspec

    from webgym.files import write_whole

    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, msgspec.json.encode(drawing.state()))
