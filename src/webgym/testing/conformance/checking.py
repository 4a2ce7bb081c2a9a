"""Helpers of all suites: checks time out, and failures are explained in a sentence."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

import anyio
import msgspec

from webgym.errors import AuthError, ConfigError, StoreError, WebGymError
from webgym.records.base import Record

P = ParamSpec("P")
T = TypeVar("T")
SECONDS = 60.0
ENDS_RUNS = (AuthError, ConfigError, StoreError)
"""Errors that end the whole run instead of one attempt: nothing can succeed until a person intervenes."""


def bounded(
    *checks: Callable[P, Awaitable[None]], seconds: float = SECONDS
) -> tuple[Callable[P, Awaitable[None]], ...]:
    """Wrap each check with a timeout, keeping its name."""
    return tuple(_bounded(check, seconds) for check in checks)


def _bounded(check: Callable[P, Awaitable[None]], seconds: float) -> Callable[P, Awaitable[None]]:
    @functools.wraps(check)
    async def run(*args: P.args, **kwargs: P.kwargs) -> None:
        with anyio.move_on_after(seconds) as scope:
            await check(*args, **kwargs)
        assert not scope.cancelled_caught, f"did not finish within {seconds:g} s: is something blocked forever?"

    return run


@contextmanager
def refused(what: str, *kinds: type[Exception]) -> Generator[None]:
    """Assert that the block raises one of these errors."""
    wanted = " or ".join(kind.__name__ for kind in kinds)
    try:
        yield
    except kinds:
        return
    except Exception as error:
        raise AssertionError(f"{what} must be refused with {wanted}, not with {error!r}") from error
    raise AssertionError(f"{what} must be refused with {wanted}, but was accepted")


def can_be_stored(what: str, record: Record) -> None:
    """Assert that a record survives a round trip through MessagePack."""
    try:
        again = msgspec.msgpack.decode(msgspec.msgpack.encode(record), type=type(record))
    except (msgspec.MsgspecError, TypeError, UnicodeError) as error:
        raise AssertionError(f"{what} cannot be stored: {error}") from error
    assert again == record, f"{what} changed when it was stored: {again}, not {record}"


async def given_or_refused(what: str, wanted: str, asked: Awaitable[T]) -> T | None:
    """Await a result; return None if it is refused with a `WebGymError` that ends only the attempt."""
    try:
        return await asked
    except ENDS_RUNS as error:
        raise AssertionError(f"if {what}, {error!r} would end the whole run: give {wanted}") from error
    except WebGymError:
        return None
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(f"if {what}, it must give {wanted}, but raised {error!r}") from error
