"""`webgym bench signal`: measure the signal-to-noise ratio of policy gradients."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def signal(
    run: Annotated[
        Path, typer.Argument(help="A run with several attempts per task (tasks.repeats, or a training run).")
    ],
    model: Annotated[str, typer.Option(help="The weights that sampled the run: a folder, or nano.")] = "nano",
    damping: Annotated[
        list[float] | None,
        typer.Option(min=0, max=1, help="Value of train.loss.damping to compare; repeatable. Default: 0, 0.5 and 1."),
    ] = None,
    negative: Annotated[
        list[float] | None,
        typer.Option(
            min=0, max=1, help="Value of train.loss.negative to compare; repeatable. Default: 1, 0.5, 0.25 and 0."
        ),
    ] = None,
    minutes: Annotated[float, typer.Option(min=0, help="Time budget in minutes; no group is started after it.")] = 10.0,
    device: Annotated[str, typer.Option(help="Device to compute on: auto, cpu or cuda.")] = "auto",
    seed: Annotated[int, typer.Option(help="Seed for the order of groups.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Measure how much of a group's gradient other groups share, by loss damping and negative weight.

    Doubling the signal is worth doubling the number of attempts. Reads a stored
    run; trains nothing.
    """
    import msgspec
    from rich.console import Console

    from webgym.run.models import find_policy
    from webgym.store.read import locate
    from webgym.train.settings import TrainerSettings
    from webgym_bench.signal.measure import Plan, measure
    from webgym_bench.signal.table import table

    console = Console(stderr=True)
    settings = TrainerSettings.model_validate({"device": device, "precision": "float32", "recompute": 0.0})
    plan = Plan(
        locate(run),
        find_policy(model),
        tuple(dict.fromkeys(damping or (0.0, 0.5, 1.0))),
        tuple(dict.fromkeys(negative or (1.0, 0.5, 0.25, 0.0))),
        60 * minutes,
        settings.model_copy(update={"recompute_vision": 0.0}),
        seed,
    )
    with console.status("gradients") as status:
        report = measure(plan, lambda done, of: status.update(f"gradients of {done} of {of} groups"))
    Console(stderr=json).print(table(report))
    if json:
        typer.echo(msgspec.json.encode(report).decode())
