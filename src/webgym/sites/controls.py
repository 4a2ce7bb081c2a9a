"""How an oracle operates the kit's components, whichever of them a site uses.

Each function returns what to do next to get a control into a given position, or None when it is there.
"""

from __future__ import annotations

from datetime import date

from webgym.sites.view import Bring, Choose, Intent, Tap, View, Write


def write(view: View, name: str, text: str) -> Intent | None:
    """A text field `field:NAME`."""
    field = view.find(f"field:{name}")
    if field is None or field.value == text:
        return None
    return Write(field, text)


def choose(view: View, name: str, value: str) -> Intent | None:
    """One of many: a native select `choice:NAME`, or options `choice:NAME=VALUE` in a menu or as radio buttons."""
    option = view.find(f"choice:{name}={value}")
    control = view.find(f"choice:{name}")
    if option is not None:
        return None if option.checked else Tap(option)
    if control is None or control.value == value:
        return None
    return Choose(control, value)


def switch(view: View, name: str, *, on: bool) -> Intent | None:
    """A checkbox or switch `toggle:NAME`."""
    toggle = view.find(f"toggle:{name}")
    if toggle is None or toggle.checked == on:
        return None
    return Tap(toggle)


def count(view: View, name: str, value: int) -> Intent | None:
    """A number `field:NAME`: an input, a native select, or a display with `step:NAME:more` and `step:NAME:less`."""
    field = view.find(f"field:{name}")
    if field is None or field.value == str(value):
        return None
    if field.tag == "select":
        return Choose(field, str(value))
    now = field.value or "0"
    if not now.isdecimal():  # somebody wrote into it
        return Write(field, str(value))
    step = view.find(f"step:{name}:more" if int(now) < value else f"step:{name}:less")
    return Tap(step) if step else Write(field, str(value))


def pick_date(view: View, name: str, value: str) -> Intent | None:
    """A date `date:NAME`: a text field that takes ISO dates, or a button that opens a calendar."""
    control = view.find(f"date:{name}")
    if control is None or control.value == value:
        return None
    if control.tag == "input":
        return Write(control, value)
    day = view.find(f"day:{name}={value}")
    if day is not None:
        return Tap(day)  # opens the calendar first, if that is shut: the day is hidden via `date:NAME`
    shown = next(iter(view.starting(f"day:{name}=")), None)
    if shown is None:
        return Tap(control)
    month = date.fromisoformat(shown.key.partition("=")[2]).strftime("%Y-%m")
    return view.tap(f"month:{name}:next" if month < value[:7] else f"month:{name}:previous")


def search(view: View, text: str) -> Intent | None:
    """The site's search box `field:q`, wherever it hides."""
    field = view.find("field:q")
    return Write(field, text, submit=True) if field else None


def further(view: View) -> Intent | None:
    """The next page of a list: `page:next`, a button `page:more`, or `page:end`, which loads more when it is seen."""
    if (end := view.find("page:end")) is not None:
        return Bring(end)
    for key in ("page:next", "page:more"):
        element = view.find(key)
        if element is not None and not element.disabled:
            return Tap(element)
    return None
