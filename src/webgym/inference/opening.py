"""Open the servers of a policy: start them, or attach to running ones."""

from __future__ import annotations

import logging
import shutil
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import anyio.abc
import anyio.to_thread

from webgym.concurrency import background
from webgym.errors import ConfigError
from webgym.inference.api import ServerApi
from webgym.inference.config import ServersConfig
from webgym.inference.control_client import ControlClient, open_control_client
from webgym.inference.devices import devices_of
from webgym.inference.launch import Serving
from webgym.inference.process import Launch, Say, ServerProcess
from webgym.inference.replicas import Replicas, check_folder
from webgym.inference.sglang import Sglang
from webgym.inference.vllm import TransferringVllm, Vllm
from webgym.inference.vllm_version import check_vllm
from webgym.records.sample import PolicyVersion
from webgym.serving.gpus import visible_gpus

logger = logging.getLogger(__name__)

_ATTACH_SECONDS = 10.0


def api_of(serving: Serving, config: ServersConfig) -> ServerApi:
    """Return the protocol of these servers.

    Raises:
        ConfigError: They cannot be refreshed as configured.
    """
    match serving.kind, config.refresh:
        case "vllm", "disk":
            return Vllm()
        case "vllm", "transfer":
            return TransferringVllm()
        case "sglang", "disk":
            return Sglang()
        case _:
            raise ConfigError("policy.servers.refresh = 'transfer' is for vLLM; SGLang reads weights from disk here")


@asynccontextmanager
async def open_replicas(
    serving: Serving,
    config: ServersConfig,
    policy: PolicyVersion,
    *,
    logs: Path = Path("servers"),
    say: Say = logger.info,
) -> AsyncGenerator[Replicas]:
    """Open servers for the duration of the block. Those we start serve the policy; attached ones keep their weights.

    Raises:
        ConfigError: One does not start (the message ends with the tail of its log), has no GPU, or is too old.
    """
    api = api_of(serving, config)
    async with open_control_client(config.api_key_env) as control, background() as tasks:
        replicas = Replicas(api, config, control, policy)
        if config.urls:
            await _attach(replicas, config.urls, control)
        else:
            await _start(replicas, Launch(api, serving, config, control, logs, say), tasks)
        yield replicas


async def _attach(replicas: Replicas, urls: Sequence[str], control: ControlClient) -> None:
    for url in urls:
        if not await control.healthy(url, replicas.api.health, _ATTACH_SECONDS):
            raise ConfigError(f"no {replicas.api.kind} server answers at {url}{replicas.api.health}")
        replicas.add(url)


async def _start(replicas: Replicas, launch: Launch, tasks: anyio.abc.TaskGroup) -> None:
    check_folder(replicas.policy)
    if launch.config.python and shutil.which(launch.config.python) is None:
        raise ConfigError(f"policy.servers.python is not an executable: {launch.config.python}")
    if launch.serving.kind == "vllm" and (careful := await check_vllm(launch.config)):
        launch.say(careful)
    gpus = await anyio.to_thread.run_sync(visible_gpus)
    launch = replace(launch, devices=devices_of(launch.config, gpus))
    processes = [ServerProcess(launch, number, lambda: replicas.policy) for number in range(launch.config.replicas)]
    failed: list[ConfigError] = []

    async def start(process: ServerProcess) -> None:
        try:
            await tasks.start(process.keep_alive)
        except ConfigError as error:
            failed.append(error)
            starting.cancel_scope.cancel()

    async with anyio.create_task_group() as starting:
        for process in processes:
            starting.start_soon(start, process)
    if failed:
        raise failed[0]
    for process in processes:
        replicas.add(process.url, process)
