"""`webgym nano learn`: nano from fresh weights, or better than it was."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from webgym.cli.outputs import new_folder


def learn(
    lessons: Annotated[Path, typer.Argument(help="Folder of lessons; may still be written into.")],
    out: Annotated[
        Path, typer.Argument(callback=new_folder, help="Folder for weights and log. One that was stopped goes on.")
    ],
    overrides: Annotated[
        list[str] | None, typer.Argument(metavar="KEY=VALUE", help="Settings, such as optimizer.lr=6e-4 batch=64.")
    ] = None,
    minutes: Annotated[float, typer.Option(min=0.01, help="How long, waiting for lessons not included.")] = 20.0,
    steps: Annotated[int, typer.Option(min=0, help="At most so many steps; 0: time alone decides.")] = 0,
    start: Annotated[Path | None, typer.Option(help="Checkpoint to start from instead of fresh weights.")] = None,
    device: Annotated[Literal["auto", "cpu", "cuda"], typer.Option(help="Where.")] = "auto",
    compiled: Annotated[bool, typer.Option("--compile/--no-compile", help="On a GPU, let torch compile.")] = True,
    seed: Annotated[int, typer.Option(help="Of fresh weights and of what is learned when.")] = 0,
    print_settings: Annotated[bool, typer.Option("--print-settings", help="Print all settings and end.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Log JSON, and end with one line of it.")] = False,
) -> None:
    """Learn from lessons while they are collected, and publish weights that the collecting policy follows.

    Meanwhile, elsewhere: webgym nano lessons LESSONS --follow OUT/weights
    """
    import json

    import msgspec

    from webgym.nano.learn.settings import LearnSettings
    from webgym.telemetry import log

    settings = _settings(LearnSettings, overrides or [], {"device": device, "compile": compiled, "seed": seed})
    if print_settings:
        typer.echo(json.dumps(settings.model_dump(mode="json"), indent=2))
        return
    log.configure("json" if as_json else "plain")
    from webgym.nano.learn.budget import Budget
    from webgym.nano.learn.learn import learn as go

    found = go(lessons, out, Budget(60 * minutes, steps or None), settings, start=start)
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
    else:
        _print(found, out)


def _settings(kind: Any, overrides: list[str], given: dict[str, object]) -> Any:
    """Settings with some changed; `a.b=c` is a setting of a part."""
    import json

    from pydantic import ValidationError

    from webgym.errors import ConfigError
    from webgym.pipeline.runs.problems import problems_of

    for override in overrides:
        name, equals, text = override.partition("=")
        if not equals:
            raise ConfigError(f"settings are written as KEY=VALUE, not {override!r}")
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
    typer.echo(spent if found.complete else f"stopped after {spent}; the same command goes on")
    if found.measured is None:
        return
    typer.echo(f"on {found.measured.lessons} lessons of held-out websites, in {out}:")
    for name in sorted({*found.measured.forced, *found.measured.free}):
        shown = "".join(_rate(rates.get(name)) for rates in (found.measured.free, found.measured.forced))
        typer.echo(f"  {name:<20}{shown}")


def _rate(rate: Any) -> str:
    """Free, then forced."""
    if rate is None:
        return f"{'-':>32}"
    told = f"{100 * rate.rate:.1f} % [{100 * rate.low:.1f}, {100 * rate.high:.1f}] of {rate.attempts}"
    return f"{told:>32}"
