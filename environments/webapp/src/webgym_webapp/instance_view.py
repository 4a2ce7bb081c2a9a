"""What the user's functions see of an instance: its address and its files."""

from __future__ import annotations

import json
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_SECONDS = 30.0
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Instances are on this machine: a proxy of the environment does not reach them."""


@dataclass(frozen=True, slots=True)
class WebappInstance:
    """One running copy of the application."""

    number: int
    base: str
    """Its address, without a slash at the end."""
    folder: Path
    """Its own files."""

    def text(
        self, path: str, *, method: str = "GET", body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> str:
        """Return what it answers.

        Raises:
            OSError: It does not answer, or with an error.
        """
        asked = urllib.request.Request(self.base + path, data=body, headers=dict(headers or {}), method=method)  # noqa: S310 - always http
        try:
            with _DIRECT.open(asked, timeout=_SECONDS) as reply:
                return reply.read().decode(errors="replace")
        except urllib.error.HTTPError as error:
            with error:
                told = error.read(500).decode(errors="replace")
            raise OSError(f"{method} {path} was answered with status {error.code}: {told}") from error

    def json(self, path: str, body: Any = None, *, method: str = "", headers: Mapping[str, str] | None = None) -> Any:
        """Return what it answers in JSON; with a body it is a POST of that, as JSON.

        Raises:
            OSError: It does not answer, or with an error, or not in JSON.
        """
        data = None if body is None else json.dumps(body).encode()
        sent = {
            "Accept": "application/json",
            **({"Content-Type": "application/json"} if data else {}),
            **(headers or {}),
        }
        told = self.text(path, method=method or ("GET" if data is None else "POST"), body=data, headers=sent)
        try:
            return json.loads(told) if told else None
        except ValueError as error:
            raise OSError(f"{path} was not answered in JSON: {told[:200]}") from error

    def rows(self, database: str, query: str, *given: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query on an SQLite file among its files, which is only read."""
        with closing(sqlite3.connect(f"file:{self.folder / database}?mode=ro", uri=True, timeout=_SECONDS)) as opened:
            return opened.execute(query, given).fetchall()
