"""Try one session before a run opens hundreds, to report setup errors once and early."""

from __future__ import annotations

from contextlib import suppress

from webgym.browser.client import BrowserClient
from webgym.errors import CapacityError, ConfigError, RequestError
from webgym.records.session import SessionSpec


async def check_opens(browser: BrowserClient, spec: SessionSpec) -> None:
    """Check that the browser accepts these session options.

    Raises:
        ConfigError: It does not.
    """
    try:
        with suppress(CapacityError):  # a fleet that is full now may have room later
            async with browser.open(spec):
                pass
    except RequestError as error:
        raise ConfigError(f"browser.session cannot be used: {error}") from error
