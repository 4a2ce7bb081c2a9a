"""What the docs say about curves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.unit.curves.made import iteration, run

from webgym.curves.file import read
from webgym.curves.tracker import flat

TEXT = (Path(__file__).parents[3] / "docs/curves.md").read_text()


@pytest.mark.anyio
async def test_the_example_runs(tmp_path, capsys):
    async def learn():
        for one in run(3):
            yield one

    named = {"learn": learn}
    exec(re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)[0], named)
    await named["train"](tmp_path)
    assert read(tmp_path / "curve.jsonl") == run(3)
    assert "Buy a mug" in (tmp_path / "report.html").read_text()
    assert list((tmp_path / "tensorboard").iterdir())
    assert "token=" in capsys.readouterr().out


def test_every_name_shown_is_one_that_is_written():
    shown = set(re.findall(r"`(\w+(?:/\w+)+)`", TEXT.split("## Names")[1]))
    assert len(shown) > 5
    assert shown <= flat(iteration(3)).keys()
