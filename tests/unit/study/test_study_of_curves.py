"""What curves say of time, lag and clipping, against cases by hand and against curves of old runs."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.unit.study.made import curve, flow, learned

from webgym.curves.file import read
from webgym.study.curves import by_curves
from webgym.study.tracks import aligned, level_of, seconds_to, spent, track

RESULTS = Path(__file__).parents[3] / "docs/results/nano-rl"


def test_evaluations_are_told_apart_from_training():
    found = spent(curve({0: 0.2, 2: 0.4, 4: 0.5}, seconds=10, evaluate=3))
    assert found is not None
    assert (found.training, found.evaluating, found.untold) == (40, 9, pytest.approx(0))


def test_time_that_no_entry_tells_is_told():
    whole = curve({0: 0.2, 4: 0.5})
    paused = [msgspec.structs.replace(one, ended=one.ended + 300 * (one.iteration > 2)) for one in whole]
    found = spent(paused)
    assert found is not None
    assert found.untold == pytest.approx(300)
    assert any("belong to no iteration" in note for note in by_curves({"one": [paused]}).notes)


def test_a_level_is_reached_between_two_evaluations():
    one = track(curve({0: 0.2, 2: 0.4, 4: 0.3, 6: 0.6}, seconds=10))
    assert one is not None
    mean = aligned([one]).mean([0])
    assert mean == [(0, 0.2), (20, 0.4), (40, 0.3), (60, 0.6)]
    assert seconds_to(0.3, mean) == pytest.approx(10)
    assert seconds_to(0.4, mean) == pytest.approx(20)
    assert seconds_to(0.5, mean) == pytest.approx(40 + 20 * 2 / 3)


def test_seeds_that_were_evaluated_at_other_iterations_share_a_mean_curve():
    runs = [track(curve({0: 0.2, 2: 0.4, 4: 0.6}, seconds=10)), track(curve({0: 0.2, 4: 0.4, 8: 0.9}, seconds=20))]
    both = aligned([one for one in runs if one])
    # The second was at 0.3 after two iterations; after four, the first ends.
    assert both.mean([0, 1]) == [(0, 0.2), (30, pytest.approx(0.35)), (60, pytest.approx(0.5))]
    assert both.mean([1, 1]) == [(0, 0.2), (40, pytest.approx(0.3)), (80, pytest.approx(0.4))]


def test_the_level_is_the_smallest_end_and_each_arm_is_told_when_it_was_there():
    slow = [curve({0: 0.2, 4: 0.3, 8: 0.4}, seconds=30) for _ in range(3)]
    fast = [curve({0: 0.2, 4: 0.4, 8: 0.6}, seconds=10) for _ in range(3)]
    found = by_curves({"slow": slow, "fast": fast})
    assert found.level == pytest.approx(0.4)
    assert found.arms["slow"].seconds_to_level == pytest.approx(240)
    assert found.arms["fast"].seconds_to_level == pytest.approx(40)
    times = found.arms["fast"].seconds_times_first
    assert times is not None
    # Seeds that are all alike leave nothing open.
    assert (times.estimate, times.low, times.high) == (pytest.approx(1 / 6), pytest.approx(1 / 6), pytest.approx(1 / 6))
    assert found.arms["slow"].seconds_times_first is None


def test_seeds_that_differ_leave_the_time_open_and_one_seed_has_no_interval():
    slow = [curve({0: 0.2, 8: 0.4}, seconds=30 + more) for more in (0, 4, 8)]
    fast = [curve({0: 0.2, 8: 0.4 + more}, seconds=10) for more in (0.1, 0.2, 0.3)]
    several = by_curves({"slow": slow, "fast": fast}).arms["fast"].seconds_times_first
    assert several is not None
    assert several.low is not None
    assert several.high is not None
    assert several.low < several.estimate < several.high
    # All of the quickest and all of the slowest runs are its widest possible ends.
    assert several.low >= 80 * 0.2 / 0.5 / (8 * 38)
    assert several.high <= 80 * 0.2 / 0.3 / (8 * 30)
    alone = by_curves({"slow": slow[:1], "fast": fast[:1]}).arms["fast"].seconds_times_first
    assert alone is not None
    assert (alone.low, alone.high) == (None, None)


def test_there_is_no_level_if_an_arm_did_not_rise():
    rose, fell = curve({0: 0.2, 4: 0.5}), curve({0: 0.2, 4: 0.1})
    tracks = [aligned([one]) for one in (track(rose), track(fell)) if one]
    assert level_of(tracks) is None
    found = by_curves({"rose": [rose], "fell": [fell]})
    assert (found.level, found.arms["rose"].seconds_to_level) == (None, None)
    assert any("not every arm rose" in note for note in found.notes)


def test_lag_is_over_tokens_and_from_the_flow_where_these_are_not_told():
    told = curve({0: 0.1, 2: 0.2}, update=learned(lags={0: 30, 2: 10}))
    found = by_curves({"a": [told]}).arms["a"].lag
    assert found is not None
    assert (found.mean, found.most) == (0.5, 2)
    short = [msgspec.structs.replace(one, flow=flow(1.5, 4)) for one in curve({0: 0.1, 2: 0.2}, update=learned())]
    both = by_curves({"a": [told, short]}).arms["a"].lag
    assert both is not None
    # 80 tokens with 0.5 and 20 with 1.5.
    assert (both.mean, both.most) == (pytest.approx(0.7), 4)


def test_clipping_is_clustered_by_run_and_set_against_the_first_arm():
    few = [curve({0: 0.1, 2: 0.2}, update=learned(clip)) for clip in (0.01, 0.02, 0.03)]
    many = [curve({0: 0.1, 2: 0.2}, update=learned(clip)) for clip in (0.05, 0.06, 0.07)]
    found = by_curves({"few": few, "many": many}).arms
    mean, times = found["few"].clip_share, found["many"].clip_times_first
    assert mean is not None
    assert times is not None
    assert (mean.estimate, mean.n) == (pytest.approx(0.02), 6)
    assert mean.high == pytest.approx(0.02 + 4.303 * 0.01 / 3**0.5)
    assert times.estimate == pytest.approx(3)
    assert found["few"].clip_times_first is None


def test_what_curves_do_not_tell_is_said_and_keeps_nothing_else_from_being_told():
    silent = curve({0: 0.1, 2: 0.2}, update=learned(None))
    found = by_curves({"a": [silent], "b": [curve({0: 0.1})]})
    assert found.arms["a"].spent is not None
    assert found.arms["a"].clip_share is None
    assert [note.partition(":")[0] for note in found.notes] == ["no time to level", "a", "a", "b"]
    assert by_curves({"a": [[]]}).arms["a"].spent is None


def test_curves_of_old_runs_are_read():
    arms = {"1/k": ("k0", "k1", "k2"), "1/tau": ("t0", "t1", "t2")}
    found = by_curves({name: [read(RESULTS / f"{run}.jsonl") for run in runs] for name, runs in arms.items()})
    # Their later evaluations are runs of their own, and lag was not told yet; the clipped share was.
    assert found.level is None
    assert any("a curve of 1/k, 1/tau lacks evaluations before and after training" in note for note in found.notes)
    assert all(
        any(note == f"{name}: the lag is not recorded for every update" for note in found.notes) for name in arms
    )
    clipped = found.arms["1/tau"].clip_times_first
    assert clipped is not None
    assert clipped.low is not None
    assert 0 < clipped.low < clipped.estimate < 1
    newer = by_curves({"1/k": [read(RESULTS / f"d{seed}.jsonl") for seed in range(3)]})
    assert newer.arms["1/k"].lag is not None
    assert newer.arms["1/k"].lag.most == 0
