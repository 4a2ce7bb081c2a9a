"""`webgym bench`: benchmarks."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.outputs import new_file, new_folder
from webgym_bench.commands.flow import flow
from webgym_bench.commands.judge import judge
from webgym_bench.commands.settle import settle
from webgym_bench.commands.signal import signal

if TYPE_CHECKING:
    from webgym_bench.measure import Progress
    from webgym_bench.rollouts.conditions import Conditions
    from webgym_bench.sessions import Plan, Report

app = typer.Typer(no_args_is_help=True, help="Run benchmarks on this machine.")
app.command("flow")(flow)
app.command("judge")(judge)
app.command("settle")(settle)
app.command("signal")(signal)


class Format(enum.StrEnum):
    """A screenshot format."""

    JPEG = "jpeg"
    PNG = "png"


class Isolation(enum.StrEnum):
    """What each session has of its own: a browser context or a whole process."""

    CONTEXT = "context"
    PROCESS = "process"


class SystemName(enum.StrEnum):
    """A browser system to measure."""

    FLEET = "fleet"
    HEADED = "headed"
    IN_PROCESS = "inprocess"
    PUBLISHED = "published"
    CDP = "cdp"


class BaselineBrowser(enum.StrEnum):
    """The Chromium of the published request sequence."""

    AUTO = "auto"
    FULL = "full"
    SHELL = "shell"


class BrowserName(enum.StrEnum):
    """The kind of browser rollouts run in."""

    SIMULATED = "simulated"
    CHROMIUM = "chromium"


class Precision(enum.StrEnum):
    """Floating-point precision of a model."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"


@app.callback()
def benchmarks() -> None:
    """Run benchmarks on this machine."""


