"""`webgym runs`: list, show, compare, delete and shrink stored runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.completions import run_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from webgym.store.compare import Comparison, Flip
    from webgym.store.meta import RunMeta
    from webgym.store.rows import Row

app = typer.Typer(no_args_is_help=True, help="List, show, compare, delete and shrink stored runs.")

RunName = Annotated[
    Path, typer.Argument(metavar="RUN", help="Folder of the run, or its name in runs/.", autocompletion=run_names)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
MOST_FLIPS = 20


@app.command("list")
def list_runs(
    root: Annotated[Path, typer.Argument(help="Folder that holds the runs.")] = Path("runs"),
    json: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON per run; nothing if there is none.")
    ] = False,
) -> None:
    """List all runs, newest first."""
    import msgspec

    from webgym.store.read import find_runs

    found = find_runs(root)
    if json:
        for one in found:
            typer.echo(msgspec.json.encode(one).decode())
        return
    if not found:
        typer.echo(f"no runs in {root}: create one with webgym rollout or webgym eval")
        return
    rows = [("run", "kind", "begun", "attempts", "size", "outcomes")]
    for one in found:
        counts = ", ".join(f"{count} {kind}" for kind, count in one.outcomes.items() if count)
        told = ", ".join(filter(None, ("live" if one.live else "", counts)))
        rows.append((one.path, one.kind, _when(one.created), str(one.attempts), size(one.size_bytes), told))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        typer.echo("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())


@app.command()
def show(
    run: RunName,
    settings: Annotated[bool, typer.Option("--settings", help="Also print all settings of the run.")] = False,
    json: AsJson = False,
) -> None:
    """Show a run's outcomes by difficulty and site, how it was started, and how to resume it."""
    import msgspec

    from webgym.cli.run_report import print_report
    from webgym.records.trajectory import UNFINISHED
    from webgym.run.summary import summarise
    from webgym.store import read
    from webgym.store.packs import PACK_FOLDER

    folder = read.locate(run)
    found = read.summarise(folder)
    with read.open_run(folder) as opened:
        rows, meta, lost = opened.rows(), opened.meta, opened.lost_pictures()
    if json:
        told = {"run": found, "meta": meta, "summary": summarise(rows), "lost_pictures": lost}
        typer.echo(msgspec.json.encode(told).decode())
        return
    console = _console()
    if lost:
        console.print(f"{lost} pictures are gone: {folder / PACK_FOLDER} is missing or damaged\n", markup=False)
    print_report(folder, console, as_json=False)
    _print_meta(meta, folder, console)
    console.print(f"size       {size(found.size_bytes)}{', run in progress' if found.live else ''}", markup=False)
    over = sum(count for kind, count in found.outcomes.items() if kind not in UNFINISHED)
    if found.attempts > over and not found.live and meta.kind in ("rollout", "eval"):
        console.print(f"to resume: webgym {meta.kind} --resume {folder}", markup=False)
    if settings:
        console.print(f"\n{meta.config}", markup=False, end="")
    elif meta.config:
        console.print(f"settings   webgym runs show {folder} --settings", markup=False)


@app.command()
def compare(
    before: Annotated[
        Path, typer.Argument(metavar="BEFORE", help="Folder or name of a run.", autocompletion=run_names)
    ],
    after: Annotated[
        Path,
        typer.Argument(
            metavar="AFTER", help="Folder or name of another run on the same tasks.", autocompletion=run_names
        ),
    ],
    json: AsJson = False,
) -> None:
    """Compare two runs on the same tasks: difference in success with its interval, and tasks that flipped."""
    import msgspec

    if json:
        typer.echo(msgspec.json.encode(_compared(before, after)).decode())
        return
    print_comparison(before, after, _console())


@app.command("rm")
def remove(
    run: RunName,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    json: AsJson = False,
) -> None:
    """Delete a run with its images and trained weights. A run that is being written is refused."""
    import msgspec

    from webgym.store.read import locate, summarise
    from webgym.store.remove import remove_run

    found = summarise(locate(run))
    if not yes:
        weights = ", including all its weights" if found.kind == "train" else ""
        question = f"delete {found.path} ({found.attempts} attempts, {size(found.size_bytes)}{weights})?"
        typer.confirm(question, abort=True, err=True)
    remove_run(Path(found.path))
    if json:
        typer.echo(msgspec.json.encode({"removed": found.path, "bytes": found.size_bytes}).decode())
    else:
        typer.echo(f"deleted {found.path}: {size(found.size_bytes)} freed")


