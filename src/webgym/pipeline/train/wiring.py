"""What makes attempts of training and of evaluations, on one ground."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from webgym.pipeline.runs.casting import casting_of
from webgym.pipeline.runs.ground import RunGround
from webgym.pipeline.runs.judges import JudgesFor
from webgym.pipeline.runs.scenes import Casting
from webgym.pipeline.runs.wiring import wired
from webgym.pipeline.train.config import TrainConfig
from webgym.pipeline.train.controls import Blindfolded, swapped_instructions
from webgym.records.task import Task
from webgym.rollout.pool import Roll
from webgym.stages import Events, Policy, Recorder
from webgym.store.write import RunWriter


@dataclass(frozen=True, slots=True)
class Wiring:
    """Makes attempts with whatever policy is given."""

    config: TrainConfig
    ground: RunGround
    events: Events
    judges: JudgesFor

    def training(self, policy: Policy, recorder: Recorder, tasks: Sequence[Task]) -> Roll:
        return self._roll(roomy(self.config), policy, recorder, tasks)

    def evaluation(self, policy: Callable[[], Policy], tasks: Sequence[Task]) -> Callable[[Recorder], Roll]:
        """For each evaluation anew."""
        config = roomy(self.config.evaluation())

        def wire(recorder: Recorder) -> Roll:
            return self._roll(config, policy(), recorder, tasks)

        return wire

    def _roll(self, config: TrainConfig, policy: Policy, recorder: Recorder, tasks: Sequence[Task]) -> Roll:
        # Judges that look at screenshots find them where the attempts are recorded.
        find = recorder.blob if isinstance(recorder, RunWriter) else _nowhere
        casting: Casting = casting_of(config, policy, self.judges(find))
        if config.control == "swapped-instructions":
            casting = swapped_instructions(casting, tasks, config.seed)
        blind = Blindfolded(self.ground.browser) if config.control == "blank-screenshots" else None
        return wired(config, self.ground, casting, recorder, self.events, browser=blind)


def _nowhere(address: str) -> None:
    del address


def roomy(config: TrainConfig) -> TrainConfig:
    """Websites for training and evaluation alike: one server has them all."""
    most = max(config.tasks.sites_per_family, config.evaluate.tasks.sites_per_family)
    return config.model_copy(update={"tasks": config.tasks.model_copy(update={"sites_per_family": most})})
