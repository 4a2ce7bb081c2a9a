"""One ground per fleet, sites and token, shared by all environments of this process, in its own thread.

It starts on first use and stops when the last environment that uses it is closed or garbage-collected, or when the
program exits, even by an interrupt. If the process is killed, the kernel ends its child processes.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import CancelledError
from contextlib import ExitStack
from typing import TypeVar, TypeVarTuple, Unpack

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal

from webgym.errors import ConfigError, DeadlineError
from webgym.interop.gym.aio import AsyncWebEnv
from webgym.interop.gym.config import EnvConfig
from webgym.interop.gym.grounds import EpisodeGround, ground_of, room

logger = logging.getLogger(__name__)

T = TypeVar("T")
Args = TypeVarTuple("Args")
Key = tuple[str, str, str, str, str]
"""Environments share a ground if these are equal: fleet, sites, token, the environment and its options."""

_CLOSE_SECONDS = 60.0
_POLL_SECONDS = 0.5

_lock = threading.RLock()
_grounds: dict[Key, SharedGround] = {}
_keeper: threading.Thread | None = None
_abandoned: queue.SimpleQueue[Loan] = queue.SimpleQueue()
"""Loans of garbage-collected environments. Finalizers may run in any thread, so adding to it must not block."""


class SharedGround:
    """A ground, its event loop and its users."""

    def __init__(self, portal: BlockingPortal, ground: EpisodeGround, sessions: int | None, stop: ExitStack) -> None:
        self.portal = portal
        self.ground = ground
        self.sessions = sessions
        """Capacity; None for a remote fleet, which enforces its own."""
        self.loans: set[Loan] = set()
        self._stop = stop

    @property
    def taken(self) -> int:
        """Seats in use."""
        return sum(loan.seats for loan in self.loans)

    def stop(self) -> None:
        """Stop the sessions, the processes and the thread."""
        try:
            self._stop.close()
        except Exception as error:  # noqa: BLE001 (it is stopped, whatever failed on the way)
            logger.warning("a fleet did not shut down cleanly: %s", error)


class Loan:
    """The environments' share of a ground, and their access to its event loop."""

    def __init__(self, key: Key, shared: SharedGround, seats: int) -> None:
        self.seats = seats
        self._key = key
        self._shared = shared
        self._process = os.getpid()
        self._envs: list[AsyncWebEnv] = []

    def seat(self, config: EnvConfig) -> list[AsyncWebEnv]:
        """Create one environment per seat."""
        options = config.model_dump()
        self._envs = [AsyncWebEnv(self._shared.ground, **options) for _ in range(self.seats)]
        return self._envs

    def call(self, seconds: float, work: Callable[[Unpack[Args]], Awaitable[T]], *args: *Args) -> T:
        """Run a coroutine function in the ground's event loop and wait for it. Interrupting the wait cancels the call.

        Raises:
            DeadlineError: It took longer than `seconds`.
        """
        if os.getpid() != self._process:
            raise ConfigError("this environment was created in another process; create one in this process")
        future = self._shared.portal.start_task_soon(_within, seconds, work, args)
        try:
            return future.result()
        except CancelledError as error:
            raise ConfigError("this environment was closed during the call") from error
        finally:
            future.cancel()

    def give_back(self) -> None:
        """Close the environments, and the ground with its last loan. Idempotent."""
        if os.getpid() != self._process:
            return
        with _lock:
            if self not in self._shared.loans:
                return
            self._shared.loans.remove(self)
            try:
                self.call(_CLOSE_SECONDS, _close_all, self._envs)
            finally:
                if not self._shared.loans:
                    _grounds.pop(self._key, None)
                    self._shared.stop()

    def abandon(self) -> None:
        """Have the keeper thread give the loan back. For finalizers, which may run in any thread."""
        _abandoned.put(self)


def borrow(config: EnvConfig, seats: int) -> Loan:
    """Borrow seats on the ground that the options ask for, starting it if needed.

    Raises:
        ConfigError: It cannot be started, or has too few free seats.
    """
    key = (config.fleet, config.sites, config.token, config.env, repr(config.env_options))
    with _lock:
        shared = _grounds.get(key)
        if shared is None:
            shared = _grounds[key] = _started(config, seats)
            _keep()
        _check_room(shared, seats)
        loan = Loan(key, shared, seats)
        shared.loans.add(loan)
        return loan


def _keep() -> None:
    """Start the keeper thread unless it is running."""
    global _keeper  # noqa: PLW0603 (one per process, like the grounds)
    if _keeper is None:
        _keeper = threading.Thread(target=_tend, name="webgym-gym-keeper", daemon=False)
        _keeper.start()


def _started(config: EnvConfig, seats: int) -> SharedGround:
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal(name="webgym-gym"))
        ground = stack.enter_context(portal.wrap_async_context_manager(ground_of(config, seats)))
        return SharedGround(portal, ground, None if config.fleet else room(config, seats), stack.pop_all())


def _check_room(shared: SharedGround, seats: int) -> None:
    if shared.sessions is not None and shared.taken + seats > shared.sessions:
        raise ConfigError(
            f"the fleet of this process has {shared.sessions} sessions, of which {shared.taken} are in use: close "
            f"environments, or create the first one with sessions={shared.taken + seats}"
        )


def _tend() -> None:
    """Give abandoned loans back, and all loans once the main thread has ended. Returns after the last ground.

    A non-daemon thread instead of `atexit`, because stopping a fleet starts threads, which `atexit` is too late for.
    """
    global _keeper  # noqa: PLW0603 (one per process, like the grounds)
    main = threading.main_thread()
    while main.is_alive():
        try:
            _abandoned.get(timeout=_POLL_SECONDS).give_back()
        except queue.Empty:
            with _lock:
                if not _grounds:
                    _keeper = None
                    return
        except Exception as error:  # noqa: BLE001 (other loans may still have to be given back)
            logger.warning("an abandoned environment could not be closed: %s", error)
    for shared in list(_grounds.values()):
        for loan in list(shared.loans):
            try:
                loan.give_back()
            except Exception as error:  # noqa: BLE001 (likewise)
                logger.warning("an environment could not be closed at exit: %s", error)


async def _within(seconds: float, work: Callable[[Unpack[Args]], Awaitable[T]], args: tuple[*Args]) -> T:
    try:
        with anyio.fail_after(seconds):
            return await work(*args)
    except TimeoutError as error:
        raise DeadlineError(f"did not finish within {seconds:g} s") from error


async def _close_all(envs: Iterable[AsyncWebEnv]) -> None:
    async with anyio.create_task_group() as tasks:
        for env in envs:
            tasks.start_soon(env.close)


def _forget() -> None:
    """Reset the state in a forked child: the threads and their processes belong to the parent."""
    global _lock, _keeper, _abandoned  # noqa: PLW0603 (per-process state, like the threads)
    _lock = threading.RLock()
    _keeper = None
    _abandoned = queue.SimpleQueue()
    _grounds.clear()


os.register_at_fork(after_in_child=_forget)
