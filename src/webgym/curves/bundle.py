"""Bundles the page's JavaScript modules into one script, for a file that is opened without a server.

A module loaded from `file://` may not import others, so each becomes a function that returns its exports, with a scope
of its own. Only one style of import and export is supported; anything else is an error.
"""

from __future__ import annotations

import re
from pathlib import Path

from webgym.errors import ConfigError

_IMPORT = re.compile(r'^import \{([\w,\s]+)\} from "\./([\w-]+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:const|function|class) (\w+))", re.MULTILINE)
_LEFT = re.compile(r"^\s*(?:import|export)\b.*", re.MULTILINE)


def bundle(folder: Path, entry: str) -> str:
    """Bundle the module `entry` and everything it imports into one script.

    Raises:
        ConfigError: A module uses an unsupported import or export style, or imports are circular.
    """
    parts: dict[str, str] = {}
    _add(folder, entry, parts, ())
    return '"use strict";\n' + "".join(parts.values())


def _add(folder: Path, name: str, parts: dict[str, str], above: tuple[str, ...]) -> None:
    if name in parts:
        return
    if name in above:
        raise ConfigError(f"{name} imports itself, by way of {' and '.join(above)}")
    source = (folder / name).read_text("utf-8")
    for imported in _IMPORT.finditer(source):
        _add(folder, imported[2], parts, (*above, name))
    exported = _EXPORT.findall(source)
    body = _EXPORT.sub("", _IMPORT.sub(_as_constant, source))
    if left := _LEFT.search(body):
        raise ConfigError(f"{name} cannot be bundled: {left[0].strip()}")
    parts[name] = f"const {_variable(name)} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();\n"


def _as_constant(found: re.Match[str]) -> str:
    names = " ".join(found[1].split()).rstrip(",")
    return f"const {{ {names} }} = {_variable(found[2])};"


def _variable(name: str) -> str:
    return "module_" + re.sub(r"\W", "_", name.removesuffix(".js"))
