"""What can be done to an issue."""

from __future__ import annotations

from collections.abc import Container, Mapping
from datetime import date

from webgym_hermetic.families.tracker.family import FAMILY
from webgym_hermetic.families.tracker.pages.issue import issue_page
from webgym_hermetic.families.tracker.records import RELATIONS, RESOLUTIONS, Issue, World
from webgym_hermetic.families.tracker.state import issue_of, milestones_of
from webgym_hermetic.family import Event, Go, Missing, Reply, Scalar, Visit

_TEXTS = ("kind", "status", "priority", "assignee", "component", "milestone", "due")
_LONGEST = 2000


def iso_day(text: str) -> str | None:
    """A date in its usual spelling, or None if it is none."""
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        return None


def _locked(visit: Visit, key: str) -> Reply | None:
    """The answer if there is no such issue or it is locked."""
    issue = issue_of(visit.world, visit.state, key)
    if issue is None:
        return Missing()
    return Go(f"/issue/{key}", notice="This issue is locked and cannot be changed.") if issue.locked else None


@FAMILY.post("/issue/{key}/edit")
def edit(visit: Visit, key: str) -> Reply:
    if (stop := _locked(visit, key)) is not None:
        return stop
    world: World = visit.world
    issue = issue_of(world, visit.state, key)
    errors = _wrong(visit, issue, visit.form) if issue else {}
    if errors:
        return issue_page(visit, key, errors, opened="edit")
    fields: dict[str, Scalar | list[Scalar]] = {name: visit.form[name] for name in _TEXTS if name in visit.form}
    if fields.get("due"):
        fields["due"] = iso_day(str(fields["due"]))
    if "estimate" in visit.form:
        fields["estimate"] = int(visit.form["estimate"])
    if "labels" in visit.form:
        fields["labels"] = [one for one in world.labels if visit.form.get(f"label-{one}") == "on"]
    return Go(_back(visit.form, key), (Event("edit", {"key": key, **fields}),), notice=f"{key} saved.")


def _wrong(visit: Visit, issue: Issue, form: Mapping[str, str]) -> dict[str, str]:
    world: World = visit.world
    spans = {one.id for one in milestones_of(world, visit.state) if one.project == issue.project}
    known: dict[str, Container[str]] = {
        "kind": world.kind,
        "status": world.status,
        "priority": world.priority,
        "assignee": {"", *world.person},
        "component": set(world.project[issue.project].components),
        "milestone": {"", *spans},
    }
    errors = {
        name: "Choose one of the list." for name, values in known.items() if name in form and form[name] not in values
    }
    if form.get("due") and iso_day(form["due"]) is None:
        errors["due"] = "Write the date as 2026-03-14."
    if "estimate" in form and not form["estimate"].isdecimal():
        errors["estimate"] = "Choose one of the list."
    return errors


def _back(form: Mapping[str, str], key: str) -> str:
    back = form.get("back", "")
    return back if back.startswith(("/board", "/issues", "/issue/")) else f"/issue/{key}"


@FAMILY.post("/issue/{key}/move/{status}")
def move(visit: Visit, key: str, status: str) -> Reply:
    if (stop := _locked(visit, key)) is not None:
        return stop
    if status not in visit.world.status:
        return Missing()
    event = Event("edit", {"key": key, "status": status})
    return Go(_back(visit.form, key), (event,), notice=f"{key} moved to {visit.world.status[status]}.")


@FAMILY.post("/issue/{key}/comment")
def comment(visit: Visit, key: str) -> Reply:
    if (stop := _locked(visit, key)) is not None:
        return stop
    text = visit.form.get("text", "").strip()
    if not text or len(text) > _LONGEST:
        return issue_page(
            visit, key, {"text": "Write something first." if not text else "Too long."}, opened="comments"
        )
    return Go(f"/issue/{key}", (Event("comment", {"key": key, "text": text}),), notice="Comment added.")


