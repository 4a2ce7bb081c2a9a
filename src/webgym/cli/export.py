"""`webgym export`: export a run for other tools."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.completions import run_names
from webgym.cli.outputs import new_folder


class ExportFormat(enum.StrEnum):
    """An export format."""

    MESSAGES = "messages"
    SHAREGPT = "sharegpt"
    ATIF = "atif"
    PARQUET = "parquet"


class ExportImages(enum.StrEnum):
    """Where exported images go."""

    EMBED = "embed"
    FILES = "files"


class ExportOutcome(enum.StrEnum):
    """Outcome of an attempt."""

    SUCCESS = "success"
    FAILURE = "failure"
    TRUNCATED = "truncated"
    BLOCKED = "blocked"
    INFRASTRUCTURE = "infrastructure"
    JUDGE_UNKNOWN = "judge_unknown"
    CANCELLED = "cancelled"


def export(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="Folder of the run, or its name in runs/.", autocompletion=run_names)
    ],
    form: Annotated[
        ExportFormat,
        typer.Option(
            "--format",
            help="messages: JSON Lines of OpenAI chat messages. sharegpt: for LLaMA-Factory. atif: one JSON document "
            "per attempt. parquet: for Hugging Face datasets.",
        ),
    ],
    out: Annotated[Path, typer.Option(callback=new_folder, help="Folder to create.")],
    outcome: Annotated[
        list[ExportOutcome],
        typer.Option(help="Only attempts with this outcome; repeatable. Default: all graded attempts."),
    ] = [],  # noqa: B006
    images: Annotated[
        ExportImages | None,
        typer.Option(help="Write images as separate files or embed them. Default: files; embed for parquet."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Export trajectories for fine-tuning, viewers and dataset tools."""
    import msgspec

    from webgym.interop.export.export import export as write
    from webgym.interop.export.selection import GRADED
    from webgym.records.trajectory import OUTCOME_KINDS, OutcomeKind
    from webgym.store.read import locate, open_run

    asked: tuple[OutcomeKind, ...] = tuple(kind for kind in OUTCOME_KINDS if str(kind) in outcome)
    with open_run(locate(run)) as opened:
        done = write(opened, form.value, out, outcomes=asked or GRADED, carrying=images.value if images else None)
    if json:
        typer.echo(msgspec.json.encode(done).decode())
        return
    what = {"atif": "documents", "parquet": "rows"}.get(form.value, "samples")
    typer.echo(f"{done.samples} {what} of {done.attempts} attempts with {done.images} images in {done.path}")
    if done.left_out:
        told = ", ".join(f"{count} {why}" for why, count in done.left_out.items())
        typer.echo(f"skipped: {told}")
