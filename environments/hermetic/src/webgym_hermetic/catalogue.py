"""The catalogue of websites. Each site is a deterministic function of its family and number."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from webgym.errors import SiteUnknown
from webgym.rng import Rng
from webgym_hermetic.brands import brand
from webgym_hermetic.kit.theme import draw_look
from webgym_hermetic.registry import FAMILIES, family
from webgym_hermetic.site import Controls, Nuisance, Site, Split

SITES_PER_FAMILY = 50
"""Sites per family in the shipped catalogue."""
MOST_SITES_PER_FAMILY = 10_000
_ROUND = 8
"""Out of eight consecutive sites: five train, one validation, one test, one with the held-out structure."""
_SPLITS: tuple[Split, ...] = ("train", "train", "train", "train", "train", "validation", "test", "test_structure")
_NUISANCES: tuple[tuple[Nuisance, float], ...] = (("cookies", 0.35), ("promo", 0.15), ("late", 0.5))


@cache
def site(family_name: str, number: int) -> Site:
    """Return a site by family and number.

    Raises:
        SiteUnknown: There is no such family, or the number is out of range.
    """
    kind = family(family_name)
    if not 0 <= number < MOST_SITES_PER_FAMILY:
        raise SiteUnknown(f"sites of a family are numbered 0 to {MOST_SITES_PER_FAMILY - 1}, not {number}")
    rng = Rng("site", family_name, number)
    split = _SPLITS[number % _ROUND]
    name = brand(family_name, kind.brand_endings, number)
    trained = kind.structures[:-1]
    before = number - number // _ROUND  # sites before this one without the held-out structure
    return Site(
        name="".join(part for part in name.lower() if part.isalnum()),
        family=family_name,
        number=number,
        brand=name,
        structure=kind.structures[-1] if split == "test_structure" else trained[before % len(trained)],
        shell="app" if rng.chance(0.3) else "pages",
        look=draw_look(rng.fork("look")),
        controls=_controls(rng.fork("controls")),
        nuisances=tuple(one for one, chance in _NUISANCES if rng.fork(one).chance(chance)),
        split=split,
    )


def sites(per_family: int = SITES_PER_FAMILY, families: tuple[str, ...] = FAMILIES) -> Iterator[Site]:
    """Iterate over the first `per_family` sites of each family."""
    return (site(name, number) for name in families for number in range(per_family))


def site_named(name: str, per_family: int = SITES_PER_FAMILY) -> Site:
    """Return a site by name, or by family and number: `shop-7`.

    Raises:
        SiteUnknown: There is no such site.
    """
    kind, dash, number = name.rpartition("-")
    if dash and kind in FAMILIES and number.isdecimal():
        return site(kind, int(number))
    by_name = _by_name(per_family)
    if name not in by_name:
        raise SiteUnknown(f"there is no site {name!r} among {len(by_name)}; `webgym sites list` shows them")
    return by_name[name]


def is_site(name: str, per_family: int) -> bool:
    """Return whether `site_named` finds a site."""
    try:
        site_named(name, per_family)
    except SiteUnknown:
        return False
    return True


@cache
def _by_name(per_family: int) -> dict[str, Site]:
    return {one.name: one for one in sites(per_family)}


def _controls(rng: Rng) -> Controls:
    return Controls(
        choice=rng.pick(("select", "dropdown", "radio")),
        number=rng.pick(("input", "stepper", "select")),
        date=rng.pick(("text", "calendar", "calendar")),
        toggle=rng.pick(("checkbox", "switch")),
        pager=rng.weighted((("numbered", 3), ("next", 2), ("more", 2), ("infinite", 1))),
        search=rng.weighted((("open", 3), ("suggest", 3), ("icon", 2))),
        disclosure=rng.pick(("tabs", "accordion")),
        menu=rng.weighted((("bar", 3), ("drawer", 1))),
    )
