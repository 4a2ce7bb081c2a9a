"""Observations are of a page at rest: never too early, and not late because of what never ends."""

from __future__ import annotations

import io
import time

import anyio
import pytest
from aiohttp import web
from PIL import Image
from playwright.async_api import Frame
from tests.integration.sessions import AREA, button, driving, link

from webgym.browser.server.chromium import session_settle
from webgym.browser.server.chromium.settle import ask, ask_frames
from webgym.records.action import Back, Click, Hover, Point, Reload, Scroll, TypeText
from webgym.records.observation import FailedReason, PageChange
from webgym.records.session import Look

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

DONE = "document.title='done'"

WORK = {
    "a timer": f"setTimeout(()=>{{{DONE}}}, 700)",
    "a chain of timers": f"setTimeout(()=>setTimeout(()=>setTimeout(()=>{{{DONE}}}, 300), 300), 300)",
    "a fetch": f"fetch('/slow').then(r=>r.text()).then(()=>{{{DONE}}})",
    "a fetch whose body is slow": f"fetch('/body').then(r=>r.json()).then(()=>{{{DONE}}})",
    "a fetch after a fetch": f"fetch('/slow').then(()=>fetch('/slow')).then(()=>{{{DONE}}})",
    "a fetch after a timer": f"setTimeout(()=>fetch('/slow').then(()=>{{{DONE}}}), 200)",
    "a timer after a fetch": f"fetch('/slow').then(()=>setTimeout(()=>{{{DONE}}}, 400))",
    "awaiting in turn": f"(async()=>{{for(let i=0;i<4;i++)await new Promise(r=>setTimeout(r,150));{DONE}}})()",
    "an XMLHttpRequest": f"let x=new XMLHttpRequest();x.open('GET','/slow');x.onload=()=>{{{DONE}}};x.send()",
    "an added script": "let s=document.createElement('script');s.src='/slow.js';document.body.append(s)",
    "an idle callback": f"requestIdleCallback(()=>setTimeout(()=>{{{DONE}}},100), {{timeout: 500}})",
    "frames": f"let n=0;(function f(){{document.body.dataset.n=n;if(n++<30)requestAnimationFrame(f);else {DONE}}})()",
    "a short interval": f"let n=0,i=setInterval(()=>{{if(++n==8){{clearInterval(i);{DONE}}}}},100)",
    "a worker": (
        "let w=new Worker(window.URL.createObjectURL(new Blob(['onmessage=()=>setTimeout(()=>postMessage(1),300)'])));"
        f"w.onmessage=()=>{{{DONE}}};w.postMessage(0)"
    ),
    "messages between windows": f"let c=new MessageChannel();c.port1.onmessage=()=>{{{DONE}}};c.port2.postMessage(0)",
    "a history entry and a fetch": f"history.pushState(0,'','/there');fetch('/slow').then(()=>{{{DONE}}})",
}


@pytest.fixture
def slow(pages):
    pages.put("/slow", "x", after=0.6)
    pages.put("/slow.js", DONE, after=0.6, media_type="text/javascript")

    async def body(request):
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(request)
        await response.write(b"[")
        await anyio.sleep(0.6)
        await response.write(b"]")
        return response

    pages.serve("/body", body)
    return pages


@pytest.mark.parametrize("work", WORK)
async def test_a_click_is_observed_when_its_work_is_done(session, slow, work):
    await session.go(slow.page(button(WORK[work])))
    seen = await session.click()
    assert (seen.title, seen.settled) == ("done", True)


@pytest.mark.parametrize("work", WORK)
async def test_a_load_is_observed_when_its_work_is_done(session, slow, work):
    seen = await session.go(slow.page(f"<body><script>onload=()=>{{{WORK[work]}}}</script>"))
    assert (seen.title, seen.settled) == ("done", True)


LEADS = {
    "a link": link("/next"),
    "a script": button("location.href='/next'"),
    "a replacing script": button("location.replace('/next')"),
    "a form": f"<form action='/next'>{button('')}</form>",
    "a script after a timer": button("setTimeout(()=>location='/next', 300)"),
    "a script after a fetch": button("fetch('/slow').then(()=>location='/next')"),
    "a redirect": link("/redirect"),
    "a refresh": link("/refresh"),
    "a page that goes on at once": link("/hop"),
}


