"""Addresses, history, and pages that cannot be shown."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.integration.sessions import button, driving, link

from webgym.browser.server.chromium.address import clean
from webgym.errors import RequestError
from webgym.records.action import Back, Forward, NewTab, Reload
from webgym.records.observation import ActionFailure, FailedReason, NoChange, PageChange
from webgym.records.session import Look

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

FORBIDDEN = [
    "file:///etc/passwd",
    "chrome://version",
    "javascript:alert(1)",
    "data:text/html,x",
    "view-source:http://example.com",
    "about:config",
    "blob:http://example.com/x",
    "ftp://example.com",
    "",
    "   ",
    "http://",
    "http://[",
    "[",
    "x]y",
    "two words",
    "http://example.com:99999/",
]


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("example.com", "https://example.com"),
        ("example.com/path?q=1", "https://example.com/path?q=1"),
        ("example.com:8443/x", "https://example.com:8443/x"),
        ("localhost:8000", "http://localhost:8000"),
        ("127.0.0.1:8000/x", "http://127.0.0.1:8000/x"),
        ("//example.com/x", "https://example.com/x"),
        ("  https://example.com  ", "https://example.com"),
        ("HTTP://EXAMPLE.com", "HTTP://EXAMPLE.com"),
        ("about:blank", "about:blank"),
    ],
)
async def test_addresses_are_completed_as_in_an_address_bar(written, url):
    assert clean(written) == url


@given(written=st.text(alphabet=st.sampled_from("ab1.:/?#@[]%\\ \n|℀é"), max_size=12) | st.text(max_size=30))
@example(written="[a")
def test_whatever_is_written_is_an_address_or_said_to_be_none(written):
    url = clean(written)
    assert isinstance(url, ActionFailure) or url.startswith(("http:", "https:", "HTTP")) or url == "about:blank"


@pytest.mark.parametrize("url", FORBIDDEN)
async def test_only_web_addresses_are_opened(session, pages, url):
    await session.go(pages.page("x", title="stays"))
    seen = await session.go(url)
    assert isinstance(seen.effect, ActionFailure)
    assert seen.effect.reason == FailedReason.INVALID_URL
    assert seen.title == "stays"


async def test_a_page_cannot_lead_to_files(session, pages):
    await session.go(pages.page(button("location='file:///etc/passwd'"), title="stays"))
    seen = await session.click()
    assert (seen.title, seen.url) == ("stays", pages.url())


async def test_a_start_page_is_loaded_before_the_first_observation(chromium, pages):
    async with driving(chromium, start_url=pages.page("x", title="start")) as session:
        seen = await session.do()
        assert (seen.title, seen.effect) == ("start", None)
        assert (await session.do(Back())).effect == NoChange("there is no earlier page")


async def test_a_start_page_that_is_no_address_is_refused(chromium):
    with pytest.raises(RequestError):
        async with driving(chromium, start_url="file:///etc/passwd"):
            pass


async def test_a_start_page_that_does_not_load_is_told_with_the_first_observation(chromium, pages):
    async with driving(chromium, start_url="http://10.0.0.1/") as session:
        assert (await session.do()).effect.reason == FailedReason.EGRESS_REFUSED
        assert (await session.do()).effect is None
        assert (await session.go(pages.page("x", title="fine"))).title == "fine"


@pytest.mark.full
async def test_a_start_page_that_does_not_answer_is_told_with_the_first_observation(chromium, pages):
    async with driving(chromium, start_url=pages.silence("/silence")) as session:
        assert (await session.do()).effect.reason == FailedReason.NAVIGATION


async def test_history_goes_back_and_forward(session, pages):
    one, two = pages.page("x", "/one", "one"), pages.page("x", "/two", "two")
    await session.go(one)
    await session.go(two)
    seen = await session.do(Back())
    assert (seen.title, seen.url, seen.effect) == ("one", one, PageChange(("url", "content")))
    assert (await session.do(Forward())).title == "two"
    assert (await session.do(Forward())).effect == NoChange("there is no later page")


async def test_back_leads_through_entries_of_one_document(session, pages):
    await session.go(pages.page(button("history.pushState(0,'','/pushed');document.title='pushed'")))
    assert (await session.click()).url == pages.url("/pushed")
    assert (await session.do(Back())).url == pages.url()


async def test_back_without_history_changes_nothing(session):
    assert (await session.do(Back())).effect == NoChange("there is no earlier page")


async def test_reload_loads_again(session, pages):
    await session.go(pages.page("x"))
    count = len(pages.requests)
    seen = await session.do(Reload())
    assert seen.effect == PageChange(("content",))
    assert len(pages.requests) > count


async def test_a_refused_address_is_a_failure_with_its_reason(session, pages):
    for url in ("http://10.0.0.1/", "https://10.0.0.1/", "http://169.254.169.254/latest/meta-data/"):
        effect = (await session.go(url)).effect
        assert effect.reason == FailedReason.EGRESS_REFUSED
        assert effect.detail


async def test_a_link_to_a_refused_address_is_a_failure_too(session, pages):
    for number, url in enumerate(("http://10.0.0.1/", "https://10.0.0.1/")):
        await session.go(pages.page(link(url), f"/{number}"))
        assert (await session.click()).effect.reason == FailedReason.EGRESS_REFUSED


async def test_a_server_that_is_not_there_is_a_failure(session, pages):
    seen = await session.go("https://does-not-exist.invalid/")
    assert seen.effect.reason == FailedReason.NAVIGATION
    assert seen.url == "https://does-not-exist.invalid/"
    assert (await session.go(pages.page("x", title="fine"))).title == "fine"


async def test_redirects_without_end_are_a_failure(session, pages):
    url = pages.put("/loop", "", status=302, headers={"Location": "/loop"})
    effect = (await session.go(url)).effect
    assert (effect.reason, effect.detail) == (FailedReason.NAVIGATION, "net::ERR_TOO_MANY_REDIRECTS")


async def test_a_server_that_never_answers_is_a_failure_in_bounded_time(session, pages):
    await session.go(pages.page("x", title="stays"))
    began = time.monotonic()
    seen = await session.go(pages.silence("/silence"), Look(screenshot=None, settle_seconds=1))
    assert seen.effect.reason == FailedReason.NAVIGATION
    assert time.monotonic() - began < 20
    assert (seen.title, (await session.do()).title) == ("stays", "stays")


async def test_error_statuses_are_pages_like_others(session, pages):
    seen = await session.go(pages.put("/500", "<title>sorry</title>", status=500))
    assert (seen.title, seen.effect) == ("sorry", PageChange(("url", "content")))


async def test_a_new_tab_can_fail_to_load(session):
    seen = await session.do(NewTab("http://10.0.0.1/"))
    assert seen.effect.reason == FailedReason.EGRESS_REFUSED
    assert len(seen.tabs) == 2
