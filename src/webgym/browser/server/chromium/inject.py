"""The one script that runs first in every document: the functions that the session calls later."""

from __future__ import annotations

import json
import secrets
from importlib.resources import files

from webgym.records.session import Determinism

SCRIPTS = ("settle.js", "shadow.js", "editing.js", "select_menu.js", "marks.js")


def new_hub_name() -> str:
    """A name that no page can expect: what it does not know, it cannot look for."""
    return f"_{secrets.token_hex(8)}"


def init_script(hub: str, determinism: Determinism | None, *, started_milliseconds: int) -> str:
    """The script for `BrowserContext.add_init_script`."""
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


def _deterministic(determinism: Determinism, started_milliseconds: int) -> str:
    settings = {"seed": determinism.seed, "epoch": determinism.epoch_milliseconds, "started": started_milliseconds}
    return _enclosed(f"const settings = {json.dumps(settings)};\n{_source('determinism.js')}")


def _enclosed(source: str) -> str:
    """In a function of its own: scripts share the hub, not their names."""
    return f"(() => {{\n{source}\n}})();"


def _source(name: str) -> str:
    folder = files("webgym.browser.server.chromium") / "scripts"
    return folder.joinpath(name).read_text(encoding="utf-8")
