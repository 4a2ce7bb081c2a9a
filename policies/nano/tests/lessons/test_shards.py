"""Shards are whole, bounded in number, and read as they were written."""

from __future__ import annotations

import os

import msgspec
import pytest

from webgym.records.lesson import Lesson, Question
from webgym_nano.lessons.shards import PATTERN, ShardWriter, oldest_first

read = msgspec.msgpack.Decoder(list[Lesson]).decode


def lesson(number: int) -> Lesson:
    question = Question("read <001><002>", "Moor hat", "text", (1, 2, 3, 4))
    return Lesson(
        b"\xff\xd8" + bytes([number]), "shop", (question,), "Buy it", "Hat>c<001><002>", "click", (1, 2, 9, 8)
    )


def test_lessons_are_read_as_they_were_written(tmp_path):
    with ShardWriter(tmp_path / "new", size=3) as shards:
        for number in range(8):
            shards.add(lesson(number))
        assert [len(read(path.read_bytes())) for path in oldest_first(tmp_path / "new")] == [3, 3]
    files = oldest_first(tmp_path / "new")
    assert [file.name for file in files] == [f"lessons-{os.getpid()}-{number:06d}.msgpack" for number in range(3)]
    assert [one for file in files for one in read(file.read_bytes())] == [lesson(number) for number in range(8)]
    assert shards.written == 8
    assert msgspec.msgpack.decode(files[0].read_bytes(), type=list[Lesson]) == [lesson(number) for number in range(3)]


def test_nothing_else_is_left_in_the_folder(tmp_path):
    with ShardWriter(tmp_path, size=2) as shards:
        for number in range(5):
            shards.add(lesson(number))
    assert set(tmp_path.iterdir()) == set(tmp_path.glob(PATTERN))


def test_the_oldest_make_room_also_those_of_others(tmp_path):
    other = tmp_path / "lessons-1-000000.msgpack"
    other.write_bytes(msgspec.msgpack.encode([lesson(99)]))
    os.utime(other, (1, 1))
    with ShardWriter(tmp_path, size=1, most=3) as shards:
        for number in range(5):
            shards.add(lesson(number))
            assert len(list(tmp_path.glob(PATTERN))) <= 3
    kept = [one.picture[-1] for file in oldest_first(tmp_path) for one in read(file.read_bytes())]
    assert sorted(kept) == [2, 3, 4]


def test_what_waits_is_written_even_if_something_broke(tmp_path):
    def broken() -> None:
        with ShardWriter(tmp_path, size=10) as shards:
            shards.add(lesson(1))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        broken()
    assert len(oldest_first(tmp_path)) == 1
