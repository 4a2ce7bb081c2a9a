"""Deterministic fault injection: latency, errors, bot blocking and layout shift."""

from __future__ import annotations

import math
from statistics import NormalDist

from webgym.errors import SiteStateError
from webgym.records.base import Record
from webgym.rng import Rng


class Weather(Record, frozen=True, forbid_unknown_fields=True):
    """Faults injected into one session. All off by default."""

    latency_seconds: float = 0.0
    """Median delay before a request is answered."""
    latency_sigma: float = 0.0
    """Sigma of the lognormal distribution of the delay."""
    error_rate: float = 0.0
    """Fraction of requests answered by an error page, drawn independently, so a retry may succeed."""
    blocked_rate: float = 0.0
    """Fraction of sessions that see only a bot-check page."""
    shift: bool = False
    """A bar pushes the page down shortly after load."""
    seed: int = 0


CLEAR = Weather()
_LONGEST_SECONDS = 30.0
_MOST_TIME = 100
"""Bound of latency and of its sigma: beyond it, every latency is 0 or the longest."""
_NORMAL = NormalDist()


def checked(weather: Weather) -> Weather:
    """Validate and return the weather.

    Raises:
        SiteStateError: A rate is outside 0 to 1, or a time is negative or absurd.
    """
    rates = (weather.error_rate, weather.blocked_rate)
    times = (weather.latency_seconds, weather.latency_sigma)
    if not all(0 <= rate <= 1 for rate in rates) or not all(0 <= time <= _MOST_TIME for time in times):
        raise SiteStateError(f"rates are from 0 to 1 and times from 0 to {_MOST_TIME}: {weather}")
    return weather


def latency(weather: Weather, request: int) -> float:
    """Return the delay in seconds of a session's n-th request."""
    if not weather.latency_seconds:
        return 0.0
    unit = Rng("latency", weather.seed, request).unit()
    tail = math.exp(weather.latency_sigma * _NORMAL.inv_cdf(min(max(unit, 1e-6), 1 - 1e-6)))
    return min(_LONGEST_SECONDS, weather.latency_seconds * tail)


def fails(weather: Weather, request: int) -> bool:
    """Return whether a session's n-th request is answered by an error page."""
    return bool(weather.error_rate) and Rng("error", weather.seed, request).chance(weather.error_rate)


def blocks(weather: Weather) -> bool:
    """Return whether the session is blocked as a bot."""
    return bool(weather.blocked_rate) and Rng("blocked", weather.seed).chance(weather.blocked_rate)
