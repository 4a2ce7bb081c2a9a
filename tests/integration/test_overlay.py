"""Marks drawn on a real screenshot."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops
from tests.integration.action_pages import showing

from webgym.browser.server.chromium.marks import collect
from webgym.browser.server.chromium.overlay import draw
from webgym.records.observation import Box, Mark

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

PAGE = "<body style='background: white'>" + "".join(
    f"<button style='margin: 12px'>Button {n}</button>" for n in range(40)
)


def changed(before: Image.Image, after: Image.Image) -> tuple[int, int, int, int] | None:
    return ImageChops.difference(before.convert("RGB"), after.convert("RGB")).getbbox()


@pytest.mark.parametrize(("media_type", "kind"), [("image/jpeg", "jpeg"), ("image/png", "png")])
async def test_the_labelled_image_has_the_format_and_size_of_the_screenshot(tab, media_type, kind):
    async with showing(tab, PAGE) as page:
        image = await page.screenshot(type=kind)
        marks = await collect(tab)
    labelled = Image.open(io.BytesIO(draw(image, media_type, marks, quality=80)))
    assert len(marks) == 40
    assert labelled.format == kind.upper()
    assert labelled.size == (1000, 700)
    assert changed(Image.open(io.BytesIO(image)), labelled)


async def test_every_button_gets_a_border_and_keeps_its_words(tab):
    async with showing(tab, PAGE) as page:
        image = await page.screenshot(type="png")
        marks = await collect(tab)
    before = Image.open(io.BytesIO(image)).convert("RGB")
    after = Image.open(io.BytesIO(draw(image, "image/png", marks))).convert("RGB")
    for mark in marks:
        x, y = round(mark.box.x), round(mark.box.y)
        right, bottom = round(mark.box.x + mark.box.width), round(mark.box.y + mark.box.height)
        assert changed(
            before.crop((x - 2, bottom - 3, right + 2, bottom + 3)),
            after.crop((x - 2, bottom - 3, right + 2, bottom + 3)),
        )
        inner = (x + 4, y + 4, right - 4, bottom - 4)
        assert changed(before.crop(inner), after.crop(inner)) is None


def blank(width: int = 400, height: int = 300) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(out, "PNG")
    return out.getvalue()


def mark(number: int, x: float, y: float, width: float, height: float) -> Mark:
    return Mark(mark=number, role="button", name="", box=Box(x, y, width, height))


@pytest.mark.parametrize(
    "box", [(0, 0, 20, 10), (390, 290, 50, 50), (-30, -30, 40, 40), (0, 0, 400, 300), (380, 0, 20, 300)]
)
def test_labels_stay_inside_the_image(box):
    white = Image.open(io.BytesIO(blank()))
    drawn = Image.open(io.BytesIO(draw(blank(), "image/png", [mark(123, *box)])))
    colours = drawn.convert("RGB").getcolors(10_000)
    assert drawn.size == white.size
    assert changed(white, drawn)
    # The digits are there in full: enough of the label's colour around enough white inside it.
    assert sum(count for count, colour in colours if colour != (255, 255, 255)) > 150


def test_labels_of_neighbours_do_not_cover_each_other():
    marks = [mark(n, 100 + 22 * n, 100, 20, 16) for n in range(1, 8)]
    drawn = Image.open(io.BytesIO(draw(blank(), "image/png", marks))).convert("RGB")
    alone = [Image.open(io.BytesIO(draw(blank(), "image/png", [one]))).convert("RGB") for one in marks]
    together = sum(count for count, colour in drawn.getcolors(10_000) if colour != (255, 255, 255))
    apart = sum(count for image in alone for count, colour in image.getcolors(10_000) if colour != (255, 255, 255))
    assert together > 0.85 * apart


def test_an_image_of_twice_the_pixels_gets_everything_twice_as_large():
    drawn = Image.open(io.BytesIO(draw(blank(800, 600), "image/png", [mark(1, 100, 100, 50, 50)], scale=2.0)))
    left, top, right, bottom = changed(Image.open(io.BytesIO(blank(800, 600))), drawn)
    assert (left, right, bottom) == (200, 301, 301)
    assert top < 200


def test_no_marks_leave_the_picture_as_it_was():
    drawn = Image.open(io.BytesIO(draw(blank(), "image/png", [])))
    assert changed(Image.open(io.BytesIO(blank())), drawn) is None
