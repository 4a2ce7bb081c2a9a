"""People: avatars for accounts and authors, portraits for articles and hosts."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.kit.colour import lighter, oklch
from webgym_hermetic.kit.pictures.canvas import filled, glow, shade
from webgym_hermetic.kit.pictures.pen import box, group, oval, path, stroke

_SKINS = ("#fbdcc4", "#f3c6a5", "#e8b08a", "#d29a6f", "#b87b52", "#96603d", "#7a4d31", "#68432b")
_HAIRS = ("#241c18", "#3a2a20", "#5b3c26", "#7d5230", "#a8743f", "#d3a75c", "#e7cf95", "#9a3f24", "#b9b6b1", "#e8e5df")
_CLOTHES = (
    "#2f5d8c",
    "#c2503f",
    "#3d7d5f",
    "#dca43b",
    "#6b4f8f",
    "#2b2f3a",
    "#e6e1d8",
    "#a8456b",
    "#4a8fa3",
    "#7a8a4f",
    "#f2f2ee",
)
_BACK = {
    "long": "M56 92q-4-58 44-60 48 2 44 60 6 40 12 66h-112q6-26 12-66z",
    "bob": "M56 88q0-54 44-56 44 2 44 56 4 24 2 40h-92q-2-16 2-40z",
    "curls": "M44 96q-12-22 8-36-2-28 28-30 20-14 40 0 30 2 28 30 20 14 8 36 8 22-10 34h-92q-18-12-10-34z",
    "bun": "M82 30a18 17 0 1 1 36 0q30 10 28 58h-92q-2-48 28-58z",
    "tail": "M58 90q0-54 42-56 42 2 42 56zM132 60q34 20 22 84-16 4-22-12 8-40-10-66z",
}
_FRONT = {
    "long": "M58 92q2-40 40-46 40 4 44 46 4-56-42-60-46 4-42 60z",
    "side": "M57 86q2-22 22-34 30 8 52 2 10 12 12 30 8-50-36-56-44-4-50 58z",
    "fringe": "M57 88q-4-56 43-58 47 2 43 58-6-20-12-22-32 8-62 0-8 4-12 22z",
    "crop": "M60 76q2-42 40-44 38 2 40 44-4-18-12-22-28-8-56 0-8 4-12 22z",
    "quiff": "M59 84q-6-40 26-48 40-18 58 16 2 16-3 32-4-22-14-28-30 8-54-2-8 10-13 30z",
    "waves": "M56 92q-8-48 26-58 20-12 44 0 30 14 18 58-4-24-20-36-20 14-48 8-14 8-20 28z",
    "curls": "M56 84q0-22 14-30 12-14 30-10 18-4 30 10 14 8 14 30-6-18-16-20-10 6-16-2-12 8-22 0-12 8-18 2-10 4-16 20z",
    "bald": "",
}
_STYLES = (
    ("long", "long"),
    ("long", "fringe"),
    ("long", "side"),
    ("bob", "fringe"),
    ("bob", "side"),
    ("curls", "curls"),
    ("bun", "side"),
    ("tail", "fringe"),
    ("tail", "long"),
    ("", "crop"),
    ("", "quiff"),
    ("", "side"),
    ("", "waves"),
    ("", "curls"),
    ("", "bald"),
)


def _person(rng: Rng) -> str:
    """Draw head and shoulders in a 200 by 200 square."""
    skin = rng.pick(_SKINS)
    shade_ = lighter(skin, -0.07)
    hair = rng.pick(_HAIRS[:8] if rng.chance(0.85) else _HAIRS)
    if skin in _SKINS[4:]:
        hair = rng.pick(_HAIRS[:3])
    back, front = rng.pick(_STYLES)
    cloth = rng.pick(_CLOTHES)
    drawn = path(lighter(hair, -0.04), _BACK[back]) if back else ""
    drawn += path(cloth, "M26 200q2-44 48-50h52q46 6 48 50z") + _collar(cloth, rng)
    drawn += path(shade_, "M84 122h32v30q-16 16-32 0z")
    drawn += oval(shade_, 58, 96, 8, 11) + oval(shade_, 142, 96, 8, 11)
    drawn += path(skin, "M58 84q0-46 42-46t42 46v16q-2 40-42 42-40-2-42-42z")
    beard = not back and rng.chance(0.35)
    if beard:
        drawn += path(lighter(hair, 0.03), "M58 100q4 14 16 12 26-12 52 0 12 2 16-12 0 44-42 46-42-2-42-46z")
    drawn += _features(skin, hair, rng, beard=beard)
    if front:
        drawn += path(hair, _FRONT[front]) if _FRONT[front] else ""
    if rng.chance(0.25):
        frame = rng.pick(("#2b2b30", "#7a4a2a", "#8a8f96"))
        drawn += (
            f'<g fill="#ffffff" fill-opacity=".18" stroke="{frame}" stroke-width="2.6"><rect x="68" '
            f'y="86" width="28" height="21" rx="8"/>'
            '<rect x="104" y="86" width="28" height="21" rx="8"/><path fill="none" d="M96 93q4-3 8 0"/></g>'
        )
    return drawn


def _collar(cloth: str, rng: Rng) -> str:
    light = lighter(cloth, 0.1)
    return rng.pick(
        (
            path(light, "M74 150q26 34 52 0l8 2q-34 44-68 0z"),
            path("#f6f5f1", "M82 148l18 28 18-28 6 52h-48z")
            + path(lighter(cloth, -0.08), "M72 150l22 50h-34zM128 150l-22 50h34z"),
            path(light, "M80 146l20 26-16 14-14-34zM120 146l-20 26 16 14 14-34z"),
            path(lighter(cloth, -0.07), "M72 150q28 26 56 0v10q-28 26-56 0z"),
            "",
        )
    )


def _features(skin: str, hair: str, rng: Rng, *, beard: bool) -> str:
    dark = "#2a2320"
    lip = "#8e4a42" if skin in _SKINS[4:] else "#c0645c"
    brow = lighter(hair, -0.08) if hair not in _HAIRS[8:] else "#8a857f"
    mouth = rng.pick(
        (
            stroke(lip, 3, "M88 124q12 9 24 0"),
            path("#ffffff", "M86 121q14 4 28 0-2 13-14 13t-14-13z")
            + stroke(lip, 1.8, "M86 121q14 4 28 0-2 13-14 13t-14-13z"),
            stroke(lip, 3, "M90 125q10 4 20 0"),
        )
    )
    blush = (
        ""
        if beard or skin in _SKINS[4:]
        else oval("#f08a7a", 72, 112, 7, 4, 'opacity=".3"') + oval("#f08a7a", 128, 112, 7, 4, 'opacity=".3"')
    )
    return (
        "".join(oval("#fbf7f2", x, 97, 6, 5) for x in (82, 118) if skin in _SKINS[4:])
        + oval(dark, 82, 97, 3.6, 4.2)
        + oval(dark, 118, 97, 3.6, 4.2)
        + stroke(brow, 3, "M75 86q7-5 14-1M111 85q7-4 14 1")
        + stroke(lighter(skin, -0.12), 2.4, "M100 98q-5 10-4 13 3 3 7 1")
        + blush
        + mouth
    )


def avatar(seed: str, width: int, height: int) -> str:
    """Draw a face on a plain background."""
    rng = Rng("avatar", seed)
    hue = rng.between(0, 359)
    ground = shade("ground", oklch(0.9, 0.06, hue), oklch(0.78, 0.09, hue + 20), angle="y")
    return filled(
        ground, box("ground", 0, 0, (200, 200)) + group(_person(rng), "translate(0 8)"), width, height, "0 0 200 200"
    )


def portrait(seed: str, width: int, height: int) -> str:
    """Draw a person in front of a blurred office, street or garden."""
    rng = Rng("portrait", seed)
    hue = rng.pick((30, 60, 120, 160, 210, 240, 270))
    wide = min(640.0, max(200.0, 240 * width / height))
    spots = "".join(
        oval(
            "spot",
            rng.between(0, int(wide)),
            rng.between(10, 170),
            rng.between(18, 52),
            0,
            f'opacity="{0.25 + 0.4 * rng.unit():.2f}"',
        )
        for _ in range(12)
    )
    bars = "".join(
        box(oklch(0.72, 0.05, hue + 30), x, 0, (rng.between(10, 34), 240), 0, 'opacity=".3"')
        for x in range(rng.between(0, 30), int(wide), 74)
    )
    defs = shade("ground", oklch(0.84, 0.045, hue), oklch(0.6, 0.06, hue + 30), angle="y") + glow(
        "spot", "#ffffff", "#ffffff", opacity=(0.8, 0)
    )
    at = wide * rng.pick((0.35, 0.5, 0.5, 0.65)) - 120
    person = group(_person(rng.fork("person")), f"translate({at:.0f} 12) scale(1.2)")
    return filled(defs, box("ground", 0, 0, (wide, 240)) + bars + spots + person, width, height, f"0 0 {wide:g} 240")
