"""The kit's component page, served as any site would serve it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode

import msgspec
from aiohttp import web
from tests.integration.sessions import Driver

from webgym.records.action import Action
from webgym.records.observation import Observation
from webgym.records.session import Look as Looking
from webgym_hermetic import render
from webgym_hermetic.family import Page, Visit
from webgym_hermetic.oracle.aim import aim
from webgym_hermetic.site import Controls, Look, Site
from webgym_hermetic.view import Intent, View

SEEN = Looking(screenshot=None, elements=True, settle_seconds=5.0)
PLAIN = Controls("select", "input", "text", "checkbox", "numbered", "open", "tabs", "bar")
SITE = Site(
    name="kit",
    family="none",
    number=1,
    brand="Harrow Pine",
    structure="none",
    shell="pages",
    look=Look("ocean", False, "Inter", "Inter", "regular", "soft"),
    controls=PLAIN,
    nuisances=(),
    split="train",
)


@dataclass
class KitPages:
    """A site with one page. The test says what it is like."""

    site: Site = SITE
    port: int = 0
    shift: bool = False
    failing: list[str] = field(default_factory=list)
    """Paths that fail once each."""
    sent: list[dict[str, str]] = field(default_factory=list)
    """What forms have posted."""

    @property
    def allowed(self) -> tuple[str, ...]:
        return (f"127.0.0.1:{self.port}",)

    def url(self, query: str = "") -> str:
        return f"http://127.0.0.1:{self.port}/-/kit{query}"

    def be(self, *, shell: str = "pages", nuisances: Sequence[str] = (), shift: bool = False, **controls: str) -> None:
        """From now on, a site with these controls."""
        self.shift = shift
        self.sent.clear()
        self.failing.clear()
        self.site = msgspec.structs.replace(
            SITE, shell=shell, nuisances=tuple(nuisances), controls=msgspec.structs.replace(PLAIN, **controls)
        )

    async def answer(self, request: web.Request) -> web.StreamResponse:
        if request.path in self.failing:
            self.failing.remove(request.path)
            return web.Response(status=503)
        if request.path.startswith("/-/static/kit/"):
            file = render.static_file("kit", request.path.removeprefix("/-/static/kit/"))
            return web.FileResponse(file) if file else web.Response(status=404)
        if request.method == "POST":
            self.sent.append({name: str(value) for name, value in (await request.post()).items()})
            raise web.HTTPSeeOther(f"/-/kit?{urlencode({'notice': 'Saved', **self.sent[-1]})}")
        return self._get(request)

    def _get(self, request: web.Request) -> web.Response:
        match request.path:
            case "/-/kit/suggest":
                return web.json_response(
                    [{"label": f"{request.query['q']} lamp", "href": "/-/kit?thing=7", "hint": "Lamps"}]
                )
            case "/-/kit/late":
                return web.Response(text='<a href="/-/kit?from=late">Late link</a>', content_type="text/html")
            case "/-/kit" if self.site.shell == "app" and "X-View" not in request.headers:
                return _html(render.standing(self.site, "kit/shell.html", self.site.brand))
            case "/-/kit":
                visit = Visit(self.site, None, None, request.path, dict(request.query))
                page = Page("kit/showcase.html", f"Page {request.query.get('page', '1')}")
                notice = request.query.get("notice", "")
                return _html(render.page(visit, page, notice=notice, shift=self.shift))
            case _:
                return _html(render.standing(self.site, "kit/missing.html", "Page not found"), 404)


def _html(body: bytes, status: int = 200) -> web.Response:
    posting = body.replace(b'method="get" action="/-/kit" class="card', b'method="post" action="/-/kit" class="card')
    return web.Response(body=posting, status=status, content_type="text/html", charset="utf-8")


@asynccontextmanager
async def serving_kit() -> AsyncGenerator[KitPages]:
    """The page on a free port, until the block ends."""
    pages = KitPages()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", pages.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        pages.port = runner.addresses[0][1]
        yield pages
    finally:
        await runner.cleanup()


@dataclass
class Hand:
    """Operates the page as an oracle would: by elements, with a mouse and a keyboard."""

    pages: KitPages
    driver: Driver
    seen: Observation

    @property
    def view(self) -> View:
        return View(self.pages.site, None, None, (), self.seen.url, self.seen.elements or ())

    def has(self, key: str) -> bool:
        """Whether the element is there to be seen, scrolled away or not."""
        return (found := self.view.find(key)) is not None and found.shown

    async def do(self, action: Action | None = None) -> None:
        self.seen = await self.driver.do(action, SEEN)

    async def until_done(self, want: Callable[[View], Intent | None], most: int = 30) -> int:
        """Do what is wanted until nothing is; how many actions it took."""
        for count in range(most):
            intent = want(self.view)
            if intent is None:
                return count
            await self.do(aim(intent, self.view, self.seen.viewport).action)
        raise AssertionError(f"still wanted after {most} actions: {want(self.view)}")

    async def tap(self, key: str, most: int = 12) -> None:
        """Click it, once, after whatever it takes to be able to."""
        for _ in range(most):
            intent = self.view.tap(key)
            assert intent is not None, f"no {key} among {sorted(e.key for e in self.view.elements if e.key)}"
            reachable = intent.element.point is not None
            await self.do(aim(intent, self.view, self.seen.viewport).action)
            if reachable:
                return
        raise AssertionError(f"{key} was not reached in {most} actions")

    async def follow(self, href: str) -> None:
        """Follow a link."""
        before = self.seen.url
        await self.until_done(lambda view: view.link(href) if view.url == before else None)

    def link(self, href: str) -> bool:
        """Whether a link is there to be seen."""
        return (tap := self.view.link(href)) is not None and tap.element.shown
