"""Runs both judges on the same attempts. Their requests are counted at the model server."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

import anyio.to_thread
from webgym_hermetic.checks.spread import spread

from webgym.judge.calibration.agreement import JudgedQuestion, agreement
from webgym.judge.rubric import open_rubric_judge
from webgym.judge.settings import JudgeSettings
from webgym.llm.client import open_client
from webgym.llm.config import ModelConfig
from webgym.records.trajectory import Trajectory
from webgym.store.statistics import Interval, paired_difference
from webgym.testing.vlm import ScriptedVlm, serving_vlm
from webgym_bench.judge.conditions import Conditions
from webgym_bench.judge.published import PublishedPipeline
from webgym_bench.judge.published_replies import published_reply
from webgym_bench.judge.synthetic_attempts import SyntheticAttempt
from webgym_bench.judge.work import Work, make_work

Progress = Callable[[str, int, int], None]
Judge = Callable[[Trajectory], Awaitable[bool]]
Open = Callable[[str, Work], AbstractAsyncContextManager[Judge]]


@dataclass(frozen=True, slots=True)
class Measured:
    """The cost and the accuracy of one judge."""

    name: str
    calls: int
    pictures: int
    picture_bytes: int
    rewarded: dict[str, bool]
    """Whether the judge rewarded each attempt, by attempt id."""
    truth: dict[str, bool]

    @property
    def right(self) -> dict[str, float]:
        return {name: float(self.rewarded[name] is true) for name, true in self.truth.items()}

    def as_json(self) -> dict[str, object]:
        n = len(self.truth)
        found = agreement([JudgedQuestion(name, true, self.rewarded[name]) for name, true in self.truth.items()])
        return {
            "calls": round(self.calls / n, 3),
            "pictures": round(self.pictures / n, 3),
            "picture_kilobytes": round(self.picture_bytes / n / 1000, 1),
            "accuracy": _interval(found.accuracy),
            "false_positive_rate": _interval(found.false_positive_rate),
            "false_negative_rate": _interval(found.false_negative_rate),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Our judge against the published pipeline."""

    conditions: Conditions
    ours: Measured
    published: Measured
    steps: float
    """Mean screenshots per attempt; `facts` likewise."""
    facts: float

    @property
    def difference(self) -> Interval:
        """Difference in accuracy, ours minus published, paired by attempt."""
        return paired_difference(self.published.right, self.ours.right)

    def as_json(self) -> dict[str, object]:
        difference = self.difference
        return {
            "attempts": len(self.ours.truth),
            "mean_steps": round(self.steps, 2),
            "mean_facts": round(self.facts, 2),
            "calls_ratio": round(self.ours.calls / self.published.calls, 4),
            "image_bytes_ratio": round(self.ours.picture_bytes / self.published.picture_bytes, 4),
            "accuracy_difference": round(difference.estimate, 4),
            "accuracy_difference_low": round(difference.low, 4),
            "accuracy_difference_high": round(difference.high, 4),
            "within_noise": difference.low <= 0.0 <= difference.high,
            "ours": self.ours.as_json(),
            "published": self.published.as_json(),
            "false_positive": self.conditions.false_positive,
            "false_negative": self.conditions.false_negative,
            "seed": self.conditions.seed,
        }


async def compare(conditions: Conditions, progress: Progress) -> Comparison:
    progress("drawing attempts", 0, 0)
    work = await anyio.to_thread.run_sync(make_work, conditions)
    ours = await _measured("ours", _ours, work, conditions, progress)
    published = await _measured("published", _published, work, conditions, progress)
    tasks = [one.trajectory.attempt.task for one in work.attempts]
    steps = sum(len(one.trajectory.steps) for one in work.attempts) / len(tasks)
    return Comparison(conditions, ours, published, steps, sum(task.difficulty for task in tasks) / len(tasks))


async def _measured(
    name: str,
    opened: Open,
    work: Work,
    conditions: Conditions,
    progress: Progress,
) -> Measured:
    vlm = ScriptedVlm(
        work.world,
        false_positive=conditions.false_positive,
        false_negative=conditions.false_negative,
        also=published_reply,
        seed=conditions.seed,
    )
    rewarded: dict[str, bool] = {}
    async with serving_vlm(vlm) as server, opened(server.url, work) as judge:

        async def one(drawn: SyntheticAttempt) -> None:
            rewarded[drawn.trajectory.attempt.attempt_id] = await judge(drawn.trajectory)
            progress(name, len(rewarded), len(work.attempts))

        await spread(work.attempts, conditions.concurrency, one)
        return Measured(name, server.count, vlm.pictures, vlm.picture_bytes, rewarded, work.truth)


@asynccontextmanager
async def _ours(url: str, work: Work) -> AsyncGenerator[Judge]:
    settings = JudgeSettings(model=ModelConfig(servers=(url,), model="scripted"))
    async with open_rubric_judge(settings, work.pictures.get) as rubric:

        async def judge(trajectory: Trajectory) -> bool:
            answer = trajectory.ending.answer or ""
            return (await rubric.judge(trajectory.attempt, trajectory.steps, None, answer)).success

        yield judge


@asynccontextmanager
async def _published(url: str, work: Work) -> AsyncGenerator[Judge]:
    async with open_client(ModelConfig(servers=(url,), model="scripted")) as client:
        yield PublishedPipeline(client, work.pictures).judge


def _interval(found: Interval) -> dict[str, float]:
    return {"estimate": round(found.estimate, 4), "low": round(found.low, 4), "high": round(found.high, 4)}
