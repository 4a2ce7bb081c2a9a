"""`webgym bench`: measure this machine."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.bench_flow import flow
from webgym.cli.bench_judge import judge
from webgym.cli.bench_signal import signal
from webgym.cli.outputs import new_file, new_folder

if TYPE_CHECKING:
    from webgym.bench.measure import Progress
    from webgym.bench.rollouts.conditions import Conditions
    from webgym.bench.sessions import Plan, Report

app = typer.Typer(no_args_is_help=True, help="Measure this machine.")
app.command("flow")(flow)
app.command("judge")(judge)
app.command("signal")(signal)


class Format(enum.StrEnum):
    """Of screenshots."""

    JPEG = "jpeg"
    PNG = "png"


class Isolation(enum.StrEnum):
    """What a session has to itself."""

    CONTEXT = "context"
    PROCESS = "process"


class SystemName(enum.StrEnum):
    """What can be measured."""

    FLEET = "fleet"
    HEADED = "headed"
    IN_PROCESS = "inprocess"
    PUBLISHED = "published"
    CDP = "cdp"


class BrowserName(enum.StrEnum):
    """In which rollouts are made."""

    SIMULATED = "simulated"
    CHROMIUM = "chromium"


class Precision(enum.StrEnum):
    """Of a model's arithmetic."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"


@app.callback()
def benchmarks() -> None:
    """Measure this machine."""


@app.command()
def sessions(
    sessions: Annotated[int, typer.Option(min=1, help="Sessions open at once.")] = 16,
    episodes: Annotated[int, typer.Option(min=1, help="Timed episodes of eight steps per session.")] = 4,
    warmup: Annotated[int, typer.Option(min=0, help="Episodes per session before the clock starts.")] = 1,
    baseline: Annotated[bool, typer.Option("--baseline", help="Also the published sequence and bare CDP.")] = False,
    rounds: Annotated[int, typer.Option(min=1, help="Times all systems are measured; ratios are the median.")] = 1,
    system: Annotated[SystemName, typer.Option(help="What is measured: by default our fleet.")] = SystemName.FLEET,
    against: Annotated[list[SystemName], typer.Option(help="Another system in the same run; repeatable.")] = [],  # noqa: B006
    format: Annotated[Format, typer.Option(help="Of screenshots.")] = Format.JPEG,  # noqa: A002  the option's name
    png: Annotated[bool, typer.Option(help="Measure ours once more with PNG.")] = True,
    isolation: Annotated[Isolation, typer.Option(help="What a session has to itself.")] = Isolation.CONTEXT,
    settle_seconds: Annotated[float, typer.Option(min=0, help="Longest wait for the page to come to rest.")] = 5.0,
    think_mean: Annotated[float, typer.Option(min=0, help="Seconds the policy takes per step, on average.")] = 0.0,
    think_sigma: Annotated[float, typer.Option(min=0, help="Tail of that, lognormal.")] = 0.0,
    page_mean: Annotated[float, typer.Option(min=0, help="Seconds the website adds per request, on average.")] = 0.0,
    page_sigma: Annotated[float, typer.Option(min=0, help="Tail of that, lognormal.")] = 0.0,
    seed: Annotated[int, typer.Option(help="Of every random wait.")] = 0,
    log: Annotated[Path | None, typer.Option(callback=new_file, help="Write every step here, as JSON Lines.")] = None,
    json: Annotated[bool, typer.Option("--json", help="End with one line of JSON.")] = False,
) -> None:
    """Steps per second, processor time, memory and correctness of browser sessions."""
    from webgym.bench.conditions import Conditions
    from webgym.bench.delays import Delay
    from webgym.bench.sessions import Plan

    conditions = Conditions(
        sessions=sessions,
        episodes=episodes,
        warmup=warmup,
        format=format.value,
        isolation=isolation.value,
        settle_seconds=settle_seconds,
        think=Delay(think_mean, think_sigma),
        page=Delay(page_mean, page_sigma),
        seed=seed,
    )
    others = dict.fromkeys([*(("published", "cdp") if baseline else ()), *(name.value for name in against)])
    report = _run(Plan(conditions, system.value, tuple(others), rounds, png=png and format is Format.JPEG, log=log))
    _show(report, as_json=json)