@pytest.mark.parametrize("lead", LEADS)
async def test_a_click_that_leads_to_another_page_is_observed_there(session, slow, lead):
    slow.put("/next", "<title>next</title>", after=0.5)
    slow.put("/redirect", "", status=302, headers={"Location": "/next"}, after=0.3)
    slow.put("/refresh", "<meta http-equiv=refresh content='0;url=/next'>", after=0.3)
    slow.put("/hop", "<script>location.replace('/next')</script>", after=0.3)
    await session.go(slow.page(LEADS[lead], title="first"))
    seen = await session.click()
    assert (seen.title, seen.settled) == ("next", True)


async def test_an_answer_that_comes_after_its_document_has_gone_is_not_taken_for_the_next_one(
    session, slow, monkeypatch: pytest.MonkeyPatch
):
    async def late(tab, step, seconds):
        state = await ask(tab, step, seconds)
        with anyio.move_on_after(5):
            while state.title == "first" and clicked and not tab.page.url.endswith("/next"):
                await anyio.sleep(0.01)
            await anyio.sleep(0.05)
        return state

    clicked = False
    monkeypatch.setattr(session_settle, "ask", late)
    slow.put("/next", "<title>next</title>", after=0.5)
    await session.go(slow.page(button("setTimeout(()=>location='/next', 100)"), title="first"))
    clicked = True
    seen = await session.click()
    assert (seen.title, seen.url, seen.settled) == ("next", slow.url("/next"), True)


async def test_going_back_by_script_is_observed_there(session, slow):
    await session.go(slow.page("x", "/one", title="one"))
    await session.go(slow.page(button("history.back()"), "/two", title="two"))
    assert (await session.click()).title == "one"


async def test_an_answer_without_content_ends_the_wait(session, pages):
    pages.put("/nothing", "", status=204, after=0.3)
    await session.go(pages.page(button("location='/nothing'"), title="stays"))
    began = time.monotonic()
    seen = await session.click()
    assert (seen.title, seen.settled) == ("stays", True)
    assert time.monotonic() - began < 2


async def test_images_in_view_are_waited_for(session, pages):
    buffer = io.BytesIO()
    Image.new("RGB", (100, 100), "red").save(buffer, "PNG")
    pages.put("/red.png", buffer.getvalue(), after=0.7, media_type="image/png")
    await session.go(pages.page(button("document.body.innerHTML='<img src=/red.png width=300 height=300>'")))
    capture = await session.session.step(Click(Point(50, 20)), Look(screenshot="png"))
    picture = Image.open(io.BytesIO(capture.blobs[capture.observation.screenshot.address])).convert("RGB")
    assert picture.getpixel((150, 150)) == (255, 0, 0)


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("p.on{background:url(/red.png)}", "document.querySelector('p').className='on'"),
        (".on p{background:url(/red.png)}", "document.body.className='on'"),
        ("p.on::before{content:url(/red.png)}", "document.querySelector('p').className='on'"),
        ("p p{background:url(/red.png)}", "document.querySelector('p').append(document.createElement('p'))"),
    ],
    ids=["a class", "a class above", "a pseudo-element", "an element"],
)
async def test_images_that_styles_name_are_waited_for(session, pages, rule, change):
    buffer = io.BytesIO()
    Image.new("RGB", (300, 300), "red").save(buffer, "PNG")
    pages.put("/red.png", buffer.getvalue(), after=0.7, media_type="image/png")
    style = (
        f"<style>p{{position:absolute;left:0;top:100px;margin:0;width:300px;height:300px}}p p{{top:0}}{rule}</style>"
    )
    await session.go(pages.page(f"{style}<p></p>{button(change)}"))
    capture = await session.session.step(Click(Point(50, 20)), Look(screenshot="png"))
    picture = Image.open(io.BytesIO(capture.blobs[capture.observation.screenshot.address])).convert("RGB")
    assert picture.getpixel((150, 250)) == (255, 0, 0)


