"""One server of a model: how busy it is, how it has fared, whether to ask it now."""

from __future__ import annotations

import logging
import random
import time
from collections import Counter, deque
from collections.abc import Callable

from webgym.llm.config import Retries
from webgym.llm.status import ServerState, ServerStatus
from webgym.llm.trouble import TryFailed

logger = logging.getLogger(__name__)
_LATENCIES = 256


def growing_pause(retries: Retries, times: int, rng: random.Random) -> float:
    """Twice as long each time, less a random part so that not all come back at once."""
    longest = min(retries.longest_pause, retries.pause * 2.0 ** min(times - 1, 30))
    return longest * rng.uniform(0.5, 1.0)


class Server:
    """Keeps what is known about one server. Owned by `Servers`, which alone counts `in_flight`."""

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
        self._strikes = 0
        self._pauses = 0
        self._trying = False
        """Whether it was set aside and has not replied since."""
        self._back_at = 0.0
        self._replies = 0
        self._since_growth = 0
        self._errors: Counter[str] = Counter()
        self._last_error = ""
        self._latencies: deque[float] = deque(maxlen=_LATENCIES)

    @property
    def state(self) -> ServerState:
        if self._trying:
            return "set_aside" if self.back_in > 0 else "on_trial"
        return "healthy"

    @property
    def back_in(self) -> float:
        """Seconds until it may be asked again."""
        return max(0.0, self._back_at - self._clock())

    @property
    def room(self) -> int:
        """How many more requests it may get now."""
        match self.state:
            case "healthy":
                return self._limit - self.in_flight
            case "on_trial":
                return 1 - self.in_flight
            case "set_aside":
                return 0

    def replied(self, seconds: float) -> None:
        """A try went well."""
        self._replies += 1
        self._latencies.append(seconds)
        self._since_growth += 1
        if self._since_growth >= self._limit < self._concurrency:
            self._limit += 1
            self._since_growth = 0
        self._is_well()

    def refused(self) -> None:
        """It is well, but will not take that request."""
        self._errors["rejected"] += 1
        self._is_well()

    def _is_well(self) -> None:
        if self.state == "set_aside":  # said of a request from before
            return
        if self._trying:
            logger.info("%s is back", self.url)
        self._trying = False
        self._strikes = self._pauses = 0

    def failed(self, error: TryFailed) -> None:
        """A try went wrong."""
        self._errors[error.trouble] += 1
        self._last_error = str(error)
        if self.state == "set_aside":  # others that were under way with the one that set it aside
            return
        self._strikes += 1
        match error.trouble:
            case "busy":
                self._limit = max(1, self._limit // 2)
                self._since_growth = 0
                self._set_aside(error.retry_after)
            case "unreachable":
                self._set_aside(error.retry_after)
            case "aborted":
                pass
            case _:
                if self._trying or error.retry_after is not None or self._strikes >= self._retries.strikes:
                    self._set_aside(error.retry_after)

    def _set_aside(self, retry_after: float | None) -> None:
        self._pauses += 1
        pause = growing_pause(self._retries, self._pauses, self._rng) if retry_after is None else retry_after
        self._back_at = self._clock() + pause
        self._trying = True
        logger.warning("%s is set aside for %.1f s: %s", self.url, pause, self._last_error)

    def status(self) -> ServerStatus:
        """How it is doing."""
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
