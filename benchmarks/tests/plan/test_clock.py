"""Virtual time: stations that are shared, and what happens next."""

from __future__ import annotations

import pytest

from webgym_bench.plan.clock import Clock, Station


def test_one_who_is_alone_is_done_after_his_work():
    station, done = Station(lambda _: 1.0), []
    clock = Clock(station)
    station.enter(0.0, 3.0, lambda: done.append(clock.now))
    clock.run()
    assert done == [3.0]


def test_who_shares_a_core_waits_for_the_others_work_too():
    station, done = Station(lambda count: 1 / count), {}
    clock = Clock(station)
    station.enter(0.0, 1.0, lambda: done.update(short=clock.now))
    station.enter(0.0, 3.0, lambda: done.update(long=clock.now))
    clock.run()
    assert done == {"short": 2.0, "long": 4.0}
    assert station.gauge.seconds == {2: 2.0, 1: 2.0}


def test_who_comes_later_does_not_undo_what_was_done_before():
    station, done = Station(lambda count: 1 / count), {}
    clock = Clock(station)
    station.enter(0.0, 2.0, lambda: done.update(first=clock.now))
    clock.after(1.0, lambda: station.enter(clock.now, 2.0, lambda: done.update(second=clock.now)))
    clock.run()
    assert done == {"first": 3.0, "second": 4.0}


def test_a_closed_station_keeps_all_who_are_there():
    station, done = Station(lambda _: 1.0), []
    clock = Clock(station)
    station.enter(0.0, 2.0, lambda: done.append(clock.now))
    clock.after(1.0, lambda: station.close(clock.now))
    clock.after(5.0, lambda: station.open(clock.now))
    clock.run()
    assert done == [6.0]


def test_nothing_happens_after_the_end():
    clock, done = Clock(), []
    clock.end = 2.0
    clock.after(1.0, lambda: done.append(1))
    clock.after(3.0, lambda: done.append(3))
    clock.run()
    assert (done, clock.now) == ([1], 2.0)


def test_a_gauge_tells_how_many_were_there_for_how_long():
    station = Station(lambda _: 1.0)
    clock = Clock(station)
    for work in (1.0, 2.0, 10.0):
        station.enter(0.0, work, lambda: None)
    clock.run()
    assert station.gauge.mean(float) == pytest.approx(1.3)
    assert station.gauge.quantile(0.5) == 1
    assert station.gauge.quantile(0.95) == 3
