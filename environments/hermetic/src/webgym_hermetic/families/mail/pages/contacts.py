"""The address book."""

from __future__ import annotations

from datetime import date

from webgym_hermetic.families.mail.family import FAMILY
from webgym_hermetic.families.mail.mailbox import occasions, people, rows
from webgym_hermetic.families.mail.pages.frame import box, framed
from webgym_hermetic.families.mail.people import GROUPS
from webgym_hermetic.families.mail.records import Person
from webgym_hermetic.families.mail.state import addresses
from webgym_hermetic.family import Event, Go, Missing, Reply, Visit

_FIELDS = ("name", "email", "phone", "company", "role", "birthday", "city", "group", "notes")
_PAGE = 12


@FAMILY.get("/contacts")
def contacts(visit: Visit) -> Reply:
    world, state = box(visit)
    group, words = visit.query.get("group", ""), visit.query.get("find", "").lower().split()
    found = [one for one in people(world, state) if group in ("", one.group) and _fits(one, words)]
    pages = max(1, -(-len(found) // _PAGE))
    asked = visit.query.get("page", "1")
    page = max(1, min(pages, int(asked) if asked.isdecimal() else 1))
    kept = "".join(
        f"{name}={visit.query[name].replace(' ', '+')}&" for name in ("group", "find") if visit.query.get(name)
    )
    return framed(
        visit,
        "contacts.html",
        "Contacts",
        "/contacts",
        people=found[(page - 1) * _PAGE : page * _PAGE],
        total=len(found),
        page=page,
        pages=pages,
        pager_href=f"/contacts?{kept}page={{page}}",
        group=group,
        find=visit.query.get("find", ""),
        groups=GROUPS,
    )


def _fits(person: Person, words: list[str]) -> bool:
    text = f"{person.name} {person.email} {person.company} {person.role} {person.city}".lower()
    return all(word in text for word in words)


@FAMILY.get("/contacts/new")
def new_contact(visit: Visit) -> Reply:
    return _form(visit, dict.fromkeys(_FIELDS, ""), {}, "")


@FAMILY.post("/contacts/new")
def add_contact(visit: Visit) -> Reply:
    return _saved(visit, "")


@FAMILY.get("/contacts/{key}")
def contact(visit: Visit, key: str) -> Reply:
    world, state = box(visit)
    person = _known(visit, key)
    if person is None:
        return Missing()
    mails = [
        row for row in rows(world, state, "everything") if row.address == person.email and row.flags.folder != "trash"
    ]
    meets = [one for one in occasions(world, state) if person.email in one.guests and one.date >= world.today]
    return framed(
        visit,
        "contact.html",
        person.name,
        "/contacts",
        person=person,
        mails=mails[:5],
        meets=meets[:3],
        beside=people(world, state),
    )


@FAMILY.get("/contacts/{key}/edit")
def edit_contact(visit: Visit, key: str) -> Reply:
    person = _known(visit, key)
    if person is None:
        return Missing()
    return _form(visit, {name: str(getattr(person, name)) for name in _FIELDS}, {}, key)


@FAMILY.post("/contacts/{key}/edit")
def save_contact(visit: Visit, key: str) -> Reply:
    return _saved(visit, key) if _known(visit, key) else Missing()


def _known(visit: Visit, key: str) -> Person | None:
    world, state = box(visit)
    return next((one for one in people(world, state) if one.id == key), None)


def _saved(visit: Visit, key: str) -> Reply:
    _, state = box(visit)
    values = {name: visit.form.get(name, "").strip() for name in _FIELDS}
    errors: dict[str, str] = {}
    if not values["name"]:
        errors["name"] = "Please enter a name."
    if len(addresses(values["email"]) or ()) != 1:
        errors["email"] = "Please enter a valid e-mail address."
    if values["birthday"] and not _is_date(values["birthday"]):
        errors["birthday"] = "Please enter the date as YYYY-MM-DD."
    if values["phone"] and sum(c.isdigit() for c in values["phone"]) < 5:
        errors["phone"] = "Please enter a phone number."
    if errors:
        return _form(visit, values, errors, key)
    to = f"/contacts/{key or f'p{state.count + 1}'}"
    said = "Contact saved." if key else "Contact added."
    return Go(to, (Event("contact", {**values, "person": key}),), said)


def _is_date(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text)) and len(text) == 10
    except ValueError:
        return False


def _form(visit: Visit, values: dict[str, str], errors: dict[str, str], key: str) -> Reply:
    return framed(
        visit,
        "contact_form.html",
        "Edit contact" if key else "New contact",
        "/contacts",
        key=key,
        values=values,
        errors=errors,
        groups=[("", "No group"), *((one, one) for one in GROUPS)],
        action=f"/contacts/{key}/edit" if key else "/contacts/new",
    )
