"""What docs/learning.md says is so."""

from __future__ import annotations

import re
import typing
from pathlib import Path

import pytest

from webgym.algorithms.registry import ESTIMATORS
from webgym.buffer.advantages import GroupAdvantages, score
from webgym.buffer.groups import Fate
from webgym.errors import SampleProblem
from webgym.records.sample import Aggregation
from webgym.train.diagnostics import TokenFigures
from webgym.train.recipe import PRESETS, Correction, GroupSource

PAGE = (Path(__file__).parents[3] / "docs/learning.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def rows(column: str) -> list[list[str]]:
    lines = PAGE.split(f"\n| {column} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip().strip("`") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def first(column: str) -> tuple[str, ...]:
    return tuple(row[0] for row in rows(column))


def test_every_choice_is_documented():
    assert first("`estimator`") == tuple(ESTIMATORS)
    assert first("`aggregation`") == typing.get_args(Aggregation)
    assert first("`correction.use`") == typing.get_args(Correction.model_fields["use"].annotation)
    assert first("`problem`") == tuple(SampleProblem)
    assert first("Figure") == TokenFigures.__struct_fields__


def fates() -> set[str]:
    return {one for arg in typing.get_args(Fate) for one in (typing.get_args(arg) or (arg,))}


def test_every_reason_to_drop_a_group_is_documented():
    assert {*first("Fate"), "kept"} == fates()


def test_every_recipe_is_documented_with_its_estimator_and_weights():
    assert first("Recipe") == tuple(PRESETS)
    for name, _, estimator, aggregation, _ in rows("Recipe"):
        source = PRESETS[name].source
        if isinstance(source, GroupSource):
            assert estimator == source.estimator
            assert aggregation.split("`")[0] == source.aggregation


def test_the_figures_of_the_example_are_right():
    scored = score([1.0, 1.0] + [0.0] * 6, "grpo")
    assert isinstance(scored, GroupAdvantages)
    assert f"+{scored.advantages[0]:.3f} and \N{MINUS SIGN}{-scored.advantages[-1]:.3f}" in PAGE


@pytest.mark.parametrize("code", BLOCKS)
def test_the_examples_run(code):
    exec(compile(code, "docs/learning.md", "exec"), {})
