"""Translates a session's options to a Playwright browser context."""

from __future__ import annotations

from typing import Any, cast

import msgspec
from playwright.async_api import Browser, BrowserContext, Error

from webgym.browser.server.chromium import surrogates
from webgym.errors import RequestError
from webgym.records.session import SessionSpec

_anything = msgspec.json.Decoder()


async def new_context(browser: Browser, spec: SessionSpec, proxy_port: int) -> BrowserContext:
    """Create a browser context for one session, with all requests routed through the proxy at this port.

    Raises:
        RequestError: The browser rejects an option.
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
    """Create the error for options that the browser rejects."""
    return RequestError(f"the browser cannot open a session with these settings: {error.message.splitlines()[0]}")


def context_options(spec: SessionSpec, proxy_port: int) -> dict[str, Any]:
    """Return the arguments for `Browser.new_context`."""
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
        # `<-loopback>`: without it, requests to this machine would bypass the proxy.
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
