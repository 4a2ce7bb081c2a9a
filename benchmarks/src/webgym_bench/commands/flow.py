"""`webgym bench flow`: compare synchronous and asynchronous training."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.outputs import new_file

if TYPE_CHECKING:
    from webgym_bench.flow.conditions import Conditions as FlowConditions
    from webgym_bench.measure import Progress


def flow(
    browsers: Annotated[int, typer.Option(min=1, help="Concurrent browsers, in both modes.")] = 128,
    inference: Annotated[int, typer.Option(min=0, help="Concurrent replies; 0: one per browser.")] = 0,
    groups: Annotated[int, typer.Option(min=1, help="Groups per update.")] = 8,
    members: Annotated[int, typer.Option(min=2, help="Attempts per group.")] = 8,
    decision_mean: Annotated[float, typer.Option(min=0, help="Mean seconds per decision.")] = 1.0,
    sigma: Annotated[
        float, typer.Option(min=0, help="Lognormal sigma of --decision-mean; 0 also makes page times constant.")
    ] = 0.6,
    stragglers: Annotated[float, typer.Option(min=0, max=1, help="Fraction of decisions that are stragglers.")] = 0.02,
    straggler_seconds: Annotated[float, typer.Option(min=0, help="Seconds a straggler takes.")] = 10.0,
    page_median: Annotated[float, typer.Option(min=0, help="Median seconds per page.")] = 0.3,
    page_sigma: Annotated[
        float | None, typer.Option(min=0, help="Lognormal sigma of --page-median. Default: 1.")
    ] = None,
    lengths: Annotated[str, typer.Option(help="Minimum and maximum steps of an attempt.")] = "2:30",
    mean_length: Annotated[float | None, typer.Option(help="Mean steps of an attempt. Default: 13.")] = None,
    train_seconds: Annotated[float, typer.Option(min=0, help="Trainer seconds per update.")] = 11.5,
    restart_seconds: Annotated[
        float, typer.Option(min=0, help="Seconds to restart inference around a synchronous update.")
    ] = 7.0,
    refresh_seconds: Annotated[
        float, typer.Option(min=0, help="Seconds without replies during an in-flight weight update.")
    ] = 0.6,
    max_lag: Annotated[int, typer.Option(min=0, help="Maximum policy lag of a sample, in updates.")] = 2,
    depth: Annotated[
        float, typer.Option(min=0, help="Maximum batches in flight; 0: as many as --max-lag allows.")
    ] = 0.0,
    lockstep: Annotated[
        bool, typer.Option("--lockstep", help="Synchronous attempts also wait for each other at every step.")
    ] = False,
    updates: Annotated[int, typer.Option(min=1, help="Timed synchronous updates.")] = 2,
    overlapping: Annotated[int, typer.Option(min=1, help="Timed asynchronous updates.")] = 5,
    warmup: Annotated[int, typer.Option(min=1, help="Untimed asynchronous updates before these.")] = 2,
    scale: Annotated[float, typer.Option(min=0.001, help="Real seconds per modelled second.")] = 0.5,
    seed: Annotated[int, typer.Option(help="Seed for all waits and lengths.")] = 0,
    log: Annotated[
        Path | None, typer.Option(callback=new_file, help="File to log every update to, as JSON Lines.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Compare synchronous with asynchronous training, in real processes with simulated models and pages."""
    from webgym_bench.delays import Delay
    from webgym_bench.flow.conditions import Conditions as FlowConditions
    from webgym_bench.rollouts.conditions import Conditions, page_delay, read_lengths, usual_length

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

    from webgym_bench.flow.compare import compare
    from webgym_bench.flow.report import table

    with Console(stderr=True).status("starting") as status:
        progress: Progress = lambda what, done, of: status.update(f"{what} {done}/{of}")  # noqa: E731
        report = anyio.run(partial(compare, conditions, progress, log), backend_options={"use_uvloop": True})
    Console(stderr=as_json).print(table(report))
    if as_json:
        typer.echo(msgspec.json.encode(report.as_json()).decode())
