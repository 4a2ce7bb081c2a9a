"""One ASGI application for all sites: the host selects the site, a header selects the session's state."""

from __future__ import annotations

import mimetypes
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from http.cookies import SimpleCookie
from urllib.parse import parse_qsl, unquote

import anyio
import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from webgym.errors import CapacityError, SiteError
from webgym.serving.strangers import admit
from webgym_hermetic import render, weather
from webgym_hermetic.family import Data, Go, Missing, Page, Visit
from webgym_hermetic.index.app import Index, is_own_name
from webgym_hermetic.kit.pictures import render as draw
from webgym_hermetic.registry import family
from webgym_hermetic.site import Site
from webgym_hermetic.states import Attempt, States
from webgym_hermetic.worlds import world_of

STATE_HEADER = b"x-webgym-state"
"""Carries the state key. Added by the browser fleet's proxy; pages and agents neither see nor send it."""
_VISITOR = "visitor"
_LONGEST_BODY = 2**18
_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}
_NEVER = {"Cache-Control": "no-store"}
_CLEAN = '"cookies", "storage"'


@dataclass(frozen=True, slots=True)
class View:
    """How the kit's script, as declared by its request headers, will use the response."""

    wanted: bool
    """The script fetched the page and will render it; it is not a browser navigation."""
    part: bool
    """Only a fragment will be used (more rows, deferred content), so the request is not recorded as a visit."""


