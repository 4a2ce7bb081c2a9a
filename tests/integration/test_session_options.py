"""Every option of a session does what it says."""

from __future__ import annotations

import json

import pytest
from tests.integration.sessions import button, driving

from webgym.errors import RequestError
from webgym.records.action import NewTab
from webgym.records.observation import Viewport
from webgym.records.session import Determinism, Geolocation, Look

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]


async def evaluate(chromium, pages, expression: str, **spec) -> str:
    """What a page of such a session finds."""
    script = f"<script>(async()=>{{document.title=await ({expression})}})()</script>"
    async with driving(chromium, start_url=pages.page(script), **spec) as session:
        return (await session.do()).title


@pytest.mark.parametrize(
    ("spec", "expression", "found"),
    [
        ({"viewport": Viewport(800, 600)}, "innerWidth+'x'+innerHeight", "800x600"),
        ({"locale": "de-DE"}, "navigator.language+(1.5).toLocaleString()", "de-DE1,5"),
        ({"timezone": "Asia/Tokyo"}, "String(new Date(0).getHours())", "9"),
        ({}, "Intl.DateTimeFormat().resolvedOptions().timeZone+navigator.language", "UTCen-US"),
        ({"color_scheme": "dark"}, "String(matchMedia('(prefers-color-scheme: dark)').matches)", "true"),
        ({"color_scheme": "light"}, "String(matchMedia('(prefers-color-scheme: dark)').matches)", "false"),
        ({"user_agent": "Tester/1.0"}, "navigator.userAgent", "Tester/1.0"),
        (
            {"permissions": ("notifications",)},
            "navigator.permissions.query({name:'notifications'}).then(p=>p.state)",
            "granted",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_an_option_is_seen_by_pages(chromium, pages, spec, expression, found):
    assert await evaluate(chromium, pages, expression, **spec) == found


async def test_the_geolocation_is_given_to_pages_that_may_have_it(chromium, pages):
    ask = (
        "new Promise((y,n)=>navigator.geolocation.getCurrentPosition(p=>y(p.coords.latitude+','+p.coords.longitude),n))"
    )
    spec = {"geolocation": Geolocation(48.5, 9.25), "permissions": ("geolocation",)}
    # Pages of this machine count as secure, so they may ask.
    assert await evaluate(chromium, pages, ask, **spec) == "48.5,9.25"


async def test_headers_go_with_every_request(chromium, pages):
    pages.put("/image.png", b"")
    async with driving(chromium, headers={"X-Run": "7"}, start_url=pages.page("<img src=/image.png>")) as session:
        await session.do()
    asked = [request for request in pages.requests if request.path in ("/", "/image.png")]
    assert [request.headers.get("X-Run") for request in asked] == ["7", "7"]


async def test_the_same_seed_gives_the_same_random_numbers(chromium, pages):
    draw = "[Math.random(),crypto.getRandomValues(new Uint32Array(2)),crypto.randomUUID()].join()"
    first = await evaluate(chromium, pages, draw, determinism=Determinism(seed=1))
    assert first == await evaluate(chromium, pages, draw, determinism=Determinism(seed=1))
    assert first != await evaluate(chromium, pages, draw, determinism=Determinism(seed=2))


async def test_the_clock_starts_at_the_epoch_and_runs(chromium, pages):
    clock = (
        "new Promise(done=>{let a=Date.now();setTimeout(()=>done(JSON.stringify([a,+new Date(),"
        "performance.timeOrigin+performance.now(),"
        "Date.parse(new Intl.DateTimeFormat('en-US',{dateStyle:'long'}).format()),"
        "new Date(0).getTime(),new Date() instanceof Date,typeof Date()])),300)})"
    )
    epoch = 1_000_000_000_000
    text = await evaluate(chromium, pages, clock, determinism=Determinism(epoch_milliseconds=epoch))
    before, after, performance, written, zero, instance, kind = json.loads(text)
    assert epoch <= before <= epoch + 30_000
    assert 290 <= after - before < 5000
    assert abs(performance - after) < 1000
    assert abs(written - epoch) < 2 * 86_400_000
    assert (zero, instance, kind) == (0, True, "string")


async def test_the_clock_goes_on_from_page_to_page(chromium, pages):
    url = pages.page("<script>document.title=Date.now()</script>")
    async with driving(chromium, start_url=url, determinism=Determinism(epoch_milliseconds=10**12)) as session:
        first = int((await session.do()).title)
        second = int((await session.go(url)).title)
        third = int((await session.do(NewTab(url))).title)
    assert first < second < third < first + 60_000


@pytest.mark.parametrize(
    "spec",
    [
        {"timezone": "Mars/Olympus"},
        {"permissions": ("telepathy",)},
        {"storage_state": "{"},
        {"storage_state": "[]"},
        {"storage_state": '{"cookies": [{"name": 1}]}'},
        {"viewport": Viewport(0, 0)},
        {"viewport": Viewport(100_000, 100)},
    ],
    ids=str,
)
async def test_options_that_make_no_sense_are_refused_and_leave_nothing_behind(chromium, pages, spec):
    with pytest.raises(RequestError):
        async with driving(chromium, **spec):
            pass
    async with driving(chromium) as session:
        assert (await session.go(pages.page("x", title="fine"))).title == "fine"


async def test_popups_and_frames_have_the_injected_functions_too(chromium, pages):
    draw = "<script>document.title=Math.random()</script>"
    pages.page(draw, "/draw")
    spec = {"determinism": Determinism(seed=3)}
    async with driving(chromium, start_url=pages.page(button("window.open('/draw')"), "/opener"), **spec) as session:
        await session.do()
        popup = (await session.click()).title
        assert (await session.go(pages.url("/draw"))).title == popup


async def test_injected_names_cannot_be_listed(chromium, pages):
    find = "Object.keys(window).filter(k=>/^_[0-9a-f]{16}$/.test(k)).length+''"
    assert await evaluate(chromium, pages, find) == "0"


async def test_natives_still_look_native(chromium, pages):
    names = "[fetch,setTimeout,setInterval,clearTimeout,XMLHttpRequest.prototype.send,Element.prototype.attachShadow]"
    native = f"String({names}.every(f=>/\\[native code\\]/.test(Function.prototype.toString.call(f))))"
    assert await evaluate(chromium, pages, native) == "true"


async def test_the_state_key_is_not_visible_to_pages(chromium, pages):
    async with driving(chromium, state_key="secret-key", start_url=pages.page("x")) as session:
        await session.do(None, Look())
    assert not any("secret-key" in str(request.headers) for request in pages.requests)
