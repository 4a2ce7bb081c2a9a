"""Set up evaluations: with the sampler of training in turn, or each with its own beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webgym.records.sample import PolicyVersion
from webgym.rollout.pool import FinishedGroup, Roll
from webgym.run.averaged_weights import evaluated_weights
from webgym.run.evaluations.beside import EvaluationsBeside
from webgym.run.evaluations.evaluations import EvaluationsInTurn
from webgym.run.evaluations.evaluator import Evaluator
from webgym.run.evaluations.pinned_sampler import open_pinned
from webgym.run.figures import tried
from webgym.run.schedule import Schedule
from webgym.run.train_config import TrainConfig
from webgym.run.training_resources import TrainingResources
from webgym.run.watch import Watch
from webgym.stages import Recorder
from webgym.store.rows import Row


def evaluation_sessions(config: TrainConfig) -> int:
    """Return the number of browser sessions for evaluations beside training."""
    return config.train.flow.evaluation_sessions or max(1, config.browser.sessions // 4)


def evaluations_in_turn(run: TrainingResources, schedule: Schedule) -> EvaluationsInTurn:
    """Return evaluations that training waits for."""
    config = run.config
    wire = run.attempts.evaluation(lambda: run.sampler.at(config.evaluate.temperature, config.seed), run.tests)
    evaluator = _evaluator(run, schedule, config, wire, run.progress.on_evaluation)

    def told(iteration: int, policy: PolicyVersion, rows: Sequence[Row], seconds: float) -> None:
        run.progress.on_iteration(run.curve.enter(iteration, policy, tried(rows), seconds))

    return EvaluationsInTurn(evaluator, told, run.sampler.weights)


def evaluations_beside(run: TrainingResources, schedule: Schedule, watch: Watch) -> EvaluationsBeside:
    """Return evaluations that are pinned to their weights, whatever training samples from meanwhile."""
    config, say = run.config, run.progress.on_message
    sessions = config.browser.model_copy(update={"sessions": evaluation_sessions(config)})
    narrow = config.model_copy(update={"browser": sessions})

    async def evaluate(iteration: int, policy: PolicyVersion) -> list[Row]:
        what = f"the evaluation after iteration {iteration}"

        def got_on(_iteration: int, _planned: int, _finished: FinishedGroup | None) -> None:
            watch.moved(what)

        with watch.during(what):
            async with open_pinned(config, evaluated_weights(policy), run.folders.run, say) as pinned:
                wire = run.attempts.evaluation(pinned, run.tests)
                return await _evaluator(run, schedule, narrow, wire, got_on)(iteration, policy)

    def told(iteration: int, policy: PolicyVersion, rows: Sequence[Row], seconds: float) -> None:
        found = tried(rows)
        run.curve.enter(iteration, policy, found)
        rate = found.success
        say(
            f"after iteration {iteration}: unseen websites {rate.rate:.1%} ({rate.low:.1%} to {rate.high:.1%} of "
            f"{rate.attempts}), in {seconds:.0f} s alongside training"
        )
        for warning in found.warnings:
            say(f"warning: unseen websites: {warning}")

    return EvaluationsBeside(evaluate, told, say)


def _evaluator(
    run: TrainingResources,
    schedule: Schedule,
    config: TrainConfig,
    wire: Callable[[Recorder], Roll],
    told: Callable[[int, int, FinishedGroup | None], None],
) -> Evaluator:
    return Evaluator(
        config=config,
        tasks=run.tests,
        folders=run.folders,
        meta=run.writer.meta,
        wire=wire,
        events=run.events,
        trained_on=run.store,
        writing=run.shown.write,
        told=told,
        pace=schedule.length,
    )
