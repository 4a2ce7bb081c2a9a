"""The scale model against what can be reckoned by hand."""

from __future__ import annotations

import itertools
import math

import msgspec
import pytest

from webgym.errors import ConfigError
from webgym_bench.plan.advise import advise
from webgym_bench.plan.cost_overrides import changed
from webgym_bench.plan.costs import Costs, Farm, Prices, Training, Work
from webgym_bench.plan.farm_stations import Overloaded
from webgym_bench.plan.fit import Target, fit
from webgym_bench.plan.latency import Lognormal, Measured, mean_of, measured, seconds_of
from webgym_bench.plan.lengths import length_weights
from webgym_bench.plan.published import FITTED, FITTED_ROW, GIVEN, ROWS, WORK, check
from webgym_bench.plan.report import cost
from webgym_bench.plan.simulate import roll_out, train

EVEN = Costs(
    cpu=Lognormal(1.0),
    idle_cpus=0.0,
    page_cores=1.0,
    page=Lognormal(2.0),
    pause=1.0,
    reply=Lognormal(4.0),
    gpu_seconds=0.5,
)
"""Eight seconds a step, and no tail."""
TEN = Work(trajectories=40, mean_length=10, shortest=10, longest=10)
ROOMY = Farm(cpus=64, browsers=8, gpus=8)


def test_without_tails_and_with_room_a_step_takes_the_sum_of_its_parts_both_ways():
    assert EVEN.step_seconds == pytest.approx(8.0)
    for way in ("asynchronous", "lockstep"):
        found = roll_out(ROOMY, EVEN, TEN, way)
        assert found.minutes * 60 == pytest.approx(40 / 8 * 10 * 8)
        assert found.browsers_at_pages == pytest.approx(0.5)
        assert found.browsers_at_replies == pytest.approx(0.5)
        assert found.cpu_waits.p95 == pytest.approx(0.0, abs=1e-9)
        assert found.steps == 400


def test_processors_that_are_too_few_set_the_pace():
    many = msgspec.structs.replace(TEN, trajectories=256)
    found = roll_out(Farm(cpus=1, browsers=32, gpus=32), changed(EVEN, {"sigma": 0.3}), many, "asynchronous")
    assert found.steps_per_minute == pytest.approx(60 / mean_of(changed(EVEN, {"sigma": 0.3}).cpu), rel=0.03)
    assert found.cpu_load == pytest.approx(1.0, abs=0.03)
    assert found.cpu_waits.mean > 10


def test_a_gpu_does_no_more_steps_than_it_can():
    many = msgspec.structs.replace(TEN, trajectories=256)
    found = roll_out(Farm(cpus=512, browsers=128, gpus=1), EVEN, many, "asynchronous")
    assert found.steps_per_minute <= 60 / EVEN.gpu_seconds
    assert found.gpu_load > 0.8


def test_with_tails_and_unequal_lengths_lockstep_falls_behind():
    tailed = changed(EVEN, {"sigma": 0.8})
    work = Work(trajectories=256, mean_length=13, shortest=2, longest=30)
    farm = Farm(cpus=256, browsers=64, gpus=16)
    fast, slow = (roll_out(farm, tailed, work, way) for way in ("asynchronous", "lockstep"))
    assert slow.minutes > 3 * fast.minutes
    assert slow.browsers_idle > 0.5 > fast.browsers_idle


def test_open_pages_that_take_every_processor_are_refused():
    with pytest.raises(Overloaded, match="alone need 91 cores, but there are 64 CPUs"):
        roll_out(Farm(64, 256, 24), FITTED, WORK, "asynchronous")  # in the paper, too, it came to no end


def test_training_overlaps_only_if_it_may_lag():
    work = Work(trajectories=1, mean_length=10, shortest=5, longest=15)
    farm = Farm(cpus=64, browsers=16, gpus=16, trainer_gpus=1)
    costs = changed(EVEN, {"sigma": 0.3})
    training = Training(groups=2, members=8, gpu_seconds=5.0, refresh=0.0, max_lag=2)
    overlapping, alternating = (train(farm, costs, work, training, way) for way in ("asynchronous", "barrier"))
    assert overlapping.lag is not None
    assert 0 < overlapping.lag.mean <= overlapping.lag.most <= 2
    assert alternating.lag is not None
    assert alternating.lag.most == 0
    assert overlapping.trajectories_per_hour > 1.5 * alternating.trajectories_per_hour
    assert overlapping.trainer_idle is not None
    assert alternating.trainer_idle is not None
    assert overlapping.trainer_idle < alternating.trainer_idle
    on_policy = train(farm, costs, work, msgspec.structs.replace(training, max_lag=0), "asynchronous")
    assert on_policy.trajectories_per_hour == pytest.approx(alternating.trajectories_per_hour, rel=0.1)


def test_a_restart_of_servers_costs_the_alternating_ways_only():
    work = Work(trajectories=1, mean_length=10, shortest=10, longest=10)
    farm = Farm(cpus=64, browsers=16, gpus=16, trainer_gpus=1)
    training = Training(groups=2, members=8, gpu_seconds=1.0, refresh=1.0, restart=100.0)
    found = train(farm, EVEN, work, training, "barrier")
    assert found.minutes * 60 == pytest.approx(9 * (80 + 16 + 1 + 100), rel=0.01)
    assert train(farm, EVEN, work, training, "asynchronous").minutes < found.minutes / 2


def test_the_published_table_is_predicted_within_a_quarter_from_one_row():
    for one in check(FITTED):
        assert abs(one.error) < (0.01 if one.fitted else 0.25), one


