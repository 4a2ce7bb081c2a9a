"""Wire the attempts of training and of evaluations, which share browsers and sites."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgym.records.event import Event, LimitChanged
from webgym.records.task import Task
from webgym.rollout.pool import Roll
from webgym.run.agents import players_for
from webgym.run.attempt_resources import AttemptResources
from webgym.run.controls import BlankBrowser, swapped_instructions
from webgym.run.episodes import Players
from webgym.run.health import noted
from webgym.run.judges import JudgesFor
from webgym.run.train_config import TrainConfig
from webgym.run.wiring import wired
from webgym.stages import Events, Policy, Recorder
from webgym.store.write import RunWriter

if TYPE_CHECKING:
    from webgym.run.task_sets.health_recorder import HealthRecorder


@dataclass(frozen=True, slots=True)
class TrainingAttempts:
    """Makes the rollout functions of training and evaluations."""

    config: TrainConfig
    resources: AttemptResources
    events: Events
    judges: JudgesFor
    health_recorder: HealthRecorder | None = None
    """Writes the health database of the training tasks."""
    test_health_recorder: HealthRecorder | None = None
    """Writes the health database of the evaluation tasks."""

    def training(self, policy: Policy, recorder: Recorder, tasks: Sequence[Task]) -> Roll:
        return self._roll(roomy(self.config), policy, recorder, tasks, self.health_recorder, self.events)

    def evaluation(self, policy: Callable[[], Policy], tasks: Sequence[Task]) -> Callable[[Recorder], Roll]:
        """Return a function that makes the rollout function of one evaluation, given its recorder."""
        config = roomy(self.config).evaluation()
        events = WithoutLimits(self.events)

        def wire(recorder: Recorder) -> Roll:
            return self._roll(config, policy(), recorder, tasks, self.test_health_recorder, events)

        return wire

    def _roll(
        self,
        config: TrainConfig,
        policy: Policy,
        recorder: Recorder,
        tasks: Sequence[Task],
        health_recorder: HealthRecorder | None,
        events: Events,
    ) -> Roll:
        # Judges read screenshots from where the attempts are recorded.
        find = recorder.blob if isinstance(recorder, RunWriter) else _nowhere
        players: Players = players_for(config, policy, self.judges(find))
        if config.control == "swapped-instructions":
            players = swapped_instructions(players, tasks, config.seed)
        blind = BlankBrowser(self.resources.browser) if config.control == "blank-screenshots" else None
        roll = wired(config, self.resources, players, recorder, events, browser=blind)
        return noted(roll, health_recorder, recorder) if isinstance(recorder, RunWriter) else roll


@dataclass(frozen=True, slots=True)
class WithoutLimits:
    """Drops `LimitChanged` events: evaluations have their own gates, and the monitor shows those of training."""

    inner: Events

    def emit(self, event: Event) -> None:
        if not isinstance(event, LimitChanged):
            self.inner.emit(event)


def _nowhere(address: str) -> None:
    del address


def roomy(config: TrainConfig) -> TrainConfig:
    """Raise `sites_per_family` to fit training and evaluation, as one server serves the sites of both."""
    tasks, tests = config.tasks, config.evaluate.tasks
    most = {"sites_per_family": max(tasks.sites_per_family, tests.sites_per_family)}
    evaluate = config.evaluate.model_copy(update={"tasks": tests.model_copy(update=most)})
    return config.model_copy(update={"tasks": tasks.model_copy(update=most), "evaluate": evaluate})