async def test_an_image_that_a_style_names_and_nobody_asks_for_costs_no_more_than_a_while(session, pages):
    policy = {"Content-Security-Policy": "img-src 'none'"}
    style = (
        "<style>p.on{width:99px;height:99px;background:image-set(url(/a.png) 1x,url(/b.png) 2x),url(/c.png)}</style>"
    )
    page = f"<!doctype html>{style}<p></p>" + button("document.querySelector('p').className='on';document.title='done'")
    await session.go(pages.put("/", page, headers=policy))
    began = time.monotonic()
    seen = await session.click()
    assert (seen.title, seen.settled) == ("done", True)
    assert time.monotonic() - began < 3


async def test_transitions_are_waited_for(session, pages):
    style = "<style>body{background:white;transition:background .6s}body.on{background:rgb(0,0,255)}</style>"
    await session.go(pages.page(style + button("document.body.className='on'")))
    capture = await session.session.step(Click(Point(50, 20)), Look(screenshot="png"))
    picture = Image.open(io.BytesIO(capture.blobs[capture.observation.screenshot.address])).convert("RGB")
    assert picture.getpixel((600, 600)) == (0, 0, 255)


async def test_smooth_scrolling_is_waited_for(session, pages):
    tall = "<div style='height:5000px'></div>"
    await session.go(pages.page(button("window.scrollTo({top:3000,behavior:'smooth'})") + tall))
    assert (await session.click()).scroll.y == 3000


async def test_the_wheel_is_waited_for(session, pages):
    await session.go(pages.page("<div style='height:5000px'></div>"))
    for turn in range(1, 6):
        assert (await session.do(Scroll(dy=300))).scroll.y == 300 * turn


async def test_frames_are_waited_for(session, slow):
    inner = slow.page("<p id=p>wait<script>fetch('/slow').then(()=>parent.postMessage('done','*'))</script>", "/inner")
    for host in ("127.0.0.1", "localhost"):
        frame = f"<iframe src='{inner.replace('127.0.0.1', host)}'></iframe>"
        outer = f"<script>onmessage=e=>document.title=e.data</script>{frame}"
        assert (await session.go(slow.page(outer, f"/{host}"))).title == "done"


async def test_frames_that_playwright_hears_of_late_are_waited_for(session, slow, monkeypatch: pytest.MonkeyPatch):
    known: dict[Frame, float] = {}
    url_of = Frame.url.fget

    def late(frame: Frame) -> str:
        url = url_of(frame)
        heard = known.setdefault(frame, time.monotonic()) if url else 0.0
        return url if heard and (frame.parent_frame is None or time.monotonic() - heard > 0.3) else ""

    inner = slow.page("<p>wait<script>fetch('/slow').then(()=>parent.postMessage('done','*'))</script>", "/inner")
    frame = f"<iframe src='{inner.replace('127.0.0.1', 'localhost')}'></iframe>"
    monkeypatch.setattr(Frame, "url", property(late))
    url = slow.page(f"<script>onmessage=e=>document.title=e.data</script>{frame}", "/outer")
    assert (await session.go(url)).title == "done"


async def test_a_frame_without_a_document_costs_no_more_than_a_while_and_only_once(session, pages):
    await session.go(pages.page("<iframe sandbox></iframe>" + button("document.body.append('x')")))
    began = time.monotonic()
    for _ in range(4):
        assert (await session.click()).settled
    assert time.monotonic() - began < 3


FILLED = "<script>onmessage=()=>{document.title='done'}</script>"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_the_next_page_of_a_frame_is_waited_for_and_told(session, pages, host):
    pages.put("/next", "x<script>top.postMessage(1,'*')</script>", after=0.6)
    inner = pages.page(link("/next"), "/inner").replace("127.0.0.1", host)
    await session.go(pages.page(f"<iframe src='{inner}' style='{AREA};border:0'></iframe>{FILLED}", "/outer"))
    seen = await session.click()
    assert (seen.title, seen.settled, seen.effect) == ("done", True, PageChange(("content",)))


