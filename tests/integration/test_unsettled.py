"""Pages that do not settle in time: what they wait for is told, and a late machine is not held against them."""

from __future__ import annotations

import time

import anyio
import pytest
from aiohttp import web
from tests.integration.sessions import button

from webgym.browser.server.chromium import lateness
from webgym.records.observation import PageChange
from webgym.records.session import Look

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

SHORT = Look(screenshot=None, settle_seconds=0.6)
IMAGE = "document.body.append(Object.assign(new Image(90, 90), {src: '/silence?4'}))"

PENDING = {
    "a request": ("fetch('/silence?secret=1')", ("GET 127.0.0.1:PORT/silence",)),
    "requests": (
        "for(const at of [1,2])fetch('/silence/'+at);let x=new XMLHttpRequest();x.open('POST','/silence');x.send()",
        ("GET 127.0.0.1:PORT/silence/1", "GET 127.0.0.1:PORT/silence/2", "POST 127.0.0.1:PORT/silence"),
    ),
    "no more than a few": (
        "for(let i=0;i<9;i++)fetch('/silence/'+i)",
        tuple(f"GET 127.0.0.1:PORT/silence/{at}" for at in range(4)),
    ),
    "timers": ("setTimeout(()=>1,1400);setTimeout(()=>1,1450)", ("2 timers",)),
    "an image": (IMAGE, ("image",)),
    "an animation": ("document.body.animate([{opacity:1},{opacity:.5}],{duration:1900})", ("animation",)),
    "a script": (
        "document.body.append(Object.assign(document.createElement('script'),{src:'/silence'}))",
        ("script or style sheet",),
    ),
    "a worker": (
        "new Worker(window.URL.createObjectURL(new Blob(['onmessage=()=>0']))).postMessage(0)",
        ("reply of a socket or worker",),
    ),
}


OF_THE_KERNEL = lateness.counts


def machine(monkeypatch: pytest.MonkeyPatch, *, late: bool) -> None:
    """A machine on which this process has waited nine times as long as it ran, or not at all."""
    began = time.monotonic_ns()

    def counts() -> tuple[int, int]:
        passed = time.monotonic_ns() - began
        return (passed, 9 * passed) if late else (passed, 0)

    monkeypatch.setattr(lateness, "counts", counts)


@pytest.fixture(autouse=True)
def _quiet_machine(monkeypatch: pytest.MonkeyPatch):
    machine(monkeypatch, late=False)


@pytest.mark.parametrize("case", PENDING)
async def test_what_a_page_still_waits_for_is_told(session, pages, case):
    code, pending = PENDING[case]
    for path in ("/silence", *(f"/silence/{at}" for at in range(9))):
        pages.silence(path)
    await session.go(pages.page(button(code)))
    seen = await session.click(look=SHORT)
    assert not seen.settled
    assert seen.pending == tuple(what.replace("PORT", str(pages.port)) for what in pending)


@pytest.mark.parametrize(("host", "where"), [("127.0.0.1", ""), ("localhost", " in a frame")])
async def test_what_frames_still_wait_for_is_told(session, pages, host, where):
    pages.silence("/silence")
    inner = pages.page("<script>onmessage=()=>fetch('/silence')</script>", "/inner").replace("127.0.0.1", host)
    await session.go(pages.page(button("frames[0].postMessage(1,'*')") + f"<iframe src='{inner}'></iframe>"))
    seen = await session.click(look=SHORT)
    assert (seen.settled, seen.pending) == (False, (f"GET {host}:{pages.port}/silence{where}",))


async def test_a_document_that_never_ends_is_told(session, pages):
    seen = await session.go(pages.trickle("/endless", "<!doctype html><title>endless</title>text"), SHORT)
    assert (seen.title, seen.settled, seen.pending[0]) == ("endless", False, "document")


