"""Nothing that one session stores is seen by another, store by store, in one Chromium."""

from __future__ import annotations

import pytest
from tests.integration.sessions import driving

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

STORES = {
    "cookies": ("document.cookie='c=1;max-age=1000'", "document.cookie"),
    "local storage": ("localStorage.k='v'", "localStorage.k||''"),
    "session storage": ("sessionStorage.k='v'", "sessionStorage.k||''"),
    "IndexedDB": (
        "await new Promise(r=>{indexedDB.open('d').onsuccess=r})",
        "(await indexedDB.databases()).map(d=>d.name).join()",
    ),
    "caches": ("await (await caches.open('c')).put('/x',new Response('x'))", "(await caches.keys()).join()"),
    "files": (
        "await (await navigator.storage.getDirectory()).getFileHandle('f',{create:true})",
        "(async()=>{for await(let k of (await navigator.storage.getDirectory()).keys())return k;return ''})()",
    ),
    "service workers": (
        "await navigator.serviceWorker.register('/worker.js');await navigator.serviceWorker.ready",
        "(await navigator.serviceWorker.getRegistrations()).length||''",
    ),
    "broadcasts": (
        "window.keep=new BroadcastChannel('b');keep.onmessage=()=>keep.postMessage('heard')",
        "new Promise(r=>{let c=new BroadcastChannel('b');c.onmessage=r;c.postMessage(0);setTimeout(r,300,'')})",
    ),
    "locks": (
        "navigator.locks.request('l',()=>new Promise(()=>{}))",
        "(await navigator.locks.query()).held.map(l=>l.name).join()",
    ),
}


@pytest.fixture
def stores(pages):
    pages.put("/worker.js", "self.onfetch=()=>{}", media_type="text/javascript")
    return pages


def page_for(pages, path: str, script: str) -> str:
    return pages.page(f"<script>(async()=>{{{script}}})().catch(e=>document.title='error '+e)</script>", path)


@pytest.mark.parametrize("store", STORES)
async def test_what_one_session_stores_another_does_not_find(chromium, stores, store):
    write, read = STORES[store]
    writing = page_for(stores, "/write", f"{write};document.title='written'")
    reading = page_for(stores, "/read", f"let found=await ({read});document.title='found '+found")
    async with driving(chromium) as one, driving(chromium) as other:
        assert await one.until_titled("written", writing) == "written"
        assert await other.until_titled("found", reading) == "found"
    async with driving(chromium) as later:
        assert await later.until_titled("found", reading) == "found"


async def test_the_http_cache_is_not_shared(chromium, pages):
    pages.put("/cached.js", "1", headers={"Cache-Control": "max-age=1000"}, media_type="text/javascript")
    page = pages.page("<script src=/cached.js></script>")
    for _ in range(2):
        async with driving(chromium) as session:
            await session.go(page)
            await session.go(page)
    fetched = [request.path for request in pages.requests].count("/cached.js")
    assert fetched == 2  # once by each session, which itself has a cache


async def test_a_session_of_its_own_process_is_isolated_and_ends_with_it(chromium, pages):
    url = pages.page("<script>document.title=document.cookie;document.cookie='c=1'</script>")
    async with driving(chromium) as shared, driving(chromium, isolation="process") as own:
        await shared.go(url)
        assert (await own.go(url)).title == ""
        pids = {driver.session._parts.chromium.pid for driver in (shared, own)}
        assert len(pids) == 2
        process = own.session._parts.chromium
    assert process.closing
    assert not process.browser.is_connected()
