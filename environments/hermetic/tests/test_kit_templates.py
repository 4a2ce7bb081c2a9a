"""The kit's templates: what they say about themselves to those who cannot see them."""

from __future__ import annotations

import re
from typing import get_args, get_type_hints

import msgspec
import pytest

from webgym_hermetic import render
from webgym_hermetic.family import Page, Visit
from webgym_hermetic.site import Controls, Look, Site

CONTROLS = Controls("select", "input", "text", "checkbox", "numbered", "open", "tabs", "bar")
SITE = Site(
    name="kit",
    family="none",
    number=1,
    brand="Harrow & Pine",
    structure="none",
    shell="pages",
    look=Look("ocean", False, "Inter", "Inter", "regular", "soft"),
    controls=CONTROLS,
    nuisances=("cookies", "promo", "late"),
    split="train",
)
VARIANTS = [(name, kind) for name, hint in get_type_hints(Controls).items() for kind in get_args(hint)]


def showcase(controls: Controls, page: int = 1) -> str:
    site = msgspec.structs.replace(SITE, controls=controls)
    visit = Visit(site, None, None, "/-/kit", {"page": str(page), "q": "<b>"})
    return render.page(visit, Page("kit/showcase.html", "Kit"), notice="Saved", shift=True).decode()


def values(html: str, attribute: str) -> set[str]:
    return set(re.findall(rf'{attribute}="([^"]*)"', html))


@pytest.mark.parametrize(("name", "kind"), VARIANTS)
def test_whatever_hides_or_covers_names_what_helps_against_it(name, kind):
    html = showcase(msgspec.structs.replace(CONTROLS, **{name: kind}))
    tests = values(html, "data-testid")
    assert values(html, "data-via") | values(html, "data-dismiss") <= tests


@pytest.mark.parametrize(("name", "kind"), VARIANTS)
def test_the_same_page_is_the_same_bytes(name, kind):
    controls = msgspec.structs.replace(CONTROLS, **{name: kind})
    assert showcase(controls) == showcase(controls)


def test_what_people_write_is_never_markup():
    html = showcase(CONTROLS)
    assert "<b>" not in html
    assert "&lt;b&gt;" in html
    assert "Harrow & Pine" not in html


@pytest.mark.parametrize(
    ("kind", "page", "ids"),
    [
        ("numbered", 1, {"page:2", "page:4", "page:next"}),
        ("numbered", 3, {"page:1", "page:2", "page:4", "page:next", "page:previous"}),
        ("numbered", 4, {"page:1", "page:3", "page:previous"}),
        ("next", 2, {"page:next", "page:previous"}),
        ("more", 1, {"page:more"}),
        ("more", 4, set()),
        ("infinite", 3, {"page:end"}),
        ("infinite", 4, set()),
    ],
)
def test_a_pager_offers_the_pages_there_are(kind, page, ids):
    html = showcase(msgspec.structs.replace(CONTROLS, pager=kind), page)
    assert {one for one in values(html, "data-testid") if one.startswith("page:")} == ids


def test_many_options_are_a_list_to_choose_from_where_few_are_radio_buttons():
    ids = values(showcase(msgspec.structs.replace(CONTROLS, choice="radio")), "data-testid")
    assert {"choice:size=s", "choice:country"} <= ids
    assert "choice:country=it" not in ids


@pytest.mark.parametrize("template", ["shell", "missing", "failed", "blocked"])
def test_pages_of_the_site_alone_are_drawn_without_a_world(template):
    html = render.standing(SITE, f"kit/{template}.html", "Title").decode()
    assert "Harrow &amp; Pine" in html
    assert ("do:retry" in html) == (template == "failed")
