"""Assign GPUs to the servers that a training run starts: none of the trainer's, unless they share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from webgym.errors import ConfigError
from webgym.inference.config import ServersConfig
from webgym.inference.devices import (
    LESS,
    called,
    check_apart,
    crowded,
    divided,
    gpus_each,
    named,
    placed_by_hand,
    seen,
    shares,
)
from webgym.run.train_config import TrainConfig
from webgym.serving.gpus import visible_gpus

_TRAINING, _EVALUATION = "policy.servers", "train.flow.evaluation_servers"


@dataclass(frozen=True, slots=True)
class _Servers:
    setting: str
    config: ServersConfig

    @property
    def sharing(self) -> bool:
        return shares(self.config.arguments)


def with_devices(config: TrainConfig, *, trains: bool = True) -> TrainConfig:
    """Return the configuration with GPUs assigned to every server that the run starts. Blocks.

    If it no longer `trains`, because only evaluations are left, no GPU is set aside for the trainer.

    Raises:
        ConfigError: There are too few GPUs, or the configuration assigns one twice.
    """
    servers = _started(config)
    gpus = visible_gpus() if servers else ()
    if not gpus:
        return config
    trainer = () if config.trainer.device == "cpu" or not trains else gpus[: config.trainer.processes]
    sleeping = config.train.mode == "sync" and config.policy.servers.sleep
    taken = _evaluating(config, gpus) if sleeping else dict.fromkeys(trainer, "the trainer") | _evaluating(config, gpus)
    for server in servers:
        if server.config.devices:
            _check(server, gpus, taken, _advice(config, gpus, trainer))
            taken |= dict.fromkeys(_names(server, gpus), server.setting)
    free = [number for number, name in enumerate(gpus) if name not in taken]
    chosen = _chosen(
        [server for server in servers if not server.config.devices], free, gpus, _advice(config, gpus, trainer)
    )
    return _told(config, chosen)


def _started(config: TrainConfig) -> list[_Servers]:
    """Return the servers that this run starts, unless their environment already sets their GPUs."""
    policy, own = config.policy, config.train.flow.evaluation_servers
    if policy.server == "engine" or placed_by_hand(policy.servers):
        return []
    found = [] if policy.servers.urls else [_Servers(_TRAINING, policy.servers)]
    if config.train.mode == "async" and own.replicas:
        found.append(_Servers(_EVALUATION, own.like(policy.servers)))
    return found


def _evaluating(config: TrainConfig, gpus: Sequence[str]) -> dict[str, str]:
    """Return the GPU of the evaluation engine, if one runs beside servers."""
    found = re.fullmatch(r"cuda(?::(\d+))?", config.train.flow.evaluation_device)
    if config.train.mode == "sync" or not found or int(found[1] or 0) >= len(gpus):
        return {}
    return {gpus[int(found[1] or 0)]: "the evaluation engine (train.flow.evaluation_device)"}


def _names(servers: _Servers, gpus: Sequence[str]) -> list[str]:
    return [name for entry in named(servers.config.devices, gpus, servers.setting) for name in entry.split(",")]


def _check(servers: _Servers, gpus: Sequence[str], taken: dict[str, str], advice: str) -> None:
    names = _names(servers, gpus)
    if servers.sharing:
        return
    check_apart(named(servers.config.devices, gpus, servers.setting), gpus, servers.setting)
    for name in names:
        if name in taken:
            raise ConfigError(
                f"{servers.setting}.devices gives {called([name], gpus)} to a server, but {taken[name]} uses it. "
                f"There are {seen(gpus)}. {advice}"
            )


def _chosen(
    servers: Sequence[_Servers], free: Sequence[int], gpus: Sequence[str], advice: str
) -> dict[str, tuple[str, ...]]:
    """Split the free GPUs evenly among these servers; servers that may share do so if there are too few."""
    if not servers:
        return {}
    each = max(gpus_each(server.config.arguments) for server in servers)
    replicas = sum(server.config.replicas for server in servers)
    sharing = [server for server in servers if server.sharing]
    if sharing and len(free) // replicas < each <= len(gpus):
        alone = _chosen([server for server in servers if not server.sharing], free, gpus, advice)
        shared = free if len(free) >= each else range(len(gpus))
        return alone | {one.setting: crowded(one.config.replicas, each, shared) for one in sharing}
    parts = divided(replicas, each, free, gpus, advice)
    first = servers[0].config.replicas
    return {one.setting: part for one, part in zip(servers, (parts[:first], parts[first:]), strict=False)}


def _advice(config: TrainConfig, gpus: Sequence[str], trainer: Sequence[str]) -> str:
    if not trainer:
        return f"Start fewer servers, or let them share GPUs: {_TRAINING}.arguments={LESS}"
    sleep = f"{_TRAINING}.sleep=true and " if config.train.mode == "sync" else ""
    return (
        f"Currently the trainer takes {called(trainer, gpus)} (trainer.processes = {config.trainer.processes}). Start "
        f"fewer servers, train elsewhere (trainer.device=cpu), or share GPUs and leave memory for the trainer: "
        f"{sleep}{_TRAINING}.arguments={LESS}"
    )


def _told(config: TrainConfig, chosen: dict[str, tuple[str, ...]]) -> TrainConfig:
    policy, learn = config.policy, config.train
    if devices := chosen.get(_TRAINING):
        policy = policy.model_copy(update={"servers": policy.servers.model_copy(update={"devices": devices})})
    if devices := chosen.get(_EVALUATION):
        own = learn.flow.evaluation_servers.model_copy(update={"devices": devices})
        learn = learn.model_copy(update={"flow": learn.flow.model_copy(update={"evaluation_servers": own})})
    return config.model_copy(update={"policy": policy, "train": learn})
