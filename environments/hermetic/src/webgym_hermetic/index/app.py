"""The index of the served websites: their pictures, their tasks, and links to them.

It answers where no website does, under this machine's own name. It needs no scripts and loads nothing from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import anyio
import anyio.to_thread
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response

from webgym.records.task import Task
from webgym_hermetic.index.sketch import sketch
from webgym_hermetic.registry import family
from webgym_hermetic.site import Site
from webgym_hermetic.tasks.generate import TASKS_PER_SITE, tasks_of

HERE = Path(__file__).parent
SHOWN = 4
"""Sites of each family on the first page."""
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-cache",
}
_OBSTACLES = {"cookies": "a cookie banner", "promo": "an offer", "late": "parts that load late"}
_LEVELS = ("easy", "medium", "hard")
_KEPT = 64


def is_own_name(host: str) -> bool:
    """Return whether a Host header names this machine rather than a website."""
    name = _without_port(host)
    return bool(name) and not name.endswith(".localhost")


class Index:
    """Answers requests for the pages of the index."""

    def __init__(self, sites: Iterable[Site]) -> None:
        self._sites = {one.name: one for one in sites}
        self._families = {name: family(name) for name in dict.fromkeys(one.family for one in self._sites.values())}
        self._one_by_one = anyio.CapacityLimiter(1)
        """Generating the tasks of a site takes the processor for a while."""

    async def __call__(self, request: Request) -> Response:
        """Answer one request."""
        if request.method not in ("GET", "HEAD"):
            return _plain("This page can only be read.\n", 405)
        parts = [unquote(part) for part in request.url.path.split("/") if part]
        found = self._picture(parts) or await self._page_at(parts, _port(request.headers.get("host", "")))
        return found or _plain("There is no such page in the index of websites. The index is at /.\n", 404)

    def _picture(self, parts: list[str]) -> Response | None:
        match parts:
            case ["index.css"]:
                return _file(HERE / "static" / "index.css", "text/css")
            case ["icon.svg"]:
                return _file(HERE / "static" / "icon.svg", "image/svg+xml")
            case ["pictures", picture] if (name := picture.removesuffix(".webp")) in self._families:
                return _file(HERE / "pictures" / f"{name}.webp", "image/webp")
            case ["sketches", drawing] if site := self._sites.get(drawing.removesuffix(".svg")):
                return Response(sketch(site), headers=_HEADERS, media_type="image/svg+xml")
            case _:
                return None

    async def _page_at(self, parts: list[str], port: str) -> Response | None:
        match parts:
            case []:
                return self._page("overview.html", port, shown=SHOWN)
            case ["families", name] if name in self._families:
                return self._page("family.html", port, family=self._families[name], sites=self._of(name))
            case ["sites", name] if site := self._sites.get(name):
                tasks = await anyio.to_thread.run_sync(_tasks, site, limiter=self._one_by_one)
                levels = {level: sum(task.level == level for task in tasks) for level in _LEVELS}
                about = {
                    "family": self._families[site.family],
                    "obstacles": [_OBSTACLES[one] for one in site.nuisances],
                }
                return self._page("site.html", port, site=site, tasks=tasks, levels=levels, **about)
            case _:
                return None

    def _of(self, name: str) -> list[Site]:
        return [one for one in self._sites.values() if one.family == name]

    def _page(self, template: str, port: str, **context: Any) -> Response:
        families = [(one, self._of(one.name)) for one in self._families.values()]
        found: Mapping[str, Any] = {"families": families, "count": len(self._sites), "port": port, **context}
        return Response(_environment().get_template(template).render(found), headers=_HEADERS, media_type="text/html")


@lru_cache(maxsize=_KEPT)
def _tasks(site: Site) -> tuple[Task, ...]:
    return tuple(tasks_of(site, TASKS_PER_SITE))


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )


@lru_cache(maxsize=16)
def _file(path: Path, media_type: str) -> Response:
    return Response(path.read_bytes(), headers=_HEADERS, media_type=media_type)


def _plain(text: str, status: int) -> Response:
    return Response(text, status, _HEADERS, media_type="text/plain")


def _without_port(host: str) -> str:
    end = host.rfind("]") + 1
    colon = host.find(":", end)
    return (host[:colon] if colon >= 0 else host).lower()


def _port(host: str) -> str:
    """Return the port by which the reader reaches this machine, as it is written in addresses: `:4300`, or nothing."""
    port = host[len(_without_port(host)) :].removeprefix(":")
    return f":{port}" if port.isascii() and port.isdecimal() else ""
