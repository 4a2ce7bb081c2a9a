"""`webgym export`: a run in the formats of others."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.outputs import new_folder


class ExportFormat(enum.StrEnum):
    """Formats that others read."""

    MESSAGES = "messages"
    SHAREGPT = "sharegpt"
    ATIF = "atif"
    PARQUET = "parquet"


class ExportImages(enum.StrEnum):
    """Where pictures go."""

    EMBED = "embed"
    FILES = "files"


class ExportOutcome(enum.StrEnum):
    """How attempts end."""

    SUCCESS = "success"
    FAILURE = "failure"
    TRUNCATED = "truncated"
    BLOCKED = "blocked"
    INFRASTRUCTURE = "infrastructure"
    JUDGE_UNKNOWN = "judge_unknown"
    CANCELLED = "cancelled"


def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of the run, or its name in runs/.")],
    form: Annotated[
        ExportFormat,
        typer.Option(
            "--format",
            help="messages: JSON Lines as OpenAI's chat API has them. sharegpt: for LLaMA-Factory. atif: one document "
            "an attempt. parquet: for Hugging Face's datasets.",
        ),
    ],
    out: Annotated[Path, typer.Option(callback=new_folder, help="A new folder.")],
    outcome: Annotated[
        list[ExportOutcome],
        typer.Option(help="Only attempts that ended so; repeatable. Default: all graded ones."),
    ] = [],  # noqa: B006
    images: Annotated[
        ExportImages | None,
        typer.Option(help="Pictures as files beside, or within; by default files, of parquet embed."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Write a run's trajectories for other tools: fine-tuning, viewers, datasets."""
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
    typer.echo(f"{done.samples} {what} of {done.attempts} attempts with {done.images} pictures in {done.path}")
    if done.left_out:
        told = ", ".join(f"{count} {why}" for why, count in done.left_out.items())
        typer.echo(f"left out: {told}")
