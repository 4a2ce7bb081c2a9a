"""One schema, read and written without loss."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webgym.errors import TaskSetError
from webgym.records.task import FactGroup
from webgym.records.task_row import Provenance, TaskRow
from webgym.tasks.columns import rows_of, table_of
from webgym.tasks.extra import extra_of, revised
from webgym.tasks.lines import read_lines, write_lines
from webgym.tasks.problem import BadEntry, Problem
from webgym.tasks.published import FIELDS, read_published, write_published
from webgym.tasks.sets import check_hash, open_set, read_card, save_set, set_of

HERE = Provenance(source="webgym", licence="CDLA-Permissive-2.0", file="train.jsonl", line=3)
ROW = {
    "benchmark_name": "PAE-WebVoyager",
    "task_name": "Find the opening hours.",
    "domain": "Lifestyle",
    "subdomain": "Food",
    "website": "https://www.example.com/",
    "definite_answer": None,
    "task_id": 17,
    "evaluator_reference": [{"id": 1, "description": "hours", "facts": ["Opens at 9.", "Closes at 17."]}],
    "difficulty": 2,
    "task_id_decomposed_from": None,
}

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
name = text.filter(str.strip)
json_value = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
group = st.fixed_dictionaries(
    {"id": st.integers(-(2**40), 2**40) | text, "description": text, "facts": st.lists(name, min_size=1, max_size=4)},
    optional={"weight": st.floats(0, 1)},
)
published = st.fixed_dictionaries(
    {
        "task_name": name,
        "evaluator_reference": name | st.lists(name | group | st.fixed_dictionaries({"description": name}), min_size=1),
    },
    optional={
        "benchmark_name": text | st.none(),
        "domain": text | st.none(),
        "subdomain": text | st.none(),
        "website": st.sampled_from(["", None, "example.com", " https://a.example.org/x?y=1 ", "HTTP://localhost:8/"]),
        "definite_answer": st.none() | text | st.integers(0, 9) | st.lists(text, max_size=2),
        "task_id": st.integers() | text,
        "difficulty": st.integers(0, 90) | st.floats(0, 9) | st.none(),
        "task_id_decomposed_from": st.none() | st.integers(0, 9) | text,
        "distribution": text,
        "webgym": json_value,
    },
)
with_more = st.builds(lambda more, known: {**more, **known}, st.dictionaries(text, json_value, max_size=3), published)
row = st.builds(
    TaskRow,
    task_id=name,
    instruction=name,
    website=st.sampled_from(["", "https://example.com/", "http://shop.localhost/"]),
    rubric=st.lists(
        st.builds(FactGroup, st.integers(-9, 9), text, st.lists(name, min_size=1, max_size=3).map(tuple)),
        max_size=3,
        unique_by=lambda group: group.id,
    ).map(tuple),
    benchmark=text,
    domain=text,
    subdomain=text,
    answer=st.none() | text,
    decomposed_from=st.none() | name,
    split=st.sampled_from(["", "train", "test"]),
    template=text,
    exact=text,
    original=text,
    sealed=text,
    inferred=st.lists(text, max_size=2).map(tuple),
    provenance=st.builds(Provenance, text, text, text, st.integers(0, 10**9), text, text),
)


def same(left: object, right: object) -> bool:
    """Equal as JSON text, so that 1, 1.0 and true differ."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


@given(with_more)
@settings(max_examples=120, deadline=None)
def test_whatever_the_published_format_says_is_written_back_exactly(given_fields: dict[str, object]):
    try:
        read = read_published(given_fields, HERE)
    except BadEntry:
        return  # `webgym` happened to look like ours
    [again] = rows_of(table_of([read]))
    assert again == read
    assert same(write_published(again, ours=False), given_fields)


def read_rows(path: Path) -> Iterator[TaskRow | Problem]:
    for number, found in read_lines(path):
        if isinstance(found, Problem):
            yield found
            continue
        try:
            yield read_published(found, Provenance(file=path.name, line=number))
        except BadEntry as error:
            yield Problem(path.name, number, str(error))


@given(st.lists(row, max_size=5))
@settings(max_examples=40, deadline=None)
def test_our_rows_survive_parquet_and_json_lines(tmp_path_factory: pytest.TempPathFactory, rows: list[TaskRow]):
    folder = tmp_path_factory.mktemp("set")
    write_lines(folder / "rows.jsonl", rows_of(table_of(rows)))
    assert list(read_rows(folder / "rows.jsonl")) == rows


def test_a_published_row_has_exactly_the_published_fields():
    written = write_published(read_published(ROW, HERE), ours=False)
    assert tuple(written) == FIELDS
    assert same(written, ROW)


def test_the_number_of_facts_decides_difficulty_and_level():
    read = read_published(ROW, HERE)
    assert (read.difficulty, read.level) == (2, "easy")
    many = {**ROW, "evaluator_reference": [{"id": 1, "description": "", "facts": ["x"] * 7}]}
    assert read_published(many, HERE).level == "hard"


def test_a_new_website_is_written_though_the_old_one_was_null():
    read = read_published({**ROW, "website": None}, HERE)
    assert write_published(read, ours=False)["website"] is None
    assert write_published(revised(read, website="https://x.example/"), ours=False)["website"] == "https://x.example/"


