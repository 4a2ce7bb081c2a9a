"""Forms of their own page: letters, events, adverts, subscriptions, preferences."""

from __future__ import annotations

from collections.abc import Mapping

from webgym_hermetic.families.news.family import FAMILY
from webgym_hermetic.families.news.forms import cleaned, problem, problems, shown_value, stepwise
from webgym_hermetic.families.news.records import Form, World
from webgym_hermetic.families.news.state import State, sent
from webgym_hermetic.family import Go, Missing, Page, Reply, Visit

PATHS = {
    "/letters": "letter",
    "/events/new": "event",
    "/classifieds/new": "advert",
    "/subscribe": "subscription",
    "/newsletters": "newsletters",
    "/account": "settings",
}


def show(visit: Visit) -> Reply:
    form = _form(visit)
    return _step_page(visit, form, {}, {}) if stepwise(visit.site.structure, form) else _page(visit, form, {}, {})


def send(visit: Visit) -> Reply:
    form = _form(visit)
    if stepwise(visit.site.structure, form):
        return _send_step(visit, form)
    values = cleaned(form, visit.form)
    errors = problems(form, values)
    if errors:
        return _page(visit, form, values, errors)
    to = form.path if form.keeps else f"/sent/{form.name}"
    return Go(to, (sent(form.name, "", values),), form.thanks)


@FAMILY.get("/sent/{name}")
def thanks(visit: Visit, name: str) -> Reply:
    world: World = visit.world
    state: State = visit.state
    if name not in world.forms:
        return Missing()
    values = state.latest(name) if not world.forms[name].keeps else None
    if values is None:
        return Go(world.forms[name].path if name in PATHS.values() else "/")
    form = world.forms[name]
    return Page("sent.html", form.title, {"form": form, "rows": _rows(form, values)})


def _send_step(visit: Visit, form: Form) -> Reply:
    state: State = visit.state
    step = _step(visit, form)
    draft = state.drafts.get(form.name, {})
    if step > len(form.groups):
        values = cleaned(form, draft)
        if bad := _first_bad(form, values):
            return Go(f"{form.path}?step={bad}", notice="Please complete this step first.")
        return Go(f"/sent/{form.name}", (sent(form.name, "", values),), form.thanks)
    fields = form.groups[step - 1][1]
    values = {field.name: visit.form.get(field.name, "").strip() for field in fields}
    errors = {field.name: text for field in fields if (text := problem(field, values[field.name]))}
    if errors:
        return _step_page(visit, form, values, errors)
    return Go(f"{form.path}?step={step + 1}", (sent(form.name, "", values, "draft"),))


def _page(visit: Visit, form: Form, values: Mapping[str, str], errors: Mapping[str, str]) -> Page:
    state: State = visit.state
    now = (state.latest(form.name) if form.keeps else None) or _defaults(visit, form)
    context = {"form": form, "values": values or now, "errors": errors, "again": state.latest(form.name)}
    return Page("form.html", form.title, context)


def _step_page(visit: Visit, form: Form, values: Mapping[str, str], errors: Mapping[str, str]) -> Page:
    state: State = visit.state
    step = _step(visit, form)
    draft = {**_defaults(visit, form), **state.drafts.get(form.name, {}), **values}
    context = {
        "form": form,
        "values": draft,
        "errors": errors,
        "step": step,
        "rows": _rows(form, draft) if step > len(form.groups) else [],
        "steps": [*(title for title, _ in form.groups), "Check"],
    }
    return Page("steps.html", form.title, context)


def _defaults(visit: Visit, form: Form) -> dict[str, str]:
    values = {field.name: field.default for field in form.fields}
    plans = {plan.id for plan in visit.world.plans}
    if form.name == "subscription" and visit.query.get("plan") in plans:
        values["plan"] = visit.query["plan"]
    return values


def _rows(form: Form, values: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(field.label, shown_value(field, values.get(field.name, "")) or "\u2013") for field in form.fields]


def _first_bad(form: Form, values: Mapping[str, str]) -> int:
    for number, (_, fields) in enumerate(form.groups, start=1):
        if any(problem(field, values.get(field.name, "")) for field in fields):
            return number
    return 0


def _step(visit: Visit, form: Form) -> int:
    asked = visit.query.get("step", "1")
    return min(max(1, int(asked)), len(form.groups) + 1) if asked.isdecimal() and len(asked) < 4 else 1


def _form(visit: Visit) -> Form:
    return visit.world.forms[PATHS[visit.path]]


for _path in PATHS:
    FAMILY.get(_path)(show)
    FAMILY.post(_path)(send)
