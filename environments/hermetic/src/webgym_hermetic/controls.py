"""How oracles operate the kit's components, whichever variant a site uses.

Each function returns the next intent towards the wanted value of a control, or None if no action is left.
"""

from __future__ import annotations

from datetime import date

from webgym_hermetic.view import Bring, Choose, Intent, Tap, View, Write


def write(view: View, name: str, text: str) -> Intent | None:
    """Fill in the text field `field:NAME`."""
    field = view.find(f"field:{name}")
    if field is None or field.value == text:
        return None
    return Write(field, text)


def choose(view: View, name: str, value: str) -> Intent | None:
    """Choose an option: of a native select `choice:NAME`, or `choice:NAME=VALUE` in a menu or as radio buttons."""
    option = view.find(f"choice:{name}={value}")
    control = view.find(f"choice:{name}")
    if option is not None:
        return None if option.checked else Tap(option)
    if control is None or control.value == value:
        return None
    return Choose(control, value)


def switch(view: View, name: str, *, on: bool) -> Intent | None:
    """Set the checkbox or switch `toggle:NAME`."""
    toggle = view.find(f"toggle:{name}")
    if toggle is None or toggle.checked == on:
        return None
    return Tap(toggle)


def count(view: View, name: str, value: int) -> Intent | None:
    """Set the number `field:NAME`: an input, a native select, or a stepper with `step:NAME:more` and `:less`."""
    field = view.find(f"field:{name}")
    if field is None or field.value == str(value):
        return None
    if field.tag == "select":
        return Choose(field, str(value))
    now = field.value or "0"
    if not now.isdecimal():  # free text, typed before the oracle took over
        return Write(field, str(value))
    step = view.find(f"step:{name}:more" if int(now) < value else f"step:{name}:less")
    return Tap(step) if step else Write(field, str(value))


def pick_date(view: View, name: str, value: str) -> Intent | None:
    """Set the date `date:NAME`: a text field that takes ISO dates, or a button that opens a calendar."""
    control = view.find(f"date:{name}")
    if control is None or control.value == value:
        return None
    if control.tag == "input":
        return Write(control, value)
    day = view.find(f"day:{name}={value}")
    if day is not None:
        return Tap(day)  # if the calendar is closed, the tap opens it first: `via` of the hidden day is `date:NAME`
    shown = next(iter(view.starting(f"day:{name}=")), None)
    if shown is None:
        return Tap(control)
    month = date.fromisoformat(shown.key.partition("=")[2]).strftime("%Y-%m")
    return view.tap(f"month:{name}:next" if month < value[:7] else f"month:{name}:previous")


def search(view: View, text: str) -> Intent | None:
    """Submit a query in the site's search box `field:q`, revealing it if needed."""
    field = view.find("field:q")
    return Write(field, text, submit=True) if field else None


def further(view: View) -> Intent | None:
    """Advance a list: by `page:next`, the button `page:more`, or `page:end`, which loads more when scrolled to."""
    if (end := view.find("page:end")) is not None:
        return Bring(end)
    for key in ("page:next", "page:more"):
        element = view.find(key)
        if element is not None and not element.disabled:
            return Tap(element)
    return None
