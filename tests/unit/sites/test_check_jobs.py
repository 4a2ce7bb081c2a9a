"""Which attempts a check consists of, and which of them share a browser session."""

from __future__ import annotations

from collections import Counter

from webgym.pipeline.hermetic.jobs import Scope, jobs, rows

SCOPE = Scope(families=("mail",), per_family=6, random_episodes=4)
TODO = list(jobs(SCOPE))


def test_every_job_is_in_one_row():
    assert [job for row in rows(TODO) for job in row] == TODO


def test_a_row_is_of_one_task_at_one_size():
    assert all(len({(job.site.name, job.task.task_id, job.viewport) for job in row}) == 1 for row in rows(TODO))


def test_agents_that_may_go_back_are_the_first_in_their_session():
    assert all(not job.strays for row in rows(TODO) for job in row[1:])
    assert Counter(row[0].kind for row in rows(TODO))["random"] == SCOPE.random_episodes


def test_every_fact_of_a_task_on_one_site_is_left_out_once():
    scope = Scope(families=("mail",), per_family=6, kinds=("spoiled",), sites_per_template=1)
    left_out = Counter((job.task.task_id, job.spoiled) for job in jobs(scope))
    assert set(left_out.values()) == {1}
    facts = {job.task.task_id: job.task.difficulty for job in jobs(scope)}
    assert Counter(task for task, _ in left_out) == facts