@app.command()
def rollouts(
    attempts_open: Annotated[
        int | None,
        typer.Option(min=1, help="Open at once; by default 128, 256 in virtual time, 16 per core with Chromium."),
    ] = None,
    attempts: Annotated[int | None, typer.Option(min=1, help="In all; by default twice as many as are open.")] = None,
    decision_mean: Annotated[float, typer.Option(min=0, help="Seconds a decision takes, on average.")] = 1.0,
    sigma: Annotated[float, typer.Option(min=0, help="Tail of that, lognormal; 0 is 0 for pages too.")] = 0.6,
    stragglers: Annotated[float, typer.Option(min=0, max=1, help="Share of decisions that take far longer.")] = 0.02,
    straggler_seconds: Annotated[float, typer.Option(min=0, help="What these take.")] = 10.0,
    page_median: Annotated[float, typer.Option(min=0, help="Seconds a page takes, median.")] = 0.3,
    page_sigma: Annotated[float | None, typer.Option(min=0, help="Tail of that, lognormal; by default 1.")] = None,
    lengths: Annotated[str, typer.Option(help="Fewest and most steps of an attempt; by default 2:30.")] = "",
    mean_length: Annotated[float | None, typer.Option(help="Steps on average; by default 13.")] = None,
    browser: Annotated[BrowserName, typer.Option(help="Simulated, or real on light pages.")] = BrowserName.SIMULATED,
    virtual: Annotated[bool, typer.Option("--virtual", help="Clocks jump where they would wait.")] = False,
    memory: Annotated[bool, typer.Option("--memory", help="Memory of 1,000 open attempts instead.")] = False,
    seed: Annotated[int, typer.Option(help="Of every wait and every length.")] = 0,
    log: Annotated[
        Path | None, typer.Option(callback=new_file, help="Write every operation here, as JSON Lines.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="End with one line of JSON.")] = False,
) -> None:
    """The asynchronous pool against lockstep, on the same work."""
    from webgym.bench.delays import Delay
    from webgym.bench.rollouts.conditions import Conditions, page_delay, read_lengths, usual_length, usually_open
    from webgym.bench.rollouts.memory import ATTEMPTS, STEPS

    shortest, longest = read_lengths(lengths or (f"{STEPS}:{STEPS}" if memory else "2:30"))
    slots = attempts_open or (ATTEMPTS if memory else usually_open(browser.value, virtual=virtual))
    conditions = Conditions(
        attempts_open=slots,
        attempts=attempts or (slots if memory else 2 * slots),
        decision=Delay(decision_mean, sigma),
        stragglers=stragglers,
        straggler_seconds=straggler_seconds,
        page=page_delay(page_median, page_sigma if page_sigma is not None else float(sigma > 0)),
        shortest=shortest,
        longest=longest,
        mean_length=mean_length or usual_length(shortest, longest),
        browser=browser.value,
        virtual=virtual,
        seed=seed,
    )
    if memory:
        _measure_memory(conditions, as_json=json)
    else:
        _compare(conditions, log, as_json=json)


@app.command()
def trainer(
    size: Annotated[
        list[str] | None, typer.Option(help="tiny, nano, 2b or 8b; repeatable. 2b and 8b, or tiny without a GPU.")
    ] = None,
    rows: Annotated[int, typer.Option(min=1, help="In a step of ours.")] = 8,
    steps: Annotated[int, typer.Option(min=1, help="Timed, at most.")] = 3,
    minutes: Annotated[float, typer.Option(min=0, help="After which nothing more is begun.")] = 5.0,
    packed: Annotated[bool, typer.Option(help="Also ours as it is, without compiled layers.")] = True,
    compiled: Annotated[bool, typer.Option(help="Also with compiled layers, if there is time left.")] = True,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    seed: Annotated[int, typer.Option(help="Of lengths and weights.")] = 0,
    profile: Annotated[
        Path | None,
        typer.Option(callback=new_folder, help="Folder for a table of what takes the time of a step, of each system."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="End with one line of JSON.")] = False,
) -> None:
    """The trainer against the plain padded transformers loop, on the same rows."""
    import msgspec
    from rich.console import Console

    from webgym.bench.trainer.compare import Plan, compare, sizes_of
    from webgym.bench.trainer.report import line, table
    from webgym.bench.trainer.spec import System

    console = Console(stderr=True)
    systems: list[System] = ["plain", *(["packed"] if packed else []), *(["compiled"] if compiled else [])]
    tables = str(profile.absolute()) if profile else ""
    plan = Plan(sizes_of(size or [], device), tuple(systems), rows, steps, minutes, device, seed, tables)
    comparison = compare(plan, lambda found: console.print(line(found), highlight=False))
    Console(stderr=json).print(table(comparison))
    if json:
        typer.echo(msgspec.json.encode(comparison).decode())


@app.command()
def engine(
    prompts: Annotated[int, typer.Option(min=1, help="Asked at the same time.")] = 16,
    requests: Annotated[int, typer.Option(min=1, help="One after the other, by each of those who ask.")] = 4,
    words: Annotated[float, typer.Option(min=1, help="Characters of a prompt beside its screenshot.")] = 220.0,
    words_sigma: Annotated[float, typer.Option(min=0, help="Spread of that, lognormal.")] = 0.4,
    tokens: Annotated[float, typer.Option(min=1, help="Tokens of a reply, on average.")] = 40.0,
    tokens_sigma: Annotated[float, typer.Option(min=0, help="Tail of that, lognormal.")] = 0.7,
    think: Annotated[float, typer.Option(min=0, help="Seconds between a reply and the next prompt.")] = 0.3,
    think_sigma: Annotated[float, typer.Option(min=0, help="Tail of that, lognormal.")] = 0.6,
    seen: Annotated[float, typer.Option(min=0, max=1, help="Share of screenshots that were shown before.")] = 0.0,
    rounds: Annotated[int, typer.Option(min=1, help="Times both are measured; ratios are medians.")] = 3,
    threads: Annotated[int, typer.Option(min=0, help="Of torch; 0 takes all cores.")] = 0,
    dtype: Annotated[Precision, typer.Option(help="Of both.")] = Precision.FLOAT32,
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    folder: Annotated[str, typer.Option(help="A checkpoint; nano with random weights by default.")] = "",
    seed: Annotated[int, typer.Option(help="Of lengths, waits and pictures.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="End with one line of JSON.")] = False,
) -> None:
    """The inference engine against batched generate, on the same requests."""
    import os

    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # as the engine's own process has it; read with torch

    import msgspec
    from rich.console import Console

    from webgym.bench.delays import Delay
    from webgym.bench.engine.compare import compare
    from webgym.bench.engine.conditions import Conditions
    from webgym.bench.engine.table import table

    conditions = Conditions(
        prompts=prompts,
        requests=requests,
        words=Delay(words, words_sigma),
        tokens=Delay(tokens, tokens_sigma),
        think=Delay(think, think_sigma),
        seen=seen,
        rounds=rounds,
        threads=threads,
        dtype=dtype.value,
        device=device,
        folder=folder,
        seed=seed,
    )
    with Console(stderr=True).status("starting") as status:
        report = compare(conditions, lambda what, done, of: status.update(f"{what} {done}/{of}"))
    Console(stderr=json).print(table(report))
    if json:
        typer.echo(msgspec.json.encode(report.as_json()).decode())


@app.command("sites")
def site_pages(
    per_family: Annotated[int, typer.Option("--sites", min=1, help="Sites of each family.")] = 50,
    pages: Annotated[int, typer.Option(min=2, help="Pages of each site.")] = 8,
    json: Annotated[bool, typer.Option("--json", help="End with one line of JSON.")] = False,
) -> None:
    """Time for a page of the hermetic sites, and memory for all of them."""
    import anyio
    import msgspec
    from rich.console import Console

    from webgym.bench.site_pages import measure

    with Console(stderr=True).status("starting") as status:

        def told(done: int, of: int) -> None:
            status.update(f"{done}/{of} sites")

        figures = anyio.run(measure, per_family, pages, told, backend_options={"use_uvloop": True}).as_json()
    if json:
        typer.echo(msgspec.json.encode(figures).decode())
        return
    for name, value in figures.items():
        typer.echo(f"{name:<12} {value}")


@app.command("tasks")
def task_sets(
    rows: Annotated[int, typer.Option(min=1000, help="Tasks of the set: a third of them on 25 hosts.")] = 300_000,
    test: Annotated[int, typer.Option(min=0, help="Test tasks of the split; by default 1 in 257.")] = 0,
    seed: Annotated[int, typer.Option(help="Of the tasks, the split and the draws.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="End with one line of JSON.")] = False,
) -> None:
    """Loading, splitting, cleaning and drawing from a large task set; and its memory."""
    import msgspec
    from rich.console import Console

    from webgym.bench.tasks.measure import Plan, measure

    with Console(stderr=True).status("starting") as status:
        figures = measure(Plan(rows, test or max(1, rows // 257), seed), status.update)
    if json:
        typer.echo(msgspec.json.encode(figures).decode())
        return
    for name, value in figures.items():
        typer.echo(f"{name:<16} {value}")


def _run(plan: Plan) -> Report:
    from functools import partial

    import anyio
    from rich.console import Console

    from webgym.bench.sessions import run

    with Console(stderr=True).status("starting") as status:
        progress: Progress = lambda what, done, of: status.update(f"{what} {done}/{of}" if of else what)  # noqa: E731
        return anyio.run(partial(run, plan, progress), backend_options={"use_uvloop": True})


def _compare(conditions: Conditions, log: Path | None, *, as_json: bool) -> None:
    from functools import partial

    import anyio
    import msgspec
    from rich.console import Console

    from webgym.bench.rollouts.compare import compare
    from webgym.bench.rollouts.report import table
    from webgym.bench.rollouts.virtual import VirtualLoop

    options = {"loop_factory": VirtualLoop} if conditions.virtual else {"use_uvloop": True}
    with Console(stderr=True).status("starting") as status:
        progress: Progress = lambda what, done, of: status.update(f"{what} {done}/{of}" if of else what)  # noqa: E731
        report = anyio.run(partial(compare, conditions, progress, log), backend_options=options)
    Console(stderr=as_json).print(table(report))
    if as_json:
        typer.echo(msgspec.json.encode(report.as_json()).decode())


def _measure_memory(conditions: Conditions, *, as_json: bool) -> None:
    from functools import partial

    import anyio
    import msgspec
    from rich.console import Console

    from webgym.bench.rollouts.memory import measure_memory

    with Console(stderr=True).status("starting") as status:
        progress: Progress = lambda what, done, of: status.update(f"{what} {done}/{of}" if of else what)  # noqa: E731
        report = anyio.run(partial(measure_memory, conditions, progress), backend_options={"use_uvloop": True})
    found = report.as_json()
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
        return
    for name, value in found.items():
        if not isinstance(value, dict):
            typer.echo(f"{name:<22} {value}")


def _show(report: Report, *, as_json: bool) -> None:
    import msgspec
    from rich.console import Console

    from webgym.bench.report import table

    Console(stderr=as_json).print(table(report))
    if as_json:
        typer.echo(msgspec.json.encode(report.as_json()).decode())
