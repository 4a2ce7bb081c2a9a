"""Rates and intervals of a run."""

from __future__ import annotations

import pytest

from webgym.run.summary import summarise
from webgym.store.rates import ends_of
from webgym.store.rates import rate as rate_of
from webgym.store.rows import Row


def row(
    number: int, outcome: str | None, *, member: int = 0, level: str = "easy", steps: int = 4, detail: str = ""
) -> Row:
    rewards = {"success": 1.0, "failure": 0.0, "truncated": 0.0}
    return Row(
        attempt_id=f"task-{number}/{member}",
        task_id=f"task-{number}",
        site="a.localhost",
        domain="shop",
        template="t",
        level=level,
        difficulty=1,
        instruction="",
        group=f"task-{number}",
        member=member,
        outcome=outcome,
        detail=detail,
        reward=rewards.get(outcome),
        steps=steps,
        answer=None,
        facts_held=0,
        facts=1,
        began=100.0,
        ended=None if outcome is None else 110.0,
        queued=0.0,
        last_action="click",
        prompt_tokens=0,
        sampled_tokens=10,
        cost=0.0,
        failed_tries=0,
    )


def rate(rows):
    return rate_of(ends_of(rows))


def test_what_says_nothing_about_the_agent_is_in_one_rate_and_not_in_the_other():
    rows = [row(n, kind) for n, kind in enumerate(["success", "failure", "truncated", "blocked", "infrastructure"])]
    summary = summarise([*rows, row(9, None)])
    assert (summary.submitted, sum(summary.outcomes.values()), summary.open) == (6, 5, 1)
    assert (summary.success_over_all.rate, summary.success_over_graded.rate) == (1 / 5, 1 / 3)
    assert (summary.blocked_rate, summary.masked.share) == (1 / 5, pytest.approx(2 / 5))
    assert summary.warnings


def test_a_warning_says_what_most_of_those_without_a_reward_came_to():
    lost = [row(n, "infrastructure", detail="site_unknown") for n in range(3)] + [row(3, "blocked", detail="a\nwall")]
    (warning,) = summarise([*lost, row(4, "success")]).warnings
    assert warning.startswith(
        "80.0% of the attempts have no reward: infrastructure (site_unknown) 3 times, blocked (a wall)"
    )
    assert summarise([row(0, "success")]).warnings == ()


def test_levels_come_in_order():
    rows = [row(1, "success", level="hard"), row(2, "failure"), row(3, "success", level="medium")]
    assert list(summarise(rows).by_level) == ["easy", "medium", "hard"]


def test_repeats_of_a_task_do_not_count_as_independent():
    independent = [row(n, "success" if n % 2 else "failure") for n in range(40)]
    repeated = [row(n, "success" if n % 2 else "failure", member=m) for n in range(10) for m in range(4)]
    narrow, wide = rate(independent), rate(repeated)
    assert narrow.rate == wide.rate == 0.5
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)


def test_repeats_that_all_agree_keep_an_interval():
    same = [row(n, "success", member=m) for n in range(5) for m in range(4)]
    assert rate(same).rate == 1.0
    assert rate(same).low < 0.7


def test_nothing_at_all_is_no_rate():
    assert rate([]).attempts == 0
    assert summarise([]).success_over_all.low == 0.0
