"""A blindfolded policy sees nothing of a page, whatever its dialect is shown."""

from __future__ import annotations

import io
from contextlib import asynccontextmanager

import pytest
from PIL import Image
from tests.unit.agent.samples import MARKS, TASK

from webgym.agent.settings import AgentSettings
from webgym.agent.vlm import look_for, vlm_agent
from webgym.records.observation import Blob, Box, Capture, Element, Observation, TextLine, Viewport, address_of
from webgym.records.prompt import Completion, Text
from webgym.records.session import Look, SessionSpec
from webgym.run.controls import BlankBrowser

pytestmark = pytest.mark.anyio
BOX = Box(0, 0, 10, 10)


def painted(colour: str, kind: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(out, kind)
    return out.getvalue()


class Painter:
    """A browser that shows a red page, and all that can be said about it."""

    def __init__(self, *, pictures: bool = True) -> None:
        self._data = (painted("red", "jpeg"), painted("blue", "png")) if pictures else ()

    @asynccontextmanager
    async def open(self, spec):
        yield self

    async def step(self, action, look):
        kinds = ("image/jpeg", "image/png")
        shots = [Blob(address_of(one), kind, len(one)) for one, kind in zip(self._data, kinds, strict=False)]
        plain, labelled = shots or (None, None)
        seen = Observation(1, "http://shop.localhost/", viewport=Viewport(64, 48), screenshot=plain, labelled=labelled)
        told = Observation(
            **{name: getattr(seen, name) for name in ("sequence", "url", "viewport", "screenshot", "labelled")},
            marks=MARKS if look.marks else None,
            elements=(Element("buy", "button", "Buy the hat", BOX),) if look.elements else None,
            lines=(TextLine("Moor hat, 12 euros", BOX),) if look.lines else None,
            accessibility="button 'Buy the hat'" if look.accessibility else None,
        )
        return Capture(told, {address_of(one): one for one in self._data})

    async def blob(self, address):
        return b"the same"


class Asked:
    """A policy that keeps what it was shown."""

    async def sample(self, prompt, pictures, *, affinity=""):
        self.prompt, self.pictures = prompt, pictures
        return Completion("")


async def looked(look: Look, **more) -> Capture:
    async with BlankBrowser(Painter(**more)).open(SessionSpec()) as session:
        return await session.step(None, look)


@pytest.mark.parametrize("dialect", ["qwen3-vl", "qwen3-vl-marks"])
async def test_no_dialect_shows_a_blindfolded_policy_anything_of_a_page(dialect):
    settings = AgentSettings(dialect=dialect)
    policy = Asked()
    await vlm_agent(TASK, policy, settings).decide(await looked(look_for(settings)))
    shown = [Image.open(io.BytesIO(one)) for one in policy.pictures.values()]
    assert [one.size for one in shown] == [(64, 48)]
    assert [one.convert("RGB").getextrema() for one in shown] == [((255, 255),) * 3]
    user = policy.prompt.messages[-1]
    said = " ".join(part.text for part in user.parts if isinstance(part, Text))
    assert not [mark.name for mark in MARKS if mark.name in said]


async def test_what_is_told_of_a_page_on_request_is_told_as_of_an_empty_one():
    capture = await looked(Look(marks=True, elements=True, lines=True, accessibility=True))
    seen = capture.observation
    assert (seen.marks, seen.elements, seen.lines, seen.accessibility) == ((), (), (), "")
    assert set(capture.blobs) == {seen.screenshot.address, seen.labelled.address}
    assert (seen.screenshot.media_type, seen.labelled.media_type) == ("image/jpeg", "image/png")
    plain = (await looked(Look())).observation
    assert (plain.marks, plain.elements, plain.lines, plain.accessibility) == (None,) * 4


async def test_without_a_picture_there_is_still_nothing_to_read():
    seen = (await looked(Look(marks=True), pictures=False)).observation
    assert (seen.screenshot, seen.labelled, seen.marks) == (None, None, ())
