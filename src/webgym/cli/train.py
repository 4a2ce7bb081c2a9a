"""`webgym train`: train a policy with reinforcement learning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Self

import typer

from webgym.cli.failures import ExitCode
from webgym.cli.run_options import AsJson, ConfigFile, Overrides, PrintConfig, Resume, choose
from webgym.cli.silence import SilenceBreaker
from webgym.cli.told_once import tell_about_sandbox

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from webgym.records.curve import AttemptResults, Iteration, Rate
    from webgym.records.event import Event
    from webgym.rollout.pool import FinishedGroup
    from webgym.run.choose import RunChoice
    from webgym.run.training.commands import TrainResult
    from webgym.run.training.config import TrainConfig

RESUME = "to resume: webgym train --resume {folder}"
SILENCE = 60.0
"""Seconds without a line after which a line says what is going on, where there is no status line."""
PUT_OFF = "evaluations were postponed; to run them: webgym train --resume"


def train(
    overrides: Overrides = None,
    config: ConfigFile = None,
    resume: Resume = None,
    until: Annotated[
        int, typer.Option(min=0, help="Stop after this iteration; the run can be resumed later. 0: no limit.")
    ] = 0,
    print_config: PrintConfig = False,
    as_json: AsJson = False,
) -> None:
    """Train a policy with reinforcement learning.

    Every few iterations the policy is evaluated on websites that training never
    uses. Settings come from --config and from arguments such as `iterations=20
    train.lr=1e-5 policy.model=FOLDER`.

    train.recipe names an algorithm, and its parts can be chosen: train.loss.use
    is ppo, logprob, gspo, cispo, or your own as module:function;
    train.source.estimator is grpo, dr_grpo, rloo, maxrl, gigpo, reward, or your
    own.
    """
    import anyio
    from rich.console import Console

    from webgym.cli.setup import ensure_ready
    from webgym.run.training.config import TrainConfig

    chosen = choose("train", TrainConfig, config, overrides, resume)
    if print_config:
        from webgym.cli.run_report import print_settings

        print_settings(chosen.config)
        return
    browser = chosen.config.browser
    ensure_ready(browser=not browser.url, headed=browser.headed, training=True)
    console = Console(stderr=as_json, highlight=False, soft_wrap=True)
    if not browser.url:
        tell_about_sandbox(console)
    with Teller(console, chosen.config.iterations) as teller:
        result = anyio.run(_told, chosen, teller, until, backend_options={"use_uvloop": True})
    _tell(result, console, as_json=as_json)
    if chosen.config.evaluate.later and not result.interrupted:
        console.print(f"{PUT_OFF} {result.folder} evaluate.later=false", markup=False)
    if result.interrupted:
        if result.folder.is_dir():  # it may have been interrupted before the run was created
            console.print(RESUME.format(folder=result.folder), markup=False)
        raise typer.Exit(ExitCode.INTERRUPTED)


async def _told(chosen: RunChoice[TrainConfig], teller: Teller, until: int) -> TrainResult:
    from webgym.concurrency import background
    from webgym.run.training import commands

    async with background() as tasks:
        tasks.start_soon(teller.break_silence)
        return await commands.carry_out(chosen, teller, until)


def _tell(result: TrainResult, console: Console, *, as_json: bool) -> None:
    """Print the result of training."""
    import msgspec

    compared, best = result.compared, result.best
    if as_json:
        found = {
            "run": result.folder.name,
            "path": str(result.folder),
            "iterations": result.iterations,
            "difference": compared and compared.difference,
            "tasks_paired": compared and compared.tasks,
            "p_value": compared and compared.p_value,
            "best": best,
        }
        print(msgspec.json.encode(found).decode())
    if compared:
        found = compared.difference
        console.print(
            f"unseen websites: {compared.success_a:.1%} before, {compared.success_b:.1%} after, on {compared.tasks} "
            f"tasks: {found.estimate:+.1%} (95 % interval {found.low:+.1%} to {found.high:+.1%})"
        )
    if best:
        console.print(best.line, markup=False)
    if result.report:
        console.print(f"report: {result.report}", markup=False)


class Teller:
    """Prints the progress of training: a line per iteration, and a live status line."""

    def __init__(self, console: Console, planned: int, silence: float = SILENCE) -> None:
        from rich.status import Status

        self._planned = planned
        self._doing = "starting"
        self._silence = SilenceBreaker(console, silence, lambda: self._doing)
        self._status = Status(self._doing, console=console)
        self._counts: dict[str, int] = {}
        self._iteration = 0
        self._trained = 0
        """The iteration whose training was told last."""

    def __enter__(self) -> Self:
        self._status.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._status.stop()

    def say(self, line: str) -> None:
        """Print a line."""
        self._silence.print(line)

    async def break_silence(self) -> None:
        """Say what is going on whenever nothing was printed for a while, until cancelled."""
        await self._silence.run()

    def happened(self, event: Event) -> None:
        """Count finished attempts in the status line."""
        from webgym.records.event import AttemptEnded

        match event:
            case AttemptEnded(outcome=outcome):
                self._counts[outcome] = self._counts.get(outcome, 0) + 1
                counts = "  ".join(f"{name} {count}" for name, count in sorted(self._counts.items()))
                self._show(f"iteration {self._iteration} of {self._planned}   {counts}")
            case _:
                pass

    def evaluating(self, iteration: int, planned: int, finished: FinishedGroup | None) -> None:
        """Show that an evaluation begins."""
        if finished is None:
            self._counts.clear()
            self._show(f"evaluation after iteration {iteration}: {planned} attempts")

    def trained(self, iteration: Iteration) -> None:
        """Print the result of training in an iteration."""
        self._trained = iteration.iteration
        self._line(iteration.iteration, _training_parts(iteration), iteration.seconds)

    def ended(self, iteration: Iteration) -> None:
        """Print the result of an iteration, or of its evaluation if its training was told already."""
        seconds = iteration.seconds
        if iteration.iteration == self._trained and iteration.iteration:
            parts, seconds = [], {name: value for name, value in seconds.items() if name == "evaluate"}
        else:
            parts = _training_parts(iteration)
        self._iteration = iteration.iteration + 1
        self._counts.clear()
        if iteration.evaluation:
            parts.append(f"unseen websites {_rate(iteration.evaluation.success)}{_masked(iteration.evaluation)}")
        self._line(iteration.iteration, parts, seconds)
        for warning in iteration.warnings:
            self.say(f"warning: {warning}")

    def _show(self, doing: str) -> None:
        self._doing = doing
        self._status.update(doing)

    def _line(self, iteration: int, parts: Sequence[str], seconds: Mapping[str, float]) -> None:
        spent = "  ".join(f"{name} {value:.0f}" for name, value in seconds.items() if value >= 1)
        # a postponed evaluation is not told with the seconds it took
        self.say("   ".join([f"{iteration:>4}", *parts, *([f"[{spent} s]"] if spent else [])]))


def _training_parts(iteration: Iteration) -> list[str]:
    parts: list[str] = []
    if iteration.train:
        parts.append(f"train {_rate(iteration.train.success)}{_masked(iteration.train)}")
    if iteration.learned:
        loss = iteration.learned.figures.get("loss", 0.0)
        parts.append(f"learned from {iteration.learned.rows} steps, loss {loss:+.4f}")
    elif iteration.iteration:
        parts.append("no update: nothing to learn from")
    if iteration.flow and iteration.learned:
        parts.append(f"lag {iteration.flow.lag_mean:.1f}, at most {iteration.flow.lag_max}")
    return parts


def _masked(tried: AttemptResults) -> str:
    return f", {tried.masked.share:.1%} without a reward" if tried.masked and tried.masked.attempts else ""


def _rate(rate: Rate) -> str:
    return f"{rate.rate:.1%} ({rate.low:.1%} to {rate.high:.1%} of {rate.attempts})"
