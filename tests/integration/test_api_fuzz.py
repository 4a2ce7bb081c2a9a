"""Requests that schemathesis makes up from the OpenAPI document: none is answered by 500, none harms a neighbour."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import aiohttp
import anyio
import anyio.to_thread
import pytest
from tests.child_environment import child_environment
from tests.fleets import TOKENS, fleet_of

from webgym.browser import wire
from webgym.browser.client import BrowserClient
from webgym.concurrency import background

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]
SECONDS = 15
CLICK = b'{"action": {"kind": "click", "target": {"kind": "point", "x": 1, "y": 1}}}'


def fuzz(url: str, document: Path) -> subprocess.CompletedProcess[str]:
    """Run all phases of schemathesis."""
    command = [sys.executable, "-m", "schemathesis.cli", "run", str(document), "--url", url]
    command += ["--checks", "not_a_server_error", "--max-time", str(SECONDS), "--max-examples", "20", "--seed", "1"]
    command += ["--header", f"Authorization: Bearer {TOKENS.client}", "--no-color", "--no-shrink", "--workers", "1"]
    command += ["--generation-database", "none", "--request-timeout", "30", "--continue-on-failure"]
    environment = child_environment(
        SCHEMATHESIS_HOOKS="tests.integration.api_fuzz_hooks",
        WEBGYM_TEST_URL=url,
        WEBGYM_TEST_TOKEN=TOKENS.client,
        COVERAGE_PROCESS_START="",
    )
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200, check=False)


async def steps(client: BrowserClient, raw: aiohttp.ClientSession, url: str, taken: list[int]) -> None:
    """Take steps, one after the other, through the gateway, whose connections to the node they share."""
    async with client.open() as session:
        headers = {wire.FENCE: "1", "Content-Type": wire.JSON}
        while True:
            async with raw.post(f"{url}/v1/sessions/{session.name}/step", data=CLICK, headers=headers) as answer:
                assert answer.status == 200, await answer.text()
            taken.append(1)


async def test_no_request_is_answered_by_an_error_of_ours_and_a_neighbour_goes_on(tmp_path: Path):
    taken: list[int] = []
    headers = {"Authorization": f"Bearer {TOKENS.client}"}
    async with (
        fleet_of(max_sessions=48, sessions_per_worker=48) as (fleet, client),
        aiohttp.ClientSession(headers=headers) as raw,
        background() as tasks,
    ):
        async with raw.get(f"{fleet.url}/openapi.json") as answer:
            (document := tmp_path / "openapi.json").write_bytes(await answer.read())
        tasks.start_soon(steps, client, raw, fleet.url, taken)
        done = await anyio.to_thread.run_sync(partial(fuzz, fleet.url, document))
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
        assert "11 passed" in done.stdout, "every operation was covered"
        before = len(taken)
        with anyio.fail_after(10):
            while len(taken) == before:
                await anyio.sleep(0.05)