def test_a_new_rubric_takes_its_published_difficulty_along():
    read = read_published({**ROW, "difficulty": 9, "colour": "red"}, HERE)
    assert write_published(read, ours=False)["difficulty"] == 9
    new = revised(read, rubric=(FactGroup(1, "", ("a",)),))
    assert write_published(new, ours=False)["difficulty"] == 1
    assert extra_of(new).fields == {"task_id": 17, "colour": "red"}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"task_name": None}, "the instruction is missing"),
        ({"task_name": 5}, "the instruction is not a string"),
        ({"task_name": " "}, "the instruction is empty"),
        ({"task_name": "x" * 2**20}, "1,048,576 characters"),
        ({"website": "not a website"}, "'not a website' is no address"),
        ({"website": "https://"}, "is no address"),
        ({"website": "javascript:alert(1)"}, "is no address"),
        ({"website": 5}, "website is not a string"),
        ({"evaluator_reference": []}, "the rubric .* is empty"),
        ({"evaluator_reference": {"a": 1}}, "not a list of fact groups"),
        ({"evaluator_reference": [{"id": 1, "description": "x", "facts": []}]}, "fact group 1 has no facts"),
        (
            {"evaluator_reference": [{"id": 1, "description": "x", "facts": [5]}]},
            "a fact that is empty or not a string",
        ),
        ({"difficulty": "three"}, "difficulty is not a number"),
        ({"task_id": [1]}, "task_id is neither"),
    ],
)
def test_what_is_wrong_with_a_row_is_said(change: dict[str, object], why: str):
    with pytest.raises(BadEntry, match=why):
        read_published({**ROW, **change}, HERE)


def test_bad_lines_are_reported_with_their_number_and_the_rest_is_kept(tmp_path: Path):
    good = json.dumps(ROW).encode()
    path = tmp_path / "bad.jsonl"
    lines = [b"\xef\xbb\xbf" + good, b'{"task_name": "x"', b"", b'{"task_name": "\xff"}', b"[1]", b'"\\ud800"', good]
    path.write_bytes(b"\n".join(lines))
    found = list(read_rows(path))
    assert [one.line for one in found if isinstance(one, Problem)] == [2, 4, 5, 6]
    assert [one.provenance.line for one in found if isinstance(one, TaskRow)] == [1, 7]
    said = [str(one) for one in found if isinstance(one, Problem)]
    assert said[0].startswith("bad.jsonl:2: broken JSON")
    assert said[1] == "bad.jsonl:4: not in UTF-8"
    assert said[2] == "bad.jsonl:5: not a JSON object"


def test_a_set_is_a_folder_with_a_card_that_counts_and_proves_it(tmp_path: Path):
    rows = [read_published({**ROW, "task_id": n, "website": f"https://a{n}.example.com/"}, HERE) for n in range(5)]
    save_set(set_of("mine", rows, ("written by hand",)), tmp_path / "mine")
    again = open_set(tmp_path / "mine")
    assert list(again.rows()) == rows
    assert again.made == ("written by hand",)
    card = read_card(tmp_path / "mine")
    assert card is not None
    assert (card.rows, card.websites, card.levels["easy"], card.licences) == (5, 1, 5, {"CDLA-Permissive-2.0": 5})
    assert check_hash(tmp_path / "mine")
    (tmp_path / "mine" / "tasks.parquet").write_bytes(b"PAR1")
    assert not check_hash(tmp_path / "mine")
    with pytest.raises(TaskSetError, match="cannot be read"):
        open_set(tmp_path / "mine")


def test_a_set_is_not_overwritten_unless_asked_and_nothing_else_ever_is(tmp_path: Path):
    tasks = set_of("mine", [read_published(ROW, HERE)])
    save_set(tasks, tmp_path / "mine")
    with pytest.raises(TaskSetError, match="already exists"):
        save_set(tasks, tmp_path / "mine")
    save_set(tasks, tmp_path / "mine", replace=True)
    (tmp_path / "home").mkdir()
    with pytest.raises(TaskSetError, match="already exists"):
        save_set(tasks, tmp_path / "home", replace=True)


def test_a_set_that_is_replaced_is_not_deleted_before_the_new_one_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    tasks = set_of("mine", [read_published(ROW, HERE)])
    folder, rename = tmp_path / "mine", Path.rename
    save_set(tasks, folder)

    def killed(self: Path, target: Path) -> Path:
        if target == folder:
            raise OSError("killed")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", killed)
    with pytest.raises(OSError, match="killed"):
        save_set(tasks, folder, replace=True)
    assert len(open_set(tmp_path / ".mine.old")) == 1


def test_a_split_is_named_behind_a_colon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("WEBGYM_HOME", str(tmp_path))
    rows = [revised(read_published({**ROW, "task_id": n}, HERE), split="test" if n else "train") for n in range(3)]
    save_set(set_of("mine", rows), tmp_path / "tasks" / "mine")
    assert len(open_set("mine")) == 3
    assert [one.task_id for one in open_set("mine:test").rows()] == ["1", "2"]
    with pytest.raises(TaskSetError, match="no split 'dev'; it has test, train"):
        open_set("mine:dev")
    with pytest.raises(TaskSetError, match="there is no task set 'yours'"):
        open_set("yours")
