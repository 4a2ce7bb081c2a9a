"""The `<img>` tag of a picture."""

from __future__ import annotations

from urllib.parse import quote

from markupsafe import Markup


def picture(kind: str, seed: str, alt: str, css_class: str = "", width: int = 400, height: int = 300) -> Markup:
    """Return the tag of a picture; kinds are those of `webgym_hermetic.kit.pictures`."""
    source = f"/-/picture/{quote(kind, safe=':')}/{quote(seed, safe='')}.svg?w={width}&h={height}"
    return Markup('<img src="{}" width="{}" height="{}" alt="{}" class="{}" loading="eager" decoding="sync">').format(
        source, width, height, alt, css_class
    )
