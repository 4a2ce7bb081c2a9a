"""Switches that make a site worse, repeatably."""

from __future__ import annotations

from statistics import median

import pytest

from webgym.errors import SiteStateError
from webgym_hermetic.weather import CLEAR, Weather, blocks, checked, fails, latency


def test_clear_weather_changes_nothing():
    assert latency(CLEAR, 1) == 0
    assert not fails(CLEAR, 1)
    assert not blocks(CLEAR)


def test_latency_has_the_median_and_the_tail_it_was_given():
    weather = Weather(latency_seconds=0.3, latency_sigma=1.0)
    waits = sorted(latency(weather, request) for request in range(2000))
    assert 0.27 < median(waits) < 0.33
    assert 1.3 < waits[int(0.95 * 2000)] < 1.9  # 0.3 * exp(1.645)
    assert latency(Weather(latency_seconds=0.3), 5) == 0.3


def test_rates_are_shares_of_requests_and_of_sessions():
    broken = sum(fails(Weather(error_rate=0.2), request) for request in range(2000))
    blocked = sum(blocks(Weather(blocked_rate=0.2, seed=seed)) for seed in range(2000))
    assert 340 < broken < 460
    assert 340 < blocked < 460


def test_the_same_seed_gives_the_same_weather():
    weather = Weather(latency_seconds=1, latency_sigma=1, error_rate=0.5, seed=7)
    assert [(latency(weather, n), fails(weather, n)) for n in range(20)] == [
        (latency(weather, n), fails(weather, n)) for n in range(20)
    ]


@pytest.mark.parametrize("weather", [Weather(error_rate=1.5), Weather(blocked_rate=-0.1), Weather(latency_seconds=-1)])
def test_weather_that_cannot_be_is_refused(weather: Weather):
    with pytest.raises(SiteStateError, match="rates are from 0 to 1"):
        checked(weather)
