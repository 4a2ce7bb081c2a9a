"""`webgym judge import` and `webgym judge collect`: labelled attempts, of others and of one's own."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.judge import options
from webgym.cli.outputs import new_folder

_MOST_TOLD = 10


class Format(enum.StrEnum):
    """Of labelled sets."""

    AGENT_REWARD_BENCH = "agent-reward-bench"
    CUA_VERIFIER_BENCH = "cua-verifier-bench"
    ONLINE_MIND2WEB = "online-mind2web"


def bring(
    form: Annotated[Format, typer.Argument(metavar="FORMAT", help="How it is laid out.")],
    folder: Annotated[Path, typer.Argument(exists=True, file_okay=False, help="Where it is.")],
    out: Annotated[Path, typer.Argument(callback=new_folder, help="Folder of the run that it becomes.")],
    json: options.AsJson = False,
) -> None:
    """Make a run with labels of a set that people labelled elsewhere.

    Then `webgym view` shows it and `webgym judge calibrate` measures judges on it. Give the same command again after a
    crash: it adds what is missing. Nothing is downloaded: get the set first, and mind its licence.

    For example:

    webgym judge import agent-reward-bench ~/data/agent-reward-bench runs/arb
    """
    import anyio
    import msgspec
    from rich.console import Console

    from webgym.judge.calibration.imports.formats import read
    from webgym.judge.calibration.labelled import write_labelled

    left_out: list[str] = []
    console = Console(stderr=json)
    with console.status(f"importing {form.value}"):
        items = read(form.value, folder, left_out.append)
        count = anyio.run(write_labelled, out, out.name, items, f"webgym judge import {form.value}")
    if json:
        print(msgspec.json.encode({"attempts": count, "left_out": left_out, "run": str(out)}).decode())
    for line in left_out[:_MOST_TOLD]:
        console.print(f"left out: {line}", markup=False)
    if len(left_out) > _MOST_TOLD:
        console.print(f"and {len(left_out) - _MOST_TOLD} more: --json has them")
    console.print(f"{count} labelled attempts in {out}", markup=False)


def collect(
    out: Annotated[Path, typer.Argument(callback=new_folder, help="Folder of the run.")],
    attempts: Annotated[int, typer.Option(min=1, help="In all.")] = 120,
    sessions: Annotated[int, typer.Option(min=1, help="Browser sessions at once.")] = 8,
    blocked: Annotated[
        float, typer.Option(min=0, max=1, help="Share of attempts that the website refuses to serve.")
    ] = 0.08,
    seed: Annotated[int, typer.Option(help="Of tasks and agents.")] = 0,
    json: options.AsJson = False,
) -> None:
    """Make labelled attempts on hermetic sites, where the site itself says what is true.

    An oracle that does the task, one that goes astray and recovers, ones that get exactly one fact wrong, one that does
    nothing, one that clicks at random, at tasks of all families and levels. Give the same command again to go on.
    """
    import anyio
    import msgspec
    from rich.console import Console

    from webgym.pipeline.judge.calibrate.collect import Collecting
    from webgym.pipeline.judge.calibrate.collect import collect as collected

    console = Console(stderr=json)
    with console.status("starting browsers and sites") as status:

        def tell(done: int, of: int) -> None:
            status.update(f"{done}/{of} attempts")

        how = Collecting(attempts, sessions, blocked, seed)
        outcomes = anyio.run(collected, out, how, tell, backend_options={"use_uvloop": True})
    if json:
        print(msgspec.json.encode({"outcomes": outcomes, "run": str(out)}).decode())
    console.print("  ".join(f"{kind} {count}" for kind, count in outcomes.items()))
    console.print(f"kept in {out}: webgym judge calibrate {out}", markup=False)
