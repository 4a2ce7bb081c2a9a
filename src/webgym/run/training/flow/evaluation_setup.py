"""Set up the evaluations of an asynchronous run, each with its own sampler."""

from __future__ import annotations

from collections.abc import Sequence

from webgym.records.sample import PolicyVersion
from webgym.rollout.pool import FinishedGroup
from webgym.run.training.averaged_weights import evaluated_weights
from webgym.run.training.config import TrainConfig
from webgym.run.training.evaluate import Evaluator
from webgym.run.training.figures import tried
from webgym.run.training.flow.evaluation_sampler import open_pinned
from webgym.run.training.flow.evaluations import Evaluations
from webgym.run.training.flow.watch import Watch
from webgym.run.training.loop import Plan
from webgym.run.training.owed import enter, owed
from webgym.run.training.run_length import RunLength
from webgym.run.training.startup import Opened
from webgym.run.training.wiring import Wiring
from webgym.store.rows import Row


def evaluation_sessions(config: TrainConfig) -> int:
    """Return the number of browser sessions for evaluations."""
    return config.train.flow.evaluation_sessions or max(1, config.browser.sessions // 4)


def evaluations_of(run: Opened, wiring: Wiring, watch: Watch, pace: RunLength) -> Evaluations:
    """Return evaluations that are pinned to their weights, whatever training samples from meanwhile."""
    config = run.config
    sessions = config.browser.model_copy(update={"sessions": evaluation_sessions(config)})
    narrow = config.model_copy(update={"browser": sessions})

    async def evaluate(iteration: int, policy: PolicyVersion) -> list[Row]:
        what = f"the evaluation after iteration {iteration}"

        def got_on(_iteration: int, _planned: int, _finished: FinishedGroup | None) -> None:
            watch.moved(what)

        with watch.during(what):
            weights = evaluated_weights(policy)
            async with open_pinned(config, weights, run.folders.run, run.audience.say) as pinned:
                test = wiring.evaluation(pinned, run.tests)
                evaluator = Evaluator(
                    config=narrow,
                    tasks=run.tests,
                    folders=run.folders,
                    meta=run.writer.meta,
                    wire=test,
                    events=run.events,
                    trained_on=run.store,
                    writing=run.shown.write,
                    told=got_on,
                    pace=pace,
                )
                return await evaluator(iteration, policy)

    def told(iteration: int, policy: PolicyVersion, rows: Sequence[Row], seconds: float) -> None:
        found = tried(rows)
        enter(run, iteration, policy, found)
        rate = found.success
        run.audience.say(
            f"after iteration {iteration}: unseen websites {rate.rate:.1%} ({rate.low:.1%} to {rate.high:.1%} of "
            f"{rate.attempts}), in {seconds:.0f} s alongside training"
        )

    return Evaluations(evaluate, told, run.audience.say)


def owe(run: Opened, plan: Plan, evaluations: Evaluations) -> None:
    """Queue the first evaluation if it is missing, and those that were deferred or interrupted by a restart."""
    if not plan.later:
        for iteration, policy in owed(run.iterations, plan, run.folders, run.model):
            evaluations.due(iteration, policy, must=True)
