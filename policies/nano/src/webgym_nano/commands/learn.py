"""`webgym nano learn`: train nano from fresh weights or from a checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from webgym.cli.outputs import new_folder


def learn(
    lessons: Annotated[Path, typer.Argument(help="Folder of lessons; may still be growing.")],
    out: Annotated[
        Path, typer.Argument(callback=new_folder, help="Folder for weights and log. An interrupted one is resumed.")
    ],
    overrides: Annotated[
        list[str] | None, typer.Argument(metavar="KEY=VALUE", help="Settings, such as optimizer.lr=6e-4 batch=64.")
    ] = None,
    minutes: Annotated[
        float, typer.Option(min=0.01, help="Training time in minutes, without waiting for lessons.")
    ] = 20.0,
    steps: Annotated[int, typer.Option(min=0, help="Maximum number of steps; 0: only --minutes limits training.")] = 0,
    start: Annotated[Path | None, typer.Option(help="Checkpoint to start from instead of fresh weights.")] = None,
    size: Annotated[Literal["10m", "28m", "116m"], typer.Option(help="Parameters of the model.")] = "10m",
    device: Annotated[Literal["auto", "cpu", "cuda"], typer.Option(help="Device to train on.")] = "auto",
    compiled: Annotated[bool, typer.Option("--compile/--no-compile", help="Use torch.compile on a GPU.")] = True,
    seed: Annotated[int, typer.Option(help="Seed for fresh weights and the order of lessons.")] = 0,
    print_settings: Annotated[bool, typer.Option("--print-settings", help="Print all settings and exit.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Log as JSON, and print the result as one line of JSON.")
    ] = False,
) -> None:
    """Train nano on lessons while they are collected, publishing weights for the collecting policy.

    In another process: webgym nano lessons LESSONS --follow OUT/weights
    """
    import json

    import msgspec

    from webgym.telemetry import log
    from webgym_nano.config import SIZES
    from webgym_nano.learn.settings import LearnSettings

    settings = _settings(LearnSettings, overrides or [], {"device": device, "compile": compiled, "seed": seed})
    if print_settings:
        typer.echo(json.dumps(settings.model_dump(mode="json"), indent=2))
        return
    log.configure("json" if as_json else "plain")
    from webgym_nano.learn.budget import Budget
    from webgym_nano.learn.learn import learn as go

    found = go(lessons, out, Budget(60 * minutes, steps or None), settings, config=SIZES[size], start=start)
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
    else:
        _print(found, out)


def _settings(kind: Any, overrides: list[str], given: dict[str, object]) -> Any:
    """Build settings from `given` and overrides; `a.b=c` sets a nested value."""
    import json

    from pydantic import ValidationError

    from webgym.errors import ConfigError
    from webgym.run.problems import problems_of

    for override in overrides:
        name, equals, text = override.partition("=")
        if not equals:
            raise ConfigError(f"a setting has the form KEY=VALUE, not {override!r}")
        try:
            value = json.loads(text)
        except ValueError:
            value = text
        *parts, last = name.split(".")
        inner: Any = given
        for part in parts:
            inner = inner.setdefault(part, {})
        inner[last] = value
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        raise ConfigError(problems_of(error, kind, more="`--print-settings` shows all")[0]) from None


def _print(found: Any, out: Path) -> None:
    spent = f"{found.step} steps in {found.seconds / 60:.1f} minutes; weights version {found.version}"
    typer.echo(spent if found.complete else f"stopped after {spent}; run the same command again to resume")
    if found.measured is None:
        return
    typer.echo(f"on {found.measured.lessons} lessons of held-out websites, in {out}:")
    for name in sorted({*found.measured.forced, *found.measured.free}):
        shown = "".join(_rate(rates.get(name)) for rates in (found.measured.free, found.measured.forced))
        typer.echo(f"  {name:<20}{shown}")


def _rate(rate: Any) -> str:
    """Format a rate with its interval, or a dash."""
    if rate is None:
        return f"{'-':>32}"
    told = f"{100 * rate.rate:.1f} % [{100 * rate.low:.1f}, {100 * rate.high:.1f}] of {rate.attempts}"
    return f"{told:>32}"
