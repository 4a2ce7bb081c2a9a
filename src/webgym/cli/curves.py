"""`webgym curves`: serve the learning curves of a training run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.completions import run_names
from webgym.cli.failures import ExitCode

RunName = Annotated[
    Path, typer.Argument(help="Folder or name of a training run.", show_default=False, autocompletion=run_names)
]


def curves(
    run: RunName,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to serve on; 0 picks a free port.")] = 0,
) -> None:
    """Serve the learning curves of a live or finished training run."""
    import anyio

    from webgym.curves.file import read
    from webgym.curves.serve import serve_curves
    from webgym.errors import ConfigError
    from webgym.run.about import about_run
    from webgym.run.folders import Folders
    from webgym.store.meta import load_meta
    from webgym.store.read import locate

    folder = locate(run)
    meta = load_meta(folder)
    if meta.kind != "train":
        raise ConfigError(
            f"{folder} is a run of kind {meta.kind!r}, which has no learning curve; to view it: webgym view {folder}"
        )
    about_run(folder)  # fail before the page is served

    async def serve() -> None:
        path = Folders(folder).curve
        async with serve_curves(
            lambda: read(path), about=lambda: about_run(folder), port=port, option="--port"
        ) as server:
            for line in server.lines():
                print(line, flush=True)
            await anyio.sleep_forever()

    try:
        anyio.run(serve)
    except KeyboardInterrupt:
        raise typer.Exit(ExitCode.INTERRUPTED) from None
