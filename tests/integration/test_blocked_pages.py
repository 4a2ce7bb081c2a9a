"""Pages that refuse to serve, as a session tells of them and as rules see them."""

from __future__ import annotations

import pytest

from webgym.rollout.blocked import refusal_of

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]


@pytest.mark.parametrize(
    ("status", "why"),
    [
        (200, ""),
        (403, "status: 403 forbidden; little else on the page"),
        (404, ""),
        (422, ""),
        (429, "status: 429 too many requests; little else on the page"),
        (503, ""),
    ],
)
async def test_the_status_of_a_bare_page_says_whether_it_refuses(session, pages, status, why):
    seen = await session.go(pages.put("/", "<!doctype html><title>T</title><p>No.</p>", status=status))
    assert seen.error_status == (status if status >= 400 else 0)
    assert not seen.blank
    assert refusal_of([], seen) == why


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
    assert refusal_of([], seen) == ("an empty page" if blank else "")


async def test_a_session_before_its_first_page_is_not_blocked(session):
    seen = await session.do()
    assert seen.blank
    assert refusal_of([], seen) == ""


async def test_an_error_without_words_is_no_empty_page(session, pages):
    seen = await session.go(pages.put("/", "", status=502))
    assert (seen.error_status, seen.blank) == (502, True)
    assert refusal_of([], seen) == ""


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "http://10.0.0.1/", "http://nowhere.invalid/"])
async def test_an_address_that_cannot_be_reached_is_no_refusal_of_a_website(session, url):
    assert refusal_of([], await session.go(url)) == ""


APPLICATION = """<!doctype html><title>{title}</title><nav><a href=/>Home</a><a href=/boards>Boards</a>
<a href=/people>People</a><a href=/help>Help</a></nav><h1>You may not see this board</h1><p>Ask its owner.</p>"""


@pytest.mark.parametrize("title", ["Boards", "Access denied | Boards", "403 Forbidden"])
async def test_a_page_of_an_application_that_says_no_is_no_refusal(session, pages, title):
    seen = await session.go(pages.put("/", APPLICATION.format(title=title), status=403))
    assert (seen.error_status, seen.sparse, seen.bot_checks) == (403, False, ())
    assert refusal_of([], seen) == ""


async def test_a_bare_403_of_a_website_that_served_other_pages_is_no_refusal(session, pages):
    home = await session.go(pages.put("/", APPLICATION.format(title="Boards")))
    seen = await session.go(pages.put("/admin", "<h1>403 Forbidden</h1>", status=403))
    assert seen.sparse
    assert refusal_of([home], seen) == ""


@pytest.mark.parametrize(
    ("body", "sparse"),
    [
        ("<p>No.</p>", True),
        ("<p>No.</p><a href=/>Home</a>", True),
        (f"<p>{'words ' * 200}</p>", False),
        ("<p>No.</p>" + "<a href=/>Home</a>" * 4, False),
        ("<p>No.</p><input name=q>", False),
        ("<p>No.</p><textarea></textarea>", False),
        ("<p>No.</p><input type=hidden name=q>", True),
    ],
)
async def test_a_page_with_little_on_it_is_told(session, pages, body, sparse):
    assert (await session.go(pages.page(body))).sparse == sparse


@pytest.mark.parametrize(
    ("body", "status", "checks"),
    [
        ("<div id=challenge-stage></div><p>Checking</p>", 403, ("cloudflare",)),
        ("<div id=px-captcha></div><p>Press and hold</p>", 200, ("perimeterx",)),
        ("<form><input name=q><div class=g-recaptcha></div></form>", 200, ()),
        ("<form><input name=q><div class=g-recaptcha></div></form>", 403, ("recaptcha",)),
        ("<p>Home</p><div class=g-recaptcha data-size=invisible></div>", 200, ()),
    ],
)
async def test_bot_checks_are_known_by_their_elements(session, pages, body, status, checks):
    seen = await session.go(pages.put("/", f"<!doctype html><title>T</title>{body}", status=status))
    assert seen.bot_checks == checks
    assert bool(refusal_of([], seen)) == bool(checks)
