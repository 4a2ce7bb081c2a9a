"""`webgym judge run`: judge a stored run again."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

import typer

from webgym.cli.completions import run_names
from webgym.cli.failures import ExitCode
from webgym.cli.judge import options
from webgym.cli.outputs import new_folder

if TYPE_CHECKING:
    from rich.console import Console

    from webgym.run.judging.rerun import RejudgingResult


class JudgeableOutcome(enum.StrEnum):
    """Outcome of an attempt that can be judged."""

    SUCCESS = "success"
    FAILURE = "failure"
    TRUNCATED = "truncated"
    BLOCKED = "blocked"
    JUDGE_UNKNOWN = "judge_unknown"


def run(
    run: Annotated[str, typer.Argument(help="Folder of a run, or its name in runs/.", autocompletion=run_names)],
    settings: options.Settings = None,
    config: options.ConfigFile = None,
    out: Annotated[
        Path | None,
        typer.Option(
            callback=new_folder,
            help="Folder for the judgements. Default: a folder inside the run, named after the judge.",
        ),
    ] = None,
    only: Annotated[
        list[JudgeableOutcome] | None, typer.Option(help="Only attempts with this outcome; repeatable. Default: all.")
    ] = None,
    retry: Annotated[
        bool, typer.Option("--retry", help="Judge attempts without a verdict (judge_unknown) again.")
    ] = False,
    limit: Annotated[int, typer.Option(min=0, help="Maximum number of attempts, to estimate the cost; 0: all.")] = 0,
    at_once: Annotated[int, typer.Option(min=1, max=1024, help="Concurrently judged attempts.")] = 16,
    server: options.Servers = None,
    model: options.Model = "",
    key_env: options.KeyEnv = "",
    price_in: options.PriceIn = 0.0,
    price_out: options.PriceOut = 0.0,
    budget: options.Budget = None,
    json: options.AsJson = False,
) -> None:
    """Judge a stored run with another judge or other settings, and compare with its recorded outcomes.

    The run itself is not changed: judgements are stored separately. Every model
    reply is saved on arrival; after a crash or an exhausted budget, run the
    same command again: nothing is judged or paid for twice.

    For example, with a local model; and with a hosted one, only attempts
    without a verdict:

    webgym judge run runs/eval-1 --server http://127.0.0.1:8001/v1 --model
    Qwen/Qwen3-VL-32B-Instruct

    webgym judge run runs/eval-1 --only judge_unknown --server
    https://api.openai.com/v1 --model gpt-4o --key-env OPENAI_API_KEY --price-in
    2.5 --price-out 10 --budget 5
    """
    import anyio
    from rich.console import Console

    from webgym.run.judging.rerun import Rejudging, judge_again
    from webgym.store.read import locate

    chosen = options.judge_config(
        config, settings, servers=server, model=model, key_env=key_env, prices=(price_in, price_out), budget=budget
    )
    how = Rejudging(at_once, retry, tuple(one.value for one in only or ()), limit)
    console = Console(stderr=json)
    with _Bar(console) as bar:
        done = anyio.run(judge_again, locate(run), chosen, how, out, bar.begin, bar.judged)
    _tell(done, console, as_json=json)
    if done.stopped:
        left = done.planned - done.judged
        console.print(f"{left} of {done.planned} attempts were not judged: {done.stopped}", style="red", markup=False)
        also = "; --retry also judges attempts without a verdict again" if "judge_unknown" in done.outcomes else ""
        console.print(f"run the same command again to resume{also}")
        raise typer.Exit(ExitCode.FAILURES)


class _Bar:
    """A progress bar of judged attempts."""

    def __init__(self, console: Console) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("judged"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, TextColumn("{task.fields[counts]}"), console=console, transient=True)
        self._task = self._progress.add_task("judged", counts="", total=None)
        self._counts: dict[str, int] = {}

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._progress.stop()

    def begin(self, planned: int, kept: int) -> None:
        """Set the total, and how many are already judged."""
        self._progress.update(self._task, total=planned, completed=kept)

    def judged(self, judgement: object) -> None:
        """Count one more judged attempt."""
        from webgym.records.judgement import Judgement
        from webgym.records.trajectory import outcome_kind

        if isinstance(judgement, Judgement):
            kind = outcome_kind(judgement.outcome)
            self._counts[kind] = self._counts.get(kind, 0) + 1
        counts = "  ".join(f"{name} {count}" for name, count in sorted(self._counts.items()))
        self._progress.update(self._task, advance=1, counts=counts)


def _tell(done: RejudgingResult, console: Console, *, as_json: bool) -> None:
    import msgspec

    from webgym.cli.judge.compare import print_agreement

    if as_json:
        print(msgspec.json.encode(done).decode())
    counts = "  ".join(f"{kind} {count}" for kind, count in done.outcomes.items())
    judged = f"{done.judged} of {done.planned} attempts judged by {done.judge} ({done.config})"
    console.print(f"{judged}:  {counts}", markup=False)
    spent, each = done.spent, max(1, done.judged)
    console.print(
        f"{spent.calls:,} calls ({spent.calls / each:.2f} per attempt), {spent.pictures:,} images of "
        f"{spent.picture_bytes / 1e6:.1f} MB, {spent.prompt_tokens:,} + {spent.sampled_tokens:,} tokens, "
        f"${spent.dollars:.4f}"
    )
    print_agreement(done.agreement, "stored in the run", "now", console)
    console.print(f"stored in {done.out}", markup=False)
