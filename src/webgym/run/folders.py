"""The layout of a training run's folder. Its files are the only state: resuming starts from what is there."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Folders:
    """Paths inside the folder of one training run."""

    run: Path

    @property
    def curve(self) -> Path:
        return self.run / "curve.jsonl"

    @property
    def planned(self) -> Path:
        """The number of iterations that the last command asked for."""
        return self.run / "planned.json"

    @property
    def ended(self) -> Path:
        """Exists if the run came to its own end, planned or decided by its `RunLength`."""
        return self.run / "ended.json"

    @property
    def tried(self) -> Path:
        """Successes and failures of the tasks in other runs, as they were when this run began."""
        return self.run / "tried.json"

    @property
    def report(self) -> Path:
        return self.run / "report.html"

    @property
    def tensorboard(self) -> Path:
        return self.run / "tensorboard"

    @property
    def checkpoints(self) -> Path:
        return self.run / "checkpoints"

    @property
    def first_policy(self) -> Path:
        """Initial weights made for this run, if it starts from random ones."""
        return self.policy(0)

    def policy(self, version: int) -> Path:
        return self.run / "policies" / f"v{version:05d}"

    def batch(self, version: int) -> Path:
        """The batch that the weights of this version are updated with."""
        return self.run / "batches" / f"{version:05d}.msgpack"

    def settled(self, iteration: int) -> Path:
        """The groups that an asynchronous iteration learned from, and those it dropped."""
        return self.run / "settled" / f"{iteration:05d}.json"

    def evaluation(self, iteration: int) -> Path:
        return self.run / "evaluations" / f"{iteration:05d}"

    def forget_policies(self, keep: set[int]) -> None:
        """Delete published weights, except these versions."""
        wanted = {self.policy(version).name for version in keep}
        for folder in (self.run / "policies").glob("v[0-9]*"):
            if folder.name not in wanted:
                shutil.rmtree(folder, ignore_errors=True)

    def forget_batches(self, newest: int) -> None:
        """Delete batches older than version `newest`, which no trainer will read again."""
        for path in (self.run / "batches").glob("*.msgpack"):
            if path.name < self.batch(newest).name:
                path.unlink(missing_ok=True)
