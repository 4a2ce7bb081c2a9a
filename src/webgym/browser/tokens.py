"""The two bearer tokens of a fleet: one for clients, one with which nodes join."""

from __future__ import annotations

import contextlib
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from webgym.errors import ConfigError


@dataclass(frozen=True, slots=True)
class FleetTokens:
    """The bearer tokens of a fleet."""

    client: str = field(repr=False)
    join: str = field(repr=False)


def state_folder() -> Path:
    """Return the folder that holds the tokens: `WEBGYM_HOME`, else one in the user's state folder."""
    home = os.environ.get("WEBGYM_HOME")
    if home:
        return Path(home)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "webgym"


def load_tokens(folder: Path | None = None) -> FleetTokens:
    """Return this user's tokens, generated on first use and readable by nobody else.

    Raises:
        ConfigError: The folder cannot be created or written, or a file in it holds no token.
    """
    folder = folder or state_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return FleetTokens(client=_read_or_make(folder / "token"), join=_read_or_make(folder / "join-token"))
    except OSError as error:
        remedy = "set WEBGYM_HOME to a writable folder"
        raise ConfigError(f"cannot keep tokens in {folder}: {error.strerror}; {remedy}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"a token in {folder} is not text: delete the file, and a new one is made") from error


def _read_or_make(path: Path) -> str:
    with contextlib.suppress(FileExistsError):
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(32))
    return path.read_text("utf-8").strip()
