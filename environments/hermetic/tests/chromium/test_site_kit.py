"""The kit's components in Chromium: every variant, in whole pages and in single-page sites, at both sizes."""

from __future__ import annotations

from contextlib import asynccontextmanager
from urllib.parse import parse_qsl, urlsplit

import pytest
from environments.hermetic.tests.chromium.kit_pages import SEEN, Hand, serving_kit
from tests.integration.sessions import config_for, driving

from webgym.browser.server.chromium.browser import ChromiumBrowser
from webgym.records.action import Back, Forward, Press, TypeText
from webgym.records.observation import Viewport
from webgym_hermetic import controls
from webgym_hermetic.view import Tap

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

WIDE, SMALL = Viewport(1280, 768), Viewport(448, 320)
both_shells = pytest.mark.parametrize("shell", ["pages", "app"])
everywhere = pytest.mark.parametrize(
    ("shell", "size"), [("pages", SMALL), ("app", WIDE)], ids=["whole pages, small", "single page, wide"]
)


@pytest.fixture(scope="module")
async def kit(anyio_backend):
    async with serving_kit() as served:
        yield served


@pytest.fixture(scope="module")
async def browser(kit):
    async with ChromiumBrowser(config_for(kit)) as running:
        yield running


@pytest.fixture
def visiting(kit, browser):
    """visiting(shell=…, controls…) → a hand on the page, opened anew."""

    @asynccontextmanager
    async def visit(*, size=WIDE, query="", failing=(), **site):
        kit.be(**site)
        kit.failing.extend(failing)
        async with driving(browser, viewport=size) as driver:
            yield Hand(kit, driver, await driver.go(kit.url(query), SEEN))

    return visit


def sent_in(hand: Hand) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(hand.seen.url).query))


@everywhere
@pytest.mark.parametrize(
    ("choice", "number", "date", "toggle"),
    [
        ("select", "input", "text", "checkbox"),
        ("dropdown", "stepper", "calendar", "switch"),
        ("radio", "select", "calendar", "checkbox"),
    ],
)
async def test_a_form_posts_what_was_put_into_it(visiting, kit, shell, size, choice, number, date, toggle):
    async with visiting(shell=shell, size=size, choice=choice, number=number, date=date, toggle=toggle) as hand:
        await hand.until_done(lambda view: controls.write(view, "name", "Ada Moss"))
        await hand.until_done(lambda view: controls.choose(view, "size", "l"))
        await hand.until_done(lambda view: controls.choose(view, "country", "it"))
        await hand.until_done(lambda view: controls.choose(view, "way", "pickup"))
        await hand.until_done(lambda view: controls.count(view, "count", 4))
        await hand.until_done(lambda view: controls.pick_date(view, "when", "2026-06-30"))
        await hand.until_done(lambda view: controls.switch(view, "gift", on=True))
        await hand.until_done(lambda view: controls.switch(view, "news", on=False))
        await hand.tap("submit:order")
    wanted = {"name": "Ada Moss", "size": "l", "country": "it", "way": "pickup", "count": "4", "when": "2026-06-30"}
    assert len(kit.sent) == 1
    assert {name: kit.sent[0].get(name) for name in wanted} == wanted
    assert kit.sent[0]["gift"] == "on"
    assert "news" not in kit.sent[0]
    assert sent_in(hand)["notice"] == "Saved"


@both_shells
async def test_a_dropdown_can_be_operated_by_keyboard(visiting, shell):
    async with visiting(shell=shell, choice="dropdown") as hand:
        await hand.tap("choice:size")
        for key in ("ArrowDown", "ArrowDown", "Enter"):
            await hand.do(Press((key,)))
        assert hand.view.find("choice:size").value == "l"
        assert not hand.has("choice:size=l")


async def test_a_stepper_stops_at_its_ends(visiting):
    async with visiting(number="stepper") as hand:
        await hand.until_done(lambda view: controls.count(view, "count", 5))
        assert hand.view.find("step:count:more").disabled
        await hand.until_done(lambda view: controls.count(view, "count", 1))
        assert hand.view.find("step:count:less").disabled


async def test_a_calendar_offers_the_days_between_its_ends_one_month_at_a_time(visiting):
    async with visiting(date="calendar") as hand:
        await hand.tap("date:when")
        days = [element.key for element in hand.view.starting("day:when=")]
        assert len(days) == 31
        assert hand.view.find("day:when=2026-03-01").disabled
        assert hand.view.find("month:when:previous").disabled
        await hand.until_done(lambda view: controls.pick_date(view, "when", "2027-02-20"))
        await hand.tap("date:when")
        assert hand.view.find("day:when=2027-02-21").disabled
        assert hand.view.find("month:when:next").disabled
        await hand.tap("dismiss:date:when")
        assert not hand.has("month:when:next")


