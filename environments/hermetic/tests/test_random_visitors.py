"""Visitors who follow any link and send any form with any text get pages, never a server's error."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urljoin

import pytest

from webgym.rng import Rng
from webgym_hermetic.app import STATE_HEADER, SitesApp
from webgym_hermetic.catalogue import site
from webgym_hermetic.registry import FAMILIES
from webgym_hermetic.site import Site
from webgym_hermetic.states import States

pytestmark = pytest.mark.anyio

WORDS = (
    "test", "42", "-1", "0", "", " ", "3.5", "2026-04-01", "2026-13-45", "12:61", "4/4/2026", "ok", "north", "a,b",
    "99999999999999999999", "\u00b2", "\u0663", "<b>&amp;", "x" * 300, "name@mail.example", "@", "1e9", "nan", "on",
)  # fmt: skip
"""Among them digits that `str.isdigit` takes and `int` does not, and the other way round."""
SITES = (1, 3, 7)
STEPS = 80
HIDDEN = 0.15
"""How often a field that only scripts write gets a word of its own."""


@dataclass
class Form:
    action: str
    method: str
    fields: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)
    """Name, kind, and the values it offers or has."""


class Reader(HTMLParser):
    """The links and forms of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[Form] = []
        self._options: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(given.get("action", ""), given.get("method", "get").lower()))
        self.links += [given[name] for name in ("href", "data-src", "data-more", "formaction") if name in given]
        form = self.forms[-1] if self.forms else None
        if form is None or "name" not in given:
            if tag == "option" and self._options is not None:
                self._options.append(given.get("value", ""))
            return
        if tag == "select":
            self._options = []
            form.fields.append((given["name"], "select", ()))
        elif tag in ("input", "textarea", "button"):
            kind = given.get("type", "text") if tag == "input" else tag
            form.fields.append((given["name"], kind, (given.get("value", ""),)))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select" and self._options is not None and self.forms:
            name, kind, _ = self.forms[-1].fields[-1]
            self.forms[-1].fields[-1] = (name, kind, tuple(self._options))
            self._options = None


def filled(form: Form, rng: Rng) -> list[tuple[str, str]]:
    """The fields as a careless person, or a script gone wrong, would send them."""
    sent: list[tuple[str, str]] = []
    for name, kind, values in form.fields:
        free = kind in ("text", "search", "email", "tel", "number", "date", "time", "textarea", "password")
        if rng.chance(0.08) or (kind in ("checkbox", "radio", "button") and rng.chance(0.5)):
            continue
        if (free and rng.chance(0.8)) or rng.chance(HIDDEN) or not values:
            sent.append((name, rng.pick(WORDS)))
        else:
            sent.append((name, rng.pick(values)))
    return sent


@dataclass
class Answer:
    status: int
    location: str
    text: str


@dataclass
class Visitor:
    """Asks the application itself, without a server in between: errors come up here."""

    here: Site
    app: SitesApp
    key: bytes

    async def ask(self, method: str, address: str, body: bytes = b"") -> Answer:
        path, _, query = address.partition("?")
        host = (b"host", f"{self.here.name}.localhost".encode())
        headers = [host, (b"x-view", b"1"), (STATE_HEADER, self.key)]
        scope = {
            "type": "http", "method": method, "path": unquote(path), "query_string": query.encode(), "headers": headers,
            "scheme": "http", "server": ("127.0.0.1", 80),
        }  # fmt: skip
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        given = dict(sent[0]["headers"])
        text = b"".join(part.get("body", b"") for part in sent[1:]).decode()
        return Answer(sent[0]["status"], given.get(b"location", b"").decode(), text)


async def wander(visitor: Visitor, rng: Rng, steps: int) -> None:
    """Go from page to page; every answer must be one that a site means to give."""
    address, trail = "/", list[str]()

    async def ask(method: str, wanted: str, body: str = "") -> Answer:
        trail.append(f"{method} {wanted} {body}")
        try:
            answer = await visitor.ask(method, wanted, body.encode())
        except Exception as error:
            raise AssertionError("\n".join(trail[-4:])) from error
        assert answer.status < 500, trail[-4:]
        return answer

    for _ in range(steps):
        shown = await ask("GET", address)
        page = Reader()
        page.feed(shown.text)
        if page.forms and rng.chance(0.6):
            form = rng.pick(page.forms)
            where, fields = local(address, form.action), filled(form, rng)
            if form.method == "post":
                answer = await ask("POST", where, urlencode(fields))
                address = local(where, answer.location or "/")
            else:
                address = f"{where.partition('?')[0]}?{urlencode(fields)}"
        else:
            links = [link for link in page.links if not link.startswith(("http:", "mailto:", "data:", "/-/", "#"))]
            address = local(address, rng.pick(links)) if links and rng.chance(0.95) else "/"
        if rng.chance(0.05):
            address = spoiled(address, rng)


def local(address: str, link: str) -> str:
    return urljoin(address, link).partition("#")[0] or "/"


def spoiled(address: str, rng: Rng) -> str:
    """An address with one of its values replaced."""
    path, _, query = address.partition("?")
    pairs = parse_qsl(query) or [("page", "2")]
    place = rng.below(len(pairs))
    pairs[place] = (pairs[place][0], rng.pick(WORDS))
    return f"{path}?{urlencode(pairs)}"


@pytest.mark.parametrize("number", SITES)
@pytest.mark.parametrize("family", FAMILIES)
async def test_whatever_is_sent_to_a_site_is_answered_with_a_page(family: str, number: int):
    here, states = site(family, number), States()
    visitor = Visitor(here, SitesApp((here,), states), states.begin(here).encode())
    await wander(visitor, Rng("visitor", family, number), STEPS)
