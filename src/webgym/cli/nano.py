"""`webgym nano`: what nano is taught, and what it is measured on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.nano_learn import learn
from webgym.cli.outputs import new_file, new_folder

if TYPE_CHECKING:
    from webgym.pipeline.nano.collect import Collected

app = typer.Typer(no_args_is_help=True, help="The policy that ships with the package: lessons for it, its suite.")

FamilyNames = Annotated[list[str], typer.Option("--family", help="Only this family; repeatable.")]
Sessions = Annotated[int, typer.Option(min=1, help="Browser sessions at once.")]
Nodes = Annotated[int, typer.Option(min=1, help="Processes that the sessions are spread over.")]

app.command()(learn)


@app.command()
def lessons(
    out: Annotated[Path, typer.Argument(callback=new_folder, help="Folder for the lessons.")],
    seconds: Annotated[float, typer.Option(min=1, help="How long.")] = 60.0,
    enough: Annotated[int, typer.Option(min=0, help="Stop after so many lessons; 0: when time is up.")] = 0,
    follow: Annotated[
        Path | None, typer.Option(help="Folder in which a learner writes versions; their policy acts too.")
    ] = None,
    sessions: Sessions = 8,
    nodes: Nodes = 1,
    per_family: Annotated[int, typer.Option("--sites", min=1, help="Sites of each family; those to train on.")] = 200,
    family: FamilyNames = [],  # noqa: B006
    part: Annotated[str, typer.Option(help="Which part of the sites, for several processes: 0/4.")] = "0/1",
    seed: Annotated[int, typer.Option(help="Of everything that is drawn.")] = 0,
    strays: Annotated[float, typer.Option(min=0, max=1, help="Share of steps in which oracles go astray.")] = 0.12,
    policy_attempts: Annotated[float, typer.Option(min=0, max=1, help="Share of attempts led by the policy.")] = 0.65,
    shards: Annotated[int, typer.Option(min=1, help="Files to keep; the oldest are deleted.")] = 500,
    json: Annotated[bool, typer.Option("--json", help="End with one line of JSON.")] = False,
) -> None:
    """Let oracles, and the policy as it learns, attempt tasks on training websites, and keep what can be learned."""
    import anyio
    import msgspec
    from rich.console import Console

    from webgym.cli.setup import ensure_ready

    ensure_ready()
    from webgym.pipeline.nano.collect import CollectConfig, collect

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
    out: Annotated[Path, typer.Argument(callback=new_file, help="File for the tasks, one a line.")] = Path(
        "runs/nano-suite.jsonl"
    ),
    per_family: Annotated[int, typer.Option("--sites", min=1, help="Sites of each family; the unseen ones.")] = 50,
    family: FamilyNames = [],  # noqa: B006
    split: Annotated[
        list[str],
        typer.Option(help="Of the sites: test, validation, or test_structure, whose pages are built as no other's."),
    ] = ["test"],  # noqa: B006
    each: Annotated[int, typer.Option(min=1, help="Tasks of a site that are tried.")] = 16,
    steps: Annotated[int, typer.Option(min=1, help="Most steps of a task of the suite.")] = 8,
    seed: Annotated[int, typer.Option(help="Of what is drawn.")] = 0,
    sessions: Sessions = 8,
    nodes: Nodes = 1,
) -> None:
    """Find the tasks of unseen websites that can be done as nano acts, in a few steps, and write them to a file.

    Then: webgym eval tasks.use=file tasks.file=FILE
    """
    import anyio
    from rich.console import Console

    from webgym.cli.setup import ensure_ready

    ensure_ready()
    from webgym.pipeline.nano.suite import SuiteConfig, make_suite

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
        typer.echo(f"  {made.troubled} could not be tried: another run may give another suite")


def _print(collected: Collected) -> None:
    rate = collected.lessons / max(collected.seconds, 1e-9)
    typer.echo(f"{collected.lessons} lessons in {collected.seconds:.0f} s, {rate:.1f} a second")
    typer.echo(f"  attempts   {_counts(collected.outcomes)}")
    typer.echo(f"  led by     {_counts(collected.by)}")
    typer.echo(f"  decisions  {_counts(collected.verbs)}")
    typer.echo(f"  questions  {_counts(collected.questions)}")
    unsaid = {name: f"{sum(one.kinds.values())} of {one.steps}" for name, one in collected.unsaid.items() if one.kinds}
    typer.echo(f"  no words   {'  '.join(f'{name} {count}' for name, count in sorted(unsaid.items())) or 'none'}")


def _counts(counts: dict[str, int]) -> str:
    return "  ".join(f"{name or '-'} {count}" for name, count in sorted(counts.items(), key=lambda one: -one[1]))


def _families(names: list[str]) -> tuple[str, ...]:
    from webgym.sites.registry import family

    return tuple(family(name).name for name in names)


def _part(text: str) -> tuple[int, int]:
    from webgym.errors import ConfigError

    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and int(number) < int(count)):
        raise ConfigError(f"--part is which of how many, from 0: 0/4, not {text!r}")
    return int(number), int(count)
