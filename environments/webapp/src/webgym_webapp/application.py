"""The description of an application: how to start it, when it is ready, how to reset it, and its tasks."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from webgym.errors import ConfigError
from webgym.records.base import Record
from webgym.records.task import FactGroup

Seconds = Annotated[float, Meta(gt=0)]


class Ready(Record, frozen=True, forbid_unknown_fields=True):
    """How to tell that the application serves its pages."""

    path: str = "/"
    """A page that it answers, with any status below 500."""
    log: str = ""
    """Or a text that it prints; `path` is not asked then."""
    seconds: Seconds = 60.0
    """How long it may take."""


class Reset(Record, frozen=True, forbid_unknown_fields=True):
    """How an instance returns to where it started."""

    how: Literal["copy", "http", "restart"] = "copy"
    """`copy`: stop it, copy its files back, start it. `http`: make a request. `restart`: stop it and start it, which is
    enough for an application that keeps everything in memory."""
    path: str = "/"
    """For `http`, like the following: if the request fails, the files are copied back."""
    method: str = "POST"
    headers: dict[str, str] = {}
    body: str = ""


class WebappTask(Record, frozen=True, forbid_unknown_fields=True):
    """A task on the application. Instruction, start page and facts may have `{names}` of values."""

    id: str
    instruction: str
    verdict: str
    """`module:function`: takes a `WebappAttempt` and returns whether each fact holds, or a `Verdict`."""
    facts: tuple[str, ...] = ()
    """What has to hold; alternatively `rubric`, in groups."""
    rubric: tuple[FactGroup, ...] = ()
    start: str = "/"
    """Path of the page to start at."""
    site: str = ""
    """What reports call the place; empty: the application's name."""
    split: str = "test"
    template: str = ""
    values: dict[str, Any] = {}
    fill: str = ""
    """`module:function`: takes the `Attempt`, with its seed, and returns more values."""
    prepare: str = ""
    """Instead of the application's."""
    solver: str = ""
    """`module:function`: takes a `WebappAttempt` and returns an `Agent` that solves the task."""


class Application(Record, frozen=True, forbid_unknown_fields=True):
    """A web application.

    Command, environment and headers may have the placeholders `{port}`, `{folder}` (the instance's own files), `{base}`
    (its address), `{home}` (where the description lies) and `{python}`.
    """

    name: str
    command: Annotated[tuple[str, ...], Meta(min_length=1)]
    """Runs in the instance's own folder, and must serve 127.0.0.1."""
    folder: str = ""
    """The files that every instance starts from, relative to `home`; empty: none."""
    environment: dict[str, str] = {}
    pass_environment: tuple[str, ...] = ()
    """Environment variables of this process that the application may see, besides `PATH` and the language."""
    ready: Ready = Ready()
    reset: Reset = Reset()
    headers: dict[str, str] = {}
    """Sent with every request of a session."""
    seed: str = ""
    """`module:function`: takes a `WebappInstance` and fills it once; all instances start from a copy of its files."""
    prepare: str = ""
    """`module:function`: takes a `WebappAttempt` and its `WebappInstance` before the page opens; may return a
    `Preparation`."""
    state: str = ""
    """`module:function`: takes a `WebappInstance` and returns its state; empty: a hash of each of its files."""
    hook_seconds: Seconds = 60.0
    """How long one of the functions may take."""
    tasks: tuple[WebappTask, ...] = ()
    tasks_from: str = ""
    """`module:function`: returns more tasks."""
    home: str = ""
    """The folder that `folder` is relative to, where modules are looked up first; empty: that of the file, or the
    current one."""


def read_application(path: Path) -> Application:
    """Read an application from a TOML file.

    Raises:
        ConfigError: The file cannot be read or does not describe one.
    """
    where = f"env.options.file = {str(path)!r}"
    try:
        found = msgspec.convert(tomllib.loads(path.read_text()), Application)
    except OSError as error:
        raise ConfigError(f"{where} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise ConfigError(f"{where} does not describe an application: {error}") from error
    home = path.absolute().parent
    return msgspec.structs.replace(found, home=str(home / found.home))
