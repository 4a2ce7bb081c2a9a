"""The init script: it runs first in every document, and defines the functions that the session calls later."""

from __future__ import annotations

import functools
import json
import secrets
from importlib.resources import files

from webgym.records.session import Determinism

SCRIPTS = (
    "console.js",
    "pace.js",
    "settle.js",
    "shadow.js",
    "editing.js",
    "select_menu.js",
    "listeners.js",
    "names.js",
    "marks.js",
    "drawing.js",
)

IN_WORKERS = ("console.js", "pace.js")


def new_hub_name() -> str:
    """Return a random name for the hub property, which pages cannot guess and so cannot probe for."""
    return f"_{secrets.token_hex(8)}"


def init_script(hub: str, determinism: Determinism | None, *, started_milliseconds: int) -> str:
    """Return the script for `BrowserContext.add_init_script`."""
    parts = [_deterministic(determinism, started_milliseconds)] if determinism else []
    parts += [_enclosed(_source(name)) for name in SCRIPTS]
    body = _enclosed("\n".join([_source("natives.js"), *parts]))
    return f"""(() => {{
const hubName = {json.dumps(hub)};
if (Object.hasOwn(window, hubName)) return;
const hub = {{}};
Object.defineProperty(window, hubName, {{value: hub}});
{body}
}})()"""


@functools.cache
def worker_script() -> str:
    """Return the script to evaluate in a worker before its own."""
    return _enclosed(
        "\n".join(
            ["const window = globalThis;", "const call = Reflect.apply;", *map(_enclosed, map(_source, IN_WORKERS))]
        )
    )


def _deterministic(determinism: Determinism, started_milliseconds: int) -> str:
    settings = {"seed": determinism.seed, "epoch": determinism.epoch_milliseconds, "started": started_milliseconds}
    return _enclosed(f"const settings = {json.dumps(settings)};\n{_source('determinism.js')}")


def _enclosed(source: str) -> str:
    """Wrap a script in a function, so that scripts share the hub but not their variables."""
    return f"(() => {{\n{source}\n}})();"


@functools.cache
def _source(name: str) -> str:
    folder = files("webgym.browser.server.chromium") / "scripts"
    return folder.joinpath(name).read_text(encoding="utf-8")
