"""Musical instruments."""

# ruff: noqa: ARG001  all drawings take the same arguments

from __future__ import annotations

from webgym.rng import Rng
from webgym.sites.kit.pictures.canvas import Tones
from webgym.sites.kit.pictures.pen import Drawing, box, group, oval, path, shadow, stroke


def guitar(t: Tones, rng: Rng) -> str:
    body = (
        box("walnut", 191, 36, (18, 170), 3)
        + box("coal", 184, 16, (32, 40), 5)
        + path("ball", "M200 168c60 0 64 36 52 64 44 30 34 120-52 120s-96-90-52-120c-12-28-8-64 52-64z")
        + oval("#2a1c14", 200, 248, 27)
        + box("coal", 172, 306, (56, 12), 3)
        + stroke("#f1efe9", 1.3, "M194 20v292M198 20v292M202 20v292M206 20v292")
        + path("#ffffff", "M166 190q-12 24-2 44-30 30-18 70-30-44 8-74-10-26 12-40z", 'opacity=".35"')
    )
    return shadow(214, 344, 100, 12) + group(body, "rotate(18 200 200)")


def violin(t: Tones, rng: Rng) -> str:
    body = (
        box("coal", 192, 40, (16, 190), 3)
        + stroke("walnut", 9, "M200 44q-6-22 8-24 12 2 8 12")
        + path(
            "ball",
            "M200 154c46 0 56 26 44 58-20 18-18 34 4 46 20 60-10 92-48 92s-68-32-48-92c22-12 24-28 "
            "4-46-12-32-2-58 44-58z",
        )
        + stroke("#21150e", 4, "M170 232q-8 20 0 44M230 232q8 20 0 44")
        + path("coal", "M188 276h24l4 52h-32z")
        + stroke("#f4f1ea", 1.2, "M196 50v240M200 50v240M204 50v240")
    )
    return shadow(210, 344, 90, 12) + group(body, "rotate(-16 200 200)") + stroke("walnut", 5, "M320 92l-60 240")


def drum(t: Tones, rng: Rng) -> str:
    lacing = "".join(f"M{x} 176l14 118M{x + 28} 176l-14 118" for x in range(76, 320, 28))
    return (
        shadow(200, 324, 134, 18)
        + path("round", "M68 168h264v130q-30 30-132 30t-132-30z")
        + stroke("#f3ead9", 3, lacing, 'opacity=".8"')
        + path("gold", "M66 284q30 30 134 30t134-30v16q-30 32-134 32t-134-32z")
        + oval("gold", 200, 168, 136, 42)
        + oval("#f8f4ea", 200, 164, 126, 36)
        + stroke("wood", 9, "M120 74l96 86M300 70l-84 94")
        + oval("#e8d2ad", 214, 158, 9)
        + oval("#e8d2ad", 218, 164, 9)
    )


def piano(t: Tones, rng: Rng) -> str:
    whites = "".join(box("#fbfbf8", 52 + 21.2 * n, 214, (20, 66), 2) for n in range(14))
    blacks = "".join(box("#1b1d20", 66 + 21.2 * n, 214, (12, 40), 2) for n in range(13) if n % 7 not in (2, 6))
    return (
        shadow(200, 340, 150, 12)
        + stroke("coal", 10, "M92 290l-20 50M308 290l20 50M72 290l60 50M328 290l-60 50")
        + box("round", 36, 150, (328, 150), 12)
        + "".join(oval("coal", x, 182, 9) for x in (70, 98, 302, 330))
        + box("screen", 150, 168, (100, 28), 4)
        + whites
        + blacks
        + box("deep", 36, 280, (328, 20), 6)
    )


MUSIC: dict[str, Drawing] = {
    "guitar": guitar,
    "violin": violin,
    "drum": drum,
    "piano": piano,
}
