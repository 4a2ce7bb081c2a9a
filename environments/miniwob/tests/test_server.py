"""What an attempt can and cannot ask of the server."""

from __future__ import annotations

import re

import aiohttp
import pytest

from webgym.errors import TransportError
from webgym.stages import AttemptSetup

pytestmark = pytest.mark.anyio
WON = {"reward": 1.0}


@pytest.fixture
async def http():
    async with aiohttp.ClientSession() as client:
        yield client


def base_of(setup: AttemptSetup) -> str:
    return setup.attempt.task.website.rpartition("/miniwob/")[0]


async def nonce_of(http: aiohttp.ClientSession, setup: AttemptSetup) -> str:
    """Load the page's first script, as the page does."""
    async with http.get(f"{base_of(setup)}/core/core.js") as response:
        found = re.search(r'"nonce": "([^"]+)"', await response.text())
    assert found
    return found[1]


async def report(http: aiohttp.ClientSession, setup: AttemptSetup, nonce: str, said: object = WON) -> int:
    async with http.post(f"{base_of(setup)}/report", json=said, headers={"X-Episode": nonce}) as response:
        return response.status


async def status(http: aiohttp.ClientSession, address: str) -> int:
    async with http.get(address) as response:
        return response.status


async def test_each_attempt_has_an_address_of_its_own_and_reaches_nothing_else(prepared, running):
    async with prepared("miniwob/click-test/0") as one, prepared("miniwob/click-test/0") as other:
        assert one.attempt.task.website != other.attempt.task.website
        assert one.spec.start_url == one.attempt.task.website
        assert one.spec.destinations == running.egress.allow


async def test_an_attempt_is_served_its_own_page_alone_and_only_while_it_lasts(prepared, http):
    async with prepared("miniwob/click-test/0") as setup:
        address, base = setup.attempt.task.website, base_of(setup)
        assert await status(http, address) == 200
        assert await status(http, f"{base}/core/core.css") == 200
        assert await status(http, f"{base}/miniwob/click-button.html") == 404
        assert await status(http, f"{base}/core/../../__init__.py") == 404
        assert await status(http, f"{base}/core/%2e%2e/%2e%2e/__init__.py") == 404
    assert await status(http, address) == 404


async def test_a_reward_is_believed_only_with_the_nonce_of_the_latest_load(prepared, http):
    async with prepared("miniwob/click-test/0") as setup, prepared("miniwob/click-test/0") as other:
        older = await nonce_of(http, setup)
        nonce = await nonce_of(http, setup)
        strange = await nonce_of(http, other)
        for wrong in ("", "guessed", older, strange):
            assert await report(http, setup, wrong) == 403
        assert not (await setup.state.read()).done
        assert await report(http, setup, nonce) == 204
        assert (await setup.state.read()).done
        assert not (await other.state.read()).done


@pytest.mark.parametrize("said", [{"reward": "1"}, {"score": 1}, [], "won"])
async def test_a_malformed_report_is_refused(prepared, http, said):
    async with prepared("miniwob/click-test/0") as setup:
        assert await report(http, setup, await nonce_of(http, setup), said) == 400
        assert not (await setup.state.read()).done


async def test_reports_cannot_be_made_by_navigating(prepared, http):
    async with prepared("miniwob/click-test/0") as setup:
        await nonce_of(http, setup)
        assert await status(http, f"{base_of(setup)}/report?reward=1") == 404


async def test_the_first_reward_counts(prepared, http):
    async with prepared("miniwob/click-test/0") as setup:
        assert await report(http, setup, await nonce_of(http, setup), {"reward": -1.0}) == 204
        assert await report(http, setup, await nonce_of(http, setup)) == 204
        assert (await setup.state.read()).reward == -1.0


async def test_after_a_reset_the_page_that_was_open_is_not_believed(prepared, http):
    async with prepared("miniwob/click-test/0") as setup:
        nonce = await nonce_of(http, setup)
        assert await report(http, setup, nonce) == 204
        await setup.state.reset()
        assert not (await setup.state.read()).done
        assert await report(http, setup, nonce) == 403
        assert await report(http, setup, await nonce_of(http, setup)) == 204


@pytest.mark.parametrize(
    ("name", "reward", "success", "credit"),
    [
        ("click-test", 1.0, True, 1.0),
        ("click-test", 0.999, False, 0.999),
        ("click-test", -1.0, False, 0.0),
        ("click-checkboxes", 0.5, False, 0.5),
        ("circle-center", 0.85, True, 0.85),
        ("circle-center", 0.5, False, 0.5),
    ],
)
async def test_the_reward_decides_and_part_of_it_is_partial_credit(prepared, http, name, reward, success, credit):
    async with prepared(f"miniwob/{name}/0") as setup:
        await report(http, setup, await nonce_of(http, setup), {"reward": reward})
        verdict = await setup.judge.judge(setup.attempt, (), None, "")
        assert (verdict.success, verdict.credit) == (success, credit)


async def test_an_attempt_that_never_saw_its_page_is_not_judged(prepared):
    async with prepared("miniwob/click-test/0") as setup:
        with pytest.raises(TransportError, match="did not reach"):
            await setup.judge.judge(setup.attempt, (), None, "")
