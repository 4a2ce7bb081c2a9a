"""Child processes of the benchmarks."""

import sys

import anyio
import pytest

from webgym_bench import child

STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("127.0.0.1:1", flush=True)
time.sleep(600)
"""


@pytest.mark.anyio
async def test_a_child_that_does_not_end_when_asked_is_killed(monkeypatch):
    monkeypatch.setattr(child, "END_SECONDS", 0.2)
    with anyio.fail_after(30):
        async with child.child([sys.executable, "-c", STUBBORN]) as process:
            assert await child.announced(process, seconds=20) == "127.0.0.1:1"
    assert process.returncode == -9
