"""The benchmark of task sets measures what it says, on sets like the published one."""

from __future__ import annotations

import itertools
import json
from collections import Counter

import pytest
from typer.testing import CliRunner

from webgym.cli.main import app
from webgym.tasks.websites import site_of
from webgym_bench.tasks.synthetic import BIG_HOSTS, rows


def test_a_synthetic_set_has_the_skew_and_the_levels_of_the_published_one():
    made = list(itertools.islice(rows(3000, 0), 3000))
    sites = Counter(site_of(one.website) for one in made)
    large = [site for site, number in sites.most_common(BIG_HOSTS) if number > 10]
    assert len(large) == BIG_HOSTS
    assert sum(sites[site] for site in large) == pytest.approx(1000, rel=0.1)
    levels = Counter(one.level for one in made)
    assert levels["easy"] == pytest.approx(2361, rel=0.05)
    assert levels["hard"] == pytest.approx(69, rel=0.4)
    assert len({one.instruction for one in made}) < 2900


def test_its_last_line_has_every_figure():
    done = CliRunner().invoke(app, ["bench", "tasks", "--rows", "3000", "--json"])
    assert done.exit_code == 0, done.output
    figures = json.loads(done.stdout.splitlines()[-1])
    names = "load_seconds split_seconds clean_seconds decompose_per_second draw_1024_ms peak_rss_mb"
    assert all(figures[name] > 0 for name in names.split())
    assert figures["rows"] == 3000
    assert sum(figures["dropped"].values()) > 100
