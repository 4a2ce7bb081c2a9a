"""Alerts, confirms and prompts, and what becomes of them."""

from __future__ import annotations

import anyio
import pytest
from tests.integration.sessions import button, driving

from webgym.records.action import AnswerDialog, NewTab
from webgym.records.observation import ActionFailure, Dialog, FailedReason, PageChange
from webgym.records.session import Look

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

ASKING = button("document.title=confirm('Sure?')")


async def test_a_dialog_is_shown_and_the_page_waits(session, pages):
    await session.go(pages.page(ASKING))
    seen = await session.click(look=Look(marks=True))
    assert seen.dialog == Dialog("confirm", "Sure?")
    assert (seen.effect, seen.screenshot, seen.settled) == (PageChange(("dialog",)), None, True)
    assert (seen.url, seen.title) == (pages.url(), "Test")
    again = await session.do()
    assert (again.dialog, again.effect) == (Dialog("confirm", "Sure?"), None)


@pytest.mark.parametrize(("accept", "title"), [(True, "true"), (False, "false")])
async def test_a_dialog_is_answered(session, pages, accept, title):
    await session.go(pages.page(ASKING))
    await session.click()
    seen = await session.do(AnswerDialog(accept=accept))
    assert (seen.title, seen.dialog, seen.closed_dialogs) == (title, None, ())


@pytest.mark.parametrize(("text", "title"), [("Ann", "Ann"), ("", "you")])
async def test_a_prompt_takes_text_or_its_default(session, pages, text, title):
    await session.go(pages.page(button("document.title=prompt('Who?','you')")))
    assert (await session.click()).dialog == Dialog("prompt", "Who?", "you")
    assert (await session.do(AnswerDialog(accept=True, text=text))).title == title


async def test_an_action_that_is_no_answer_dismisses_the_dialog_and_happens(session, pages):
    await session.go(pages.page(ASKING))
    await session.click()
    seen = await session.do(NewTab())
    assert (seen.dialog, seen.closed_dialogs) == (None, (Dialog("confirm", "Sure?"),))
    assert len(seen.tabs) == 2
    assert (await session.do()).closed_dialogs == ()


async def test_an_answer_without_a_dialog_is_a_failure(session):
    assert (await session.do(AnswerDialog(accept=True))).effect == ActionFailure(FailedReason.NO_DIALOG)


@pytest.mark.parametrize(("policy", "title"), [("accept", "true"), ("dismiss", "false")])
async def test_a_policy_answers_by_itself(chromium, pages, policy, title):
    async with driving(chromium, dialogs=policy) as session:
        await session.go(pages.page(ASKING))
        seen = await session.click()
    assert (seen.title, seen.dialog, seen.closed_dialogs) == (title, None, (Dialog("confirm", "Sure?"),))


async def test_dialogs_in_a_row_are_shown_one_by_one(session, pages):
    await session.go(pages.page(button("alert(1);alert(2);document.title='done'")))
    assert (await session.click()).dialog.message == "1"
    assert (await session.do(AnswerDialog(accept=True))).dialog.message == "2"
    assert (await session.do(AnswerDialog(accept=True))).title == "done"


async def test_a_dialog_while_the_page_loads_is_shown(session, pages):
    url = pages.page("<script>alert('hello');document.title='done'</script>")
    assert (await session.go(url)).dialog == Dialog("alert", "hello")
    assert (await session.do(AnswerDialog(accept=True))).title == "done"


async def test_leaving_a_page_that_asks_not_to_be_left_needs_no_answer(session, pages):
    await session.go(pages.page(button("onbeforeunload=()=>'stay'"), "/sticky"))
    await session.click()
    seen = await session.go(pages.page("x", "/away", "away"))
    assert (seen.title, seen.dialog) == ("away", None)


async def test_a_page_that_begins_with_a_dialog_is_not_told_as_the_one_before(session, pages):
    await session.go(pages.put("/broken", "<title>broken</title>sorry", status=500))
    seen = await session.go(pages.page("<script>alert('hello')</script>text", "/fine", "fine"))
    assert (seen.url, seen.title, seen.error_status) == (pages.url("/fine"), "", 0)
    assert seen.effect == PageChange(("url", "content", "dialog"))
    seen = await session.do(AnswerDialog(accept=True))
    assert (seen.title, seen.effect) == ("fine", PageChange(("content",)))


async def test_a_window_that_begins_with_a_dialog_is_a_tab_like_others(session, pages):
    pages.put("/next", "<title>next</title><script>alert('hello')</script>")
    await session.go(pages.page(button("window.open('/next')"), title="first"))
    with anyio.fail_after(20):
        seen = await session.click()
        while len(seen.tabs) == 1:
            assert seen.dialog == Dialog("alert", "hello")
            seen = await session.do()
        assert (seen.dialog, seen.tabs[1].url) == (Dialog("alert", "hello"), pages.url("/next"))
        seen = await session.do(AnswerDialog(accept=True))
    assert (seen.title, seen.dialog) == ("next", None)
