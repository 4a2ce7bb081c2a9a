"""A custom trainer: any class with `step`.

webgym train train.use=examples.own_trainer:Still policy.model=FOLDER
"""

import shutil
from pathlib import Path

from webgym.errors import TrainingError
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.run.training.config import TrainConfig
from webgym.train.batch_file import read_batch


class Still:
    """Learns nothing: returns the weights it was given as a new version. A starting point for your own trainer."""

    def __init__(self, config: TrainConfig, run: Path) -> None:
        self._model = Path(config.policy.model)
        self._run = run

    async def step(self, batch: Path, version: int, folder: Path) -> TrainingResult:
        found = read_batch(batch)
        samples = found.samples
        if found.version != version or not samples:
            raise TrainingError(f"{batch} has {len(samples)} samples for version {found.version}, asked is {version}")
        shutil.copytree(self._model, folder, dirs_exist_ok=True)
        return TrainingResult(
            policy=PolicyVersion(version + 1, str(folder)),
            rows=len(samples),
            tokens=sum(len(sample.prompt) + len(sample.sampled) for sample in samples) // 4,
            steps=0,
            lr=0.0,
            seconds=0.0,
            figures={"mean_advantage": sum(sample.advantage for sample in samples) / len(samples)},
        )
