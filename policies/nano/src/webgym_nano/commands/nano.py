"""`webgym nano`: collect nano's training data, train it, and build its test suite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.outputs import new_file, new_folder
from webgym_nano.commands.learn import learn

if TYPE_CHECKING:
    from webgym_nano.lessons.collect import Collected

app = typer.Typer(no_args_is_help=True, help="Train and test nano, the policy that ships with WebGym.")

FamilyNames = Annotated[list[str], typer.Option("--family", help="Only this family; repeatable.")]
Sessions = Annotated[int, typer.Option(min=1, help="Concurrent browser sessions.")]
Nodes = Annotated[int, typer.Option(min=1, help="Node processes to distribute the sessions over.")]

app.command()(learn)


@app.command()
def lessons(
    out: Annotated[Path, typer.Argument(callback=new_folder, help="Folder for the lessons.")],
    seconds: Annotated[float, typer.Option(min=1, help="Time budget in seconds.")] = 60.0,
    enough: Annotated[
        int, typer.Option(min=0, help="Stop after this many lessons; 0: only --seconds limits collecting.")
    ] = 0,
    follow: Annotated[
        Path | None,
        typer.Option(help="Folder where `webgym nano learn` publishes weights; the latest policy acts too."),
    ] = None,
    sessions: Sessions = 8,
    nodes: Nodes = 1,
    per_family: Annotated[
        int, typer.Option("--sites", min=1, help="Sites per family; only those of the training split are used.")
    ] = 200,
    family: FamilyNames = [],  # noqa: B006
    part: Annotated[
        str, typer.Option(help="Part of the sites to use, to share them among processes: 0/4 is the first of four.")
    ] = "0/1",
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    strays: Annotated[float, typer.Option(min=0, max=1, help="Fraction of steps in which oracles stray.")] = 0.12,
    policy_attempts: Annotated[
        float, typer.Option(min=0, max=1, help="Fraction of attempts led by the policy.")
    ] = 0.65,
    shards: Annotated[int, typer.Option(min=1, help="Maximum number of lesson files; the oldest are deleted.")] = 500,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Collect lessons: oracles, and the policy as it learns, attempt tasks on training websites."""
    import anyio
    import msgspec
    from rich.console import Console

    from webgym.cli.setup import ensure_ready

    ensure_ready()
    from webgym_nano.lessons.collect import CollectConfig, collect

    config = CollectConfig(
        seconds=seconds,
        lessons=enough,
        sessions=sessions,
        nodes=nodes,
        families=_families(family),
        sites_per_family=per_family,
        part=_part(part),
        seed=seed,
        strays=strays,
        policy_attempts=policy_attempts,
        shards=shards,
    )
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    with console.status("starting") as status:

        def told(so_far: Collected) -> None:
            status.update(f"{so_far.lessons} lessons from {so_far.attempts} attempts")

        collected = anyio.run(collect, config, out, follow, told, backend_options={"use_uvloop": True})
    if json:
        typer.echo(msgspec.json.encode(collected).decode())
    else:
        _print(collected)


@app.command()
def suite(
    out: Annotated[Path, typer.Argument(callback=new_file, help="File to write the tasks to, one per line.")] = Path(
        "runs/nano-suite.jsonl"
    ),
    per_family: Annotated[
        int, typer.Option("--sites", min=1, help="Sites per family; only those of --split are used.")
    ] = 50,
    family: FamilyNames = [],  # noqa: B006
    split: Annotated[
        list[str],
        typer.Option(
            help="Split of the sites: test, validation, or test_structure (unseen page structures); repeatable."
        ),
    ] = ["test"],  # noqa: B006
    each: Annotated[int, typer.Option(min=1, help="Tasks to try per site.")] = 16,
    steps: Annotated[int, typer.Option(min=1, help="Maximum steps to solve a task of the suite.")] = 8,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    sessions: Sessions = 8,
    nodes: Nodes = 1,
) -> None:
    """Build nano's test suite: tasks on unseen websites that are solvable in a few steps with nano's actions.

    Evaluate on it with: webgym eval tasks.use=file tasks.file=FILE
    """
    import anyio
    from rich.console import Console

    from webgym.cli.setup import ensure_ready

    ensure_ready()
    from webgym_nano.lessons.suite import SuiteConfig, make_suite

    config = SuiteConfig(
        seed=seed,
        splits=tuple(split),
        families=_families(family),
        sites_per_family=per_family,
        each=each,
        steps=steps,
        sessions=sessions,
        nodes=nodes,
    )
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    with console.status("starting") as status:

        def told(tried: int, found: int) -> None:
            status.update(f"{found} of {tried} tasks")

        made = anyio.run(make_suite, config, out, told, backend_options={"use_uvloop": True})
    typer.echo(f"{made.tasks} of {made.tried} tasks in {out}")
    for name, counts in (("kind", made.by_kind), ("family", made.by_family), ("split", made.by_split)):
        typer.echo(f"  by {name:<7} {_counts(counts)}")
    if made.troubled:
        typer.echo(f"  {made.troubled} could not be tried because of errors: a second run may give a different suite")


def _print(collected: Collected) -> None:
    rate = collected.lessons / max(collected.seconds, 1e-9)
    typer.echo(f"{collected.lessons} lessons in {collected.seconds:.0f} s, {rate:.1f} per second")
    typer.echo(f"  attempts   {_counts(collected.outcomes)}")
    typer.echo(f"  led by     {_counts(collected.by)}")
    typer.echo(f"  decisions  {_counts(collected.verbs)}")
    typer.echo(f"  questions  {_counts(collected.questions)}")
    unsaid = {name: f"{sum(one.kinds.values())} of {one.steps}" for name, one in collected.unsaid.items() if one.kinds}
    typer.echo(f"  no words   {'  '.join(f'{name} {count}' for name, count in sorted(unsaid.items())) or 'none'}")


def _counts(counts: dict[str, int]) -> str:
    return "  ".join(f"{name or '-'} {count}" for name, count in sorted(counts.items(), key=lambda one: -one[1]))


def _families(names: list[str]) -> tuple[str, ...]:
    from webgym_hermetic.registry import family

    return tuple(family(name).name for name in names)


def _part(text: str) -> tuple[int, int]:
    from webgym.errors import ConfigError

    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and int(number) < int(count)):
        raise ConfigError(f"--part has the form INDEX/COUNT, counted from 0, such as 0/4, not {text!r}")
    return int(number), int(count)
