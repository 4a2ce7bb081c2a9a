"""Disk that a run is told to need: for all weights that it keeps."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from webgym.errors import DoesNotFit
from webgym.train.estimate import DiskRetention, Work, check, estimate
from webgym.train.settings import TrainerSettings
from webgym.train.shape import shape_of
from webgym_bench.trainer.sizes import SIZES


@pytest.mark.parametrize(("keep", "published"), [(1, 5), (2, 5), (4, 7)])
def test_published_weights_count_as_often_as_they_may_lie_there(keep, published):
    """The newest, the last evaluated, the best, and one that is being written."""
    shape = shape_of(SIZES["8b"]())
    found = estimate(shape, TrainerSettings(), Work(rows=1, tokens=10, patches=10), kept=DiskRetention(keep))
    weights = found.disk_bytes - (keep + 1) * found.checkpoint_bytes
    assert weights == published * 2 * shape.parameters


def test_weights_that_wait_for_their_evaluation_count_too():
    shape = shape_of(SIZES["2b"]())
    usual, later = (
        estimate(
            shape, TrainerSettings(), Work(rows=1, tokens=10, patches=10), kept=DiskRetention(deferred=deferred)
        ).disk_bytes
        for deferred in (0, 15)
    )
    assert later - usual == 15 * 2 * shape.parameters


def test_what_an_interrupted_run_has_written_already_is_not_needed_again(tmp_path, monkeypatch):
    found = estimate(shape_of(SIZES["8b"]()), TrainerSettings(), Work(rows=1, tokens=10, patches=10))
    half = found.disk_bytes // 2
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=half + 10))
    with pytest.raises(DoesNotFit, match="disk"):
        check(found, room=None, folder=tmp_path)
    check(found, room=None, folder=tmp_path, written=half)
