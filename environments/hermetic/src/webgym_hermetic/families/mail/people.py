"""Who is in the address book."""

from __future__ import annotations

from datetime import date, timedelta

from webgym.rng import Rng
from webgym_hermetic.families.mail.letters.pen import slug
from webgym_hermetic.families.mail.records import Person
from webgym_hermetic.families.mail.words import mail_words

GROUPS = ("Colleagues", "Clients", "Family", "Services")
PROVIDERS = ("larkpost.net", "quickletter.net", "homebox.org", "penpal.net")


def draw_people(rng: Rng, company: str, domain: str) -> tuple[Person, tuple[Person, ...]]:
    """The owner and everybody they know. Some share a first name, some a family name."""
    counts = {
        "Colleagues": rng.between(10, 14),
        "Clients": rng.between(6, 8),
        "Family": rng.between(5, 8),
        "Services": rng.between(5, 7),
    }
    names = _names(rng, sum(counts.values()) + 1)
    owner_name = names.pop()
    owner = Person(
        "me", owner_name, f"{_dotted(owner_name)}@{domain}", _phone(rng), company, rng.pick(mail_words().jobs)
    )
    clients = rng.sample(mail_words().clients, counts["Clients"])
    services = rng.sample(mail_words().services, counts["Services"])
    people: list[Person] = []
    for group, count in counts.items():
        for index in range(count):
            name = names.pop(0)
            match group:
                case "Colleagues":
                    firm, role, host = company, rng.pick(mail_words().jobs), f"{slug(company)}.com"
                case "Clients":
                    firm, role, host = clients[index], rng.pick(mail_words().jobs), f"{slug(clients[index])}.com"
                case "Services":
                    (firm, role), host = services[index], f"{slug(services[index][0])}.com"
                case _:
                    firm, role, host = "", rng.pick(mail_words().kin), rng.pick(PROVIDERS)
            people.append(_person(rng, f"c{len(people) + 1}", name, host, firm, role, group))
    return owner, tuple(people)


def _person(rng: Rng, key: str, name: str, host: str, company: str, role: str, group: str) -> Person:
    born = date(rng.between(1955, 2001), 1, 1) + timedelta(days=rng.below(365))
    return Person(
        id=key,
        name=name,
        email=f"{_dotted(name)}@{host}",
        phone=_phone(rng),
        company=company,
        role=role,
        birthday=born.isoformat(),
        city=rng.pick(mail_words().cities),
        group=group,
    )


def _names(rng: Rng, count: int) -> list[str]:
    """Different names, the first two with one first name, and two more such pairs; one pair with one family name."""
    firsts, lasts = rng.sample(mail_words().first_names, count), rng.sample(mail_words().last_names, count)
    for one, other in ((0, 1), (2, 16), (4, 20)):
        firsts[other] = firsts[one]
    lasts[5] = lasts[18]
    return [f"{first} {last}" for first, last in zip(firsts, lasts, strict=True)]


def _dotted(name: str) -> str:
    return name.lower().replace(" ", ".")


def _phone(rng: Rng) -> str:
    return f"({rng.pick(mail_words().area_codes)}) 555-{rng.between(100, 199):04d}"
