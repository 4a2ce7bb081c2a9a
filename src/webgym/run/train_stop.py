"""Stop a training run on Ctrl-C at once; unfinished work is repeated on resume."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import anyio

from webgym.concurrency import background
from webgym.run.progress import ProgressListener
from webgym.run.run_length import RunLength
from webgym.run.train import train
from webgym.run.train_config import TrainConfig
from webgym.store.meta import RunMeta


async def stoppable(
    config: TrainConfig,
    folder: Path,
    meta: RunMeta | None,
    progress: ProgressListener,
    until: int,
    pace: RunLength | None = None,
) -> bool:
    """Train up to iteration `until`; return whether a signal stopped the run."""
    stopped = False

    async def listen(scope: anyio.CancelScope) -> None:
        nonlocal stopped
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for _ in signals:
                if not stopped:
                    progress.on_message("stopping; finished work is kept")
                stopped = True
                scope.cancel()

    async with background() as tasks:
        with anyio.CancelScope() as scope:
            if threading.current_thread() is threading.main_thread():  # others cannot receive signals
                tasks.start_soon(listen, scope)
            await train(config, folder, meta, progress, until, pace)
    return stopped
