"""An engine in a child process, which is restarted if it dies."""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import anyio
import anyio.abc

from webgym.concurrency import background
from webgym.engine import wire
from webgym.engine.request import SamplingParams
from webgym.engine.settings import EngineSettings, InFlight
from webgym.errors import ConfigError, DeadlineError, PolicyUnavailable, WebGymError
from webgym.records.prompt import Prompt
from webgym.records.sample import PolicyVersion
from webgym.serving.child_process import ChildProcess, child_process

logger = logging.getLogger(__name__)

_LOADING = " (policy.load_seconds)"
"""Names the setting of the load timeout in error messages."""
_PAUSES_SECONDS = (0.1, 0.5, 2.0, 10.0)
_HEALTHY_SECONDS = 60.0
"""An engine that lived this long resets the restart backoff."""
_KILLED_STARTING = 3
"""Times that an engine may be killed, before it ever served, until that is an error."""
_MODULE = "webgym.engine"
_MOST_SENT = 16_384
"""Addresses to remember of images that were sent to the engine."""


class _KilledError(OSError):
    """The engine was killed before it was ready."""


@dataclass(slots=True)
class _EngineCall:
    answered: anyio.Event = field(default_factory=anyio.Event)
    answer: wire.Answer | None = None


class EngineProcess:
    """An engine that is running or being restarted. Made by `open_engine`."""

    def __init__(self, policy: PolicyVersion, settings: EngineSettings, module: str = _MODULE) -> None:
        self.policy = policy
        """Weights that it serves, and loads if it is restarted."""
        self.settings = settings
        self._module = module
        self.restarts = 0
        self._calls: dict[int, _EngineCall] = {}
        self._numbers = itertools.count(1)
        self._asking = 0
        self._up = anyio.Event()
        self._trouble = "it is starting"
        self._asleep = False
        self._process: anyio.abc.Process | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._sent: OrderedDict[str, None] = OrderedDict()

    @property
    def pid(self) -> int | None:
        """Process id of the engine, while it runs."""
        return self._process.pid if self._process is not None else None

    async def ask(
        self,
        prompt: Prompt,
        pictures: Mapping[str, bytes],
        sampling: SamplingParams,
        *,
        seed: int,
        deadline: float = 600.0,
    ) -> wire.SampleReply:
        """Sample a reply to a prompt.

        Raises:
            PolicyRejected: The engine will never accept this prompt.
            PolicyUnavailable: It died meanwhile, did not reply in time, or too many requests are waiting already.
        """
        if self._asking >= self.settings.waiting + self.settings.slots:
            raise PolicyUnavailable(f"the engine's queue is full: {self._asking} requests are waiting")
        self._asking += 1
        try:
            with anyio.fail_after(deadline):
                return await self._said(prompt, pictures, sampling, seed)
        except TimeoutError:
            raise PolicyUnavailable(f"no reply in {deadline:g} s: {self._trouble or 'the engine is busy'}") from None
        finally:
            self._asking -= 1

    async def refresh(
        self, policy: PolicyVersion, *, in_flight: InFlight | None = None, deadline: float | None = None
    ) -> wire.EngineState:
        """Switch to new weights; unfinished replies go on. `deadline` defaults to `load_seconds`.

        Raises:
            ConfigError: The weights are not valid; it goes on with those it has.
            PolicyUnavailable: It died.
            DeadlineError: It took too long.
        """
        state = await self._order(lambda number: wire.Refresh(number, policy, in_flight), deadline)
        self.policy = policy
        return state

    async def sleep(self, *, deadline: float | None = None) -> wire.EngineState:
        """Free weights and KV cache; requests wait until `wake`. The state tells how much memory is still held."""
        state = await self._order(wire.Sleep, deadline)
        self._asleep = True
        return state

    async def wake(self, policy: PolicyVersion | None = None, *, deadline: float | None = None) -> wire.EngineState:
        """Load weights again: these, or the last ones. Raises as `refresh` does."""
        state = await self._order(lambda number: wire.Wake(number, policy), deadline)
        self._asleep = False
        self.policy = policy or self.policy
        return state

    async def state(self, *, deadline: float = 30.0) -> wire.EngineState:
        """Return the engine's state. Raises as `refresh` does."""
        return await self._order(wire.Tell, deadline)

    async def _said(
        self, prompt: Prompt, pictures: Mapping[str, bytes], sampling: SamplingParams, seed: int
    ) -> wire.SampleReply:
        everything = {picture.address: pictures[picture.address] for picture in prompt.pictures}
        new = {address: data for address, data in everything.items() if address not in self._sent}
        answer = await self._call(lambda number: wire.SampleOrder(number, prompt, sampling, seed, new), everything)
        if isinstance(answer, wire.Lacking):
            answer = await self._call(
                lambda number: wire.SampleOrder(number, prompt, sampling, seed, everything), everything
            )
        match answer:
            case wire.SampleReply():
                return answer
            case wire.OrderFailure():
                raise wire.error_from(answer)
            case _:
                raise PolicyUnavailable(f"the engine answered a prompt with {type(answer).__name__}")

    async def _order(self, order: Callable[[int], wire.Order], deadline: float | None) -> wire.EngineState:
        seconds, setting = (deadline, "") if deadline is not None else (self.settings.load_seconds, _LOADING)
        try:
            with anyio.fail_after(seconds):
                answer = await self._call(order)
        except TimeoutError:
            raise DeadlineError(f"the engine did not carry out the request in {seconds:g} s{setting}") from None
        match answer:
            case wire.OrderReply(_, state):
                return state
            case wire.OrderFailure():
                raise wire.error_from(answer)
            case _:
                raise PolicyUnavailable(f"the engine answered an order with {type(answer).__name__}")

    async def _call(self, order: Callable[[int], wire.Order], pictures: Mapping[str, bytes] = {}) -> wire.Answer:
        await self._up.wait()
        writer = self._writer
        if writer is None:
            raise PolicyUnavailable(f"the engine is gone: {self._trouble}")
        number = next(self._numbers)
        call = self._calls[number] = _EngineCall()
        try:
            writer.write(wire.framed(order(number)))
            self._remember(pictures)
            with suppress(ConnectionError):  # the listener notices when the process ends
                await writer.drain()
            await call.answered.wait()
        except BaseException:
            if not writer.is_closing():
                writer.write(wire.framed(wire.Cancel(number)))
            raise
        finally:
            del self._calls[number]
        if call.answer is None:
            raise PolicyUnavailable("the engine died before it replied")
        return call.answer

    def _remember(self, pictures: Mapping[str, bytes]) -> None:
        for address in pictures:
            self._sent[address] = None
            self._sent.move_to_end(address)
        while len(self._sent) > _MOST_SENT:
            self._sent.popitem(last=False)

    async def keep_alive(self, *, task_status: anyio.abc.TaskStatus[None]) -> None:
        """Run the engine until cancelled, restarting it whenever it dies.

        Raises:
            ConfigError: It does not start at all: it says why, or was killed several times.
        """
        told = False
        failures = 0
        while True:
            began = time.monotonic()
            try:
                async with self._started() as reader:
                    if not told:
                        task_status.started()
                        told = True
                    await self._listen(reader)
                self._trouble = "it died"
            except (OSError, TimeoutError, WebGymError) as error:
                if not told and (failures + 1 >= _KILLED_STARTING or not isinstance(error, _KilledError)):
                    raise ConfigError(f"the engine failed to start: {error}") from error
                self._trouble = str(error)
            self.restarts += 1
            logger.warning("restarting the engine: %s", self._trouble)
            await anyio.sleep(_PAUSES_SECONDS[min(failures, len(_PAUSES_SECONDS) - 1)])
            failures = 0 if time.monotonic() - began > _HEALTHY_SECONDS else failures + 1

    @asynccontextmanager
    async def _started(self) -> AsyncGenerator[asyncio.StreamReader]:
        async with child_process(self._module, 2**20) as child:
            try:
                child.writer.write(wire.framed(wire.EngineStart(self.settings, self.policy)))
                await self._until_ready(child)
                self._process, self._writer = child.process, child.writer
                if self._asleep:
                    child.writer.write(wire.framed(wire.Sleep(0)))
                self._trouble = ""
                self._up.set()
                yield child.reader
            finally:
                self._down()

    async def _until_ready(self, child: ChildProcess) -> None:
        seconds = self.settings.load_seconds
        try:
            with anyio.fail_after(seconds):
                answer = await wire.receive_answer(child.reader)
        except TimeoutError:
            raise DeadlineError(f"it was not ready in {seconds:g} s{_LOADING}") from None
        except wire.EngineChannelClosedError as error:
            if await child.was_killed():
                raise _KilledError("it was killed while it started; is there enough memory?") from error
            raise OSError("it ended before it was ready; its log says why") from error
        if isinstance(answer, wire.OrderFailure):
            raise wire.error_from(answer)

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        with suppress(wire.EngineChannelClosedError):
            while True:
                answer = await wire.receive_answer(reader)
                call = self._calls.get(answer.number)
                if call is not None:
                    call.answer = answer
                    call.answered.set()

    def _down(self) -> None:
        """The process is gone: fail the calls in progress; later ones wait for the restart."""
        self._process = self._writer = None
        self._sent.clear()
        if self._up.is_set():
            self._up = anyio.Event()
        for call in self._calls.values():
            call.answered.set()


@asynccontextmanager
async def open_engine(
    policy: PolicyVersion, settings: EngineSettings = EngineSettings(), module: str = _MODULE
) -> AsyncGenerator[EngineProcess]:
    """Serve these weights for the duration of the block. `module`: what the child process runs.

    Raises:
        ConfigError: The engine does not start; the message says why.
    """
    engine = EngineProcess(policy, settings, module)
    async with background() as tasks:
        await tasks.start(engine.keep_alive)
        yield engine