@everywhere
async def test_a_form_in_a_dialog_is_reached_through_its_opener_and_scrolls_inside(visiting, kit, shell, size):
    async with visiting(shell=shell, size=size, choice="dropdown", date="calendar") as hand:
        assert not hand.has("field:title")
        await hand.until_done(lambda view: controls.write(view, "title", "New"))
        await hand.until_done(lambda view: controls.choose(view, "kind", "l"))
        await hand.until_done(lambda view: controls.pick_date(view, "due", "2026-04-01"))
        await hand.tap("submit:dialog")
    sent = sent_in(hand)
    assert (sent["title"], sent["kind"], sent["due"]) == ("New", "l", "2026-04-01")


@everywhere
async def test_dialogs_drawers_and_menus_open_and_close(visiting, shell, size):
    async with visiting(shell=shell, size=size, menu="drawer") as hand:
        for name, inside in (("dialog", "submit:dialog"), ("side", "submit:filters"), ("nav", "dismiss:nav")):
            await hand.tap(f"open:{name}")
            assert hand.has(inside)
            assert hand.view.find(f"open:{name}").checked
            await hand.tap(f"dismiss:{name}")
            assert not hand.has(inside)
        await hand.tap("open:side")
        await hand.do(Press(("Escape",)))
        assert not hand.has("submit:filters")
        await hand.tap("open:account")
        assert hand.link("/-/kit?from=menu")
        await hand.tap("open:account")
        assert not hand.link("/-/kit?from=menu")


@both_shells
async def test_what_a_dialog_covers_can_be_reached_by_closing_it(visiting, kit, shell):
    async with visiting(shell=shell) as hand:
        await hand.tap("open:dialog")
        await hand.follow("/-/kit?page=3")
        assert sent_in(hand) == {"page": "3"}


@everywhere
async def test_a_button_in_a_menu_posts_and_the_page_that_follows_says_so(visiting, kit, shell, size):
    async with visiting(shell=shell, size=size) as hand:
        await hand.tap("do:menu-post")
        assert kit.sent == [{"from": "menu"}]
        assert sent_in(hand) == {"notice": "Saved", "from": "menu"}


@everywhere
@pytest.mark.parametrize("menu", ["bar", "drawer"])
async def test_the_main_navigation_leads_everywhere_at_every_size(visiting, shell, size, menu):
    async with visiting(shell=shell, size=size, menu=menu) as hand:
        await hand.follow("/-/kit?q=lamp")
        assert sent_in(hand) == {"q": "lamp"}


@everywhere
@pytest.mark.parametrize("search", ["open", "suggest", "icon"])
async def test_the_search_box_searches(visiting, shell, size, search):
    async with visiting(shell=shell, size=size, search=search) as hand:
        await hand.until_done(lambda view: None if view.query.get("q") else controls.search(view, "brass"))
        assert sent_in(hand) == {"q": "brass"}
        assert hand.view.find("field:q").value == "brass"


@both_shells
async def test_suggestions_come_while_typing_and_can_be_followed_or_closed(visiting, shell):
    async with visiting(shell=shell, search="suggest") as hand:
        await hand.do(TypeText("oak", target=hand.view.find("field:q").point))
        assert hand.link("/-/kit?thing=7")
        await hand.tap("dismiss:suggest")
        assert not hand.link("/-/kit?thing=7")
        await hand.do(TypeText("elm", target=hand.view.find("field:q").point))
        await hand.follow("/-/kit?thing=7")
        assert sent_in(hand) == {"thing": "7"}


def rows(hand: Hand) -> list[str]:
    links = [element.href.partition("thing=")[2] for element in hand.view.elements if "thing=" in element.href]
    return [link for link in links if link.endswith("-1")]


@everywhere
@pytest.mark.parametrize("pager", ["numbered", "next"])
async def test_pages_turn(visiting, shell, size, pager):
    async with visiting(shell=shell, size=size, pager=pager, query="?page=3") as hand:
        await hand.until_done(lambda view: None if view.query.get("page") == "4" else controls.further(view))
        assert rows(hand) == ["4-1"]
        assert controls.further(hand.view) is None
        await hand.tap("page:previous")
        assert rows(hand) == ["3-1"]


@everywhere
@pytest.mark.parametrize("pager", ["more", "infinite"])
async def test_lists_grow_to_their_end(visiting, shell, size, pager):
    async with visiting(shell=shell, size=size, pager=pager) as hand:
        await hand.until_done(controls.further)
        assert rows(hand) == ["1-1", "2-1", "3-1", "4-1"]
        assert sent_in(hand) == {}


@pytest.mark.parametrize("disclosure", ["tabs", "accordion"])
@both_shells
async def test_what_is_folded_away_is_reached_through_its_title(visiting, shell, disclosure):
    async with visiting(shell=shell, disclosure=disclosure) as hand:
        assert hand.link("/-/kit?from=first")
        assert hand.view.find("open:about").checked
        assert not hand.link("/-/kit?from=second")
        await hand.follow("/-/kit?from=second")
        assert sent_in(hand) == {"from": "second"}


