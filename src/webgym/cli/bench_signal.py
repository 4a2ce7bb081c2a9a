"""`webgym bench signal`: how much of a policy gradient is signal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def signal(
    run: Annotated[Path, typer.Argument(help="With groups of attempts: tasks.repeats, or training.")],
    model: Annotated[str, typer.Option(help="The weights that made them: a folder, or nano.")] = "nano",
    damping: Annotated[
        list[float] | None, typer.Option(min=0, max=1, help="Of train.loss; repeatable. 0, 0.5 and 1.")
    ] = None,
    negative: Annotated[
        list[float] | None, typer.Option(min=0, max=1, help="Of train.loss; repeatable. 1, 0.5, 0.25 and 0.")
    ] = None,
    minutes: Annotated[float, typer.Option(min=0, help="After which no further group is looked at.")] = 10.0,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    seed: Annotated[int, typer.Option(help="Of the order of groups.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="End with one line of JSON.")] = False,
) -> None:
    """How much of the gradient of one group others agree with, by what improbable tokens and worse attempts count.

    Twice the signal is worth twice the attempts. Nothing is learned, and nothing is attempted: a stored run will do.
    """
    import msgspec
    from rich.console import Console

    from webgym.bench.signal.measure import Plan, measure
    from webgym.bench.signal.table import table
    from webgym.pipeline.runs.models import find_policy
    from webgym.store.read import locate
    from webgym.train.settings import TrainerSettings

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
