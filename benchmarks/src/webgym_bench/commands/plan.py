"""`webgym plan`: simulate a farm of browsers and GPUs before it exists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from webgym_bench.plan.costs import Costs, Farm, Prices, Training, Work
    from webgym_bench.plan.outcome import Outcome

_FARM = "Hardware (repeat an option to compare)"
_COSTS = "Costs"
_WORK = "Workload"

Several = list[int]


def plan(
    cpus: Annotated[Several, typer.Option(min=1, help="CPU cores for browsers.", rich_help_panel=_FARM)] = [128],  # noqa: B006
    browsers: Annotated[Several, typer.Option(min=1, help="Concurrent sessions.", rich_help_panel=_FARM)] = [256],  # noqa: B006
    gpus: Annotated[Several, typer.Option(min=1, help="GPUs for inference.", rich_help_panel=_FARM)] = [24],  # noqa: B006
    trainer_gpus: Annotated[
        int, typer.Option(min=0, help="GPUs for training; 0: simulate rollouts only.", rich_help_panel=_FARM)
    ] = 0,
    trajectories: Annotated[
        int, typer.Option(min=1, help="Trajectories to collect, if only rollouts are simulated.", rich_help_panel=_WORK)
    ] = 1800,
    lengths: Annotated[
        str, typer.Option(help="Minimum and maximum steps of a trajectory.", rich_help_panel=_WORK)
    ] = "2:30",
    mean_length: Annotated[float, typer.Option(help="Mean steps of a trajectory.", rich_help_panel=_WORK)] = 13.2,
    complete: Annotated[
        float,
        typer.Option(
            min=0.01, max=1, help="Fraction of trajectories after which the rest is abandoned.", rich_help_panel=_WORK
        ),
    ] = 1.0,
    groups: Annotated[int, typer.Option(min=1, help="Groups per update.", rich_help_panel=_WORK)] = 16,
    members: Annotated[int, typer.Option(min=1, help="Trajectories per group.", rich_help_panel=_WORK)] = 8,
    max_lag: Annotated[
        int, typer.Option(min=0, help="Maximum policy lag of a sample, in updates.", rich_help_panel=_WORK)
    ] = 2,
    train_seconds: Annotated[
        float, typer.Option(min=0, help="Trainer GPU seconds per trajectory.", rich_help_panel=_WORK)
    ] = 18.0,
    refresh: Annotated[
        float, typer.Option(min=0, help="Seconds without replies during a weight update.", rich_help_panel=_WORK)
    ] = 10.0,
    restart: Annotated[
        float,
        typer.Option(
            min=0, help="Seconds to restart servers around an update, unless asynchronous.", rich_help_panel=_WORK
        ),
    ] = 0.0,
    measured: Annotated[
        Path | None,
        typer.Option(
            "--from", help="Stored run to take page times, reply times and lengths from.", rich_help_panel=_COSTS
        ),
    ] = None,
    cpu_seconds: Annotated[
        float | None,
        typer.Option(min=0, help="CPU seconds per page; measured by `webgym bench sessions`.", rich_help_panel=_COSTS),
    ] = None,
    idle_cpus: Annotated[
        float | None, typer.Option(min=0, help="Cores that an idle open page keeps busy.", rich_help_panel=_COSTS)
    ] = None,
    page_median: Annotated[
        float | None, typer.Option(min=0, help="Median seconds of waiting for a page.", rich_help_panel=_COSTS)
    ] = None,
    pause: Annotated[
        float | None, typer.Option(min=0, help="Seconds of fixed sleeps per step.", rich_help_panel=_COSTS)
    ] = None,
    reply_median: Annotated[
        float | None, typer.Option(min=0.001, help="Median seconds per reply on an idle GPU.", rich_help_panel=_COSTS)
    ] = None,
    sigma: Annotated[
        float | None, typer.Option(min=0, help="Lognormal sigma of these times.", rich_help_panel=_COSTS)
    ] = None,
    gpu_seconds: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            help="Seconds per step of a saturated GPU (1 / its maximum steps per second).",
            rich_help_panel=_COSTS,
        ),
    ] = None,
    price_cpu: Annotated[float, typer.Option(min=0, help="Price of a CPU core per hour.")] = 0.04,
    price_gpu: Annotated[float, typer.Option(min=0, help="Price of a GPU per hour.")] = 2.5,
    seed: Annotated[int, typer.Option(help="Seed for all lengths and waits.")] = 0,
    check: Annotated[
        bool,
        typer.Option("--check", help="Validate the model: fit one row of the published table and predict the others."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Predict the throughput and cost of a farm by simulation.

    Also reports queues and idle shares, and suggests limits. Costs default to
    those of the published system, fitted on one row of its table; --from
    measures them on a stored run. With --trainer-gpus, training is simulated
    too: asynchronous, with a barrier, and in lockstep.
    """
    from rich.console import Console

    from webgym_bench.plan.costs import Farm, Prices, Training, Work

    console = Console(stderr=json)
    if check:
        _check(console, as_json=json)
        return
    shortest, longest = _range(lengths)
    work = Work(trajectories, mean_length, shortest, longest, complete, seed=seed)
    changes = {
        "cpu": cpu_seconds,
        "idle_cpus": idle_cpus,
        "page": page_median,
        "pause": pause,
        "reply": reply_median,
        "gpu_seconds": gpu_seconds,
        "sigma": sigma,
    }
    costs, work = _costs(measured, changes, work)
    training = Training(groups, members, train_seconds, refresh, restart, max_lag)
    farms = [Farm(c, b, g, trainer_gpus) for c in cpus for b in browsers for g in gpus]
    _predict(console, farms, costs, work, training, Prices(price_cpu, price_gpu), as_json=json)