@both_shells
async def test_a_carousel_turns_both_ways(visiting, shell):
    async with visiting(shell=shell) as hand:
        await hand.tap("slide:new:previous")
        assert hand.link("/-/kit?slide=3")
        await hand.follow("/-/kit?slide=2")
        assert sent_in(hand) == {"slide": "2"}


@both_shells
async def test_a_form_that_submits_itself_does_so_when_a_choice_changes(visiting, shell):
    for choice in ("select", "dropdown", "radio"):
        async with visiting(shell=shell, choice=choice) as hand:
            await hand.until_done(lambda view: controls.choose(view, "sort", "price"))
            assert sent_in(hand) == {"sort": "price"}


@both_shells
@pytest.mark.parametrize("nuisances", [(), ("late",)])
async def test_late_parts_arrive_and_their_links_work(visiting, shell, nuisances):
    async with visiting(shell=shell, nuisances=nuisances) as hand:
        await hand.follow("/-/kit?from=late")
        assert sent_in(hand) == {"from": "late"}


@both_shells
async def test_a_part_that_fails_to_load_can_be_asked_for_again(visiting, shell):
    async with visiting(shell=shell, failing=("/-/kit/late",)) as hand:
        await hand.tap("do:retry")
        assert hand.link("/-/kit?from=late")
        assert not hand.has("do:retry")


@everywhere
async def test_a_cookie_banner_stays_away_once_it_was_answered(visiting, kit, shell, size):
    async with visiting(shell=shell, size=size, nuisances=("cookies",)) as hand:
        assert hand.has("dismiss:cookies")
        hand.seen = await hand.driver.go(kit.url("?page=2"), SEEN)
        assert hand.has("dismiss:cookies")
        await hand.tap("dismiss:cookies")
        assert not hand.has("dismiss:cookies")
        await hand.follow("/-/kit?page=3")
        assert not hand.has("dismiss:cookies")
        hand.seen = await hand.driver.go(kit.url("?page=4"), SEEN)
        assert not hand.has("dismiss:cookies")


@everywhere
async def test_an_offer_is_in_the_way_once(visiting, kit, shell, size):
    async with visiting(shell=shell, size=size, nuisances=("promo",)) as hand:
        assert hand.has("dismiss:promo")
        assert hand.view.find("open:dialog").cover == "dismiss:promo"
        await hand.follow("/-/kit?page=3")
        assert not hand.has("dismiss:promo")
        hand.seen = await hand.driver.go(kit.url(), SEEN)
        assert not hand.has("dismiss:promo")


@both_shells
async def test_a_shifting_layout_pushes_the_page_down(visiting, shell):
    async with visiting(shell=shell) as hand:
        before = hand.view.find("open:dialog").box.y
    async with visiting(shell=shell, shift=True) as hand:
        assert hand.view.find("open:dialog").box.y > before + 20


@both_shells
async def test_back_and_forward_lead_where_one_was(visiting, shell):
    async with visiting(shell=shell) as hand:
        await hand.follow("/-/kit?page=3")
        await hand.tap("page:previous")
        assert rows(hand) == ["2-1"]
        await hand.do(Back())
        assert (rows(hand), sent_in(hand)) == (["3-1"], {"page": "3"})
        await hand.do(Back())
        assert (rows(hand), sent_in(hand)) == (["1-1"], {})
        await hand.do(Forward())
        assert rows(hand) == ["3-1"]
        assert hand.seen.title.startswith("Page 3")


async def test_a_single_page_site_stays_one_document_and_starts_each_view_at_the_top(visiting):
    async with visiting(shell="app") as hand:
        await hand.tap("open:sizes")
        await hand.until_done(lambda view: None if view.query.get("page") == "2" else controls.further(view))
        assert hand.seen.scroll.y == 0
        await hand.tap("open:dialog")
        assert hand.has("submit:dialog")


@pytest.mark.parametrize("shell", ["pages", "app"])
async def test_a_page_that_is_missing_says_so_and_leads_home(visiting, kit, shell):
    async with visiting(shell=shell) as hand:
        hand.seen = await hand.driver.go(kit.url().replace("/-/kit", "/nowhere"), SEEN)
        assert isinstance(hand.view.link("/"), Tap)


@pytest.mark.parametrize("size", [WIDE, SMALL])
async def test_no_page_is_wider_than_the_screen_and_no_target_lower_than_a_finger(visiting, size):
    for variant in (
        {"choice": "radio", "number": "stepper", "toggle": "switch", "search": "suggest", "disclosure": "accordion"},
        {"choice": "dropdown", "number": "select", "date": "calendar", "search": "icon", "menu": "drawer"},
    ):
        async with visiting(size=size, **variant) as hand:
            assert hand.seen.scroll.width <= size.width
            low = [e for e in hand.view.elements if e.shown and e.key and e.box.height < 24]
            assert not low
