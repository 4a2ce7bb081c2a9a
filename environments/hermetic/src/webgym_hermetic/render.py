"""Page rendering. Templates are looked up in the site's structure, then the family's shared folder, then the kit."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from webgym_hermetic.family import Page, Visit
from webgym_hermetic.kit.fonts import FONTS
from webgym_hermetic.kit.icons import icon
from webgym_hermetic.kit.pictures.tag import picture
from webgym_hermetic.kit.theme import theme_css
from webgym_hermetic.site import Site

HERE = Path(__file__).parent
STATIC = "/-/static"


def page(visit: Visit, reply: Page, *, notice: str, shift: bool) -> bytes:
    """Render a page of a site."""
    template = _environment(visit.site.family, visit.site.structure).get_template(reply.template)
    context: dict[str, Any] = {
        **_surroundings(visit.site),
        "world": visit.world,
        "state": visit.state,
        "path": visit.path,
        "query": visit.query,
        "title": reply.title,
        "notice": notice,
        "shift": shift,
        **reply.context,
    }
    return template.render(context).encode()


def standing(site: Site, template: str, title: str) -> bytes:
    """Render a page that depends on the site alone: the shell of a single-page app, an error page."""
    context: dict[str, Any] = {
        **_surroundings(site),
        "title": title,
        "notice": "",
        "shift": False,
        "path": "/",
        "query": {},
    }
    return _environment(site.family, site.structure).get_template(template).render(context).encode()


def static_file(owner: str, name: str) -> Path | None:
    """Return the path of a static file of the kit or of a family; None if there is no such file."""
    folder = HERE / "kit" / "static" if owner == "kit" else HERE / "families" / owner / "static"
    path = (folder / name).resolve()
    return path if path.is_relative_to(folder) and path.is_file() else None


@cache
def _environment(family_name: str, structure: str) -> Environment:
    templates = HERE / "families" / family_name / "templates"
    environment = Environment(
        loader=FileSystemLoader([templates / structure, templates / "shared", HERE / "kit" / "templates"]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    names: Any = environment.globals
    names.update(icon=icon, picture=picture, link=_link, money=_money, day=_day, weekday=_weekday)
    return environment


@cache
def _surroundings(site: Site) -> dict[str, Any]:
    own = [name for name in (f"{site.family}.css", f"{site.structure}.css") if static_file(site.family, name)]
    scripts = [name for name in (f"{site.family}.js",) if static_file(site.family, name)]
    return {
        "site": site,
        "theme_css": theme_css(site),
        "fonts": [FONTS[name].url for name in dict.fromkeys((site.look.font, site.look.heading_font))],
        "stylesheets": [f"{STATIC}/{site.family}/{name}" for name in own],
        "scripts": [f"{STATIC}/{site.family}/{name}" for name in scripts],
    }


def _link(path: str, **query: object) -> str:
    kept = {name: value for name, value in query.items() if value not in (None, "")}
    return f"{path}?{urlencode(kept)}" if kept else path


def _money(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02d}"


def _day(text: str) -> str:
    day = _date(text)
    return f"{day:%b} {day.day}, {day.year}" if day else text


def _weekday(text: str) -> str:
    day = _date(text)
    return f"{day:%a}" if day else ""


def _date(text: str) -> date | None:
    """Parse an ISO date; None if invalid, since forms are redisplayed with whatever was typed into them."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
