"""One suite for every judge: the fake, the website itself, a model with a rubric, both, and the examples'."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from examples.own_judge import AnswerLength, EveryScreenshotSeen
from tests.hermetic_setups import hermetic_setup

from webgym.judge.rubric import open_rubric_judge
from webgym.judge.settings import JudgeSettings
from webgym.llm.config import ModelConfig, Retries
from webgym.records.trajectory import Attempt
from webgym.run.complete_verdicts import CompleteVerdictJudge
from webgym.run.episodes import exact_judge
from webgym.run.second_judge import WithSecondJudge
from webgym.stages import Judge
from webgym.testing.conformance import JUDGE_CHECKS, JudgeCall, JudgeCheck, JudgeExample
from webgym.testing.judge_cases import JudgeCase, made_case
from webgym.testing.rollouts import FakeJudge
from webgym.testing.vlm import ScriptedVlm, serving_vlm
from webgym.testing.vlm_world import World
from webgym_hermetic.catalogue import site
from webgym_hermetic.tasks.generate import tasks_of

pytestmark = pytest.mark.anyio
Opened = AbstractAsyncContextManager[tuple[Judge, JudgeExample]]


def judged(case: JudgeCase) -> JudgeCall:
    return JudgeCall(case.attempt, case.steps, case.answer or "", case.last)


def plain(make: Callable[[], Judge]) -> Callable[[], Opened]:
    @asynccontextmanager
    async def opened() -> AsyncGenerator[tuple[Judge, JudgeExample]]:
        yield make(), JudgeExample()

    return opened


@asynccontextmanager
async def exact() -> AsyncGenerator[tuple[Judge, JudgeExample]]:
    """On a site that nobody did anything to."""
    yield _exact()


def _exact() -> tuple[Judge, JudgeExample]:
    where = site("shop", 6)
    attempt = Attempt("exact/0", next(iter(tasks_of(where))))
    untouched = JudgeCall(attempt, JudgeExample().judged.steps, "Done.")
    return exact_judge(hermetic_setup(attempt, where)), JudgeExample(untouched, ((untouched, False),))


@asynccontextmanager
async def rubric() -> AsyncGenerator[tuple[Judge, JudgeExample]]:
    """A scripted model that sees what pictures show, over HTTP."""
    world = World()
    cases = [made_case(number, world, story=story) for number, story in enumerate(("good", "missing", "wrong"))]
    pictures = {address: data for case in cases for address, data in case.pictures.items()}
    known = tuple((judged(case), case.outcome == "success") for case in cases)
    async with serving_vlm(ScriptedVlm(world)) as server:
        model = ModelConfig(servers=(server.url,), model="scripted", retries=Retries(tries=2, pause=0.01))
        async with open_rubric_judge(JudgeSettings(model=model, all_shown=20), pictures.get) as judge:
            yield judge, JudgeExample(known[0][0], known)


@asynccontextmanager
async def both() -> AsyncGenerator[tuple[Judge, JudgeExample]]:
    first, example = _exact()
    async with rubric() as (second, _):
        yield WithSecondJudge(first, second), example


IMPLEMENTATIONS = [
    pytest.param(plain(lambda: FakeJudge(bool)), id="fake"),
    pytest.param(plain(AnswerLength), id="answer-length"),
    pytest.param(plain(EveryScreenshotSeen), id="every-screenshot-seen"),
    pytest.param(plain(lambda: CompleteVerdictJudge(AnswerLength())), id="whole"),
    pytest.param(exact, id="exact"),
    pytest.param(rubric, id="rubric"),
    pytest.param(both, id="both"),
]


@pytest.fixture(scope="module", params=IMPLEMENTATIONS)
async def implementation(request, anyio_backend) -> AsyncGenerator[tuple[Judge, JudgeExample]]:
    async with request.param() as made:
        yield made


@pytest.mark.parametrize("check", JUDGE_CHECKS, ids=lambda check: check.__name__)
async def test_it_behaves_like_a_judge(implementation: tuple[Judge, JudgeExample], check: JudgeCheck):
    await check(*implementation)
