"""Kinds whose drawings are still plain."""

from __future__ import annotations

from webgym.sites.kit.colour import oklch
from webgym.sites.kit.pictures.canvas import filled, shade
from webgym.sites.rng import Rng

STUBS = tuple(
    ""
    ""
    " room:bedroom room:suite room:twin room:lobby room:pool room:bathroom room:restaurant room:terrace room:spa room:gym"
    " avatar logo chart chart:line chart:bar chart:pie abstract map screenshot screenshot:table screenshot:form screenshot:chart screenshot:chat"
    " food:pizza food:salad food:burger food:pasta food:soup food:sushi food:cake food:pancakes food:tacos food:curry food:bread food:fruit"
    " portrait sport sport:football sport:tennis sport:running sport:cycling sport:swimming sport:basketball"
    " tech tech:chip tech:robot tech:server tech:phone science science:lab science:space science:climate science:medicine"
    " politics politics:podium politics:parliament politics:vote politics:flags business culture".split()
)


def stub(kind: str, seed: str, width: int, height: int) -> str:
    rng = Rng("picture", kind, seed)
    hue = rng.between(0, 359)
    return filled(
        shade("g", oklch(0.7, 0.1, hue), oklch(0.5, 0.1, hue + 40), angle="d"),
        '<path fill="url(#g)" d="M0 0h400v300h-400z"/>',
        width,
        height,
    )
