"""Labels of people: kept beside a run, read back whatever happened to the writer."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from webgym.errors import StoreError
from webgym.judge.labels.truth import said
from webgym.records.label import FactRef, Label, Word
from webgym.store.labels import append_label, labels_path, newest, read_labels


def _label(
    verdict: Word, attempt: str = "a", about: FactRef | None = None, who: str = "ada", when: float = 1.0
) -> Label:
    return Label(attempt, verdict, who, when, about)


def test_labels_come_back_as_they_were_written(tmp_path: Path) -> None:
    path = labels_path(tmp_path)
    assert read_labels(path) == []
    given = [
        Label("a-1", "contradicted", "ada", 12.5, FactRef(2, 0), "the price on step 4 is 12", "supported"),
        Label("a-1", "failure", "ada", 13.0, note="two\nlines, and ünïcode"),
    ]
    for label in given:
        append_label(path, label)
    assert read_labels(path) == given


def test_a_word_about_a_fact_is_not_taken_for_an_attempt_nor_the_reverse(tmp_path: Path) -> None:
    path = labels_path(tmp_path)
    with pytest.raises(StoreError, match="whole attempt"):
        append_label(path, _label("supported"))
    with pytest.raises(StoreError, match="not apply to a fact"):
        append_label(path, _label("success", about=FactRef(1, 0)))
    assert not path.exists()


def test_a_line_cut_short_by_a_crash_is_left_out_and_the_next_label_is_whole(tmp_path: Path) -> None:
    path = labels_path(tmp_path)
    append_label(path, _label("success"))
    whole = path.read_bytes()
    for cut in (1, 2, len(whole) // 2, len(whole) - 2):
        path.write_bytes(whole + whole[:cut])
        assert read_labels(path) == [_label("success")]
        append_label(path, _label("failure"))
        assert read_labels(path) == [_label("success"), _label("failure")]


def test_a_damaged_or_newer_line_is_told_by_its_number(tmp_path: Path) -> None:
    path = labels_path(tmp_path)
    append_label(path, _label("success"))
    good = path.read_bytes()
    for bad in (b'{"attempt_id": 5}\n', b'{"attempt_id" "a"}\n', good.replace(b'"version":1', b'"version":99')):
        path.write_bytes(good + bad)
        with pytest.raises(StoreError, match="line 2"):
            read_labels(path)


def test_many_writers_at_once_lose_no_label(tmp_path: Path) -> None:
    path = labels_path(tmp_path)

    def write(who: str) -> None:
        for number in range(5):
            append_label(path, _label("success", f"a-{number}", who=who))

    threads = [threading.Thread(target=write, args=(f"p{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(read_labels(path)) == len({(one.attempt_id, one.who) for one in read_labels(path)}) == 20


def test_the_newest_word_of_a_person_counts_and_a_withdrawn_one_is_gone() -> None:
    fact = FactRef(1, 0)
    labels = [_label("success"), _label("failure", when=2.0), _label("supported", about=fact)]
    assert [one.verdict for one in newest(labels)] == ["failure", "supported"]
    assert [one.verdict for one in newest([*labels, _label("withdrawn", about=fact)])] == ["failure"]


def test_people_make_truth_where_they_agree() -> None:
    fact, other = FactRef(1, 0), FactRef(1, 1)
    labels = [
        _label("supported", about=fact),
        _label("not_shown", about=other),
        _label("unsure", about=other, who="bob"),
        _label("success", "b"),
        _label("failure", "b", who="bob"),
        _label("blocked", "c"),
        _label("supported", "d", about=fact),
    ]
    found = said(labels)
    assert found["a"].facts == {(1, 0): True, (1, 1): False}
    assert found["a"].success is False
    assert found["b"].success is None
    assert found["c"].blocked
    assert found["c"].success is None
    assert found["d"].success is None, "one fact that holds does not make a success"


@pytest.mark.parametrize("word", ["success", "failure"])
def test_there_is_no_truth_where_one_says_blocked_and_one_does_not(word: Word) -> None:
    found = said([_label(word), _label("blocked", who="bob")])["a"]
    assert (found.success, found.blocked) == (None, False)
    more = said([_label(word), _label("blocked", who="bob"), _label(word, who="eve")])["a"]
    assert (more.success, more.blocked) == (word == "success", False)
