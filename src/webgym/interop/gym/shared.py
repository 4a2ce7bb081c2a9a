"""One ground for all environments of this process that want the same, in a thread of its own.

It is started when it is first needed, and stopped when the last environment that uses it is closed, is no longer
referred to, or when the program ends, be it by an interruption. Should the process be killed, the kernel ends what it
started.
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
Key = tuple[str, str, str]
"""What makes two environments want the same ground: fleet, sites, token."""

_CLOSE_SECONDS = 60.0
_POLL_SECONDS = 0.5

_lock = threading.RLock()
_grounds: dict[Key, SharedGround] = {}
_keeper: threading.Thread | None = None
_abandoned: queue.SimpleQueue[Loan] = queue.SimpleQueue()
"""Of environments that were collected as garbage: filled from wherever that happens, so nothing may block there."""


class SharedGround:
    """A ground, its event loop and who uses it."""

    def __init__(self, portal: BlockingPortal, ground: EpisodeGround, sessions: int | None, stop: ExitStack) -> None:
        self.portal = portal
        self.ground = ground
        self.sessions = sessions
        """Room; None if that is the business of a fleet elsewhere."""
        self.loans: set[Loan] = set()
        self._stop = stop

    @property
    def taken(self) -> int:
        """Seats that are in use."""
        return sum(loan.seats for loan in self.loans)

    def stop(self) -> None:
        """End the sessions, the processes and the thread."""
        try:
            self._stop.close()
        except Exception as error:  # noqa: BLE001 (whatever broke on the way down, it is down)
            logger.warning("a fleet did not end as it should: %s", error)


class Loan:
    """Environments' share of a ground, and their way to its event loop."""

    def __init__(self, key: Key, shared: SharedGround, seats: int) -> None:
        self.seats = seats
        self._key = key
        self._shared = shared
        self._process = os.getpid()
        self._envs: list[AsyncWebEnv] = []

    def seat(self, config: EnvConfig) -> list[AsyncWebEnv]:
        """As many environments as there are seats."""
        options = config.model_dump()
        self._envs = [AsyncWebEnv(self._shared.ground, **options) for _ in range(self.seats)]
        return self._envs

    def call(self, seconds: float, work: Callable[[Unpack[Args]], Awaitable[T]], *args: *Args) -> T:
        """Do this in the event loop and wait for it. What is interrupted here is cancelled there.

        Raises:
            DeadlineError: It took longer.
        """
        if os.getpid() != self._process:
            raise ConfigError("this environment was made in another process; make one here")
        future = self._shared.portal.start_task_soon(_within, seconds, work, args)
        try:
            return future.result()
        except CancelledError as error:
            raise ConfigError("this environment was closed meanwhile") from error
        finally:
            future.cancel()

    def give_back(self) -> None:
        """Close the environments; the ground too, if nobody else uses it. May be called again."""
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
        """Have it given back by somebody else, soon: for finalizers, which may run anywhere."""
        _abandoned.put(self)


def borrow(config: EnvConfig, seats: int) -> Loan:
    """A share of the ground that the options ask for.

    Raises:
        ConfigError: It cannot be started, or has no room for so many.
    """
    key = (config.fleet, config.sites, config.token)
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
    """See to it that there is a keeper."""
    global _keeper  # noqa: PLW0603 (one for the process, as are the grounds)
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
            f"environments, or make the first with sessions={shared.taken + seats}"
        )


def _tend() -> None:
    """Give back what was abandoned; everything, when the main thread is done. Ends with the last ground.

    Not a daemon, and not `atexit`: Python then still lets threads be started, which ending a fleet needs.
    """
    global _keeper  # noqa: PLW0603 (one for the process, as are the grounds)
    main = threading.main_thread()
    while main.is_alive():
        try:
            _abandoned.get(timeout=_POLL_SECONDS).give_back()
        except queue.Empty:
            with _lock:
                if not _grounds:
                    _keeper = None
                    return
        except Exception as error:  # noqa: BLE001 (others may still have to be given back)
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
        raise DeadlineError(f"not done in {seconds:g} s") from error


async def _close_all(envs: Iterable[AsyncWebEnv]) -> None:
    async with anyio.create_task_group() as tasks:
        for env in envs:
            tasks.start_soon(env.close)


def _forget() -> None:
    """In a forked process: the threads are not here, and what they run belongs to the other one."""
    global _lock, _keeper, _abandoned  # noqa: PLW0603 (state of the process, as are the threads)
    _lock = threading.RLock()
    _keeper = None
    _abandoned = queue.SimpleQueue()
    _grounds.clear()


os.register_at_fork(after_in_child=_forget)
