"""What judges found that were asked afterwards, in the viewer."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.viewer.made_rows import row
from tests.unit.viewer.made_runs import META, Scribe, verdict
from tests.unit.viewer.made_verdicts import ALL_SUPPORTED, MUGS, rubric_verdict, write_judged

from webgym.records.judgement import Judgement
from webgym.records.trajectory import Attempt, Failure, JudgeUnknown, Success, Truncation
from webgym.records.verdict import Verdict
from webgym.run.judging.judgement_log import JUDGEMENTS, LOG_FILE, Plan, open_judgement_log
from webgym.run.judging.stored_judgements import StoredJudgements
from webgym.store.write import open_writer
from webgym.viewer.judgements import graded_otherwise
from webgym.viewer.library import Library

pytestmark = pytest.mark.anyio
PLAN = Plan("judged", "rubric:other", "c0ffee", {}, 0.0)


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
async def run(anyio_backend, tmp_path):
    return await write_judged(tmp_path / "judged")


def judge_again(run, *judgements):
    with open_judgement_log(run / JUDGEMENTS / "other", PLAN) as log:
        for one in judgements:
            log.keep(one)


MISSED = rubric_verdict(MUGS, ("contradicted", *ALL_SUPPORTED[1:]))


async def test_a_judge_that_was_asked_afterwards_is_shown_beside_the_one_that_counts(run):
    library = Library(run.parent, StoredJudgements())
    assert [judge.counts for judge in library.run("judged").attempt("plain").judges] == [True]
    judge_again(run, Judgement("plain", Success()), Judgement("fooled", Failure("one"), MISSED))
    counting, later = library.run("judged").attempt("fooled").judges
    assert (counting.counts, counting.says) == (True, "success")
    assert (later.counts, later.says, later.facts["1.0"].found) == (False, "failure", "contradicted")
    _, empty = library.run("judged").attempt("plain").judges
    assert (empty.name, empty.facts) == ("other", {})


async def test_attempts_that_it_would_have_rewarded_otherwise_are_found(run):
    library = Library(run.parent, StoredJudgements())
    assert set(library.run("judged").listed().said) == {"both"}
    judge_again(run, Judgement("fooled", Failure("one"), MISSED), Judgement("missed", JudgeUnknown("cut off")))
    assert set(library.run("judged").listed().said) == {"both", "fooled"}


async def test_judgements_that_cannot_be_read_hide_nothing_else(run):
    judge_again(run, Judgement("fooled", Failure("one"), MISSED))
    (run / JUDGEMENTS / "other" / LOG_FILE).write_bytes(b"no database at all, but long enough to look like one" * 40)
    opened = Library(run.parent, StoredJudgements()).run("judged")
    assert len(opened.listed().rows) == 5
    assert len(opened.attempt("fooled").judges) == 1


def test_who_came_to_no_verdict_differs_not():
    rows = [row(1, "success"), row(2, "failure"), row(3, "truncated"), row(4, "infrastructure"), row(5, None)]
    theirs = {
        "a": {"a-1": "judge_unknown", "a-2": "success", "a-3": "failure", "a-4": "success"},
        "b": {"a-1": "blocked"},
    }
    assert graded_otherwise(rows, theirs) == ["a-2"]
    assert graded_otherwise(rows, {}) == []


async def test_what_two_judges_differ_on_is_found_although_the_last_attempt_has_no_answer(tmp_path: Path):
    both = Verdict(verdict(MUGS, 5).facts, judge="exact", second=rubric_verdict(MUGS, ALL_SUPPORTED))
    async with open_writer(tmp_path / "both", META) as writer:
        scribe = Scribe(writer)
        await scribe.attempt(Attempt("differs", MUGS), Failure("a fact is missing"), answer="Two mugs", said=both)
        await scribe.attempt(Attempt("no answer", MUGS), Truncation("steps"), held=5)
    assert Library(tmp_path).run("both").listed().said["differs"].tags == ("unlabelled", "disagree")
