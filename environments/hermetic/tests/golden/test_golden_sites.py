"""Sites, tasks and pictures, hashed: a seed must go on giving the content that it gave.

Published tasks name sites by number, so content that changes unnoticed makes them unsolvable. A change that is meant
shows in the files beside this one:

    WEBGYM_UPDATE_GOLDEN=1 pytest environments/hermetic/tests/golden
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import urljoin, urlsplit

import msgspec
import pytest
from tests.asgi import asked

from webgym_hermetic.app import STATE_HEADER, SitesApp
from webgym_hermetic.catalogue import site
from webgym_hermetic.kit.pictures import COLOURS, KINDS, PRODUCTS, render
from webgym_hermetic.registry import FAMILIES
from webgym_hermetic.site import Site
from webgym_hermetic.states import States
from webgym_hermetic.tasks.generate import digest, tasks_of
from webgym_hermetic.worlds import world_of

pytestmark = pytest.mark.anyio

HERE_LIES = Path(__file__).parent
SITES = range(24)
"""Enough for every structure, trade, community and team."""
TASKS = 10
PAGES = 8
FIRST_PAGES = {"mail": "/folder/inbox"}
"""Of families whose home page redirects."""
SEEDS = range(6)
SHAPES = ((400, 300), (300, 400))


def hashed(parts: Iterable[bytes]) -> str:
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "big") + part)
    return total.hexdigest()[:16]


def plain(value: Any) -> Any:
    """Nested lists of what a record holds, whatever type the record is of."""
    match value:
        case msgspec.Struct():
            return plain(msgspec.structs.astuple(value))
        case dict():
            return plain(list(cast("dict[Any, Any]", value).items()))
        case list() | tuple():
            return [plain(part) for part in cast("list[Any]", value)]
        case set() | frozenset():
            return sorted(cast("set[str]", value))
        case _:
            return [plain(getattr(value, field.name)) for field in fields(value)] if is_dataclass(value) else value


async def pages_of(here: Site) -> str:
    """The first pages that one comes to by following links."""
    states = States()
    app, key = SitesApp((here,), states), states.begin(here)
    headers = {"host": f"{here.name}.localhost", "x-view": "1", STATE_HEADER.decode(): key}
    first = FIRST_PAGES.get(here.family, "/")
    left, known, seen = [first], {first}, list[bytes]()
    while left and len(seen) < PAGES:
        path = left.pop(0)
        _, body = await asked(app, "GET", path, headers=headers)
        seen.append(body)
        for link in re.findall(r'<a [^>]*href="([^"]+)"', body.decode()):
            parts = urlsplit(urljoin(path, link))
            if not parts.netloc and not parts.path.startswith("/-/") and parts.path not in known:
                known.add(parts.path)
                left.append(parts.path)
    assert len(seen) == PAGES
    return hashed(seen)


async def content(family: str, number: int) -> str:
    here = site(family, number)
    world = hashed([msgspec.json.encode(plain(world_of(here)))])
    return f"{number} world {world} tasks {digest(tasks_of(here, TASKS))[:16]} pages {await pages_of(here)}"


def drawn(kind: str) -> str:
    shown = [render(kind, str(seed), *shape) for seed in SEEDS for shape in SHAPES]
    if kind.removeprefix("product:") in PRODUCTS:
        shown += [render(f"{kind}:{colour}", "in colour", *SHAPES[0]) for colour in COLOURS]
    return f"{kind} {hashed(picture.encode() for picture in shown)}"


def compare(name: str, lines: list[str]) -> None:
    file = HERE_LIES / f"{name}.txt"
    written = "\n".join(lines) + "\n"
    if os.environ.get("WEBGYM_UPDATE_GOLDEN"):
        file.write_text(written, encoding="utf-8")
    assert written == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("family", FAMILIES)
async def test_a_site_has_the_content_that_it_always_had(family: str):
    compare(family, [await content(family, number) for number in SITES])


def test_a_picture_looks_as_it_always_looked():
    compare("pictures", [drawn(kind) for kind in KINDS])