async def test_a_link_into_a_frame_is_waited_for(session, pages):
    pages.put("/next", "x<script>top.postMessage(1,'*')</script>", after=0.6)
    frame = f"<iframe name=inner src='{pages.page('x', '/inner')}' style='margin-top:80px'></iframe>"
    await session.go(pages.page(link("/next", "target=inner") + frame + FILLED, "/outer"))
    assert (await session.click()).title == "done"


async def test_a_frame_that_is_sent_where_nothing_comes_from_costs_no_more_than_a_while(session, pages):
    pages.put("/nothing", "", status=204)
    pages.page(link("/nothing"), "/inner")
    await session.go(pages.page(f"<iframe src=/inner style='{AREA};border:0'></iframe>", "/outer"))
    began = time.monotonic()
    assert (await session.click()).settled
    assert time.monotonic() - began < 4


async def test_a_frame_in_a_frame_is_waited_for(session, slow):
    slow.page(f"<script>onmessage=()=>fetch('/slow').then(()=>{{top.{DONE}}})</script>", "/inner")
    slow.page("<iframe src=/inner></iframe>", "/middle")
    await session.go(slow.page(button("frames[0].frames[0].postMessage(1)") + "<iframe src=/middle></iframe>"))
    assert (await session.click()).title == "done"


async def test_a_frame_whose_work_replaces_the_page_is_not_observed_as_the_page_before(
    session, pages, monkeypatch: pytest.MonkeyPatch
):
    async def replacing(tab, step, seconds):
        answer = await ask_frames(tab, step, seconds)
        if clicked and tab.page.url.endswith("/outer"):
            await tab.page.evaluate("location='/next'")
            while not tab.page.url.endswith("/next"):
                await anyio.sleep(0.01)
        return answer

    clicked = False
    monkeypatch.setattr(session_settle, "ask_frames", replacing)
    monkeypatch.setattr(session_settle, "FRAMES_AT_REST_SECONDS", 60.0)
    pages.put("/next", "<title>next</title>")
    inner = pages.page("x", "/inner").replace("127.0.0.1", "localhost")
    await session.go(pages.page(f"<iframe src='{inner}'></iframe>", "/outer", title="outer"))
    clicked = True
    seen = await session.click(600, 600)
    assert (seen.title, seen.url) == ("next", pages.url("/next"))


async def test_debounced_search_is_waited_for(session, slow):
    search = "fetch('/slow').then(()=>document.title='done')"
    script = f"<script>let t;i.oninput=()=>{{clearTimeout(t);t=setTimeout(()=>{search},300)}}</script>"
    await session.go(slow.page(f"<input id=i style='{AREA}'>{script}"))
    assert (await session.do(TypeText("shoes", Point(50, 20)))).title == "done"


ENDLESS = {
    "an interval": "setInterval(()=>document.body.dataset.n=Date.now(), 1000)",
    "a fast interval": "setInterval(()=>document.body.dataset.n=Date.now(), 50)",
    "a polling timer": "(function f(){fetch('/quick').then(()=>setTimeout(f,400))})()",
    "an awaiting poll": "(async()=>{for(;;){await fetch('/quick');await new Promise(r=>setTimeout(r,400))}})()",
    "a polling XMLHttpRequest": (
        "(function f(){let x=new XMLHttpRequest();x.open('GET','/quick');x.onload=()=>setTimeout(f,400);x.send()})()"
    ),
    "frames": "(function f(){document.body.dataset.n=Math.random();requestAnimationFrame(f)})()",
    "an animation": "document.body.animate([{opacity:1},{opacity:.5}],{duration:500,iterations:Infinity})",
    "a server's events": "new EventSource('/events')",
    "a stream": "fetch('/stream').then(async r=>{let s=r.body.getReader();for(;;)await s.read()})",
    "timers without delay": "(function f(){setTimeout(f,0)})()",
}


