"""One server of a model: its load, its health, and whether it may take a request."""

from __future__ import annotations

import logging
import random
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass

from webgym.llm.config import Retries
from webgym.llm.failures import TryFailed
from webgym.llm.status import ServerState, ServerStatus

logger = logging.getLogger(__name__)
_LATENCIES = 256


@dataclass(frozen=True, slots=True)
class RequestSlot:
    """A slot for one request to a server."""

    server: ModelServer
    era: int
    """The server's era at the start: results from before it was set aside say nothing about its health since."""
    trial: bool
    """Whether this request tests if the server has recovered."""


def growing_pause(retries: Retries, times: int, rng: random.Random) -> float:
    """Return an exponential backoff in seconds, with jitter so that not all retry at once."""
    longest = min(retries.longest_pause, retries.pause * 2.0 ** min(times - 1, 30))
    return longest * rng.uniform(0.5, 1.0)


class ModelServer:
    """Load and health of one server: a circuit breaker with an adaptive concurrency limit."""

    def __init__(
        self,
        url: str,
        concurrency: int,
        retries: Retries,
        rng: random.Random,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.url = url
        self.in_flight = 0
        self._concurrency = concurrency
        self._limit = concurrency
        self._retries = retries
        self._rng = rng
        self._clock = clock
        self._era = 0
        """How often the server was set aside."""
        self._doubted = False
        """Whether the server was set aside and has not replied since."""
        self._on_trial = False
        """Whether a trial request is in flight."""
        self._strikes = self._pauses = 0
        self._back_at = 0.0
        self._replies = 0
        self._since_growth = 0
        self._errors: Counter[str] = Counter()
        self._last_error = ""
        self._latencies: deque[float] = deque(maxlen=_LATENCIES)

    @property
    def state(self) -> ServerState:
        if self._doubted:
            return "set_aside" if self.back_in > 0 else "on_trial"
        return "healthy"

    @property
    def back_in(self) -> float:
        """Seconds until the server may get requests again."""
        return max(0.0, self._back_at - self._clock())

    @property
    def has_room(self) -> bool:
        """Whether the server may get a request now."""
        match self.state:
            case "healthy":
                return self.in_flight < self._limit
            case "on_trial":
                return not self._on_trial
            case "set_aside":
                return False

    def take(self) -> RequestSlot:
        """Take a slot for a request."""
        self.in_flight += 1
        trial = self.state == "on_trial"
        self._on_trial = self._on_trial or trial
        return RequestSlot(self, self._era, trial)

    def give_back(self, place: RequestSlot) -> None:
        """Return a slot."""
        self.in_flight -= 1
        if place.trial:
            self._on_trial = False

    def replied(self, place: RequestSlot, seconds: float) -> None:
        """Note a successful try."""
        self._replies += 1
        self._latencies.append(seconds)
        self._since_growth += 1
        if self._since_growth >= self._limit < self._concurrency:
            self._limit += 1
            self._since_growth = 0
        self._is_well(place)

    def refused(self, place: RequestSlot) -> None:
        """Note a rejected request, which still shows that the server is healthy."""
        self._errors["rejected"] += 1
        self._is_well(place)

    def _is_well(self, place: RequestSlot) -> None:
        if place.era != self._era:
            return
        if self._doubted:
            logger.info("%s is back", self.url)
        self._doubted = False
        self._strikes = self._pauses = 0

    def failed(self, place: RequestSlot, error: TryFailed) -> None:
        """Note a failed try, and set the server aside if necessary."""
        self._errors[error.trouble] += 1
        self._last_error = str(error)
        if place.era != self._era or error.trouble == "aborted":
            return
        self._strikes += 1
        if error.trouble == "busy":
            self._limit = max(1, self._limit // 2)
            self._since_growth = 0
        at_once = place.trial or error.trouble in {"busy", "unreachable"} or error.retry_after is not None
        if at_once or self._strikes >= self._retries.strikes:
            self._set_aside(error.retry_after)

    def _set_aside(self, retry_after: float | None) -> None:
        self._era += 1
        self._pauses += 1
        pause = growing_pause(self._retries, self._pauses, self._rng) if retry_after is None else retry_after
        self._back_at = self._clock() + pause
        self._doubted = True
        logger.warning("%s is set aside for %.1f s: %s", self.url, pause, self._last_error)

    def status(self) -> ServerStatus:
        """Return the server's status."""
        latencies = sorted(self._latencies)
        return ServerStatus(
            url=self.url,
            state=self.state,
            in_flight=self.in_flight,
            limit=self._limit,
            replies=self._replies,
            errors=dict(self._errors),
            last_error=self._last_error,
            back_in=self.back_in,
            latency_p50=_quantile(latencies, 0.5),
            latency_p95=_quantile(latencies, 0.95),
        )


def _quantile(values: list[float], share: float) -> float:
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0.0
