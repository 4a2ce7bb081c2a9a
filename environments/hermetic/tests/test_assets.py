"""Fonts, icons, pictures, palettes and themes of generated websites."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from webgym.rng import Rng
from webgym_hermetic.kit import fonts, icons, palettes, pictures, theme
from webgym_hermetic.kit.colour import contrast, lch, oklch
from webgym_hermetic.kit.pictures.tag import picture

SIZES = ((400, 300), (120, 120), (1200, 360), (200, 400))
LARGEST = 6 * 1024


def numbers(svg: str) -> list[str]:
    return re.findall(r"nan|inf|--|\{|\}|None", svg)


@pytest.mark.parametrize("kind", pictures.KINDS)
def test_a_picture_is_small_well_formed_and_the_same_each_time(kind: str) -> None:
    for seed in ("a", "b c", "sku-1041"):
        for width, height in SIZES:
            svg = pictures.render(kind, seed, width, height)
            root = ET.fromstring(svg)
            assert root.get("width") == str(width)
            assert root.get("height") == str(height)
            assert len(svg.encode()) <= LARGEST
            assert svg.isascii()
            assert not numbers(svg)
            assert not re.search(r"<(text|filter|foreignObject|image|script|style)\b", svg)
            assert svg == pictures.render(kind, seed, width, height)


@pytest.mark.parametrize("kind", pictures.KINDS)
def test_every_paint_that_a_picture_names_is_defined(kind: str) -> None:
    for seed in range(6):
        svg = pictures.render(kind, str(seed), 400, 300)
        assert set(re.findall(r"url\(#(\w+)\)", svg)) <= set(re.findall(r'id="(\w+)"', svg))


@pytest.mark.parametrize("kind", ["product:mug", "scene:beach", "avatar", "logo", "abstract", "map", "room:bedroom"])
def test_pictures_of_different_seeds_differ(kind: str) -> None:
    assert len({pictures.render(kind, str(seed), 400, 300) for seed in range(12)}) >= 10


@pytest.mark.parametrize("name", pictures.PRODUCTS)
def test_a_product_shows_the_colour_that_is_asked_for(name: str) -> None:
    drawn = {colour: pictures.render(f"product:{name}:{colour}", "7", 300, 300) for colour in pictures.COLOURS}
    assert len(set(drawn.values())) == len(pictures.COLOURS)


def test_the_colours_of_products_can_be_told_apart() -> None:
    seen = [lch(colour) for colour in pictures.COLOURS.values()]
    for index, (lightness, chroma, hue) in enumerate(seen):
        for other_lightness, other_chroma, other_hue in seen[:index]:
            turn = abs((hue - other_hue + 180) % 360 - 180) * min(chroma, other_chroma)
            assert abs(lightness - other_lightness) + abs(chroma - other_chroma) + turn / 60 > 0.09


def test_there_are_products_of_at_least_forty_kinds() -> None:
    assert len(pictures.PRODUCTS) >= 40


def test_an_unknown_picture_is_refused_with_names_like_it() -> None:
    with pytest.raises(KeyError, match="product:mug"):
        pictures.render("product:muk", "1", 10, 10)
    with pytest.raises(KeyError):
        pictures.render("product:mug:puce", "1", 10, 10)
    with pytest.raises(KeyError):
        pictures.render("logo:nothing", "1", 10, 10)


def test_a_logo_takes_a_palette_a_colour_or_digits() -> None:
    assert "#12ab34" in pictures.render("logo:12ab34", "q", 40, 40) or "url(#ground)" in pictures.render(
        "logo:12ab34", "q", 40, 40
    )
    for option in (*palettes.PALETTES, *pictures.COLOURS):
        ET.fromstring(pictures.render(f"logo:{option}", "q", 40, 40))


def test_a_picture_tag_quotes_what_it_is_given() -> None:
    tag = picture("product:mug:teal", "a/b?c&d", 'A "fine" <mug>', "cover", 320, 240)
    assert 'src="/-/picture/product:mug:teal/a%2Fb%3Fc%26d.svg?w=320&amp;h=240"' in tag
    assert 'alt="A &#34;fine&#34; &lt;mug&gt;"' in tag
    ET.fromstring(str(tag).removesuffix(">") + "/>")


@pytest.mark.parametrize("name", icons.NAMES)
def test_an_icon_is_well_formed(name: str) -> None:
    root = ET.fromstring(icons.icon(name, 20, "big"))
    assert root.get("width") == "20"
    assert root.get("class") == "icon big"
    assert len(root) > 0


def test_an_unknown_icon_is_refused_with_names_like_it() -> None:
    with pytest.raises(KeyError, match="shopping-cart"):
        icons.icon("shoping-cart")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", palettes.PALETTES)
def test_the_text_of_a_palette_can_be_read(name: str, dark: bool) -> None:
    c = palettes.colours(name, dark=dark)
    grounds = (c["bg"], c["surface"], c["soft"])
    for ground in grounds:
        assert contrast(c["text"], ground) >= 7
        for ink in ("muted", "link", "danger", "ok", "warn"):
            assert contrast(c[ink], ground) >= 4.5
    assert contrast(c["link"], c["accent-soft"]) >= 4.5
    assert contrast(c["text"], c["accent-soft"]) >= 7
    for ground in ("accent", "second", "head"):
        assert contrast(c[f"{ground}-text"], c[ground]) >= 4.5


def test_palettes_are_many_and_alike_in_what_they_give() -> None:
    assert len(palettes.PALETTES) >= 24
    assert (
        len({frozenset(palettes.colours(name, dark=dark)) for name in palettes.PALETTES for dark in (False, True)}) == 1
    )
    assert len({palette.accent for palette in palettes.PALETTES.values()}) == len(palettes.PALETTES)


def test_contrast_is_what_the_guidelines_say() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_a_colour_survives_the_way_there_and_back() -> None:
    for colour in pictures.COLOURS.values():
        assert oklch(*lch(colour)) == colour


def test_looks_are_drawn_from_what_there_is_and_vary() -> None:
    looks = [theme.draw_look(Rng("look", n)) for n in range(300)]
    assert looks[:5] == [theme.draw_look(Rng("look", n)) for n in range(5)]
    assert {look.palette for look in looks} == set(palettes.PALETTES)
    assert {look.density for look in looks} == {"compact", "regular", "airy"}
    assert {look.corners for look in looks} == {"square", "soft", "round"}
    assert 30 < sum(look.dark for look in looks) < 100
    for look in looks:
        assert "text" in fonts.FONTS[look.font].uses
        assert "headings" in fonts.FONTS[look.heading_font].uses


def test_a_theme_asks_for_shipped_fonts_only() -> None:
    for number in range(40):
        css = theme.look_css(theme.draw_look(Rng("look", number)))
        declared = set(re.findall(r'@font-face\{font-family:"([^"]+)"', css))
        for stack in re.findall(r"--(?:font|heading|mono):([^;}]+)", css):
            assert set(re.findall(r'"([^"]+)"', stack)) <= declared
            assert re.sub(r'"[^"]+"|,', "", stack) == ""
        for url in re.findall(r'url\("([^"]+)"\)', css):
            assert url.startswith(fonts.URL + "/")
            assert (fonts.FOLDER / url.removeprefix(fonts.URL + "/")).is_file()


def test_fonts_are_shipped_with_their_licence_and_small() -> None:
    files = {font.file for font in fonts.FONTS.values()}
    assert files == {path.name for path in fonts.FOLDER.glob("*.woff2")}
    assert sum((fonts.FOLDER / name).stat().st_size for name in files) <= 900_000
    licence = (fonts.FOLDER / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert all(f"{name}: " in licence for name in files)


@pytest.mark.parametrize("font", fonts.FONTS.values(), ids=lambda font: font.name)
def test_a_font_can_draw_every_character_that_websites_use(font: fonts.Font) -> None:
    library = pytest.importorskip("fontTools.ttLib")
    pytest.importorskip("brotli")
    opened = library.TTFont(Path(fonts.FOLDER / font.file))
    known = opened.getBestCmap()
    assert [character for character in fonts.CHARACTERS if ord(character) not in known] == []
    (axis,) = [axis for axis in opened["fvar"].axes if axis.axisTag == "wght"]
    assert (axis.minValue, axis.maxValue) == font.weights
