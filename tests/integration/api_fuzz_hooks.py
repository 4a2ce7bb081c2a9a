"""Hooks of schemathesis: half of the requests on a session are for one that is open, with its fence."""

from __future__ import annotations

import itertools
import os
import re

import requests
import schemathesis

URL, TOKEN = os.environ["WEBGYM_TEST_URL"], os.environ["WEBGYM_TEST_TOKEN"]
_HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", "Accept": "application/json"}
_ENDING = ("/v1/sessions/{session}/take", "/v1/sessions/{session}")
"""After a request there, another session is used: the fence has changed, or the session is released."""
_numbers = itertools.count()
_open: list[str] = []


def _session() -> str:
    if not _open:
        answer = requests.post(f"{URL}/v1/sessions", json={"ttl_seconds": 30}, headers=_HEADERS, timeout=30)
        answer.raise_for_status()
        _open.append(answer.json()["session"])
    return _open[0]


def _release(session: str) -> None:
    fence = {**_HEADERS, "X-WebGym-Fence": "1"}
    requests.delete(f"{URL}/v1/sessions/{session}", headers=fence, timeout=30).raise_for_status()


@schemathesis.hook
def before_call(context, case, **kwargs):
    """Put in the id of an open session."""
    if "session" not in (case.path_parameters or {}) or next(_numbers) % 2:
        return
    case.path_parameters["session"] = _session()
    case.headers = {**(case.headers or {}), "X-WebGym-Fence": "1"}
    if case.operation.path in _ENDING and case.method.upper() != "GET":
        _open.clear()


@schemathesis.hook
def after_call(context, case, response):
    """Release a session that was opened: a full fleet would let the next one wait."""
    if response.status_code == 200 and (case.method.upper(), case.operation.path) == ("POST", "/v1/sessions"):
        found = re.search(rb'session"?.{0,4}?([A-Za-z0-9_-]{32})', response.content, re.DOTALL)  # JSON or MessagePack
        assert found, response.content
        _release(found[1].decode())
