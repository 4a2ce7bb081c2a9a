"""MiniWoB's own files, edited so that an enlarged page still measures in its own pixels."""

from __future__ import annotations

import hashlib
import mimetypes
import re
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from webgym.errors import ConfigError

_FOLDERS = ("core", "common", "miniwob")
_OWN_PIXELS = {
    "clientX": "wobClientX",
    "clientY": "wobClientY",
    "pageX": "wobPageX",
    "pageY": "wobPageY",
    "pageXOffset": "wobPageXOffset",
    "pageYOffset": "wobPageYOffset",
    "clientWidth": "wobClientWidth",
    "clientHeight": "wobClientHeight",
    '"client" +': '"wobClient" +',
    "window.innerWidth": "window.wobInnerWidth",
    "window.innerHeight": "window.wobInnerHeight",
    "getBoundingClientRect": "wobRect",
    "getScreenCTM": "wobScreenCTM",
}
"""What scripts measure in pixels of the viewport, and what `episode.js` defines instead. The browser's own functions
stay as they are, for they are what observations are taken with."""
_MEASURED = re.compile(
    "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(_OWN_PIXELS, key=len, reverse=True))
)


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is served."""

    body: bytes
    media_type: str


class Pages:
    """The files of the installed package, by path."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, Asset] = {}

    @cached_property
    def paths(self) -> frozenset[str]:
        """The paths of all files, such as `miniwob/click-button.html`."""
        return frozenset(
            path.relative_to(self._folder).as_posix()
            for name in _FOLDERS
            for path in (self._folder / name).rglob("*")
            if path.is_file()
        )

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all files: pages of another version may draw something else from the same seed."""
        digest = hashlib.sha256()
        for path in sorted(self.paths):
            digest.update(f"{path}\0".encode())
            digest.update((self._folder / path).read_bytes())
        return digest.hexdigest()

    def asset(self, path: str) -> Asset | None:
        """Return the file of this path, or None if there is none."""
        if path not in self.paths:
            return None
        if path not in self._read:
            self._read[path] = self._edited(path)
        return self._read[path]

    def _edited(self, path: str) -> Asset:
        data = (self._folder / path).read_bytes()
        media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
        match Path(path).suffix:
            case ".js" | ".html":
                data = _MEASURED.sub(lambda found: _OWN_PIXELS[found[0]], data.decode("utf-8")).encode()
            case ".css" if path == "core/core.css":
                data += _own("episode.css").encode()
            case _:
                pass
        return Asset(data, media_type)


def episode_script() -> str:
    """Return the script that plays one episode, for the end of `core/core.js`."""
    return _own("episode.js")


def installed_pages() -> Pages:
    """Return the pages of the installed `miniwob`, which is not imported: it would start Selenium and Gymnasium.

    Raises:
        ConfigError: It is not installed.
    """
    spec = find_spec("miniwob")
    for place in (spec and spec.submodule_search_locations) or ():
        folder = Path(place) / "html"
        if (folder / "core" / "core.js").is_file():
            return Pages(folder)
    raise ConfigError("the package miniwob is not installed: pip install 'miniwob>=1.1,<2'")


def _own(name: str) -> str:
    return (files("webgym_miniwob") / name).read_text("utf-8")
