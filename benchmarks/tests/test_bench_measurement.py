"""What the benchmark's figures are made of."""

from __future__ import annotations

import io
import subprocess
import sys
import time
from pathlib import Path

import anyio
import psutil
import pytest
from PIL import Image, ImageDraw

from webgym_bench.delays import Delay, between
from webgym_bench.figures import figures, percentile
from webgym_bench.log import EpisodeRecord, StepRecord
from webgym_bench.pages.server import Pages
from webgym_bench.pages.site import Request, Site
from webgym_bench.processes import Memory, Usage, usage
from webgym_bench.script import episode
from webgym_bench.step_counter import CELL, CELLS, LEFT, TOP, read_step

BURN_IN_AN_ORPHAN = """
import subprocess, sys
burn = "import time\\nwhile time.process_time() < 0.5: pass"
leave = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {burn!r}])"
subprocess.run([sys.executable, "-c", leave], check=True)
"""
LEAVE_A_ZOMBIE = """
import os, sys, time
if os.fork() == 0:
    while time.process_time() < 0.3: pass
    os._exit(0)
sys.stdin.read()
"""
MEASURE_IT = f"""
import subprocess, sys, anyio, psutil
from webgym_bench.processes import orphans_adopted, usage
async def main():
    with orphans_adopted():
        before = await usage(leave_out=0)
        subprocess.run([sys.executable, "-c", {BURN_IN_AN_ORPHAN!r}], check=True)
        with anyio.fail_after(40):
            while any(child.status() != psutil.STATUS_ZOMBIE for child in psutil.Process().children()):
                await anyio.sleep(0.05)
        print((await usage(leave_out=0) - before).tree)
    subprocess.run([sys.executable, "-c", {BURN_IN_AN_ORPHAN!r}], check=True)
    assert not psutil.Process().children()
anyio.run(main)
"""


def screenshot(step: int | None, kind: str) -> bytes:
    image = Image.new("RGB", (1280, 768), "white")
    draw = ImageDraw.Draw(image)
    cells = [] if step is None else [True, *(bit == "1" for bit in f"{step:08b}"), True]
    for number, dark in enumerate(cells):
        left = LEFT + CELL * number
        if dark:
            draw.rectangle((left, TOP, left + CELL - 1, TOP + CELL - 1), fill="black")
    out = io.BytesIO()
    image.save(out, kind, quality=80)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["jpeg", "png"])
@pytest.mark.parametrize("step", [None, 0, 1, 8, 170, 255])
def test_the_counter_is_read_off_a_screenshot(step: int | None, kind: str) -> None:
    assert read_step(screenshot(step, kind)) == step
    assert CELLS == 10


def test_delays_depend_on_their_key_alone() -> None:
    tail = Delay(mean=1.0, sigma=0.6)
    drawn = [tail.seconds(0, visit) for visit in range(2000)]

    assert drawn == [tail.seconds(0, visit) for visit in range(2000)]
    assert sum(drawn) / len(drawn) == pytest.approx(1.0, rel=0.1)
    assert max(drawn) > 3 > min(drawn)
    assert Delay(2.0).seconds("any") == 2.0
    assert Delay().seconds("any") == 0.0
    assert 1.0 <= between(1.0, 2.0, "any") <= 2.0


def test_percentiles_are_values_that_occurred() -> None:
    assert percentile([1.0, 2.0, 3.0, 4.0], 0.5) == 2.0
    assert percentile([1.0, 2.0, 3.0, 4.0], 0.95) == 4.0
    assert percentile([], 0.5) == 0.0


def test_failed_steps_count_as_failures_and_in_nothing_else() -> None:
    good = StepRecord("x", 0, 0, 1, "navigate", 0.0, 0.5, size=100)
    early = StepRecord("x", 0, 0, 2, "filter", 0.5, 0.1, size=300, wrong=("title", "pixels"))
    broken = StepRecord("x", 0, 0, 3, "scroll", 0.6, 60.0, failure="deadline")
    closed = EpisodeRecord("x", 0, 0, open_seconds=0.1, failure="transport")
    made = figures(
        [good, early, broken], [closed], Usage({"client": 0.2, "node": 0.8}, 0.2, 4.0), Memory(300.0, 50.0, 9), 2.0, 2
    )

    assert (made.steps, made.steps_per_second, made.cpu_ms_per_step) == (2, 1.0, 500.0)
    assert made.cpu_ms_by == {"client": 100.0, "node": 400.0}
    assert (made.p50_ms, made.p95_ms, made.bytes_per_step) == (100.0, 500.0, 200)
    assert (made.wrong_states, made.wrong_by) == (1, {"title": 1, "pixels": 1})
    assert (made.failures, made.failures_by) == (2, {"deadline": 1, "transport": 1})
    assert made.pss_mb_per_session == 150.0


def test_processor_time_of_orphans_that_ended_is_counted() -> None:
    done = subprocess.run([sys.executable, "-c", MEASURE_IT], capture_output=True, text=True, timeout=60, check=True)

    assert float(done.stdout) > 0.5


def test_processor_time_of_a_page_that_is_not_reaped_yet_is_a_pages(tmp_path: Path) -> None:
    zygote = tmp_path / "chrome"
    zygote.symlink_to(sys.executable)
    command = [str(zygote), "-I", "-S", "-c", LEAVE_A_ZOMBIE, "--type=zygote"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as started:
        deadline = time.monotonic() + 40
        while not any(child.status() == psutil.STATUS_ZOMBIE for child in psutil.Process(started.pid).children()):
            assert time.monotonic() < deadline
            anyio.run(anyio.sleep, 0.05)
        used = anyio.run(usage, 0)

    assert used.by["pages"] > 0.2


def test_every_page_of_the_episode_is_served() -> None:
    site = Site()
    for move in episode(Pages("127.0.0.1:1", 1), visit=7):
        reply = site.reply(Request("GET", move.path, {}, "7"))
        assert (reply.status, reply.media_type) == (200, "text/html; charset=utf-8")
        assert b'id="strip"' in reply.body


def test_replies_wait_the_same_time_in_every_run() -> None:
    def waits(seed: int) -> list[float]:
        return [Site(seed).reply(Request("GET", "/api/orders", {}, str(visit))).wait for visit in range(3)]

    assert waits(0) == waits(0)
    assert waits(0) != waits(1)
    assert all(0.020 <= wait <= 0.150 for wait in waits(0))


def test_the_site_speaks_asgi() -> None:
    sent = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/checkout", "query_string": b"e=3", "headers": []}
    anyio.run(Site(), scope, receive, send)

    assert sent[0]["status"] == 303
    assert (b"location", b"/orders") in sent[0]["headers"]
    assert (b"set-cookie", b"visit=3; Path=/") in sent[0]["headers"]
