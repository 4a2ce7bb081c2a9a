"""Servers of a policy for as long as a block lasts: started, or attached to."""

from __future__ import annotations

import logging
import shutil
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.abc

from webgym.errors import ConfigError
from webgym.inference.api import Api
from webgym.inference.config import ServersConfig
from webgym.inference.launch import Serving
from webgym.inference.orders import Orders, open_orders
from webgym.inference.process import Launch, Say, ServerProcess
from webgym.inference.replicas import Replicas, check_folder
from webgym.inference.sglang import Sglang
from webgym.inference.vllm import TransferringVllm, Vllm
from webgym.records.sample import PolicyVersion

logger = logging.getLogger(__name__)

_ATTACH_SECONDS = 10.0


def api_of(serving: Serving, config: ServersConfig) -> Api:
    """How these servers are spoken to.

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
    """Servers for as long as the block lasts. Those that were started serve the policy; others what they served.

    Raises:
        ConfigError: One does not start; the message ends with the end of its log.
    """
    api = api_of(serving, config)
    failed: Exception | None = None
    async with open_orders(config.api_key_env) as orders, anyio.create_task_group() as tasks:
        replicas = Replicas(api, config, orders, policy)
        try:
            if config.urls:
                await _attach(replicas, config.urls, orders)
            else:
                await _start(replicas, Launch(api, serving, config, orders, logs, say), tasks)
            yield replicas
        except Exception as error:  # noqa: BLE001 - raised below, as it is and not as one of a group
            failed = error
        tasks.cancel_scope.cancel()
    if failed is not None:
        raise failed


async def _attach(replicas: Replicas, urls: Sequence[str], orders: Orders) -> None:
    for url in urls:
        if not await orders.healthy(url, replicas.api.health, _ATTACH_SECONDS):
            raise ConfigError(f"no {replicas.api.kind} server answers at {url}{replicas.api.health}")
        replicas.add(url)


async def _start(replicas: Replicas, launch: Launch, tasks: anyio.abc.TaskGroup) -> None:
    check_folder(replicas.policy)
    if launch.config.python and shutil.which(launch.config.python) is None:
        raise ConfigError(f"policy.servers.python is no program: {launch.config.python}")
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
