"""Choice of the device that a trainer process computes on."""

from __future__ import annotations

import torch

from webgym.errors import ConfigError
from webgym.train.settings import TrainerSettings


def device_of(settings: TrainerSettings) -> torch.device:
    """Return the device that this process computes on.

    Raises:
        ConfigError: The settings ask for CUDA, and it is not available.
    """
    there = torch.cuda.is_available()
    if settings.device == "cuda" and not there:
        raise ConfigError("device is 'cuda', but torch finds no GPU")
    if settings.device == "cpu" or not there:
        return torch.device("cpu")
    return torch.device("cuda", torch.cuda.current_device())


def check_devices(settings: TrainerSettings) -> None:
    """Check that there is a GPU for each process.

    Raises:
        ConfigError: There are fewer.
    """
    if device_of(settings).type == "cpu":
        return
    there = torch.cuda.device_count()
    if settings.processes > there:
        raise ConfigError(
            f"trainer.processes is {settings.processes}, but torch finds {there} GPU{'s' if there > 1 else ''}: each "
            "process needs one of its own. Lower it, or list more GPUs in CUDA_VISIBLE_DEVICES"
        )
