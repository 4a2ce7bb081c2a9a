"""A training run made for the viewer: groups of every fate, and evaluations before and after."""

from __future__ import annotations

from pathlib import Path

from tests.unit.viewer.made_runs import BEGAN, SCRIPT, Scribe, task

from webgym.curves.file import append
from webgym.records.curve import Iteration
from webgym.records.trajectory import Attempt, Failure, Outcome, SiteBlock, Success, Truncation
from webgym.run.training.figures import tried
from webgym.run.training.folders import Folders
from webgym.store.meta import RunMeta
from webgym.store.read import open_run
from webgym.store.write import open_writer

SITE = "quietbrookpress.localhost"
CONFIG = """
seed = 0
control = "{control}"

[train]
mode = "{mode}"
curriculum = "adaptive"

[train.source]
use = "groups"
estimator = "grpo"
"""
WON, LOST, CUT = Success(), Failure("1 of 2 facts hold"), Truncation("steps")
LOSS = SiteBlock("the site asks for a captcha")
GROUPS: dict[str, tuple[Outcome | None, ...]] = {
    "00001/0000/task-0001": (WON, WON, WON, WON, WON, WON, WON, CUT),
    "00001/0001/task-0002": (LOST,) * 8,
    "00002/0000/task-0003": (WON,) * 8,
    "00002/0001/task-0004": (WON, *(LOSS,) * 7),
    "00003/0000/task-0005": (WON, LOST, *(None,) * 6),
}
"""Seven of eight solved, none, all, only one graded, unfinished."""


async def write_training(folder: Path, name: str = "trained", *, control: str = "none", mode: str = "sync") -> Path:
    """Two finished iterations and one that is going on; 2 of 6 unseen tasks solved before, 4 of 6 after."""
    meta = RunMeta(name, BEGAN, f"webgym train name={name}", CONFIG.format(control=control, mode=mode), kind="train")
    async with open_writer(folder, meta) as writer:
        scribe = Scribe(writer)
        for number, (group, outcomes) in enumerate(GROUPS.items(), 1):
            about = task(number, SITE, facts=2)
            for member, outcome in enumerate(outcomes):
                attempt = Attempt(f"{group}/{member}", about, group, member)
                held = 1 if outcome is LOST else 2
                await scribe.attempt(attempt, outcome, SCRIPT[:3], held=held, answer=None if outcome is CUT else "Two")
    for iteration, solved in ((0, 2), (2, 4)):
        await write_evaluation(folder, name, iteration, solved)
    for iteration in range(3):
        append(Folders(folder).curve, entry(folder, iteration))
    return folder


async def write_evaluation(folder: Path, name: str, iteration: int, solved: int) -> None:
    """Six unseen tasks with one attempt each."""
    meta = RunMeta(f"{name}, evaluation {iteration}", BEGAN, kind="eval")
    async with open_writer(Folders(folder).evaluation(iteration), meta) as writer:
        scribe = Scribe(writer)
        for number in range(6):
            attempt = Attempt(f"unseen-{number}", task(100 + number, "unseen.localhost", facts=2))
            won = number < solved
            await scribe.attempt(attempt, WON if won else LOST, SCRIPT[:3], held=2 if won else 1, answer="Two")


def entry(folder: Path, iteration: int) -> Iteration:
    """The line of the curve of an iteration, with its evaluation if it had one."""
    evaluation = Folders(folder).evaluation(iteration)
    rows = None
    if evaluation.is_dir():
        with open_run(evaluation) as run:
            rows = run.rows()
    return Iteration(
        iteration=iteration,
        version=iteration,
        ended=BEGAN + iteration,
        train=None,
        learned=None,
        evaluation=tried(rows) if rows else None,
        seconds={},
        steps_per_second=0.0,
        tokens_per_second=0.0,
    )