@pytest.mark.full
def test_what_is_shipped_is_what_the_fit_finds():
    found = fit(GIVEN, WORK, ROWS[FITTED_ROW])
    for name in ("cpu", "page", "reply"):
        made, shipped = getattr(found, name), getattr(FITTED, name)
        assert (made.median, made.sigma) == pytest.approx((shipped.median, shipped.sigma), rel=0.03)
    assert msgspec.structs.replace(found, cpu=FITTED.cpu, page=FITTED.page, reply=FITTED.reply) == FITTED


def test_a_farm_that_is_faster_in_lockstep_fits_no_costs():
    with pytest.raises(ConfigError, match="no costs reproduce"):
        fit(EVEN, TEN, Target(ROOMY, asynchronous=10.0, lockstep=2.0))


def test_measured_latencies_are_drawn_as_they_were():
    found = measured([float(value) for value in range(1, 1001)])
    assert len(found.quantiles) == 100
    assert mean_of(found) == pytest.approx(500, rel=0.01)
    draw = seconds_of(found)
    assert draw(0.0) == pytest.approx(506, abs=10)
    assert draw(-9.0) == found.quantiles[0]
    assert draw(9.0) == found.quantiles[-1]
    with pytest.raises(ConfigError):
        measured([])


def test_a_time_limit_cuts_the_tail_and_the_mean_knows():
    assert seconds_of(Lognormal(2.0, 1.0, most=5.0))(3.0) == 5.0
    assert mean_of(Lognormal(2.0, 1.0, most=5.0)) < mean_of(Lognormal(2.0, 1.0)) == pytest.approx(3.297, rel=0.01)


def test_flags_change_what_they_name_and_nothing_else():
    found = changed(EVEN, {"cpu": 2.0, "page": 3.0, "sigma": 0.5, "pause": 0.0})
    assert mean_of(found.cpu) == pytest.approx(2.0, rel=0.01)
    assert found.page == Lognormal(3.0, 0.5)
    assert (found.pause, found.gpu_seconds, found.reply) == (0.0, 0.5, Lognormal(4.0, 0.5))
    kept = msgspec.structs.replace(EVEN, page=Measured((1.0, 2.0)))
    assert changed(kept, {"sigma": 0.5}).page == Measured((1.0, 2.0))


def test_advice_names_what_steps_wait_for():
    def predict(farm: Farm):
        return roll_out(farm, EVEN, msgspec.structs.replace(TEN, trajectories=80), "asynchronous")

    few_cpus = Farm(cpus=1, browsers=32, gpus=32)
    advice = advise(few_cpus, EVEN, predict(few_cpus), predict)
    assert advice.bottleneck == "cpus"
    assert advice.browsers_per_cpu == pytest.approx(0.9 * 8)
    balanced = Farm(cpus=32, browsers=16, gpus=32)
    advice = advise(balanced, EVEN, predict(balanced), predict)
    assert advice.bottleneck == "browsers"
    assert advice.gates.infer[0] <= 16
    assert "infer = [" in advice.gates.toml()


def test_attempts_that_are_given_up_were_not_made():
    work = Work(trajectories=400, complete=0.5, grace=1.0)
    farm = Farm(cpus=128, browsers=256, gpus=24)
    for way in ("asynchronous", "lockstep"):
        found = roll_out(farm, FITTED, work, way)
        assert 200 <= found.trajectories < 300
        assert found.trajectories_per_hour == pytest.approx(60 * found.trajectories / found.minutes)
        whole = roll_out(farm, FITTED, msgspec.structs.replace(work, complete=1.0), way)
        assert (whole.trajectories, whole.steps > found.steps) == (400, True)


def test_pages_that_cost_no_processor_set_no_limit_to_browsers():
    costs = changed(EVEN, {"cpu": 0.0})

    def predict(farm: Farm):
        return roll_out(farm, costs, TEN, "asynchronous")

    advice = advise(ROOMY, costs, predict(ROOMY), predict)
    assert advice.browsers_per_cpu == advice.browsers_per_cpu_most == math.inf


@pytest.mark.parametrize(
    ("shortest", "longest", "mean"), [(2, 30, 13.2), (1, 300, 200), (1, 300, 3), (1, 5000, 4999), (7, 7, 7)]
)
def test_lengths_of_any_range_have_the_mean_that_is_asked_for(shortest: int, longest: int, mean: float):
    cumulative = length_weights(shortest, longest, mean)
    weights = [more - less for less, more in itertools.pairwise((0.0, *cumulative))]
    found = sum(length * weight for length, weight in enumerate(weights, shortest)) / cumulative[-1]
    assert found == pytest.approx(mean, rel=1e-3)


def test_cost_is_that_of_the_whole_farm():
    farm = Farm(cpus=10, browsers=8, gpus=2, trainer_gpus=1)
    found = roll_out(farm, EVEN, TEN, "asynchronous")
    assert cost(found, Prices(cpu=1.0, gpu=10.0)) == pytest.approx(40 * 1000 / found.trajectories_per_hour)


def test_gates_let_in_what_hardly_ever_happens():
    costs = changed(EVEN, {"reply": 0.02, "gpu_seconds": 0.01})
    alone = Farm(cpus=4, browsers=1, gpus=1)

    def predict(farm: Farm):
        return roll_out(farm, costs, TEN, "asynchronous")

    found = predict(alone)
    assert found.replies_at_once == 0
    assert advise(alone, costs, found, predict).gates.infer == (1, 1)