@FAMILY.post("/issue/{key}/watch")
def watch(visit: Visit, key: str) -> Reply:
    issue = issue_of(visit.world, visit.state, key)
    if issue is None:
        return Missing()
    on = not issue.watching
    event = Event("watch", {"key": key, "on": on})
    return Go(_back(visit.form, key), (event,), notice=f"You {'now watch' if on else 'no longer watch'} {key}.")


@FAMILY.post("/issue/{key}/vote")
def vote(visit: Visit, key: str) -> Reply:
    if (stop := _locked(visit, key)) is not None:
        return stop
    issue = issue_of(visit.world, visit.state, key)
    on = not (issue and issue.voted)
    notice = f"You voted for {key}." if on else f"Your vote for {key} was taken back."
    return Go(_back(visit.form, key), (Event("vote", {"key": key, "on": on}),), notice=notice)


@FAMILY.post("/issue/{key}/link")
def link(visit: Visit, key: str) -> Reply:
    if (stop := _locked(visit, key)) is not None:
        return stop
    relation, other = visit.form.get("relation", ""), visit.form.get("other", "").strip().upper()
    errors: dict[str, str] = {}
    if relation not in dict(RELATIONS):
        errors["relation"] = "Choose how they are related."
    if other == key:
        errors["other"] = "An issue cannot be linked to itself."
    elif issue_of(visit.world, visit.state, other) is None:
        errors["other"] = f"There is no issue {other}." if other else "Write the key of an issue."
    if errors:
        return issue_page(visit, key, errors, opened="link")
    event = Event("link", {"key": key, "relation": relation, "other": other})
    return Go(f"/issue/{key}", (event,), notice=f"Linked to {other}.")


@FAMILY.post("/issue/{key}/unlink")
def unlink(visit: Visit, key: str) -> Reply:
    if (stop := _locked(visit, key)) is not None:
        return stop
    relation, other = visit.form.get("relation", ""), visit.form.get("other", "")
    if relation not in dict(RELATIONS) or issue_of(visit.world, visit.state, other) is None:
        return Missing()
    event = Event("unlink", {"key": key, "relation": relation, "other": other})
    return Go(f"/issue/{key}", (event,), notice=f"Link to {other} removed.")


@FAMILY.post("/issue/{key}/log")
def log(visit: Visit, key: str) -> Reply:
    if (stop := _locked(visit, key)) is not None:
        return stop
    hours, day = visit.form.get("hours", "").strip(), iso_day(visit.form.get("date", ""))
    errors: dict[str, str] = {}
    if not hours.isdecimal() or not 1 <= int(hours) <= 12:
        errors["hours"] = "Whole hours, from 1 to 12."
    if day is None:
        errors["date"] = "Write the date as 2026-03-14."
    if errors:
        return issue_page(visit, key, errors, opened="log")
    note = visit.form.get("note", "").strip()[:_LONGEST]
    event = Event("log", {"key": key, "hours": int(hours), "date": day, "note": note})
    return Go(f"/issue/{key}", (event,), notice=f"{hours} h logged.")


@FAMILY.post("/issue/{key}/close")
def close(visit: Visit, key: str) -> Reply:
    if (stop := _locked(visit, key)) is not None:
        return stop
    resolution, original = visit.form.get("resolution", ""), visit.form.get("original", "").strip().upper()
    errors: dict[str, str] = {}
    if resolution not in dict(RESOLUTIONS):
        errors["resolution"] = "Choose a resolution."
    if resolution == "duplicate" and (original == key or issue_of(visit.world, visit.state, original) is None):
        errors["original"] = f"There is no other issue {original}." if original else "Write the key of the original."
    if errors:
        return issue_page(visit, key, errors, opened="close")
    event = Event("close", {"key": key, "resolution": resolution, "original": original})
    return Go(f"/issue/{key}", (event,), notice=f"{key} closed.")


@FAMILY.post("/issue/{key}/reopen")
def reopen(visit: Visit, key: str) -> Reply:
    if (stop := _locked(visit, key)) is not None:
        return stop
    return Go(f"/issue/{key}", (Event("reopen", {"key": key}),), notice=f"{key} is open again.")
