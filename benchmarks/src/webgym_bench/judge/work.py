"""The attempts to judge: synthetic, with full-size screenshots, of all outcomes that end with an answer."""

from __future__ import annotations

import functools
import io
from dataclasses import dataclass

from PIL import Image, ImageDraw

from webgym.judge.pictures import reduced
from webgym.judge.settings import JudgeSettings
from webgym.testing.vlm_world import World
from webgym_bench.judge.conditions import Conditions
from webgym_bench.judge.sizes import Sizes, tiny
from webgym_bench.judge.synthetic_attempts import SyntheticAttempt, synthetic_attempts
from webgym_bench.rollouts.screenshots import screenshot

_QUALITY = 75


@dataclass(frozen=True, slots=True)
class Work:
    """The input of both judges."""

    attempts: tuple[SyntheticAttempt, ...]
    pictures: dict[str, bytes]
    world: World

    @property
    def truth(self) -> dict[str, bool]:
        """Whether each attempt succeeded, by attempt id."""
        return {one.trajectory.attempt.attempt_id: one.outcome == "success" for one in self.attempts}


def make_work(conditions: Conditions) -> Work:
    """Draw attempts that both judges grade: those that gave an answer on a website that served them."""
    world = World()
    settings = JudgeSettings()
    sizes = Sizes(
        pages=conditions.pages,
        facts=conditions.facts,
        picture=_picture if conditions.full_size else tiny,
        small=lambda data: reduced(data, settings.small_side, settings.small_quality)[0],
    )
    found: list[SyntheticAttempt] = []
    # Some draws have other outcomes; twice as many always suffice.
    for one in synthetic_attempts(2 * conditions.attempts, world, seed=conditions.seed, sizes=sizes):
        if one.outcome in {"success", "failure"}:
            found.append(one)
        if len(found) == conditions.attempts:
            break
    pictures = {address: data for one in found for address, data in one.blobs.items()}
    return Work(tuple(found), pictures, world)


def _picture(number: int) -> bytes:
    """Draw a shop page with its number on it, so that no two are alike at any resolution."""
    image = _page(number % 8).copy()
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 400, 60), fill="#ffffff")
    draw.text((12, 8), f"No. {number}", fill="#000000", font_size=40)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()


@functools.cache
def _page(variant: int) -> Image.Image:
    return Image.open(io.BytesIO(screenshot(variant))).convert("RGB")
