"""`webgym configs`: list the configurations that ship with the package."""

from __future__ import annotations

import typer


def configs() -> None:
    """List the configurations that ship with WebGym."""
    from webgym.run.shipped_configs import first_comment, shipped_configs

    found = sorted(shipped_configs().values())
    width = max(len(file.name) for file in found)
    for file in found:
        typer.echo(f"{file.name:<{width}}  {first_comment(file)}")
    typer.echo("\nuse one by name: webgym train --config train-nano, or for a study: webgym study run study-nano-async")
    typer.echo(f"folder: {found[0].parent}")
