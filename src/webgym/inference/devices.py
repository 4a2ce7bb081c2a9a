"""Assignment of GPUs, among those visible to the run, to the servers that are started."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Sequence

from webgym.errors import ConfigError
from webgym.inference.config import ServersConfig
from webgym.serving.gpus import VISIBLE

_MEMORY = ("--gpu-memory-utilization", "--kv-cache-memory-bytes", "--mem-fraction-static")
_TENSOR = ("--tensor-parallel-size", "-tp", "--tp-size", "--tp")
_PIPELINE = ("--pipeline-parallel-size", "-pp", "--pp-size", "--pp")


LESS = '["--gpu-memory-utilization", "0.4"]'
_ADVICE = f"Ask for fewer (policy.servers.replicas), or let them share: policy.servers.arguments={LESS}"


def shares(arguments: Sequence[str]) -> bool:
    """Whether these arguments limit a server's GPU memory: then it may share a GPU with others."""
    return any(_said(arguments, name) is not None for name in _MEMORY)


def gpus_each(arguments: Sequence[str]) -> int:
    """Return the number of GPUs of a server with this command line."""
    return _largest(arguments, _TENSOR) * _largest(arguments, _PIPELINE)


def placed_by_hand(config: ServersConfig) -> bool:
    """Whether the user sets CUDA_VISIBLE_DEVICES in the servers' environment."""
    return VISIBLE in config.environment


def named(devices: Iterable[str], gpus: Sequence[str], setting: str) -> tuple[str, ...]:
    """Resolve devices to what CUDA_VISIBLE_DEVICES takes: numbers are indices into `gpus`, UUIDs are kept.

    Raises:
        ConfigError: There is no such GPU.
    """
    return tuple(",".join(_name(name.strip(), gpus, setting) for name in entry.split(",")) for entry in devices)


def check_apart(devices: Sequence[str], gpus: Sequence[str], setting: str) -> None:
    """Check that no two servers have a GPU in common.

    Raises:
        ConfigError: Two have.
    """
    for device, other in itertools.combinations(devices, 2):
        if both := {*device.split(",")} & {*other.split(",")} - {""}:
            raise ConfigError(
                f"{setting}.devices gives {called(both, gpus)} to two servers, and each takes nearly all memory unless "
                f"its arguments say otherwise: {setting}.arguments={LESS}"
            )


def divided(replicas: int, each: int, free: Sequence[int], gpus: Sequence[str], advice: str = "") -> tuple[str, ...]:
    """Divide the free GPUs evenly among replicas, by index.

    Raises:
        ConfigError: There are too few.
    """
    share = len(free) // replicas
    if share < each:
        raise ConfigError(
            f"{counted(replicas, 'server')} of {counted(each, 'GPU')} {'needs' if replicas == 1 else 'need'} "
            f"{counted(replicas * each, 'GPU')}, and {len(free)} {'is' if len(free) == 1 else 'are'} left of the "
            f"{seen(gpus)}. {advice or _ADVICE}"
        )
    return tuple(",".join(map(str, free[share * replica : share * (replica + 1)])) for replica in range(replicas))


def crowded(replicas: int, each: int, shared: Sequence[int]) -> tuple[str, ...]:
    """Give each replica `each` of the shared GPUs in turn, by index, for servers that may share."""
    around = itertools.cycle(shared)
    return tuple(",".join(str(next(around)) for _ in range(each)) for _ in range(replicas))


def devices_of(config: ServersConfig, gpus: Sequence[str]) -> tuple[str, ...]:
    """Return the CUDA_VISIBLE_DEVICES of each replica; empty: inherited from the environment.

    Raises:
        ConfigError: There are too few GPUs, or one is given to two servers.
    """
    if not gpus or placed_by_hand(config):
        return config.devices
    each, sharing = gpus_each(config.arguments), shares(config.arguments)
    if config.devices:
        chosen = config.devices
    elif sharing and each <= len(gpus) < config.replicas * each:
        chosen = crowded(config.replicas, each, range(len(gpus)))
    else:
        chosen = divided(config.replicas, each, range(len(gpus)), gpus)
    found = named(chosen, gpus, "policy.servers")
    if not sharing:
        check_apart(found, gpus, "policy.servers")
    return found


def seen(gpus: Sequence[str]) -> str:
    """Describe the visible GPUs for a message: how many, and why."""
    listed = os.environ.get(VISIBLE)
    return f"{len(gpus)} that this run sees" + ("" if listed is None else f" ({VISIBLE}={listed})")


def called(names: Iterable[str], gpus: Sequence[str]) -> str:
    """Name GPUs for a message, by their index in the settings."""
    return "GPU " + ", ".join(sorted(str(gpus.index(name)) if name in gpus else name for name in names))


def counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _name(device: str, gpus: Sequence[str], setting: str) -> str:
    if not device.isdecimal():
        return device
    if int(device) >= len(gpus):
        raise ConfigError(
            f"{setting}.devices names GPU {device}, and there are {seen(gpus)}: numbers count from 0 among those"
        )
    return gpus[int(device)]


def _largest(arguments: Sequence[str], names: Sequence[str]) -> int:
    found = [_said(arguments, name) or "" for name in names]
    return max((int(word) for word in found if word.isdecimal()), default=1) or 1


def _said(arguments: Sequence[str], name: str) -> str | None:
    """Return the value of a command-line option; the last one counts."""
    found = None
    for word, following in zip(arguments, [*arguments[1:], ""], strict=False):
        option, equals, value = word.partition("=")
        if option.replace("_", "-") == name:
            found = value if equals else following
    return found
