"""Where a trainer computes."""

from __future__ import annotations

import torch

from webgym.errors import ConfigError
from webgym.train.settings import TrainerSettings


def device_of(settings: TrainerSettings) -> torch.device:
    """Where this process computes.

    Raises:
        ConfigError: There is no such device.
    """
    there = torch.cuda.is_available()
    if settings.device == "cuda" and not there:
        raise ConfigError("device is 'cuda', and torch finds none")
    if settings.device == "cpu" or not there:
        return torch.device("cpu")
    return torch.device("cuda", torch.cuda.current_device())


def check_devices(settings: TrainerSettings) -> None:
    """Whether there is one for each process.

    Raises:
        ConfigError: There are fewer.
    """
    if device_of(settings).type == "cpu":
        return
    there = torch.cuda.device_count()
    if settings.processes > there:
        raise ConfigError(
            f"trainer.processes is {settings.processes}, and torch finds {there} GPU{'s' if there > 1 else ''}: each "
            "process needs one of its own. Say fewer, or list more in CUDA_VISIBLE_DEVICES"
        )