@app.command()
def gc(
    run: RunName,
    image_budget_mb: Annotated[
        int | None,
        typer.Option(min=1, help="Also drop images of the oldest attempts until this many megabytes are left."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Shrink a run: delete unreferenced data and, on request, the oldest images. Attempts keep their text."""
    import msgspec

    from webgym.store.garbage_collection import NO_BUDGET, collect
    from webgym.store.read import locate

    collected = collect(locate(run), NO_BUDGET if image_budget_mb is None else image_budget_mb * 2**20)
    if json:
        typer.echo(msgspec.json.encode(collected).decode())
        return
    gone = f"{collected.images} unused images, {collected.dropped} dropped for the size limit, {collected.texts} texts"
    typer.echo(f"{size(collected.bytes_before)} → {size(collected.bytes_after)}: {gone}")


def size(count: float) -> str:
    """Format a number of bytes with a unit."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def _when(seconds: float) -> str:
    import time

    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def _plain(text: str) -> str:
    """Replace unprintable characters, newlines included, by spaces: task text is untrusted."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _rows(folder: Path) -> list[Row]:
    from webgym.store.read import open_run

    with open_run(folder) as opened:
        return opened.rows()


def _print_meta(meta: RunMeta, folder: Path, console: Console) -> None:
    versions = ", ".join(f"{name} {version}" for name, version in meta.versions.items())
    console.print()
    told = {
        "run": f"{meta.name} ({meta.kind}) in {folder}",
        "begun": _when(meta.created),
        "command": meta.command,
        "seed": meta.seed,
        "versions": versions,
    }
    for name, value in told.items():
        console.print(f"{name:<10} {value}", markup=False)


def _compared(before: Path, after: Path) -> Comparison:
    from webgym.store import read
    from webgym.store.compare import compare

    sides = [read.locate(before), read.locate(after)]
    rows = [_rows(folder) for folder in sides]
    return compare(str(sides[0]), rows[0], str(sides[1]), rows[1])


def print_comparison(before: Path, after: Path, console: Console) -> None:
    """Print a comparison of two runs on the same tasks."""
    found = _compared(before, after)
    console.print(f"before     {f'{found.success_a:.1%}  ' if found.tasks else ''}{found.a}", markup=False)
    console.print(f"after      {f'{found.success_b:.1%}  ' if found.tasks else ''}{found.b}", markup=False)
    if found.tasks:
        difference = found.difference
        interval = f"95 % interval {difference.low:+.1%} to {difference.high:+.1%}"
        console.print(f"difference {difference.estimate:+.1%}, {interval}, over {found.tasks} tasks graded in both")
        split = f"{len(found.gained)} tasks gained, {len(found.lost)} lost"
        console.print(f"           {split} (exact sign test p = {found.p_value:.3g})")
    else:
        console.print("difference unknown: no task was graded in both runs")
    left_out = {
        "not graded in one of the runs": found.ungraded,
        "only in the first": found.only_a,
        "only in the second": found.only_b,
    }
    told = ", ".join(f"{count} {why}" for why, count in left_out.items() if count)
    if told:
        console.print(f"excluded   {told}")
    _print_flips("gained", found.gained, console)
    _print_flips("lost", found.lost, console)


def _print_flips(title: str, flips: Sequence[Flip], console: Console) -> None:
    for number, flip in enumerate(flips[:MOST_FLIPS]):
        change = f"{flip.a:.2g} → {flip.b:.2g}"
        console.print(
            f"{'' if number else title:<10} {change:<9} {_plain(f'{flip.task_id}  {flip.instruction}')}", markup=False
        )
    if len(flips) > MOST_FLIPS:
        console.print(f"{'':<10} and {len(flips) - MOST_FLIPS} more; --json lists all")
