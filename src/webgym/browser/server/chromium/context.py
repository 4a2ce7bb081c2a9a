"""A session's options, as the browser understands them."""

from __future__ import annotations

from typing import Any, cast

import msgspec
from playwright.async_api import Browser, BrowserContext, Error

from webgym.browser.server.chromium import surrogates
from webgym.errors import RequestError
from webgym.records.session import SessionSpec

_anything = msgspec.json.Decoder()


async def new_context(browser: Browser, spec: SessionSpec, proxy_port: int) -> BrowserContext:
    """A context of its own for one session, whose every request goes through the proxy at this port.

    Raises:
        RequestError: An option makes no sense to the browser.
        playwright.async_api.Error: The browser is gone.
    """
    options = context_options(spec, proxy_port)
    try:
        return await browser.new_context(**options)
    except Error as error:
        if browser.is_connected() and "closed" not in error.message:
            raise unusable(error) from error
        raise


def unusable(error: Error) -> RequestError:
    """What to tell whoever asked for options that the browser refuses."""
    return RequestError(f"the browser cannot open such a session: {error.message.splitlines()[0]}")


def context_options(spec: SessionSpec, proxy_port: int) -> dict[str, Any]:
    """Arguments for `Browser.new_context`."""
    size = {"width": spec.viewport.width, "height": spec.viewport.height}
    if min(size.values()) < 1 or max(size.values()) > 16384:
        raise RequestError(f"a viewport of {spec.viewport.width} by {spec.viewport.height} pixels cannot be shown")
    options: dict[str, Any] = {
        "viewport": size,
        "screen": size,
        "locale": spec.locale,
        "timezone_id": spec.timezone,
        "color_scheme": spec.color_scheme,
        "permissions": list(spec.permissions),
        # Loopback too: without this the browser would go straight to servers on this machine.
        "proxy": {"server": f"http://127.0.0.1:{proxy_port}", "bypass": "<-loopback>"},
    }
    if spec.user_agent:
        options["user_agent"] = spec.user_agent
    if spec.headers:
        options["extra_http_headers"] = spec.headers
    if spec.geolocation:
        options["geolocation"] = msgspec.to_builtins(spec.geolocation) | {"accuracy": spec.geolocation.accuracy}
    if spec.storage_state:
        options["storage_state"] = _storage_state(spec.storage_state)
    return options


def _storage_state(text: str) -> dict[str, Any]:
    try:
        state: object = surrogates.decode(_anything, text)
    except msgspec.DecodeError as error:
        raise RequestError(f"the storage state is not JSON: {error}") from error
    if not isinstance(state, dict):
        raise RequestError("the storage state is not a JSON object")
    return cast("dict[str, Any]", state)
