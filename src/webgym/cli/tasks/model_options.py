"""Model options, progress and cost reports shared by `webgym tasks enrich` and `decompose`."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol, Self

import typer

from webgym.cli.failures import ExitCode
from webgym.cli.outputs import new_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgym.llm.config import ModelConfig
    from webgym.run.task_sets.writing.pool import Reject


class ReplyForm(enum.StrEnum):
    """How JSON output is requested from a server."""

    SCHEMA = "schema"
    OBJECT = "object"
    OFF = "off"


_PANEL = "The model"
_MONEY = "Cost"
Servers = Annotated[
    list[str] | None,
    typer.Option(
        "--server",
        help="Base URL of an OpenAI-compatible server, such as http://127.0.0.1:8000/v1; repeatable.",
        rich_help_panel=_PANEL,
    ),
]
Model = Annotated[str, typer.Option(help="Model name on the server.", rich_help_panel=_PANEL)]
KeyEnv = Annotated[str, typer.Option(help="Environment variable that holds the API key.", rich_help_panel=_PANEL)]
Structured = Annotated[
    ReplyForm,
    typer.Option(
        help="How to request JSON. schema: enforced JSON schema. object: JSON mode. off: by prompt only.",
        rich_help_panel=_PANEL,
    ),
]
Temperature = Annotated[
    float | None, typer.Option(min=0, help="Sampling temperature. Default: the server's.", rich_help_panel=_PANEL)
]
MaxTokens = Annotated[int, typer.Option(min=16, help="Maximum tokens per reply.", rich_help_panel=_PANEL)]
LongField = Annotated[
    bool,
    typer.Option(
        "--max-completion-tokens",
        help="Send the limit as max_completion_tokens, as newer models require.",
        rich_help_panel=_PANEL,
    ),
]
Concurrency = Annotated[int, typer.Option(min=1, help="Concurrent requests per server.", rich_help_panel=_PANEL)]
Timeout = Annotated[float, typer.Option(min=1, help="Timeout of one request, in seconds.", rich_help_panel=_PANEL)]
Rounds = Annotated[
    int,
    typer.Option(
        min=1,
        max=10,
        help="Maximum replies per question; an invalid reply is sent back with the reason.",
        rich_help_panel=_PANEL,
    ),
]
PriceIn = Annotated[float, typer.Option(min=0, help="Dollars per million prompt tokens.", rich_help_panel=_MONEY)]
PriceOut = Annotated[float, typer.Option(min=0, help="Dollars per million reply tokens.", rich_help_panel=_MONEY)]
Budget = Annotated[
    float | None,
    typer.Option(min=0, help="Maximum dollars to spend, over all runs with the same journal.", rich_help_panel=_MONEY),
]
JournalPath = Annotated[
    Path | None,
    typer.Option(
        "--journal",
        callback=new_file,
        help="File that keeps replies, so that none is paid for twice. Default: OUT.journal.",
        rich_help_panel=_MONEY,
    ),
]
Partial = Annotated[
    bool, typer.Option("--partial", help="Write the set even if the run ends early.", rich_help_panel=_MONEY)
]


def journal_of(journal: Path | None, out: Path) -> Path:
    """Return the path of the journal: the given one, or `OUT.journal`."""
    return journal or out.with_name(f"{out.name}.journal")


def model_config(
    servers: Sequence[str] | None,
    model: str,
    *,
    key_env: str,
    temperature: float | None,
    max_tokens: int,
    long_field: bool,
    concurrency: int,
    timeout: float,
    prices: tuple[float, float],
    budget: float | None,
) -> ModelConfig:
    """Build the model's configuration from the command-line options.

    Raises:
        ConfigError: No server or model was given, or an option is invalid.
    """
    from pydantic import ValidationError

    from webgym.errors import ConfigError
    from webgym.llm.config import ModelConfig, Prices, Retries, Timeouts
    from webgym.run.problems import problems_of

    if not (servers and model):
        raise ConfigError("no model given: set --server URL --model NAME, and --key-env NAME if it needs a key")
    try:
        return ModelConfig(
            servers=tuple(servers or ()),
            model=model,
            api_key_env=key_env,
            temperature=temperature,
            max_tokens=max_tokens,
            max_tokens_field="max_completion_tokens" if long_field else "max_tokens",
            tokens=False,
            concurrency=concurrency,
            waiting=100_000,
            timeouts=Timeouts(first_byte=timeout, total=timeout, deadline=max(1800.0, 10 * timeout)),
            retries=Retries(tries=12),
            prices=Prices(prompt=prices[0], sampled=prices[1]),
            budget=budget,
        )
    except ValidationError as error:
        told = "; ".join(problems_of(error, ModelConfig, whole="model"))
        raise ConfigError(f"the model cannot be used: {told}") from None


class Going(Protocol):
    """Progress of an enrich or decompose run."""

    done: int
    asked: int
    remembered: int
    dollars: float
    stopped: str
    rejects: list[Reject]


class Bar:
    """A progress bar of model replies."""

    def __init__(self, what: str, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            TextColumn(what),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[told]}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._bar = self._progress.add_task(what, total=total, told="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._progress.stop()

    def update(self, going: Going, total: int | None = None) -> None:
        """Show the current progress."""
        told = f"{len(going.rejects):,} rejected  ${going.dollars:,.2f}"
        self._progress.update(self._bar, completed=going.done, total=total, told=told)


def tell_bill(asked: int, remembered: int, dollars: float, journal: Path) -> None:
    """Print the number of replies and their cost."""
    typer.echo(f"  {asked:,} new replies in this run, {remembered:,} from the journal; ${dollars:,.4f} in total")
    typer.echo(f"  replies are stored in {journal}: repeating the run with it costs nothing")


def tell_json(going: Going, written: bool, **more: object) -> None:
    """Print the result as one JSON object."""
    from collections import Counter

    import msgspec

    told = {
        "written": written,
        "stopped": going.stopped,
        "asked": going.asked,
        "remembered": going.remembered,
        "dollars": going.dollars,
        "rejects": Counter(reject.fault for reject in going.rejects),
        **more,
    }
    typer.echo(msgspec.json.encode(told).decode())


def tell_rejects(rejects: Sequence[Reject], path: Path | None, *, quiet: bool) -> None:
    """Write the rejects to `path`; unless quiet, print counts by fault and the first few."""
    from collections import Counter

    from webgym.cli.tasks.options import MOST_SHOWN, write_rejects

    write_rejects(path, rejects)
    if quiet:
        return
    for fault, number in Counter(reject.fault for reject in rejects).most_common():
        typer.echo(f"  {number:,} rejected, {fault}")
    for reject in rejects[:MOST_SHOWN]:
        typer.echo(f"  {reject.fault}: {reject.task_id}: {reject.why}", err=True)
    if len(rejects) > MOST_SHOWN and path is None:
        typer.echo(f"  and {len(rejects) - MOST_SHOWN:,} more: --rejects FILE writes all of them", err=True)


def refuse_existing(out: Path, *, replace: bool) -> None:
    """Check that the output can be written, before any reply is paid for.

    Raises:
        TaskSetError: The output exists and is not to be replaced.
    """
    from webgym.errors import TaskSetError

    if out.exists() and not replace:
        raise TaskSetError(f"{out} already exists: choose another folder, or replace it with --replace")


def end(stopped: str, rejects: Sequence[Reject], *, written: bool) -> None:
    """Exit with a failure if running again could do more: the run ended early, or servers did not answer."""
    if stopped:
        rest = "" if written else " No task set was written; --partial writes an incomplete one."
        typer.echo(f"ended early: {stopped}.{rest} Run the same command again to resume.", err=True)
    if stopped or any(reject.fault == "unanswered" for reject in rejects):
        raise typer.Exit(ExitCode.FAILURES)
