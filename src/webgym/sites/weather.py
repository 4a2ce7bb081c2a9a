"""What can be made worse about a site: slowness, failures, being blocked, a layout that shifts. Repeatable."""

from __future__ import annotations

import math
from statistics import NormalDist

import msgspec

from webgym.errors import SiteStateError
from webgym.records.base import Record
from webgym.sites.rng import Rng


class Weather(Record, frozen=True, forbid_unknown_fields=True):
    """Switches of one session. All off by default."""

    latency_seconds: float = 0.0
    """Median wait before a page is answered."""
    latency_sigma: float = 0.0
    """Tail of that wait: sigma of a lognormal distribution."""
    error_rate: float = 0.0
    """Share of pages answered by "something went wrong" instead; trying again draws anew."""
    blocked_rate: float = 0.0
    """Share of sessions that see nothing but a page asking whether they are human."""
    shift: bool = False
    """A bar pushes the page down shortly after it was shown."""
    seed: int = 0


CLEAR = Weather()
_LONGEST_SECONDS = 30.0
_NORMAL = NormalDist()


def checked(weather: Weather) -> Weather:
    """The same weather.

    Raises:
        SiteStateError: A rate is not a share, or a time is negative.
    """
    rates = (weather.error_rate, weather.blocked_rate)
    times = (weather.latency_seconds, weather.latency_sigma)
    if not all(0 <= rate <= 1 for rate in rates) or not all(time >= 0 and math.isfinite(time) for time in times):
        raise SiteStateError(f"rates are from 0 to 1 and times not negative: {msgspec.to_builtins(weather)}")
    return weather


def latency(weather: Weather, request: int) -> float:
    """Seconds the so-manieth request of a session waits."""
    if not weather.latency_seconds:
        return 0.0
    unit = Rng("latency", weather.seed, request).unit()
    tail = math.exp(weather.latency_sigma * _NORMAL.inv_cdf(min(max(unit, 1e-6), 1 - 1e-6)))
    return min(_LONGEST_SECONDS, weather.latency_seconds * tail)


def fails(weather: Weather, request: int) -> bool:
    """Whether the so-manieth request of a session is answered by an error page."""
    return bool(weather.error_rate) and Rng("error", weather.seed, request).chance(weather.error_rate)


def blocks(weather: Weather) -> bool:
    """Whether this session is taken for a robot."""
    return bool(weather.blocked_rate) and Rng("blocked", weather.seed).chance(weather.blocked_rate)