@app.command()
def sessions(
    sessions: Annotated[int, typer.Option(min=1, help="Concurrent sessions.")] = 16,
    episodes: Annotated[int, typer.Option(min=1, help="Timed episodes per session, of eight steps each.")] = 4,
    warmup: Annotated[int, typer.Option(min=0, help="Untimed warm-up episodes per session.")] = 1,
    baseline: Annotated[
        bool, typer.Option("--baseline", help="Also measure the published request sequence and bare CDP.")
    ] = False,
    baseline_browser: Annotated[
        BaselineBrowser,
        typer.Option(help="Chromium of the published sequence: full, headless shell, or full if there is one."),
    ] = BaselineBrowser.AUTO,
    other_browser: Annotated[Path | None, typer.Option(exists=True, help="Chromium to compare with.")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Times to measure all systems; ratios are medians.")] = 1,
    system: Annotated[SystemName, typer.Option(help="System to measure.")] = SystemName.FLEET,
    against: Annotated[list[SystemName], typer.Option(help="System to compare with; repeatable.")] = [],  # noqa: B006
    format: Annotated[Format, typer.Option(help="Screenshot format.")] = Format.JPEG,  # noqa: A002  the option's name
    png: Annotated[bool, typer.Option(help="Also measure the system with PNG screenshots.")] = True,
    isolation: Annotated[
        Isolation, typer.Option(help="Give each session its own browser context or its own process.")
    ] = Isolation.CONTEXT,
    settle_seconds: Annotated[float, typer.Option(min=0, help="Maximum seconds to wait for a page to settle.")] = 5.0,
    think_mean: Annotated[float, typer.Option(min=0, help="Mean seconds the policy takes per step.")] = 0.0,
    think_sigma: Annotated[float, typer.Option(min=0, help="Lognormal sigma of --think-mean.")] = 0.0,
    page_mean: Annotated[float, typer.Option(min=0, help="Mean seconds the website adds per request.")] = 0.0,
    page_sigma: Annotated[float, typer.Option(min=0, help="Lognormal sigma of --page-mean.")] = 0.0,
    seed: Annotated[int, typer.Option(help="Seed for all random waits.")] = 0,
    log: Annotated[
        Path | None, typer.Option(callback=new_file, help="File to log every step to, as JSON Lines.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Measure throughput, CPU time, memory and correctness of browser sessions."""
    import msgspec
    from rich.console import Console

    from webgym_bench.conditions import Conditions
    from webgym_bench.delays import Delay
    from webgym_bench.report import table
    from webgym_bench.sessions import Plan

    conditions = Conditions(
        sessions=sessions,
        episodes=episodes,
        warmup=warmup,
        format=format.value,
        isolation=isolation.value,
        settle_seconds=settle_seconds,
        baseline_browser=baseline_browser.value,
        other_browser=str(other_browser or ""),
        think=Delay(think_mean, think_sigma),
        page=Delay(page_mean, page_sigma),
        seed=seed,
    )
    more = [*(("published", "cdp") if baseline else ()), *(("other",) if other_browser else ())]
    others = dict.fromkeys([*more, *(name.value for name in against)])
    report = _run(Plan(conditions, system.value, tuple(others), rounds, png=png and format is Format.JPEG, log=log))
    Console(stderr=json).print(table(report))
    if json:
        typer.echo(msgspec.json.encode(report.as_json()).decode())


@app.command()
def rollouts(
    attempts_open: Annotated[
        int | None,
        typer.Option(min=1, help="Concurrent attempts. Default: 128; 256 in virtual time; 16 per core with Chromium."),
    ] = None,
    attempts: Annotated[
        int | None, typer.Option(min=1, help="Total attempts. Default: twice the concurrent ones.")
    ] = None,
    decision_mean: Annotated[float, typer.Option(min=0, help="Mean seconds per decision.")] = 1.0,
    sigma: Annotated[
        float, typer.Option(min=0, help="Lognormal sigma of --decision-mean; 0 also makes page times constant.")
    ] = 0.6,
    stragglers: Annotated[float, typer.Option(min=0, max=1, help="Fraction of decisions that are stragglers.")] = 0.02,
    straggler_seconds: Annotated[float, typer.Option(min=0, help="Seconds a straggler takes.")] = 10.0,
    page_median: Annotated[float, typer.Option(min=0, help="Median seconds per page.")] = 0.3,
    page_sigma: Annotated[
        float | None, typer.Option(min=0, help="Lognormal sigma of --page-median. Default: 1.")
    ] = None,
    lengths: Annotated[str, typer.Option(help="Minimum and maximum steps of an attempt. Default: 2:30.")] = "",
    mean_length: Annotated[float | None, typer.Option(help="Mean steps of an attempt. Default: 13.")] = None,
    browser: Annotated[
        BrowserName, typer.Option(help="Simulated browser, or real Chromium on light pages.")
    ] = BrowserName.SIMULATED,
    virtual: Annotated[
        bool, typer.Option("--virtual", help="Run in virtual time: clocks jump instead of waiting.")
    ] = False,
    memory: Annotated[
        bool, typer.Option("--memory", help="Measure the memory of 1,000 open attempts instead.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed for all waits and lengths.")] = 0,
    log: Annotated[
        Path | None, typer.Option(callback=new_file, help="File to log every operation to, as JSON Lines.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Compare the asynchronous rollout pool with lockstep rollouts on the same work."""
    from webgym_bench.delays import Delay
    from webgym_bench.rollouts.conditions import Conditions, page_delay, read_lengths, usual_length, usually_open
    from webgym_bench.rollouts.memory import ATTEMPTS, STEPS

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
        list[str] | None,
        typer.Option(help="Model size: tiny, nano, 2b or 8b; repeatable. Default: 2b and 8b; tiny without a GPU."),
    ] = None,
    rows: Annotated[int, typer.Option(min=1, help="Rows per step of WebGym's trainer.")] = 8,
    steps: Annotated[int, typer.Option(min=1, help="Maximum number of timed steps.")] = 3,
    minutes: Annotated[float, typer.Option(min=0, help="Time budget in minutes; nothing is started after it.")] = 5.0,
    packed: Annotated[bool, typer.Option(help="Measure WebGym's trainer without compiled layers.")] = True,
    compiled: Annotated[
        bool, typer.Option(help="Measure WebGym's trainer with compiled layers, if time is left.")
    ] = True,
    device: Annotated[str, typer.Option(help="Device: auto, cpu or cuda.")] = "auto",
    seed: Annotated[int, typer.Option(help="Seed for lengths and weights.")] = 0,
    profile: Annotated[
        Path | None,
        typer.Option(callback=new_folder, help="Folder for a profile of one step of each system."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Compare the trainer with a plain padded transformers loop on the same rows."""
    import msgspec
    from rich.console import Console

    from webgym_bench.trainer.compare import Plan, compare, sizes_of
    from webgym_bench.trainer.report import line, table
    from webgym_bench.trainer.spec import System

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
    prompts: Annotated[int, typer.Option(min=1, help="Concurrent clients.")] = 16,
    requests: Annotated[int, typer.Option(min=1, help="Consecutive requests per client.")] = 4,
    words: Annotated[float, typer.Option(min=1, help="Mean characters of a prompt, besides its screenshot.")] = 220.0,
    words_sigma: Annotated[float, typer.Option(min=0, help="Lognormal sigma of --words.")] = 0.4,
    tokens: Annotated[float, typer.Option(min=1, help="Mean tokens per reply.")] = 40.0,
    tokens_sigma: Annotated[float, typer.Option(min=0, help="Lognormal sigma of --tokens.")] = 0.7,
    think: Annotated[float, typer.Option(min=0, help="Mean seconds between a reply and the next prompt.")] = 0.3,
    think_sigma: Annotated[float, typer.Option(min=0, help="Lognormal sigma of --think.")] = 0.6,
    seen: Annotated[
        float, typer.Option(min=0, max=1, help="Fraction of prompts that repeat an earlier screenshot.")
    ] = 0.0,
    rounds: Annotated[int, typer.Option(min=1, help="Times to measure both; ratios are medians.")] = 3,
    threads: Annotated[int, typer.Option(min=0, help="Torch threads; 0: all cores.")] = 0,
    dtype: Annotated[Precision, typer.Option(help="Data type of both.")] = Precision.FLOAT32,
    device: Annotated[str, typer.Option(help="Device: cpu or cuda.")] = "cpu",
    folder: Annotated[str, typer.Option(help="Checkpoint folder. Default: nano with random weights.")] = "",
    seed: Annotated[int, typer.Option(help="Seed for lengths, waits and images.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Compare the inference engine with batched transformers generate on the same requests."""
    import os

    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # as in the engine's process; read when torch is imported

    import msgspec
    from rich.console import Console

    from webgym_bench.delays import Delay
    from webgym_bench.engine.compare import compare
    from webgym_bench.engine.conditions import Conditions
    from webgym_bench.engine.table import table

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
    per_family: Annotated[int, typer.Option("--sites", min=1, help="Number of sites per family.")] = 50,
    pages: Annotated[int, typer.Option(min=2, help="Pages to visit per site.")] = 8,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Measure the latency and memory of the hermetic site server."""
    import anyio
    import msgspec
    from rich.console import Console

    from webgym_bench.site_pages import measure

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
    rows: Annotated[int, typer.Option(min=1000, help="Tasks in the set; a third of them are on 25 hosts.")] = 300_000,
    test: Annotated[int, typer.Option(min=0, help="Test tasks of the split. Default: 1 in 257.")] = 0,
    seed: Annotated[int, typer.Option(help="Seed for the tasks, the split and the draws.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Measure loading, splitting, cleaning and sampling of a large task set, and its memory."""
    import msgspec
    from rich.console import Console

    from webgym_bench.tasks.measure import Plan, measure

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

    from webgym_bench.sessions import run

    with Console(stderr=True).status("starting") as status:
        progress: Progress = lambda what, done, of: status.update(f"{what} {done}/{of}" if of else what)  # noqa: E731
        return anyio.run(partial(run, plan, progress), backend_options={"use_uvloop": True})


def _compare(conditions: Conditions, log: Path | None, *, as_json: bool) -> None:
    from functools import partial

    import anyio
    import msgspec
    from rich.console import Console

    from webgym_bench.rollouts.compare import compare
    from webgym_bench.rollouts.report import table
    from webgym_bench.rollouts.virtual import VirtualLoop

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

    from webgym_bench.rollouts.memory import measure_memory

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