@pytest.mark.parametrize("endless", ENDLESS)
async def test_what_never_ends_is_not_waited_for(session, pages, endless):
    pages.put("/quick", "x")
    pages.trickle("/events", headers={"Content-Type": "text/event-stream"}, chunk=b"data: x\n\n")
    pages.trickle("/stream")
    look = Look(screenshot=None, settle_seconds=10)
    await session.go(pages.page(f"<button>b</button><script>onload=()=>{{{ENDLESS[endless]}}}</script>"), look)
    began = time.monotonic()
    seen = await session.click(600, 600, look)
    assert seen.settled
    assert time.monotonic() - began < 4


async def test_a_long_poll_costs_one_deadline_and_no_more(session, pages):
    pages.silence("/poll")
    look = Look(screenshot=None, settle_seconds=1.5)
    first = await session.go(pages.page("<script>fetch('/poll')</script>"), look)
    began = time.monotonic()
    second = await session.click(600, 600, look)
    assert (first.settled, second.settled) == (False, True)
    assert time.monotonic() - began < 1


async def test_a_long_poll_in_a_frame_costs_one_deadline_and_no_more(session, pages):
    pages.silence("/poll")
    pages.page("<script>onload=()=>fetch('/poll')</script>", "/inner")
    look = Look(screenshot=None, settle_seconds=1.5)
    first = await session.go(pages.page("<iframe src=/inner></iframe>"), look)
    second = await session.click(600, 600, look)
    assert (first.settled, second.settled) == (False, True)


SLOW_LEADS = {
    "a link": button("location='/silence'"),
    "a link, and then one inside the page": button("location='/silence';setTimeout(()=>location='#there',50)"),
}


@pytest.mark.parametrize("lead", SLOW_LEADS)
async def test_a_page_whose_next_one_does_not_come_stays(session, pages, lead):
    pages.silence("/silence")
    look = Look(screenshot=None, settle_seconds=1)
    await session.go(pages.page(SLOW_LEADS[lead], title="stays"), look)
    seen = await session.click(look=look)
    assert (seen.title, seen.effect.reason) == ("stays", FailedReason.NAVIGATION)
    began = time.monotonic()
    seen = await session.do(Hover(Point(300, 300)), look)
    assert (seen.title, seen.settled) == ("stays", True)
    assert time.monotonic() - began < 1


async def test_a_page_at_rest_is_observed_at_once(session, pages):
    await session.go(pages.page("still"))
    began = time.monotonic()
    for _ in range(5):
        assert (await session.click(600, 600)).settled
    assert (time.monotonic() - began) / 5 < 0.4


async def test_no_time_to_settle_means_no_wait(session, pages):
    await session.go(pages.page(button("setTimeout(()=>document.title='done',800)")))
    began = time.monotonic()
    seen = await session.click(look=Look(screenshot=None, settle_seconds=0))
    assert time.monotonic() - began < 0.7
    assert (seen.title, seen.settled) == ("Test", False)


async def test_reload_and_back_are_observed_when_loaded(session, slow):
    script = "<script>fetch('/slow').then(()=>document.title='done')</script>"
    await session.go(slow.page(script, "/one"))
    await session.go(slow.page("x", "/two"))
    assert (await session.do(Back())).title == "done"
    assert (await session.do(Reload())).title == "done"


@pytest.mark.full
@pytest.mark.timeout(300)
async def test_scrolls_on_a_crowded_machine_are_all_observed_where_they_ended(chromium, pages):
    tile = "<div style='height:60px;background:linear-gradient(90deg,red,blue);filter:blur(1px)'>text</div>"
    url = pages.page(tile * 200)
    look = Look(settle_seconds=30.0)
    places: list[list[int]] = []

    async def scroll() -> None:
        async with driving(chromium) as session:
            await session.go(url, look)
            moves = [await session.do(Scroll(dy=100, target=Point(300, 300)), look) for _ in range(15)]
            places.append([seen.scroll.y for seen in moves])

    async with anyio.create_task_group() as tasks:
        for _ in range(24):
            tasks.start_soon(scroll)
    assert places == [list(range(100, 1600, 100))] * 24
