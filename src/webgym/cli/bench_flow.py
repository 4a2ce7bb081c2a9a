"""`webgym bench flow`: synchronous against asynchronous training."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.outputs import new_file

if TYPE_CHECKING:
    from webgym.bench.flow.conditions import Conditions as FlowConditions
    from webgym.bench.measure import Progress


def flow(
    browsers: Annotated[int, typer.Option(min=1, help="Open at once, in both ways.")] = 128,
    inference: Annotated[int, typer.Option(min=0, help="Replies written at once; 0: one for each browser.")] = 0,
    groups: Annotated[int, typer.Option(min=1, help="Of an update.")] = 8,
    members: Annotated[int, typer.Option(min=2, help="Attempts in a group.")] = 8,
    decision_mean: Annotated[float, typer.Option(min=0, help="Seconds a decision takes, on average.")] = 1.0,
    sigma: Annotated[float, typer.Option(min=0, help="Tail of that, lognormal; 0 is 0 for pages too.")] = 0.6,
    stragglers: Annotated[float, typer.Option(min=0, max=1, help="Share of decisions that take far longer.")] = 0.02,
    straggler_seconds: Annotated[float, typer.Option(min=0, help="What these take.")] = 10.0,
    page_median: Annotated[float, typer.Option(min=0, help="Seconds a page takes, median.")] = 0.3,
    page_sigma: Annotated[float | None, typer.Option(min=0, help="Tail of that, lognormal; by default 1.")] = None,
    lengths: Annotated[str, typer.Option(help="Fewest and most steps of an attempt.")] = "2:30",
    mean_length: Annotated[float | None, typer.Option(help="Steps on average; by default 13.")] = None,
    train_seconds: Annotated[float, typer.Option(min=0, help="Of the trainer, for an update.")] = 11.5,
    restart_seconds: Annotated[float, typer.Option(min=0, help="To restart inference, if synchronous.")] = 7.0,
    refresh_seconds: Annotated[float, typer.Option(min=0, help="To exchange weights in flight.")] = 0.6,
    max_lag: Annotated[int, typer.Option(min=0, help="Updates that a sample may be old.")] = 2,
    depth: Annotated[float, typer.Option(min=0, help="Batches under way, at most; 0: what the lag allows.")] = 0.0,
    lockstep: Annotated[bool, typer.Option("--lockstep", help="Synchronous steps wait for each other, too.")] = False,
    updates: Annotated[int, typer.Option(min=1, help="Synchronous ones that are timed.")] = 2,
    overlapping: Annotated[int, typer.Option(min=1, help="Asynchronous ones that are timed.")] = 5,
    warmup: Annotated[int, typer.Option(min=1, help="Asynchronous ones before that.")] = 2,
    scale: Annotated[float, typer.Option(min=0.001, help="Real seconds for each second of the above.")] = 0.5,
    seed: Annotated[int, typer.Option(help="Of every wait and every length.")] = 0,
    log: Annotated[Path | None, typer.Option(callback=new_file, help="Write every update here, as JSON Lines.")] = None,
    json: Annotated[bool, typer.Option("--json", help="End with one line of JSON.")] = False,
) -> None:
    """Synchronous against asynchronous training, in real processes, with waits for models and pages."""
    from webgym.bench.delays import Delay
    from webgym.bench.flow.conditions import Conditions as FlowConditions
    from webgym.bench.rollouts.conditions import Conditions, page_delay, read_lengths, usual_length

    shortest, longest = read_lengths(lengths)
    latencies = Conditions(
        decision=Delay(decision_mean, sigma),
        stragglers=stragglers,
        straggler_seconds=straggler_seconds,
        page=page_delay(page_median, page_sigma if page_sigma is not None else float(sigma > 0)),
        shortest=shortest,
        longest=longest,
        mean_length=mean_length or usual_length(shortest, longest),
        seed=seed,
    )
    conditions = FlowConditions(
        browsers=browsers,
        inference=inference or browsers,
        groups=groups,
        members=members,
        latencies=latencies,
        train_seconds=train_seconds,
        restart_seconds=restart_seconds,
        refresh_seconds=refresh_seconds,
        max_lag=max_lag,
        depth=depth,
        lockstep=lockstep,
        updates=updates,
        overlapping=overlapping,
        warmup=warmup,
        scale=scale,
    )
    _train_both_ways(conditions, log, as_json=json)


def _train_both_ways(conditions: FlowConditions, log: Path | None, *, as_json: bool) -> None:
    from functools import partial

    import anyio
    import msgspec
    from rich.console import Console

    from webgym.bench.flow.compare import compare
    from webgym.bench.flow.report import table

    with Console(stderr=True).status("starting") as status:
        progress: Progress = lambda what, done, of: status.update(f"{what} {done}/{of}")  # noqa: E731
        report = anyio.run(partial(compare, conditions, progress, log), backend_options={"use_uvloop": True})
    Console(stderr=as_json).print(table(report))
    if as_json:
        typer.echo(msgspec.json.encode(report.as_json()).decode())
