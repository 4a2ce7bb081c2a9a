"""Which attempts a check consists of, and which of them share a browser session."""

from __future__ import annotations

from collections import Counter

from webgym_hermetic.checks.jobs import Scope, jobs, rows

SCOPE = Scope(families=("mail",), per_family=6, random_episodes=4)
JOBS = list(jobs(SCOPE))


def test_every_job_is_in_one_row():
    assert [job for row in rows(JOBS) for job in row] == JOBS


def test_a_row_is_of_one_task_at_one_size():
    assert all(len({(job.site.name, job.task.task_id, job.viewport) for job in row}) == 1 for row in rows(JOBS))


def test_only_those_who_do_nothing_come_before_the_oracle_and_one_that_strays_comes_last():
    others = [[job.kind for job in row] for row in rows(JOBS) if row[0].kind != "random"]
    assert all(set(kinds[: kinds.index("oracle")]) <= {"noop"} for kinds in others)
    assert all(kinds.index("perturbed") == len(kinds) - 1 for kinds in others)


def test_a_random_clicker_has_a_session_of_its_own():
    alone = [row for row in rows(JOBS) if any(job.kind == "random" for job in row)]
    assert len(alone) == SCOPE.random_episodes
    assert {len(row) for row in alone} == {1}


def test_random_clickers_try_easy_tasks():
    assert {job.task.level for job in JOBS if job.kind == "random"} == {"easy"}


def test_every_fact_of_a_task_on_one_site_is_left_out_once():
    scope = Scope(families=("mail",), per_family=6, kinds=("spoiled",), sites_per_template=1)
    left_out = Counter((job.task.task_id, job.spoiled) for job in jobs(scope))
    assert set(left_out.values()) == {1}
    facts = {job.task.task_id: job.task.difficulty for job in jobs(scope)}
    assert Counter(task for task, _ in left_out) == facts
