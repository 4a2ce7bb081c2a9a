"""Settings, one form each."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from webgym_hermetic.families.mail.family import FAMILY
from webgym_hermetic.families.mail.pages.frame import box, framed
from webgym_hermetic.families.mail.records import ACTIONS
from webgym_hermetic.families.mail.state import SETTINGS, addresses
from webgym_hermetic.family import Event, Go, Missing, Reply, Visit

SECTIONS: tuple[tuple[str, str, str], ...] = (
    ("general", "General", "sliders"),
    ("signature", "Signature", "pencil"),
    ("notifications", "Notifications", "bell"),
    ("vacation", "Vacation responder", "palmtree"),
    ("forwarding", "Forwarding", "forward"),
    ("rules", "Filters and rules", "filter"),
    ("blocked", "Blocked senders", "ban"),
)
_WHOLE = ("cards", "dense")
"""Structures that show all settings on one page."""
_CHOICES: dict[str, tuple[tuple[str, str], ...]] = {
    "density": (("comfortable", "Comfortable"), ("cosy", "Cosy"), ("compact", "Compact")),
    "theme": (("system", "Same as system"), ("light", "Light"), ("dark", "Dark")),
    "notify": (("all", "All messages"), ("important", "Important only"), ("none", "None")),
    "opens": (("inbox", "Inbox"), ("calendar", "Calendar"), ("contacts", "Contacts")),
    "undo": (("5", "5 seconds"), ("10", "10 seconds"), ("20", "20 seconds"), ("30", "30 seconds")),
    "forward_then": (("keep", "Keep a copy"), ("archive", "Archive it"), ("trash", "Delete it")),
    "rule_field": (("from", "Sender"), ("subject", "Subject")),
    "rule_action": ACTIONS,
}


@FAMILY.get("/settings")
def all_settings(visit: Visit) -> Reply:
    return _shown(visit, "" if visit.site.structure in _WHOLE else "general", {}, {})


@FAMILY.get("/settings/{section}")
def one_section(visit: Visit, section: str) -> Reply:
    return _shown(visit, section, {}, {}) if section in {name for name, _, _ in SECTIONS} else Missing()


@FAMILY.post("/settings/{section}")
def save(visit: Visit, section: str) -> Reply:
    match section:
        case "general":
            return _chosen(
                visit, section, {name: visit.form.get(name, "") for name in ("density", "theme", "opens", "undo")}
            )
        case "signature":
            return _chosen(visit, section, {"signature": visit.form.get("signature", "").strip()})
        case "notifications":
            given = {"notify": visit.form.get("notify", ""), "sound": visit.form.get("sound") == "on"}
            return _chosen(visit, section, given)
        case "vacation":
            return _vacation(visit)
        case "forwarding":
            return _forwarding(visit)
        case "rules":
            return _rules(visit)
        case "blocked":
            return _blocked(visit)
        case _:
            return Missing()


def _back(visit: Visit, section: str) -> str:
    return "/settings" if visit.site.structure in _WHOLE else f"/settings/{section}"


def _chosen(visit: Visit, section: str, given: dict[str, Any]) -> Reply:
    errors = {
        name: "Please choose one of these."
        for name, value in given.items()
        if name in SETTINGS and value not in SETTINGS[name]
    }
    if errors:
        return _shown(visit, section, given, errors)
    return Go(_back(visit, section), (Event("settings", given),), "Your settings were saved.")


def _vacation(visit: Visit) -> Reply:
    texts = ("vacation_from", "vacation_to", "vacation_subject", "vacation_text")
    given: dict[str, Any] = {name: visit.form.get(name, "").strip() for name in texts}
    given |= {name: visit.form.get(name) == "on" for name in ("vacation", "vacation_known")}
    errors: dict[str, str] = {}
    if given["vacation"]:
        for name in ("vacation_from", "vacation_to"):
            if not _is_date(given[name]):
                errors[name] = "Please choose a day, as YYYY-MM-DD."
        if not errors and given["vacation_to"] < given["vacation_from"]:
            errors["vacation_to"] = "The last day is before the first one."
        if not given["vacation_subject"]:
            errors["vacation_subject"] = "Please enter a subject."
        if not given["vacation_text"]:
            errors["vacation_text"] = "Please write a message."
    if errors:
        return _shown(visit, "vacation", given, errors)
    return Go(_back(visit, "vacation"), (Event("settings", given),), "Your vacation responder was saved.")


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _forwarding(visit: Visit) -> Reply:
    given: dict[str, Any] = {"forwarding": visit.form.get("forwarding") == "on"}
    given |= {name: visit.form.get(name, "").strip() for name in ("forward_to", "forward_then")}
    errors: dict[str, str] = {}
    if (given["forwarding"] or given["forward_to"]) and len(addresses(given["forward_to"]) or ()) != 1:
        errors["forward_to"] = "Please enter a valid e-mail address."
    if given["forward_then"] not in SETTINGS["forward_then"]:
        errors["forward_then"] = "Please choose one of these."
    if errors:
        return _shown(visit, "forwarding", given, errors)
    return Go(_back(visit, "forwarding"), (Event("settings", given),), "Your forwarding settings were saved.")


def _rules(visit: Visit) -> Reply:
    world, state = box(visit)
    if key := visit.form.get("rule", ""):
        rule = next((one for one in state.rules if one.id == key), None)
        if rule is None:
            return Missing()
        said = f"The rule is {'off' if rule.on else 'on'} now."
        return Go(_back(visit, "rules"), (Event("rule", {"rule": key, "on": not rule.on}),), said)
    given = {
        name: visit.form.get(name, "").strip() for name in ("rule_field", "rule_text", "rule_action", "rule_label")
    }
    errors: dict[str, str] = {}
    if not given["rule_text"]:
        errors["rule_text"] = "Please enter what to look for."
    for name in ("rule_field", "rule_action"):
        if given[name] not in dict(_CHOICES[name]):
            errors[name] = "Please choose one of these."
    if given["rule_action"] == "label" and given["rule_label"] not in world.labels:
        errors["rule_label"] = "Please choose a label."
    if errors:
        return _shown(visit, "rules", given, errors)
    label = given["rule_label"] if given["rule_action"] == "label" else ""
    rule = {"field": given["rule_field"], "text": given["rule_text"], "action": given["rule_action"], "label": label}
    return Go(_back(visit, "rules"), (Event("rule", {**rule}),), "The rule was added.")


def _blocked(visit: Visit) -> Reply:
    if address := visit.form.get("unblock", ""):
        return Go(
            _back(visit, "blocked"),
            (Event("block", {"address": address, "on": False}),),
            f"{address} is no longer blocked.",
        )
    address = visit.form.get("block_address", "").strip()
    if len(addresses(address) or ()) != 1:
        return _shown(
            visit, "blocked", {"block_address": address}, {"block_address": "Please enter a valid e-mail address."}
        )
    return Go(
        _back(visit, "blocked"), (Event("block", {"address": address, "on": True}),), f"{address} is now blocked."
    )


def _shown(visit: Visit, section: str, given: dict[str, Any], errors: dict[str, str]) -> Reply:
    world, state = box(visit)
    today = date.fromisoformat(world.today)
    saved = {name: getattr(state.settings, name) for name in state.settings.__struct_fields__}
    fresh = {"rule_field": "from", "rule_text": "", "rule_action": "archive", "rule_label": "", "block_address": ""}
    title = next((title for name, title, _ in SECTIONS if name == section), "Settings")
    first = [one for one in SECTIONS if one[0] == section]
    whole = visit.site.structure in _WHOLE
    return framed(
        visit,
        "settings.html",
        title,
        "/settings",
        section=section,
        sections=SECTIONS,
        shown=[*first, *(one for one in SECTIONS if one[0] != section)] if whole else first,
        values={**saved, **fresh, **given},
        errors=errors,
        choices={**_CHOICES, "rule_label": [("", "No label"), *((one, one) for one in world.labels)]},
        actions=dict(ACTIONS),
        rules=state.rules,
        blocked=state.blocked,
        low=(today - timedelta(days=30)).isoformat(),
        high=(today + timedelta(days=150)).isoformat(),
    )