class SitesApp:
    """Serves every site of a catalogue. Sessions are identified by state key, other visitors by a cookie.

    `index` answers people who ask for this machine rather than for a website; None: nobody does.
    """

    def __init__(self, sites: Iterable[Site], states: States, index: Index | None = None) -> None:
        self._sites = {one.name: one for one in sites}
        self._states = states
        self._index = index
        self._closing = anyio.Event()

    def close(self) -> None:
        """Answer delayed requests at once, so that the server can stop without cancelling them."""
        self._closing.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one HTTP request."""
        if scope["type"] != "http":
            return
        headers: dict[bytes, bytes] = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        site = self._sites.get(host.partition(".")[0].lower())
        if site is None and self._index and STATE_HEADER not in headers and is_own_name(host):
            response = await self._index(Request(scope, receive))
        elif site is None:
            response = Response("There is no such website here.\n", 404, media_type="text/plain")
        elif scope["path"].startswith("/-/"):
            response = _asset(site, scope["path"], scope["query_string"].decode("latin-1"))
        else:
            try:
                response = await self._page(site, Request(scope, receive), headers)
            except ClientDisconnect:  # the sender is gone, and its form did not arrive
                return
        await response(scope, receive, send)

    async def _page(self, site: Site, request: Request, headers: Mapping[bytes, bytes]) -> Response:
        key = headers.get(STATE_HEADER, b"").decode("latin-1")
        cookie = "" if key else _visitor(headers)
        try:
            attempt = self._states.get(key) if key else self._states.visitor(cookie or (new := secrets.token_hex(8)))
        except SiteError as error:
            return Response(f"{error}\n", error.status, _NEVER, media_type="text/plain")
        if key:
            admit(request.scope)
        view = View(wanted=b"x-view" in headers, part=b"x-part" in headers)
        response = await self._answer(site, attempt, request, view)
        if site.name in attempt.strewn:
            attempt.strewn.discard(site.name)
            response.headers["Clear-Site-Data"] = _CLEAN
        if not key and not cookie:
            response.set_cookie(_VISITOR, new, httponly=True)  # pyright: ignore[reportPossiblyUnboundVariable]
        return response

    async def _answer(self, site: Site, attempt: Attempt, request: Request, view: View) -> Response:
        form = await _form(request)  # before any delay: a form that was sent counts, whether its sender waits or not
        attempt.requests += 1
        number = attempt.requests
        if seconds := weather.latency(attempt.weather, number):
            with anyio.move_on_after(seconds):
                await self._closing.wait()
        if weather.blocks(attempt.weather):
            return _html(render.standing(site, "kit/blocked.html", "Just a moment"), 403)
        if weather.fails(attempt.weather, number):
            return _html(render.standing(site, "kit/failed.html", "Something went wrong"), 503)
        if request.method not in ("GET", "POST"):
            return Response(status_code=405)
        if site.shell == "app" and not view.wanted and request.method == "GET":
            return _html(render.standing(site, "kit/shell.html", site.brand), 200)
        return self._reply(site, attempt, request, form, grown=view.part)

    def _reply(self, site: Site, attempt: Attempt, request: Request, form: dict[str, str], *, grown: bool) -> Response:
        ledger = attempt.on(site)
        visit = Visit(
            site=site,
            world=world_of(site),
            state=ledger.state,
            path=request.url.path,
            query=dict(request.query_params),
            form=form,
        )
        reply = family(site.family).respond(request.method, visit)
        match reply:
            case Page(status=status):
                part = reply.part or grown
                notice, ledger.notice = ("", ledger.notice) if part else (ledger.notice, "")
                body = render.page(visit, reply, notice=notice, shift=attempt.weather.shift)
                if not part and request.method == "GET":
                    ledger.visit(_address(request))
                return _html(body, status)
            case Go(to=to, events=events, notice=notice):
                try:
                    ledger.happen(events)
                except (SiteError, CapacityError) as error:
                    return Response(f"{error}\n", error.status, _NEVER, media_type="text/plain")
                ledger.notice = notice
                return Response(status_code=303, headers={"Location": to, **_NEVER})
            case Data(value=value):
                return Response(msgspec.json.encode(value), 200, _NEVER, media_type="application/json")
            case Missing():
                return _html(render.standing(site, "kit/missing.html", "Page not found"), 404)


def _visitor(headers: Mapping[bytes, bytes]) -> str:
    morsel = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1")).get(_VISITOR)
    return morsel.value if morsel else ""


async def _form(request: Request) -> dict[str, str]:
    """Return the fields of a posted form; repeated fields are joined by commas, oversized bodies yield no fields."""
    if request.method != "POST":
        return {}
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > _LONGEST_BODY:
            return {}
        chunks.append(chunk)
    fields: dict[str, str] = {}
    for name, value in parse_qsl(b"".join(chunks).decode("utf-8", "replace"), keep_blank_values=True):
        clean = value.replace("\r\n", "\n")
        fields[name] = f"{fields[name]},{clean}" if name in fields else clean
    return fields


def _address(request: Request) -> str:
    return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path


def _html(body: bytes, status: int) -> Response:
    return Response(body, status, _NEVER, media_type="text/html; charset=utf-8")


def _asset(site: Site, path: str, query: str) -> Response:
    """Serve static files and pictures, which do not depend on the session."""
    kind, _, rest = path.removeprefix("/-/").partition("/")
    if kind == "static":
        owner, _, name = rest.partition("/")
        return _static(owner, name) if owner in ("kit", site.family) else Response(status_code=404)
    if kind == "picture":
        return _picture(rest, query)
    if kind == "kit":
        return _component(site, rest, dict(parse_qsl(query)))
    return Response(status_code=404)


def _component(site: Site, rest: str, query: dict[str, str]) -> Response:
    """Serve the component showcase in the site's look, for developing sites."""
    if rest == "suggest":
        return Response(msgspec.json.encode([{"label": query.get("q", ""), "href": "/-/kit", "hint": ""}]), 200, _NEVER)
    if rest == "late":
        return _html(b"<p>This came a little later.</p>", 200)
    visit = Visit(site, None, None, "/-/kit", query)
    return _html(render.page(visit, Page("kit/showcase.html", "Components"), notice="", shift=False), 200)


@lru_cache(maxsize=256)
def _static(owner: str, name: str) -> Response:
    path = render.static_file(owner, name)
    if path is None:
        return Response(status_code=404)
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Response(path.read_bytes(), 200, _FOREVER, media_type=media_type)


@lru_cache(maxsize=2048)
def _picture(rest: str, query: str) -> Response:
    kind, _, seed = unquote(rest).removesuffix(".svg").partition("/")
    size = dict(parse_qsl(query))
    try:
        svg = draw(kind, seed, int(size.get("w", "400")), int(size.get("h", "300")))
    except (KeyError, ValueError) as error:
        return Response(f"{error}\n", 404, media_type="text/plain")
    return Response(svg.encode(), 200, _FOREVER, media_type="image/svg+xml")
