"""The generated properties of a website."""

from __future__ import annotations

from typing import Literal, get_args

from webgym.records.base import Record

Nuisance = Literal["cookies", "promo", "late"]
Split = Literal["train", "validation", "test", "test_structure"]
SPLITS: tuple[Split, ...] = get_args(Split)


class Look(Record, frozen=True):
    """The visual style of a site, which the kit turns into CSS custom properties."""

    palette: str
    """Name of a palette in `kit/palettes.py`."""
    dark: bool
    font: str
    """Font family of body text."""
    heading_font: str
    density: Literal["compact", "regular", "airy"]
    corners: Literal["square", "soft", "round"]


class Controls(Record, frozen=True):
    """Which variant of each UI component a site uses. The kit's macros render them, `controls.py` operates them."""

    choice: Literal["select", "dropdown", "radio"]
    """Single choice among few options: a native select, a custom dropdown, or radio buttons."""
    number: Literal["input", "stepper", "select"]
    date: Literal["text", "calendar"]
    toggle: Literal["checkbox", "switch"]
    pager: Literal["numbered", "next", "more", "infinite"]
    search: Literal["open", "suggest", "icon"]
    """Search box: always visible, with suggestions, or behind an icon."""
    disclosure: Literal["tabs", "accordion"]
    menu: Literal["bar", "drawer"]
    """Main navigation: a visible bar, or a drawer behind a menu button."""


class Site(Record, frozen=True):
    """One website of a family."""

    name: str
    """The host is `<name>.localhost`."""
    family: str
    number: int
    """With the family, the seed of everything on the site."""
    brand: str
    structure: str
    """Page structure: the name of one of the family's template folders."""
    shell: Literal["pages", "app"]
    """Server-rendered pages, or a single-page app that fetches its views."""
    look: Look
    controls: Controls
    nuisances: tuple[Nuisance, ...]
    """Cookie banner, promotional dialog, slow-loading deferred content."""
    split: Split

    @property
    def seed(self) -> str:
        return f"{self.family}-{self.number}"
