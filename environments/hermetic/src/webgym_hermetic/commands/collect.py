"""`webgym judge collect`: labelled attempts on hermetic sites, to calibrate judges on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.judge import options
from webgym.cli.outputs import new_folder


def collect(
    out: Annotated[Path, typer.Argument(callback=new_folder, help="Folder of the run to write.")],
    attempts: Annotated[int, typer.Option(min=1, help="Total number of attempts.")] = 120,
    sessions: Annotated[int, typer.Option(min=1, help="Concurrent browser sessions.")] = 8,
    blocked: Annotated[float, typer.Option(min=0, max=1, help="Fraction of attempts that the website blocks.")] = 0.08,
    seed: Annotated[int, typer.Option(help="Seed for tasks and agents.")] = 0,
    json: options.AsJson = False,
) -> None:
    """Collect labelled attempts on hermetic sites, which provide the ground truth.

    The agents are an oracle, one that strays and recovers, ones that get
    exactly one fact wrong, an idle one and a random clicker, on tasks of all
    families and levels. Run the same command again to continue.
    """
    import anyio
    import msgspec
    from rich.console import Console

    from webgym_hermetic.labelled_attempts import Collecting
    from webgym_hermetic.labelled_attempts import collect as collected

    console = Console(stderr=json)
    with console.status("starting browsers and sites") as status:

        def tell(done: int, of: int) -> None:
            status.update(f"{done}/{of} attempts")

        how = Collecting(attempts, sessions, blocked, seed)
        outcomes = anyio.run(collected, out, how, tell, backend_options={"use_uvloop": True})
    if json:
        print(msgspec.json.encode({"outcomes": outcomes, "run": str(out)}).decode())
    console.print("  ".join(f"{kind} {count}" for kind, count in outcomes.items()))
    console.print(f"stored in {out}; next: webgym judge calibrate {out}", markup=False)
