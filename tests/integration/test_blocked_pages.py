"""Pages that refuse to serve, as a session tells of them and as rules see them."""

from __future__ import annotations

import pytest

from webgym.rollout.blocked import blocked_by

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]


@pytest.mark.parametrize(
    ("status", "why"),
    [
        (200, ""),
        (403, "status: 403 forbidden"),
        (404, ""),
        (422, ""),
        (429, "status: 429 too many requests"),
        (503, ""),
    ],
)
async def test_the_status_of_a_page_says_whether_it_refuses(session, pages, status, why):
    seen = await session.go(pages.put("/", "<!doctype html><title>T</title><p>No.</p>", status=status))
    assert seen.error_status == (status if status >= 400 else 0)
    assert not seen.blank
    assert blocked_by(seen) == why


async def test_the_status_is_that_of_the_page_shown_now(session, pages):
    good = pages.put("/good", "<!doctype html><title>T</title><p>Yes.</p>")
    bad = pages.put("/bad", "<!doctype html><title>T</title><p>No.</p>", status=403)
    assert (await session.go(bad)).error_status == 403
    assert (await session.go(good)).error_status == 0


@pytest.mark.parametrize(
    ("body", "blank"),
    [
        ("", True),
        ("<div id=root></div><script>1</script><style>p{}</style>", True),
        ("<div id=root><span hidden>words</span></div>", True),
        ("<p>words</p>", False),
        ("<img src='data:,'>", False),
        ("<input>", False),
        ("<canvas></canvas>", False),
    ],
)
async def test_a_page_with_nothing_on_it_is_told(session, pages, body, blank):
    seen = await session.go(pages.page(body))
    assert seen.blank == blank
    assert blocked_by(seen) == ("an empty page" if blank else "")


async def test_a_session_before_its_first_page_is_not_blocked(session):
    seen = await session.do()
    assert seen.blank
    assert blocked_by(seen) == ""


async def test_an_error_without_words_is_no_empty_page(session, pages):
    seen = await session.go(pages.put("/", "", status=502))
    assert (seen.error_status, seen.blank) == (502, True)
    assert blocked_by(seen) == ""


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "http://10.0.0.1/", "http://nowhere.invalid/"])
async def test_an_address_that_cannot_be_reached_is_no_refusal_of_a_website(session, url):
    assert blocked_by(await session.go(url)) == ""
