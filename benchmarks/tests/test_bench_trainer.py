"""The benchmark of the trainer measures both loops on the same rows, and says what went wrong."""

from __future__ import annotations

import pytest
import torch

from webgym.errors import ConfigError
from webgym.train.rows import row_of
from webgym.train.shape import shape_of
from webgym_bench.trainer.compare import Comparison, ratios, sizes_of
from webgym_bench.trainer.measure import measure
from webgym_bench.trainer.plain import PlainLoop
from webgym_bench.trainer.report import line, table
from webgym_bench.trainer.sizes import SIZES
from webgym_bench.trainer.spec import Found, Spec
from webgym_bench.trainer.work import SMALL, WEB, count, make_rows


def found(system: str, speed: float, error: str = "") -> Found:
    return Found(system, "2b", error=error, tokens_per_second=speed, cpu_seconds=1.0, memory_gb=10.0)


@pytest.mark.parametrize(("name", "kind"), [("tiny", SMALL), ("2b", WEB), ("8b", WEB)])
def test_rows_are_as_described_and_fit_their_model(name, kind):
    config = SIZES[name]()
    samples = make_rows(6, kind, config, seed=1)
    assert samples == make_rows(6, kind, config, seed=1)
    assert samples != make_rows(6, kind, config, seed=2)
    for number, sample in enumerate(samples):
        assert kind.pictures.least <= len(sample.pictures) <= kind.pictures.most
        assert kind.reply.least <= len(sample.sampled) // 4 <= kind.reply.most
        row_of(number, sample, [kind.grid] * len(sample.pictures), shape_of(config))
    tokens, patches = count(samples, kind)
    assert patches == sum(len(sample.pictures) for sample in samples) * kind.grid[0] * kind.grid[1]
    assert tokens > patches // 4


@pytest.mark.parametrize("system", ["plain", "packed"])
def test_both_loops_are_measured_on_a_processor(system):
    got = measure(Spec(system, "tiny", rows=2, plain_rows=2, seconds=1.0, steps=1, device="cpu"))
    assert not got.error
    assert got.steps == 1
    assert got.tokens_per_second == pytest.approx(got.tokens / got.seconds)
    assert got.utilisation == pytest.approx(got.useful_tflops / got.peak_tflops)
    assert got.memory_gb > 0
    assert "tokens/s" in line(got)


def test_what_takes_the_time_of_a_step_is_written_if_asked_for(tmp_path):
    spec = Spec(
        "packed", "tiny", rows=1, plain_rows=1, seconds=1.0, steps=1, device="cpu", profile=str(tmp_path / "in")
    )
    assert not measure(spec).error
    assert "aten::" in (tmp_path / "in" / "tiny-packed.txt").read_text()


def test_pictures_of_the_plain_loop_are_ready_before_it_is_timed(monkeypatch):
    config = SIZES["tiny"]()
    samples = make_rows(2, SMALL, config, seed=1)
    loop = PlainLoop(config, SMALL, torch.device("cpu"), torch.float32, rows=2)

    def drawn(*_, **__):
        raise AssertionError("noise was drawn within a step")

    monkeypatch.setattr(torch, "randn", drawn)
    assert loop.step(samples) > 0


def test_ratios_are_of_those_that_came_to_an_end():
    some = [found("plain", 100.0), found("packed", 300.0), found("compiled", 0.0, error="out of memory")]
    assert [(each.system, each.tokens_per_second) for each in ratios(some)] == [("packed", 3.0)]
    assert ratios(some[1:]) == []
    assert "out of memory" in line(some[2])


def test_sizes_that_do_not_exist_are_refused():
    assert sizes_of(["8b", "tiny"], "cpu") == ("8b", "tiny")
    assert sizes_of([], "cpu") == ("tiny",)
    with pytest.raises(ConfigError, match="70b"):
        sizes_of(["70b"], "cpu")


def test_the_table_shows_what_was_measured_and_what_was_not():
    some = (found("plain", 100.0), found("packed", 250.0), found("compiled", 0.0, error="lost"))
    made = table(Comparison(some, tuple(ratios(some)), ("8b packed",)))
    assert made.row_count == 4
    assert "2.50x" in list(made.columns[-1].cells)
