"""Writing a message: new, an answer, passed on, or from a draft."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from webgym_hermetic.families.mail.addressing import answered, resolved
from webgym_hermetic.families.mail.family import FAMILY
from webgym_hermetic.families.mail.mailbox import messages, people, subject
from webgym_hermetic.families.mail.pages.frame import box, framed
from webgym_hermetic.families.mail.pages.threads import answer_subject
from webgym_hermetic.family import Event, Go, Missing, Reply, Visit

PRIORITIES = (("normal", "Normal"), ("high", "High"), ("low", "Low"))
_MODES = ("reply", "all", "forward")
_FIELDS = ("to", "cc", "subject", "body", "priority", "receipt", "later", "scheduled")


@FAMILY.get("/compose")
def compose(visit: Visit) -> Reply:
    values = _begun(visit)
    return Missing() if values is None else _form(visit, values, {})


@FAMILY.post("/compose")
def sent(visit: Visit) -> Reply:
    values = {name: visit.form.get(name, "").strip() for name in _FIELDS}
    mode, key = _mode(visit)
    world, state = box(visit)
    if key and mode != "new" and not messages(world, state, key):
        return Missing()
    if visit.form.get("action") == "draft":
        return _kept(visit, values)
    errors, to, cc = _checked(visit, values, mode)
    if errors:
        return _form(visit, values, errors)
    args: dict[str, Any] = {
        "mode": mode,
        "thread": key if mode != "new" else "",
        "to": ", ".join(to),
        "cc": ", ".join(cc),
        "subject": values["subject"],
        "body": values["body"],
        "priority": values["priority"] or "normal",
        "receipt": values["receipt"] == "on",
        "scheduled": values["scheduled"] if values["later"] == "on" else "",
        "draft": visit.query.get("draft", ""),
    }
    notice = "Your message is scheduled." if args["scheduled"] else "Your message was sent."
    return Go(f"/thread/{key}" if mode != "new" else "/folder/sent", (Event("send", args),), notice)


def _mode(visit: Visit) -> tuple[str, str]:
    return next(((mode, visit.query[mode]) for mode in _MODES if mode in visit.query), ("new", ""))


def _begun(visit: Visit) -> dict[str, str] | None:
    """What a form starts with."""
    world, state = box(visit)
    mode, key = _mode(visit)
    values = dict.fromkeys(_FIELDS, "") | {"priority": "normal", "to": visit.query.get("to", "")}
    if mode != "new":
        if not messages(world, state, key):
            return None
        title = subject(world, state, key)
        values["subject"] = f"Fwd: {title}" if mode == "forward" else answer_subject(title)
        if mode != "forward":
            values["to"] = ", ".join(answered(world, state, key, everyone=mode == "all"))
    elif draft := next((one for one in state.drafts if one.id == visit.query.get("draft")), None):
        values |= {
            "to": draft.to,
            "cc": draft.cc,
            "subject": draft.subject,
            "body": draft.body,
            "priority": draft.priority,
        }
        values |= {
            "receipt": "on" if draft.receipt else "",
            "scheduled": draft.scheduled,
            "later": "on" if draft.scheduled else "",
        }
    elif "draft" in visit.query:
        return None
    return values


def _checked(
    visit: Visit, values: dict[str, str], mode: str
) -> tuple[dict[str, str], tuple[str, ...], tuple[str, ...]]:
    world, state = box(visit)
    to, cc = resolved(world, state, values["to"]), resolved(world, state, values["cc"])
    errors: dict[str, str] = {}
    if to is None:
        errors["to"] = "This is not a valid e-mail address or the name of a contact."
    elif not to:
        errors["to"] = "Please enter at least one recipient."
    if cc is None:
        errors["cc"] = "This is not a valid e-mail address or the name of a contact."
    if not values["subject"]:
        errors["subject"] = "Please enter a subject."
    if not values["body"] and mode != "forward":
        errors["body"] = "Please write a message first."
    if values["priority"] not in ("", *(name for name, _ in PRIORITIES)):
        errors["priority"] = "Please choose a priority."
    if values["later"] == "on" and not _is_date(values["scheduled"], world.today):
        errors["scheduled"] = "Please choose a day from today on, as YYYY-MM-DD."
    return errors, to or (), cc or ()


def _is_date(text: str, low: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() >= low
    except ValueError:
        return False


def _kept(visit: Visit, values: dict[str, str]) -> Reply:
    world, _ = box(visit)
    scheduled = values["scheduled"] if values["later"] == "on" and _is_date(values["scheduled"], world.today) else ""
    priority = values["priority"] if values["priority"] in dict(PRIORITIES) else "normal"
    args: dict[str, Any] = {name: values[name] for name in ("to", "cc", "subject", "body")}
    args |= {"priority": priority, "receipt": values["receipt"] == "on", "scheduled": scheduled}
    return Go("/folder/drafts", (Event("draft", {**args, "draft": visit.query.get("draft", "")}),), "Draft saved.")


def _form(visit: Visit, values: dict[str, str], errors: dict[str, str]) -> Reply:
    world, state = box(visit)
    mode, key = _mode(visit)
    titles = {"new": "New message", "reply": "Reply", "all": "Reply to all", "forward": "Forward"}
    given = messages(world, state, key) if key else ()
    return framed(
        visit,
        "compose.html",
        "Edit draft" if "draft" in visit.query else titles[mode],
        "/folder/drafts" if "draft" in visit.query else "/compose",
        heading="Edit draft" if "draft" in visit.query else titles[mode],
        values=values,
        errors=errors,
        mode=mode,
        action=f"/compose?{urlencode(dict(visit.query))}" if visit.query else "/compose",
        cancel=f"/thread/{key}" if key else "/folder/drafts" if "draft" in visit.query else "/folder/inbox",
        quoted=given[-1] if given else None,
        priorities=PRIORITIES,
        high=(date.fromisoformat(world.today) + timedelta(days=120)).isoformat(),
        known=people(world, state),
    )
