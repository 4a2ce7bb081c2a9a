"""The user's functions: found when the environment is made, called with a deadline."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import anyio
import anyio.to_thread
from webgym.errors import ConfigError, TransportError, WebGymError
from webgym.imports import imported


@dataclass(frozen=True, slots=True)
class Hook:
    """A function of the user, plain or async."""

    where: str
    """The setting and its value, for messages."""
    function: Callable[..., Any]
    seconds: float

    async def __call__(self, *given: Any) -> Any:
        """Call it; a plain one runs in a thread, so that it may wait for the application.

        Raises:
            TimeoutError: It took too long. Whatever else it raises is raised too.
        """
        with anyio.fail_after(self.seconds):
            if inspect.iscoroutinefunction(self.function):
                return await self.function(*given)
            return await anyio.to_thread.run_sync(functools.partial(self.function, *given), abandon_on_cancel=True)

    async def prepared(self, *given: Any) -> Any:
        """Call it before an attempt begins.

        Raises:
            TransportError: The application did not answer it.
            ConfigError: It is wrong.
        """
        try:
            return await self(*given)
        except WebGymError:
            raise
        except OSError as error:
            raise TransportError(f"{self.where} failed: {error or 'too slow'}") from error
        except Exception as error:
            raise ConfigError(f"{self.where} failed: {type(error).__name__}: {error}") from error


def look_in(folder: str) -> None:
    """Have modules looked up in this folder first."""
    if folder not in sys.path:
        sys.path.insert(0, folder)


def hook(path: str, name: str, seconds: float) -> Hook | None:
    """Return the function of this import path, or None if it is empty.

    Raises:
        ConfigError: It cannot be imported or called.
    """
    if not path:
        return None
    function = imported(path, name)
    where = f"{name} = {path!r}"
    if not callable(function):
        raise ConfigError(f"{where} is not a function")
    return Hook(where, function, seconds)
