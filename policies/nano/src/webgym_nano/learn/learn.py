"""Trains on a folder of lessons while others fill it, and publishes weights for them to act with.

OUT/log.jsonl               one JSON object for each progress line and measurement
OUT/weights/v00001/ …       published versions
OUT/learner.safetensors     checkpoint that a killed learner resumes from
OUT/final/                  the final weights, as transformers and the engine load them
OUT/report.json             their accuracy on held-out websites
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import msgspec
from transformers import Qwen3VLForConditionalGeneration

from webgym.errors import ConfigError, TrainingError
from webgym.files import write_whole
from webgym.records.base import Record
from webgym_nano.config import NanoConfig
from webgym_nano.folder import read_model
from webgym_nano.learn.budget import Budget
from webgym_nano.learn.learner import Learner
from webgym_nano.learn.lesson_buffer import LessonBuffer
from webgym_nano.learn.measure import NAMED, READING, WHOLE, Measured
from webgym_nano.learn.publish import Publisher
from webgym_nano.learn.settings import LearnSettings
from webgym_nano.learn.words import Words
from webgym_nano.model import new_model

logger = logging.getLogger(__name__)

LOG, FINAL, VERSIONS, REPORT = "log.jsonl", "final", "weights", "report.json"


class Entry(Record, frozen=True):
    """A line of the log."""

    time: float
    """Seconds since 1970."""
    seconds: float
    """Seconds of the budget spent."""
    step: int
    rows_per_second: float
    lessons: int
    """Training lessons in the buffer now."""
    seen: int
    """Lessons received so far."""
    left_out: int
    figures: dict[str, float]
    version: int = 0
    measured: Measured | None = None


class Learned(Record, frozen=True, omit_defaults=False):
    """Result of a run."""

    complete: bool
    """Whether the budget was spent; otherwise it was stopped, and resumes when started again."""
    step: int
    seconds: float
    version: int
    """The last version published."""
    measured: Measured | None
    """Accuracy on all held-out lessons, if there are any."""


def learn(
    lessons: Path,
    out: Path,
    budget: Budget,
    settings: LearnSettings = LearnSettings(),
    *,
    config: NanoConfig = NanoConfig(),
    start: Path | None = None,
) -> Learned:
    """Train until the budget is spent or a SIGTERM arrives; resume from the checkpoint in `out`, if there is one.

    Args:
        lessons: Folder of shards; others may still write into it.
        out: Output folder.
        budget: How long to train.
        settings: How to train.
        config: Dimensions of the model.
        start: Folder of a checkpoint to start from, instead of fresh weights.

    Raises:
        ConfigError: A budget that never ends, or no such model at `start`.
        DoesNotFit: There is not enough memory for so many lessons.
        TrainingError: No lessons came, the loss is not finite, or the checkpoint is of other settings.
    """
    budget.check()
    out.mkdir(parents=True, exist_ok=True)
    learner = Learner(_model(start, config, settings.seed), config, settings, Words())
    learner.resume(out)
    buffer = LessonBuffer(lessons, config, settings, learner.words, learner.device)
    with _asked_to_stop() as stop:
        buffer.start()
        try:
            return _Course(learner, buffer, out, budget, stop).go()
        finally:
            buffer.stop()


def _model(start: Path | None, config: NanoConfig, seed: int) -> Qwen3VLForConditionalGeneration:
    fresh = new_model(config, seed=seed)
    if start is None:
        return fresh
    model = read_model(start)
    sizes = {name: weight.shape for name, weight in fresh.named_parameters()}
    if sizes != {name: weight.shape for name, weight in model.named_parameters()}:
        raise ConfigError(f"the model in {start} has a different size or vocabulary")
    return model


@contextmanager
def _asked_to_stop() -> Generator[threading.Event]:
    """Yield an event that SIGTERM or Ctrl-C sets; the current step is finished first."""
    stop = threading.Event()

    def told(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, told) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Clock:
    """Tells when a periodic task is due."""

    def __init__(self, every: float, now: float) -> None:
        self._every = every
        self._next = now + every

    def due(self, now: float) -> bool:
        if now < self._next:
            return False
        self._next = now + self._every
        return True


class _Course:
    """One run of a learner."""

    def __init__(
        self, learner: Learner, buffer: LessonBuffer, out: Path, budget: Budget, stop: threading.Event
    ) -> None:
        self._learner = learner
        self._buffer = buffer
        self._out = out
        self._budget = budget
        self._stop = stop
        self._settings = learner.settings
        self._publisher = Publisher(out / VERSIONS, learner.config, self._settings.keep)
        self._began = 0.0
        self._told = (0.0, learner.step)

    def go(self) -> Learned:
        learner = self._learner
        self._wait_for_lessons()
        if not self._stop.is_set():
            learner.prepare(self._buffer.train)
            logger.info("training on %d lessons from step %d", len(self._buffer.train), learner.step)
            self._began = time.monotonic() - learner.seconds
            self._told = (self._now(), learner.step)
            self._run()
        return self._finish()

    def _now(self) -> float:
        """Return the seconds of the budget spent."""
        return time.monotonic() - self._began if self._began else self._learner.seconds

    def _wait_for_lessons(self) -> None:
        settings, buffer = self._settings.shelf, self._buffer
        end = time.monotonic() + settings.patience
        buffer.wait_until_scanned(settings.patience)
        if len(buffer.train) < settings.first:
            logger.info("waiting for %d lessons, for %.0f s at most", settings.first, settings.patience)
        while len(buffer.train) < settings.first and not self._stop.is_set():
            if time.monotonic() > end:
                raise TrainingError(
                    f"{len(buffer.train)} lessons came in {settings.patience:.0f} s, {settings.first} are needed"
                )
            if not buffer.take():
                self._stop.wait(0.1)

    def _run(self) -> None:
        settings, learner, buffer = self._settings, self._learner, self._buffer
        now = self._now()
        publish, save = _Clock(settings.publish_s, now), _Clock(settings.checkpoint_s, now)
        log, measure = _Clock(settings.log_s, now), _Clock(settings.measure_s, now)
        while not self._stop.is_set():
            now = self._now()
            progress = self._budget.progress(learner.step, now)
            if progress >= 1:
                return
            buffer.take()
            if len(buffer.train) == 0:
                self._stop.wait(0.1)
                continue
            learner.learn(buffer.train, progress)
            if log.due(now):
                self._tell(None)
            if progress >= settings.publish_from and publish.due(now):
                self._publisher.publish(learner.average.weights)
            if save.due(now):
                learner.save(self._out, self._now())
            if measure.due(now) and len(buffer.held):
                self._tell(learner.measure(buffer.held, settings.measured))

    def _finish(self) -> Learned:
        learner, held = self._learner, self._buffer.held
        progress = self._budget.progress(learner.step, self._now())
        complete = progress >= 1
        learner.save(self._out, self._now())
        if progress >= self._settings.publish_from:
            self._publisher.publish(learner.average.weights)
        measured = learner.measure(held, len(held)) if complete and len(held) else None
        self._tell(measured)
        found = Learned(complete, learner.step, self._now(), self._publisher.version, measured)
        if complete:
            self._publisher.write(self._out / FINAL, learner.average.weights)
            write_whole(self._out / REPORT, msgspec.json.format(msgspec.json.encode(found)))
        return found

    def _tell(self, measured: Measured | None) -> None:
        learner, buffer, now = self._learner, self._buffer, self._now()
        since, step = self._told
        speed = (learner.step - step) * self._settings.batch / max(now - since, 1e-9)
        self._told = (now, learner.step)
        entry = Entry(
            time=time.time(),
            seconds=round(now, 2),
            step=learner.step,
            rows_per_second=round(speed, 1),
            lessons=len(buffer.train),
            seen=buffer.seen,
            left_out=buffer.left_out,
            figures={name: round(value, 5) for name, value in learner.figures().items()},
            version=self._publisher.version,
            measured=measured,
        )
        with (self._out / LOG).open("ab") as file:
            file.write(msgspec.json.encode(entry) + b"\n")
        losses = " ".join(f"{name} {value:.3f}" for name, value in entry.figures.items())
        logger.info(
            "%4.0f s step %d, %.0f rows/s, %d lessons, v%d: %s%s",
            now,
            learner.step,
            speed,
            entry.lessons,
            entry.version,
            losses,
            _in_words(measured) if measured else "",
        )


def _in_words(measured: Measured) -> str:
    parts = [
        f"{name} {100 * found.rate:.1f} % of {found.attempts}"
        for name in (NAMED, READING, WHOLE)
        if (found := measured.free.get(name)) is not None
    ]
    return f" | held out, free: {', '.join(parts)}"