async def test_a_page_that_breaks_what_it_is_told_with_is_observed_all_the_same(session, pages):
    pages.silence("/silence")
    broken = "Array.from=Set.prototype.add=String.prototype.replace=()=>{throw 1};fetch('/silence')"
    await session.go(pages.page(button(f"document.title='broken';{broken}")))
    seen = await session.click(look=SHORT)
    assert (seen.title, seen.settled) == ("broken", False)
    assert isinstance(seen.effect, PageChange)


BUSY = (
    "let n=0;(function f(){const t=Date.now();while(Date.now()-t<250);"
    "if(++n<11)setTimeout(f,1);else document.title='done'})()"
)
"""A page that has 2.75 s of work, in pieces."""
LATE = Look(screenshot=None, settle_seconds=1.6)


async def test_a_page_whose_timers_are_late_gets_more_time_on_a_late_machine(session, pages, monkeypatch):
    await session.go(pages.page(button(BUSY)))
    machine(monkeypatch, late=True)
    seen = await session.click(look=LATE)
    assert (seen.title, seen.settled, seen.pending) == ("done", True, ())


async def test_a_page_whose_timers_are_late_gets_no_more_time_on_another_machine(session, pages, monkeypatch):
    await session.go(pages.page(button(BUSY)))
    machine(monkeypatch, late=False)
    seen = await session.click(look=LATE)
    assert (seen.title, seen.settled) == ("Test", False)
    assert seen.pending


async def test_the_later_the_machine_the_more_time_for_what_a_page_cannot_know_to_be_late(monkeypatch):
    given: list[float] = []
    for waited in (0, 4, 6, 8, 10):
        passed = iter(((0, 0), *[((10 - waited) * 10**9, waited * 10**9)] * 2))
        monkeypatch.setattr(lateness, "counts", lambda passed=passed: next(passed))
        limit = lateness.Limit(5.0)
        deadline = limit.deadline
        monkeypatch.setattr(limit, "_began", deadline - 10.0)  # as if 5 s over the time
        assert limit.extend() == (waited > 5)
        given.append(round(limit.deadline - deadline, 1))
    assert given == [0.0, 0.0, 1.0, 3.0, 5.0]


async def test_more_time_is_at_most_as_much_again(session, pages, monkeypatch):
    endless = "setInterval(()=>{const t=Date.now();while(Date.now()-t<250);fetch('/silence')},1)"
    pages.silence("/silence")
    await session.go(pages.page(button(endless)))
    machine(monkeypatch, late=True)
    began = time.monotonic()
    seen = await session.click(look=Look(screenshot=None, settle_seconds=1))
    assert not seen.settled
    assert time.monotonic() - began < 2 + 2.5  # and what the page takes to answer


async def test_a_document_that_loads_slowly_gets_more_time_on_a_late_machine_only(session, pages, monkeypatch):
    async def slow(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/html"})
        await response.prepare(request)
        await response.write(b"<!doctype html><title>begun</title>" + b" " * 2000)
        await anyio.sleep(2.2)
        await response.write(b"<title>x</title><script>document.title='done'</script>")
        return response

    url = pages.serve("/slow", slow)
    machine(monkeypatch, late=False)
    assert (await session.go(url, LATE)).title == "begun"
    machine(monkeypatch, late=True)
    seen = await session.go(url, LATE)
    assert (seen.title, seen.settled) == ("done", True)


def test_the_kernel_tells_how_long_this_thread_ran():
    before = OF_THE_KERNEL()
    until = time.thread_time() + 0.05
    while time.thread_time() < until:
        pass
    ran = OF_THE_KERNEL()[0] - before[0]
    assert before == (0, 0) or 10_000_000 < ran < 1_000_000_000


async def test_where_the_kernel_does_not_tell_no_time_is_added(monkeypatch, tmp_path):
    monkeypatch.setattr(lateness, "counts", OF_THE_KERNEL)
    monkeypatch.setattr(lateness, "_COUNTS", tmp_path / "missing")
    assert lateness.counts() == (0, 0)
    limit = lateness.Limit(5.0)
    deadline = limit.deadline
    assert not limit.extend(3.0)
    assert limit.deadline == deadline
