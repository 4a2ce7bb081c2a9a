"""Looks up websites by the names that people and benchmarks use."""

from __future__ import annotations

import functools
import json
from importlib.resources import files

from webgym.tasks.address import as_url, is_host
from webgym.tasks.problem import BadEntry
from webgym.tasks.websites import has_known_suffix


def website_named(name: str) -> str:
    """Return a website's URL by its name (`united`, `Google Flights`) or host (`nps.gov`); empty if unknown."""
    plain = " ".join(name.casefold().split()).strip(".")
    known = _table().get(plain.removeprefix("www."))
    if known is not None:
        return known
    if is_host(plain) and has_known_suffix(plain):
        try:
            return as_url(f"{plain}/")
        except BadEntry:
            return ""
    return ""


@functools.cache
def _table() -> dict[str, str]:
    return json.loads((files("webgym.tasks.sources") / "names.json").read_text("utf-8"))
