"""The process group of a trainer: rendezvous, and the device of each rank."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta

import torch
from torch.distributed import TCPStore  # pyright: ignore[reportPrivateImportUsage]

from webgym.train.device import device_of
from webgym.train.settings import TrainerSettings

HOST = "127.0.0.1"
_MEET = timedelta(minutes=30)
"""Timeout for all ranks to start. A rank that dies is noticed earlier: rank 0 watches the others."""
_LOOPBACK = "lo" if sys.platform == "linux" else "lo0"


@contextmanager
def grouped(settings: TrainerSettings, rank: int, port: int, listening: socket.socket | None = None) -> Generator[None]:
    """Join a process group of `settings.processes` ranks for the block. `listening`: rank 0's socket at `port`."""
    cuda = device_of(settings).type == "cuda"
    if cuda:
        torch.cuda.set_device(rank)
    else:
        torch.set_num_threads(max(1, torch.get_num_threads() // settings.processes))
    # All ranks are on this machine: stay on the loopback interface.
    for name in ("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME"):
        os.environ.setdefault(name, _LOOPBACK)
    handle = listening.detach() if listening is not None else None
    there = [f"rank {number}" for number in range(settings.processes)]
    store = TCPStore(HOST, port, len(there), rank == 0, _MEET, wait_for_workers=False, master_listen_fd=handle)
    store.set(there[rank], "")
    store.wait(there, _MEET)
    torch.distributed.init_process_group(
        "nccl" if cuda else "gloo",
        store=store,
        rank=rank,
        world_size=settings.processes,
        timeout=timedelta(seconds=settings.wait_seconds),
        device_id=device_of(settings) if cuda else None,
    )
    yield
    # Not in a `finally`: after an error the other ranks may never get here, and this process exits anyway.
    torch.distributed.destroy_process_group()
