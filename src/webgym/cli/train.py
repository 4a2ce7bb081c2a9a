"""`webgym train`: train a policy with reinforcement learning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.failures import ExitCode
from webgym.cli.progress import TrainingProgress
from webgym.cli.run_options import AsJson, ConfigFile, Overrides, PrintConfig, Resume, choose
from webgym.cli.told_once import tell_about_sandbox

if TYPE_CHECKING:
    from rich.console import Console

    from webgym.run.choose import RunChoice
    from webgym.run.train_commands import TrainResult
    from webgym.run.train_config import TrainConfig

RESUME = "to resume: webgym train --resume {folder}"
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
    from webgym.run.train_config import TrainConfig

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
    with TrainingProgress(console, chosen.config.iterations) as progress:
        result = anyio.run(_followed, chosen, progress, until, backend_options={"use_uvloop": True})
    _tell(result, console, as_json=as_json)
    if chosen.config.evaluate.later and not result.interrupted:
        console.print(f"{PUT_OFF} {result.folder} evaluate.later=false", markup=False)
    if result.interrupted:
        if result.folder.is_dir():  # it may have been interrupted before the run was created
            console.print(RESUME.format(folder=result.folder), markup=False)
        raise typer.Exit(ExitCode.INTERRUPTED)


async def _followed(chosen: RunChoice[TrainConfig], progress: TrainingProgress, until: int) -> TrainResult:
    from webgym.concurrency import background
    from webgym.run import train_commands as commands

    async with background() as tasks:
        tasks.start_soon(progress.break_silence)
        return await commands.carry_out(chosen, progress, until)


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
