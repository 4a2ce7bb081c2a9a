"""One website: what its seed decided about it."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

Nuisance = Literal["cookies", "promo", "late"]
Split = Literal["train", "validation", "test", "test_structure"]


class Look(Record, frozen=True):
    """How a site looks. The kit's stylesheet turns these into custom properties."""

    palette: str
    """Name of a palette of `kit/palettes.py`."""
    dark: bool
    font: str
    """Family of the text."""
    heading_font: str
    density: Literal["compact", "regular", "airy"]
    corners: Literal["square", "soft", "round"]


class Controls(Record, frozen=True):
    """Which of several equivalent components a site uses. The kit's macros draw them, `controls.py` operates them."""

    choice: Literal["select", "dropdown", "radio"]
    """One of many, where there are few options: a native select, a menu of its own, or radio buttons."""
    number: Literal["input", "stepper", "select"]
    date: Literal["text", "calendar"]
    toggle: Literal["checkbox", "switch"]
    pager: Literal["numbered", "next", "more", "infinite"]
    search: Literal["open", "suggest", "icon"]
    """Always there; with suggestions below it; behind an icon."""
    disclosure: Literal["tabs", "accordion"]
    menu: Literal["bar", "drawer"]
    """Main navigation: laid out, or behind a menu button."""


class Site(Record, frozen=True):
    """One website of a family."""

    name: str
    """Its host is `<name>.localhost`."""
    family: str
    number: int
    """Together with the family, the seed of everything on it."""
    brand: str
    structure: str
    """Which of the family's page structures: a folder of templates."""
    shell: Literal["pages", "app"]
    """Whole pages from the server, or one page that fetches its views."""
    look: Look
    controls: Controls
    nuisances: tuple[Nuisance, ...]
    """Cookie banner; a dialog in the way on the first visit; parts that load late."""
    split: Split

    @property
    def seed(self) -> str:
        return f"{self.family}-{self.number}"
