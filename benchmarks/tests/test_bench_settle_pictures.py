"""`webgym bench settle`: what later pictures say about the one that a step returned."""

from __future__ import annotations

from PIL import Image, ImageDraw

from webgym_bench.settle.pictures import Verdict, verdict_on

NOTICE = (200, 20, 400, 60)
CLOCK = (20, 20, 60, 40)
CONTENT = (20, 100, 400, 300)


def page(*boxes: tuple[int, int, int, int], clock: int = 0) -> Image.Image:
    """A picture with dark boxes, and a clock hand if one is given."""
    image = Image.new("RGB", (640, 400), "white")
    draw = ImageDraw.Draw(image)
    for box in boxes:
        draw.rectangle(box, fill="black")
    if clock:
        left, top, *_ = CLOCK
        draw.rectangle((left + 8 * clock, top, left + 8 * clock + 4, top + 20), fill="red")
    return image


def test_a_picture_that_stays_is_the_same():
    assert verdict_on(None, page(CONTENT), [page(CONTENT)]) is Verdict.SAME


def test_a_few_pixels_are_noise():
    assert verdict_on(None, page(CONTENT), [page(CONTENT, (500, 20, 500, 26))]) is Verdict.SAME


def test_what_comes_later_and_stays_was_unfinished():
    assert verdict_on(page(), page(), [page(CONTENT)] * 3) is Verdict.UNFINISHED
    assert verdict_on(None, page(), [page(CONTENT)] * 3) is Verdict.UNFINISHED


def test_what_keeps_changing_moves():
    later = [page(CONTENT, clock=number) for number in (2, 3, 4)]
    assert verdict_on(None, page(CONTENT, clock=1), later) is Verdict.MOVING


def test_content_that_comes_late_beside_a_clock_is_not_excused_by_it():
    later = [page(CONTENT, clock=number) for number in (2, 3, 4)]
    assert verdict_on(None, page(clock=1), later) is Verdict.UNFINISHED


def test_a_notice_that_goes_away_again_passes():
    assert verdict_on(page(CONTENT), page(CONTENT, NOTICE), [page(CONTENT)] * 3) is Verdict.PASSING


def test_a_spinner_that_gives_way_to_new_content_does_not_pass():
    assert verdict_on(page(CONTENT), page(NOTICE), [page((20, 320, 400, 390))] * 3) is Verdict.UNFINISHED


def test_pictures_of_different_sizes_differ():
    assert verdict_on(None, page(), [Image.new("RGB", (320, 200))]) is Verdict.UNFINISHED
