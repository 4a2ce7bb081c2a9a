"""MiniWoB in a real Chromium."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from webgym.browser.config import ChromiumConfig
from webgym.browser.server.chromium.browser import ChromiumBrowser
from webgym.errors import ConfigError
from webgym.records.action import Click, Drag, Point, Press, Reload, TypeText, Wait
from webgym.records.observation import Viewport
from webgym.records.session import Look, SessionSpec
from webgym.stages import BrowserCheck
from webgym_miniwob.oracle import SOLVERS

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]
PICTURE = Look(screenshot="png", lines=True)
SIZES = pytest.mark.parametrize("viewport", [Viewport(1280, 768), Viewport(448, 320), Viewport(300, 900)])


def at(viewport: Viewport, x: float, y: float) -> Point:
    """A position on MiniWoB's 160 by 210 pixels, in the viewport."""
    scale = min(viewport.width / 160, viewport.height / 210)
    return Point(round(x * scale), round(y * scale))


@pytest.mark.parametrize("name", sorted(SOLVERS))
async def test_the_oracle_gets_the_full_reward(arcade, name):
    async with arcade.playing(f"miniwob/{name}/7") as player:
        assert (await player.solve()).success


async def test_the_page_says_what_the_instruction_says(arcade):
    for task_id in ("miniwob/click-button/41", "miniwob/email-inbox-nl-turk/3", "miniwob/terminal/99"):
        async with arcade.playing(task_id) as player:
            await player.do()
            assert (await player.progress()).utterance == player.setup.attempt.task.instruction


async def test_a_seed_is_the_same_page_again_and_another_seed_is_another(arcade):
    seen = []
    for seed in (5, 5, 6):
        async with arcade.playing(f"miniwob/email-inbox/{seed}") as player:
            lines = (await player.do()).observation.lines
            seen.append([(line.text, line.box) for line in lines])
    assert seen[0] == seen[1] != seen[2]


async def test_nothing_done_is_no_success_and_no_end(arcade):
    async with arcade.playing("miniwob/click-test-2/0") as player:
        capture = await player.do()
        assert await player.ended(capture) == ""
        verdict = await player.verdict()
        assert (verdict.success, verdict.credit) == (False, 0.0)


async def test_a_wrong_click_ends_the_attempt_without_success(arcade):
    async with arcade.playing("miniwob/click-test-2/0") as player:
        seen = (await player.do()).observation
        [wrong] = [element for element in seen.elements if element.text == "TWO"]
        capture = await player.do(Click(wrong.point))
        assert await player.ended(capture) == "the page ended its episode with a reward of -1"
        assert not (await player.verdict()).success


async def test_what_is_partly_right_is_worth_something(arcade):
    async with arcade.playing("miniwob/click-checkboxes/3") as player:
        seen = (await player.do()).observation
        boxes = [element for element in seen.elements if element.type == "checkbox"]
        [submit] = [element for element in seen.elements if element.tag == "button"]
        # This instance asks for 4 of 5, so one wrong box of five is worth (4 - 1) / 5.
        for box in boxes[:3]:
            await player.do(Click(box.point))
        await player.do(Click(submit.point))
        verdict = await player.verdict()
        assert (verdict.success, verdict.credit) == (False, 0.6)


async def test_a_reload_begins_the_same_episode_and_takes_no_reward_back(arcade):
    async with arcade.playing("miniwob/click-test-2/0") as player:
        before = (await player.do()).observation
        after = (await player.do(Reload())).observation
        assert [one.box for one in before.elements] == [one.box for one in after.elements]
        [wrong] = [element for element in after.elements if element.text == "TWO"]
        await player.do(Click(wrong.point))
        await player.do(Reload())
        assert not (await player.solve()).success
        await player.setup.state.reset()
        await player.do(Reload())
        assert (await player.solve()).success


async def test_attempts_side_by_side_do_not_affect_each_other(arcade):
    async with arcade.playing("miniwob/click-button/7") as one, arcade.playing("miniwob/click-button/7") as other:
        await one.do()
        await other.do()
        assert (await one.solve()).success
        assert not (await other.progress()).done
        assert not (await other.verdict()).success


@SIZES
async def test_the_area_is_as_large_as_the_viewport_allows_and_shows_no_reward(arcade, viewport):
    async with arcade.playing("miniwob/click-test-2/0", viewport) as player:
        capture = await player.do(look=PICTURE)
        seen = capture.observation
        picture = Image.open(io.BytesIO(capture.blobs[seen.screenshot.address])).convert("RGB")
        corner = at(viewport, 158, 208)
        assert picture.getpixel((2, 2)) == (255, 255, 0)
        assert picture.getpixel((corner.x, corner.y)) == (255, 255, 255)
        assert {line.text for line in seen.lines} == {"Click button ONE.", "ONE", "TWO"}
        assert seen.settled


@SIZES
async def test_drags_and_clicks_land_where_they_are_aimed(arcade, viewport):
    async with arcade.playing("miniwob/drag-circle/3", viewport) as player:
        await player.do()
        assert player.setup.attempt.task.instruction == "Drag the circle down then press Submit."
        await player.do(Drag(at(viewport, 110, 111), at(viewport, 110, 150)))
        await player.do(Click(at(viewport, 80, 198)))
        assert (await player.progress()).reward == 1.0
    async with arcade.playing("miniwob/circle-center/3", viewport) as player:
        await player.do()
        await player.do(Click(at(viewport, 74, 143)))
        await player.do(Click(at(viewport, 96, 194)))
        assert (await player.progress()).reward > 0.9


async def test_the_time_limit_of_a_page_ends_nothing(arcade):
    async with arcade.playing("miniwob/use-colorwheel/0") as player:  # 7 seconds, the shortest of all
        await player.do()
        capture = await player.do(Wait(8))
        assert await player.ended(capture) == ""


async def test_a_fleet_that_does_not_reach_the_pages_is_refused(arcade):
    assert isinstance(arcade.running, BrowserCheck)
    await arcade.running.check(arcade.browser, SessionSpec())
    async with ChromiumBrowser(ChromiumConfig()) as elsewhere:
        with pytest.raises(ConfigError, match="--allow"):
            await arcade.running.check(elsewhere, SessionSpec())


async def test_a_script_that_is_typed_does_not_run(arcade):
    async with arcade.playing("miniwob/terminal/0") as player:  # shows commands as HTML
        await player.do()
        await player.do(Click(Point(200, 400)))
        await player.do(TypeText("<img src=x onerror=core.endEpisode(1)>"))
        capture = await player.do(Press(("Enter",)))
        assert await player.ended(capture) == ""
