"""Text that a page cut in the middle of an emoji: it is told with a replacement character, and nothing breaks."""

from __future__ import annotations

import pytest
from tests.integration.action_pages import showing
from tests.integration.sessions import button, driving

from webgym.browser import wire
from webgym.browser.server.chromium import accessibility
from webgym.records.action import AnswerDialog, MarkRef, Navigate, Select, TypeText
from webgym.records.observation import ActionFailure, Dialog, FailedReason
from webgym.records.session import Look

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

HALF = r"Party \ud83d"
"""As a script writes it."""
TOLD = "Party \ufffd"


@pytest.fixture
async def session(chromium, pages):
    """One whose every observation can be sent, beside another that must not notice."""
    pages.page("x", "/beside", "beside")
    async with driving(chromium) as beside, driving(chromium) as driver:
        await beside.go(pages.url("/beside"))
        yield driver
        wire.encode(await driver.do())
        assert (await beside.do()).title == "beside"


async def test_a_title(session, pages):
    seen = await session.go(pages.page(f"<script>document.title='{HALF}'</script>"))
    assert (seen.title, seen.tabs[0].title) == (TOLD, TOLD)


@pytest.mark.parametrize("half", [r"\ud83d", r"\ude00", r"\ude00\ud83d", r"\ud83d!"])
async def test_either_half_and_what_stands_around_it(session, pages, half):
    seen = await session.go(pages.page(rf"<script>document.title='\ud83d\ude00{half}?'</script>"))
    assert seen.title.startswith("\U0001f600\ufffd")
    assert seen.title.endswith("?")


async def test_the_name_of_a_window(session, pages):
    pages.page("x", "/opened", "opened")
    await session.go(pages.page(button(rf"window.open('/opened', '{HALF}')")))
    assert (await session.click()).title == "opened"


async def test_the_name_of_a_frame(session, pages):
    pages.page("x", "/inner")
    naming = f"<script>var f=document.createElement('iframe');f.name='{HALF}';f.src='/inner';document.body.append(f)"
    assert (await session.go(pages.page(f"{naming}</script>"))).settled


async def test_an_address(session, pages):
    seen = await session.go(pages.page(f"<script>history.pushState(0,'','/a?{HALF}#{HALF}')</script>"))
    assert "/a?Party%20%EF%BF%BD#Party%20%EF%BF%BD" in seen.url
    wire.encode(seen)


async def test_the_name_of_a_file(session, pages):
    giving = f"""const a=document.createElement('a');a.download='{HALF}.txt';
    a.href=window.URL.createObjectURL(new Blob(['x']));a.click()"""
    await session.go(pages.page(button(giving)))
    seen = await session.click()
    assert [(file.name.split()[0], file.state) for file in seen.downloads] == [("Party", "complete")]
    wire.encode(seen)


async def test_a_dialog(session, pages):
    await session.go(pages.page(button(f"document.title=prompt('{HALF}','{HALF}').length")))
    seen = await session.click()
    assert seen.dialog == Dialog("prompt", TOLD, TOLD)
    wire.encode(seen)
    assert (await session.do(AnswerDialog(accept=True))).title == str(len(TOLD))


async def test_an_answer_to_a_dialog(session, pages):
    await session.go(pages.page(button("document.title=prompt()")))
    await session.click()
    assert (await session.do(AnswerDialog(accept=True, text="Party \ud83d"))).title == TOLD


async def test_dialogs_that_are_answered_by_policy(chromium, pages):
    url = pages.page(button(f"document.title=prompt('{HALF}','{HALF}').length"))
    async with driving(chromium, dialogs="accept") as session:
        await session.go(url)
        seen = await session.click()
    assert (seen.closed_dialogs, seen.title) == ((Dialog("prompt", TOLD, TOLD),), str(len(TOLD)))


LABELLED = f"<button id=b>b</button><script>b.setAttribute('aria-label','{HALF}')</script>"


async def test_marks(session, pages):
    seen = await session.go(pages.page(LABELLED), Look(marks=True))
    assert [mark.name for mark in seen.marks] == [TOLD]


async def test_a_long_name_that_is_cut_here_in_the_middle_of_an_emoji(session, pages):
    seen = await session.go(pages.page(f"<button>{'x' * 119}\U0001f600</button>"), Look(marks=True))
    assert [mark.name for mark in seen.marks] == ["x" * 119 + "\ufffd"]


async def test_marks_of_a_frame_of_another_origin(session, pages):
    inner = pages.page(LABELLED, "/inner").replace("127.0.0.1", "localhost")
    seen = await session.go(pages.page(f"<iframe src='{inner}'></iframe>"), Look(marks=True))
    assert [mark.name for mark in seen.marks] == [TOLD]


async def test_elements_lines_and_accessibility(session, pages):
    saying = f"{LABELLED}<p id=p></p><script>p.textContent='{HALF}'</script>"
    seen = await session.go(pages.page(saying), Look(elements=True, lines=True, accessibility=True))
    assert [line.text for line in seen.lines] == ["b", TOLD]
    assert [element.tag for element in seen.elements] == ["button"]
    assert TOLD in seen.accessibility
    wire.encode(seen)


async def test_the_accessibility_of_a_frame_in_a_process_of_its_own(tab):
    framing = {"a/": "<iframe src='http://b.localhost:PORT/'></iframe>", "b/": LABELLED}
    async with showing(tab, framing):
        assert f'button "{TOLD}"' in await accessibility.tree(tab)


async def test_options_that_are_not_there(session, pages):
    choice = f"<select id=s><option>one</select><script>s.options[0].label='{HALF}'</script>"
    await session.go(pages.page(choice), Look(marks=True))
    seen = await session.do(Select(MarkRef(1), ("none",)))
    assert isinstance(seen.effect, ActionFailure)
    assert seen.effect.reason == FailedReason.NO_SUCH_OPTION
    assert TOLD in seen.effect.detail
    wire.encode(seen)


async def test_storage_that_a_later_session_starts_with(chromium, session, pages):
    url = pages.page(f"<script>localStorage.x??='{HALF}';document.title=localStorage.x</script>")
    saved = (await session.go(url, Look(storage_state=True))).storage_state
    async with driving(chromium, storage_state=saved) as later:
        assert (await later.go(url)).title == TOLD


async def test_what_an_agent_writes(session, pages):
    url = pages.page("<input oninput='document.title=value'><select><option>one</select>")
    await session.go(url, Look(marks=True))
    assert (await session.do(TypeText("Party \ud83d", MarkRef(1)))).title == TOLD
    assert (await session.do(Select(MarkRef(2), ("Party \ud83d",)))).effect.reason == FailedReason.NO_SUCH_OPTION
    seen = await session.do(Navigate(f"{url}?Party\ud83d"))
    assert "?Party%EF%BF%BD" in seen.url
