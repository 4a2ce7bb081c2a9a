"""The engine's process: one thread receives and preprocesses, one computes, one checks new weights ahead of time."""

from __future__ import annotations

import logging
import queue
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import torch

from webgym.engine import wire
from webgym.engine.checkpoint import weights_digest
from webgym.engine.engine import Engine, FinishedRequest
from webgym.engine.memory import device_bytes, resident_bytes
from webgym.engine.preprocessing import PicturesLackingError, PreparedRequest, Preprocessor
from webgym.errors import ConfigError, PolicyError, PolicyRejected, WebGymError
from webgym.records.prompt import pack_ids, pack_logprobs
from webgym.records.sample import PolicyVersion

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _CheckedWeights:
    """New weights that were read and checked."""

    order: wire.Refresh
    digest: str


_Work = PreparedRequest | wire.Cancel | _CheckedWeights | wire.Sleep | wire.Wake | wire.Tell


class EngineServer:
    """Serves one engine over a socket until it is closed."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._sending = threading.Lock()
        # Bounded by the callers: each waits for an answer, and their number is limited.
        self._work: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._asked: dict[int, PreparedRequest] = {}
        # One thread keeps weights in order. Bounded by the publisher, which waits for an answer.
        self._examiner = ThreadPoolExecutor(1, "examine")
        self._requests = self._tokens = 0
        self._digest = ""

    def run(self) -> None:
        """Serve until the other end is closed."""
        start = wire.receive_order(self._sock)
        if not isinstance(start, wire.EngineStart):
            raise TypeError(f"{type(start).__name__} before Start")
        try:
            folder = Path(start.policy.path)
            self._preprocessor = Preprocessor(folder, start.settings.picture_bytes)
            self._digest = _checked_digest(start.policy)
            self._engine = Engine(folder, start.settings, version=start.policy.version)
        except (WebGymError, torch.OutOfMemoryError) as error:
            self._send(wire.OrderFailure(0, *_told(error)))
            return
        threading.Thread(target=self._listen, name="listen", daemon=True).start()
        self._send(wire.OrderReply(0, self._state()))
        while self._turn():
            pass

    def _turn(self) -> bool:
        """Carry out pending orders, then take a step; return whether to go on."""
        while True:
            try:
                work = self._work.get(block=not self._engine.busy)
            except queue.Empty:
                break
            if work is None:
                return False
            self._do(work)
        for finished in self._engine.step():
            self._finish(finished)
        return True

    def _listen(self) -> None:
        try:
            while True:
                order = wire.receive_order(self._sock)
                match order:
                    case wire.SampleOrder():
                        self._prepare(order)
                    case wire.EngineStart():
                        raise TypeError("a second Start")
                    case wire.Refresh():
                        self._examiner.submit(self._examine, order)
                    case _:
                        self._work.put(order)
        except wire.EngineChannelClosedError:
            pass
        finally:
            self._work.put(None)

    def _prepare(self, ask: wire.SampleOrder) -> None:
        try:
            self._work.put(self._preprocessor.prepare(ask))
        except PicturesLackingError:
            self._send(wire.Lacking(ask.number))
        except PolicyError as error:
            self._send(wire.OrderFailure(ask.number, error.code, str(error)))
        except Exception as error:
            # One bad prompt must not end this thread: all others come in through it.
            logger.exception("a prompt cannot be prepared")
            self._send(wire.OrderFailure(ask.number, PolicyRejected.code, f"the prompt cannot be prepared: {error!r}"))

    def _examine(self, order: wire.Refresh) -> None:
        """Read and check new weights while sampling goes on: all that is left afterwards is to copy them."""
        try:
            digest = _checked_digest(order.policy)
            self._engine.examine(Path(order.policy.path))
        except WebGymError as error:
            self._send(wire.OrderFailure(order.number, error.code, str(error)))
        except Exception as error:
            logger.exception("new weights cannot be read")
            self._send(
                wire.OrderFailure(order.number, ConfigError.code, f"{order.policy.path} cannot be read: {error!r}")
            )
        else:
            self._work.put(_CheckedWeights(order, digest))

    def _do(self, work: _Work) -> None:
        match work:
            case PreparedRequest():
                self._submit(work)
            case wire.Cancel(number):
                self._engine.cancel(number)
                self._asked.pop(number, None)
            case _CheckedWeights(order, digest):
                self._refresh(order, digest)
            case _:
                self._order(work)

    def _submit(self, work: PreparedRequest) -> None:
        ask = work.ask
        try:
            self._engine.submit(ask.number, work.ids, work.pictures, ask.sampling, seed=ask.seed)
        except PolicyError as error:
            self._send(wire.OrderFailure(ask.number, error.code, str(error)))
        else:
            self._asked[ask.number] = work

    def _refresh(self, order: wire.Refresh, digest: str) -> None:
        policy = order.policy
        try:
            self._engine.refresh(Path(policy.path), policy.version, in_flight=order.in_flight, examined=True)
        except WebGymError as error:
            self._send(wire.OrderFailure(order.number, error.code, str(error)))
        else:
            self._digest = digest
            self._send(wire.OrderReply(order.number, self._state()))

    def _order(self, order: wire.Sleep | wire.Wake | wire.Tell) -> None:
        try:
            match order:
                case wire.Sleep():
                    self._engine.sleep()
                case wire.Wake(_, policy):
                    self._wake(policy)
                case wire.Tell():
                    pass
        except (WebGymError, torch.OutOfMemoryError) as error:
            self._send(wire.OrderFailure(order.number, *_told(error)))
        else:
            self._send(wire.OrderReply(order.number, self._state()))

    def _wake(self, policy: PolicyVersion | None) -> None:
        if policy is None:
            self._engine.wake()
            return
        digest = _checked_digest(policy)
        self._engine.wake(Path(policy.path), policy.version)
        self._digest = digest

    def _finish(self, finished: FinishedRequest) -> None:
        work = self._asked.pop(finished.number)
        reply = finished.reply
        self._requests += 1
        self._tokens += len(reply.sampled)
        self._send(
            wire.SampleReply(
                number=finished.number,
                prompt=pack_ids(work.ids),
                sampled=pack_ids(reply.sampled),
                logprobs=pack_logprobs(reply.logprobs),
                versions=pack_ids(reply.versions),
                text=self._preprocessor.renderer.words(reply.sampled),
                finish=reply.finish,
            )
        )

    def _state(self) -> wire.EngineState:
        engine = self._engine
        return wire.EngineState(
            version=engine.version,
            digest=self._digest,
            waiting=engine.waiting,
            running=engine.running,
            asleep=engine.asleep,
            requests=self._requests,
            tokens=self._tokens,
            known_tokens=engine.known_tokens,
            model_bytes=engine.model_bytes,
            resident_bytes=resident_bytes(),
            device_bytes=device_bytes(),
        )

    def _send(self, answer: wire.Answer) -> None:
        with self._sending:
            try:
                self._sock.sendall(wire.framed(answer))
            except OSError:
                logger.info("could not send %s: the other side closed the connection", type(answer).__name__)


def _told(error: WebGymError | torch.OutOfMemoryError) -> tuple[str, str]:
    """Return the code and message of an error; running out of memory counts as a configuration error."""
    if isinstance(error, WebGymError):
        return error.code, str(error)
    return ConfigError.code, f"the engine ran out of memory: lower policy.slots or policy.length. {error}"


def _checked_digest(policy: PolicyVersion) -> str:
    digest = weights_digest(Path(policy.path))
    if policy.digest and policy.digest != digest:
        raise ConfigError(f"the weights in {policy.path} are not those of version {policy.version}: digests differ")
    return digest
