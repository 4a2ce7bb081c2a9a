"""A shelf is in step with a folder that others write into."""

from __future__ import annotations

import time

import pytest
import torch
from policies.nano.tests.learn.pages import SMALL, page, small_settings, write_shard

from webgym.errors import DoesNotFit, TrainingError
from webgym.records.lesson import Lesson
from webgym_nano.learn.lesson_buffer import LessonBuffer, held_out
from webgym_nano.learn.letters import letters_of
from webgym_nano.learn.settings import ShelfSettings
from webgym_nano.learn.words import Words

CPU = torch.device("cpu")


def shelf_of(folder, **shelf):
    settings = small_settings(shelf=ShelfSettings(**({"lessons": 32, "held_lessons": 16, "held_out": 0.0} | shelf)))
    return LessonBuffer(folder, SMALL, settings, Words(), CPU)


def until(shelf, wanted, patience=20.0):
    end = time.monotonic() + patience
    while not wanted() and time.monotonic() < end:
        if not shelf.take():
            time.sleep(0.02)
    assert wanted()


@pytest.fixture
def started(tmp_path):
    shelves = []

    def start(**settings):
        shelf = shelf_of(tmp_path, **settings)
        shelves.append(shelf)
        shelf.start()
        shelf.wait_until_scanned(20)
        return shelf

    yield start
    for shelf in shelves:
        shelf.stop()


def texts(pile):
    words = Words()
    stack = pile.at(pile.places)
    return [
        words.decode(tokens[: int(line[0, 2])].tolist()) for tokens, line in zip(stack.tokens, stack.table, strict=True)
    ]


def test_new_shards_are_seen_and_deleted_ones_dropped(tmp_path, started):
    first = write_shard(tmp_path, 1, [page(number) for number in range(3)])
    shelf = started()
    assert len(shelf.train) == 3
    write_shard(tmp_path, 2, [page(number) for number in range(3, 8)])
    until(shelf, lambda: len(shelf.train) == 8)
    first.unlink()
    until(shelf, lambda: len(shelf.train) == 5)
    expected = [page(number).ask for number in range(3, 8)]
    assert [text.startswith(ask) for text, ask in zip(texts(shelf.train), expected, strict=True)] == [True] * 5
    assert shelf.seen == 8


def test_only_the_newest_lessons_are_kept(tmp_path, started):
    for number in range(5):
        write_shard(tmp_path, number + 1, [page(number), page(number + 10)])
    shelf = started(lessons=6)
    assert len(shelf.train) == 6
    found = texts(shelf.train)
    assert all(page(number).ask in "".join(found) for number in (2, 3, 4, 12, 13, 14))
    assert torch.equal(shelf.train.places.unique(), torch.arange(6))


def test_a_sample_is_the_same_for_the_same_seed(tmp_path, started):
    write_shard(tmp_path, 1, [page(number) for number in range(8)])
    shelf = started()
    one, same, other = (shelf.train.sample(64, torch.Generator().manual_seed(seed)) for seed in (1, 1, 2))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)
    assert len(one.unique()) == 8


def test_held_out_websites_are_never_learned_from(tmp_path, started):
    sites = [f"site-{number}.test" for number in range(40)]
    held = {site for site in sites if held_out(site, 0.25)}
    assert 3 < len(held) < 20
    write_shard(tmp_path, 1, [page(number, site=site) for number, site in enumerate(sites)])
    shelf = started(held_out=0.25, lessons=64, held_lessons=64)
    assert (len(shelf.train), len(shelf.held)) == (40 - len(held), len(held))
    asked = {page(number, site=site).ask for number, site in enumerate(sites) if site in held}
    assert {text.partition("<|assistant|>")[0] for text in texts(shelf.held)} == asked


def test_what_cannot_be_read_is_passed_over(tmp_path, started, caplog):
    (tmp_path / "lessons-1-1.msgpack").write_bytes(b"nonsense")
    good = page(1)
    write_shard(tmp_path, 2, [Lesson(b"no picture", "a.test", good.questions), good])
    other = page(1, SMALL.__class__(width=64, height=64))
    write_shard(tmp_path, 3, [other])
    (tmp_path / "lessons-1-4.msgpack.draft").write_bytes(b"half")
    shelf = started()
    assert len(shelf.train) == 1
    assert shelf.left_out == 2
    assert "which cannot be read" in caplog.text


def test_a_folder_that_is_not_there_yet_is_empty(tmp_path, started):
    shelf = started()
    assert len(shelf.train) == 0
    write_shard(tmp_path, 1, [page(1)])
    until(shelf, lambda: len(shelf.train) == 1)


def test_more_lessons_than_there_is_memory_for_are_refused_with_how_many_would_fit(tmp_path):
    with pytest.raises(DoesNotFit, match=r"need \d+\.\d GiB of memory, .* are free: set shelf\.lessons=\d+"):
        shelf_of(tmp_path, lessons=10**9)


def test_reading_that_takes_too_long_is_told(tmp_path):
    with pytest.raises(TrainingError, match="took longer than 0 s"):
        shelf_of(tmp_path).wait_until_scanned(0.3)


def test_letters_are_spread_over_their_line_by_their_usual_widths():
    found = list(letters_of("iW ok", (8, 16, 36, 28), SMALL))
    assert [chr(letter.kind + ord("!")) for letter in found] == list("iWok")
    assert {letter.row for letter in found} == {2}
    columns = [letter.column for letter in found]
    assert columns == sorted(columns)
    assert columns[0] == 2
    assert columns[-1] == 8


def test_a_box_that_is_no_line_tells_nothing_about_letters():
    assert not list(letters_of("Hi", (0, 0, 120, 10), SMALL))
    assert not list(letters_of("A long paragraph", (0, 0, 60, 80), SMALL))
    assert not list(letters_of("", (0, 0, 60, 8), SMALL))
