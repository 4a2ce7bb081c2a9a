"""The curve on disk."""

from __future__ import annotations

import math
import os

import msgspec
import pytest
from tests.unit.curves.made import iteration, run

from webgym.curves.file import append, read
from webgym.errors import StoreError


def with_figures(number: int, **figures: float):
    one = iteration(number)
    return msgspec.structs.replace(one, learned=msgspec.structs.replace(one.learned, figures=figures))


def test_what_was_appended_is_read_again(tmp_path):
    path = tmp_path / "run" / "curve.jsonl"
    for one in run(4):
        append(path, one)
    assert read(path) == run(4)
    assert len(path.read_bytes().splitlines()) == 5


def test_there_is_nothing_before_the_first_iteration(tmp_path):
    assert read(tmp_path / "curve.jsonl") == []


def test_each_line_is_on_disk_before_the_next_thing_happens(tmp_path, monkeypatch):
    path, synced = tmp_path / "curve.jsonl", []
    fsync = os.fsync

    def watching(file: int) -> None:
        fsync(file)
        synced.append(os.fstat(file).st_size)

    monkeypatch.setattr(os, "fsync", watching)
    append(path, iteration(1))
    assert synced[0] == path.stat().st_size


@pytest.mark.parametrize("kept", [1, 40, -1])
def test_a_half_written_line_is_left_out_and_gives_way_to_the_next_one(tmp_path, kept):
    path = tmp_path / "curve.jsonl"
    append(path, iteration(1))
    whole = path.read_bytes()
    append(path, iteration(2))
    path.write_bytes(whole + path.read_bytes()[len(whole) :][:kept])
    assert read(path) == [iteration(1)]
    append(path, iteration(2))
    append(path, iteration(3))
    assert read(path) == [iteration(1), iteration(2), iteration(3)]


def test_a_half_written_first_line_is_left_out_however_long_it_is(tmp_path):
    path = tmp_path / "curve.jsonl"
    path.write_bytes(b'{"iteration": 1, "x": "' + b"y" * 10_000)
    assert read(path) == []
    append(path, iteration(1))
    assert read(path) == [iteration(1)]


def test_an_iteration_that_was_done_again_counts_as_it_was_done_last(tmp_path):
    path = tmp_path / "curve.jsonl"
    again = msgspec.structs.replace(iteration(2), version=77)
    for one in (iteration(1), iteration(2), iteration(3), again):
        append(path, one)
    assert read(path) == [iteration(1), again, iteration(3)]


def test_a_damaged_line_is_named(tmp_path):
    path = tmp_path / "curve.jsonl"
    append(path, iteration(1))
    path.write_bytes(path.read_bytes() + b'{"iteration": "two"}\n')
    append(path, iteration(3))
    with pytest.raises(StoreError, match="line 2"):
        read(path)


def test_a_line_of_a_newer_version_is_refused(tmp_path):
    path = tmp_path / "curve.jsonl"
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(iteration(1), version_of=9)) + b"\n")
    with pytest.raises(StoreError, match="version 9"):
        read(path)


def test_fields_of_later_writers_are_passed_over(tmp_path):
    path = tmp_path / "curve.jsonl"
    append(path, iteration(1))
    path.write_bytes(path.read_bytes().replace(b'{"iteration":1', b'{"mood":"good","iteration":1', 1))
    assert read(path) == [iteration(1)]


def test_a_figure_that_is_no_number_is_left_out_rather_than_losing_the_file(tmp_path):
    path = tmp_path / "curve.jsonl"
    append(path, with_figures(1, loss=math.nan, grad_norm=math.inf, entropy=0.5))
    assert read(path) == [with_figures(1, entropy=0.5)]


def test_an_iteration_that_could_not_be_read_again_is_not_written(tmp_path):
    path = tmp_path / "curve.jsonl"
    append(path, iteration(1))
    with pytest.raises(StoreError, match="steps_per_second"):
        append(path, msgspec.structs.replace(iteration(2), steps_per_second=math.nan))
    assert read(path) == [iteration(1)]
