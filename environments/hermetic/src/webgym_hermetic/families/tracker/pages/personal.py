"""Settings and saved filters of the person who is signed in."""

from __future__ import annotations

from collections.abc import Mapping

from webgym_hermetic.families.tracker import options
from webgym_hermetic.families.tracker.family import FAMILY
from webgym_hermetic.families.tracker.listing import FILTERS, found
from webgym_hermetic.families.tracker.pages.lists import address
from webgym_hermetic.families.tracker.records import DIGESTS, LANDINGS, SWITCHES, Filter, World
from webgym_hermetic.families.tracker.state import issues_of
from webgym_hermetic.families.tracker.words import slug
from webgym_hermetic.family import Event, Go, Page, Reply, Scalar, Visit


@FAMILY.get("/settings")
def settings(visit: Visit) -> Reply:
    context = {"choices": _choices(visit.world), "switches": SWITCHES}
    return Page("settings.html", "Settings", context)


def _choices(world: World) -> dict[str, options.Options]:
    return {
        "project": options.projects(world),
        "zone": [(slug(one), one) for one in world.zones],
        "digest": list(DIGESTS),
        "landing": list(LANDINGS),
    }


@FAMILY.post("/settings")
def save_settings(visit: Visit) -> Reply:
    args: dict[str, Scalar | list[Scalar]] = {}
    for name, values in _choices(visit.world).items():
        if visit.form.get(name) in dict(values):
            args[name] = visit.form[name]
    args |= {name: visit.form.get(name) == "on" for name, _, _ in SWITCHES}
    return Go("/settings", (Event("settings", args),), notice="Settings saved.")


@FAMILY.get("/filters")
def filters(visit: Visit) -> Reply:
    return _page(visit, visit.query, {})


def _page(visit: Visit, values: Mapping[str, str], errors: Mapping[str, str]) -> Reply:
    world, state = visit.world, visit.state
    every = issues_of(world, state)
    rows = [(one, address(one.query), _words(world, one), len(found(world, every, one.query))) for one in state.filters]
    names = ("name", "project", "status", "assignee", "label", "priority", "kind", "sort")
    context = {
        "rows": rows,
        "values": {**dict.fromkeys(names, ""), "sort": "updated", **values},
        "errors": errors,
        "choices": options.filtering(world, state, ""),
        "opened": bool(errors),
    }
    return Page("filters.html", "Saved filters", context, status=422 if errors else 200)


def _words(world: World, one: Filter) -> list[str]:
    labels = {name: dict(values) for name, values in options.filtering(world, _start(world), "").items()}
    return [labels.get(name, {}).get(value, value) for name, value in one.query.items()]


def _start(world: World) -> options.State:
    return options.State(settings=world.settings)


@FAMILY.post("/filters")
def save_filter(visit: Visit) -> Reply:
    name = visit.form.get("name", "").strip()[:60]
    choices = options.filtering(visit.world, visit.state, "")
    query: list[Scalar] = []
    for one in (*FILTERS, "sort"):
        value = visit.form.get(one, "")
        if value and one in choices and value in dict(choices[one]) and (one, value) != ("sort", "updated"):
            query += [one, value]
    if not name:
        return _page(visit, visit.form, {"name": "Give the filter a name."})
    if not query:
        return _page(visit, visit.form, {"name": "Choose at least one condition."})
    return Go("/filters", (Event("save_filter", {"name": name, "query": query}),), notice=f"Filter {name} saved.")


@FAMILY.post("/filters/remove")
def drop_filter(visit: Visit) -> Reply:
    name = visit.form.get("name", "")
    return Go("/filters", (Event("drop_filter", {"name": name}),), notice=f"Filter {name} removed.")