def _predict(
    console: Console,
    farms: list[Farm],
    costs: Costs,
    work: Work,
    training: Training,
    prices: Prices,
    *,
    as_json: bool,
) -> None:
    import msgspec

    from webgym_bench.plan.advise import advise
    from webgym_bench.plan.farm_stations import Overloaded
    from webgym_bench.plan.report import advised, cost, costs_told, predictions

    console.print(costs_told(costs), highlight=False, soft_wrap=True)
    told: list[dict[str, object]] = []
    for farm in farms:
        try:
            found = _outcomes(farm, costs, work, training)
            advice = advise(farm, costs, found[0], lambda other: _outcomes(other, costs, work, training)[0])
        except Overloaded as error:
            if len(farms) == 1:
                raise
            console.print(f"{farm.cpus} CPUs, {farm.browsers} browsers: {error}", highlight=False)
            told.append({"farm": farm, "overloaded": str(error)})
            continue
        console.print(predictions(found, prices))
        console.print(advised(advice))
        console.print(advice.gates.toml(), markup=False, highlight=False)
        told.append({"outcomes": found, "cost_per_1000": [cost(one, prices) for one in found], "advice": advice})
    if as_json:
        typer.echo(msgspec.json.encode({"plan": told, "costs": costs, "work": work, "training": training}).decode())


def _outcomes(farm: Farm, costs: Costs, work: Work, training: Training) -> list[Outcome]:
    from webgym_bench.plan.simulate import roll_out, train

    if farm.trainer_gpus:
        return [train(farm, costs, work, training, way) for way in ("asynchronous", "barrier", "lockstep")]
    return [roll_out(farm, costs, work, way) for way in ("asynchronous", "lockstep")]


def _costs(measured: Path | None, changes: dict[str, float | None], work: Work) -> tuple[Costs, Work]:
    """Return the costs and work of the published system or of a stored run, with options applied."""
    from webgym_bench.plan.cost_overrides import changed
    from webgym_bench.plan.measured import costs_of, seen, work_of
    from webgym_bench.plan.published import FITTED

    if measured is None:
        return changed(FITTED, changes), work
    found = seen(measured)
    cpu = changes["cpu"]
    if cpu is None or changes["idle_cpus"] is None:
        from webgym.errors import ConfigError

        raise ConfigError(
            "a stored run does not record the CPU time of its pages: give --cpu-seconds (measured by webgym bench "
            "sessions) and --idle-cpus (cores that an idle open page keeps busy, 0 if none)"
        )
    return changed(costs_of(found, FITTED, cpu), changes), work_of(found, work)


def _check(console: Console, *, as_json: bool) -> None:
    import msgspec

    from webgym_bench.plan.fit import fit
    from webgym_bench.plan.published import FITTED_ROW, GIVEN, ROWS, WORK, check
    from webgym_bench.plan.report import checked, costs_told

    with console.status("fitting"):
        costs = fit(GIVEN, WORK, ROWS[FITTED_ROW])
        found = check(costs)
    console.print(costs_told(costs), highlight=False, soft_wrap=True)
    console.print(checked(found))
    worst = max(abs(one.error) for one in found if not one.fitted)
    console.print(f"fitted on one row; error on the other rows at most {worst:.1%}", highlight=False)
    if as_json:
        rows = [{**msgspec.structs.asdict(one), "error": one.error} for one in found]
        typer.echo(msgspec.json.encode({"rows": rows, "worst_error": worst, "costs": costs}).decode())


def _range(text: str) -> tuple[int, int]:
    from webgym.errors import ConfigError

    shortest, _, longest = text.partition(":")
    if not shortest.isdigit() or not longest.isdigit():
        raise ConfigError(f"lengths have the form MIN:MAX in steps, such as 2:30, not {text!r}")
    return int(shortest), int(longest)
