"""Rules and answers to frequent questions."""

from __future__ import annotations

from webgym_hermetic.families.forum.family import FAMILY
from webgym_hermetic.families.forum.pages.showing import show
from webgym_hermetic.family import Missing, Reply, Visit

_TALK = {
    "Posting": "Write as you would talk to a neighbour. One subject per thread, and a title that says what it is.",
    "Marketplace": "Deals are between members. The team does not take part in them and cannot get your money back.",
    "Moderation": "Moderators are volunteers. Write to them before you write about them.",
    "Accounts": "One account per person. You can ask for a copy of your data at any time.",
    "Meetups": "Meetups are run by members. Be on time and leave the room as you found it.",
}
_ICONS = {
    "Posting": "square-pen",
    "Marketplace": "tag",
    "Moderation": "shield",
    "Accounts": "user",
    "Meetups": "calendar",
}


@FAMILY.get("/rules")
def rules(visit: Visit) -> Reply:
    """What there are rules about."""
    team = [member for member in visit.world.members if member.role in ("Admin", "Moderator")]
    return show(visit, "rules.html", "Rules and FAQ", sections=_sections(), team=team)


@FAMILY.get("/rules/{section}")
def section(visit: Visit, section: str) -> Reply:
    """The rules about one thing."""
    name = section.title()
    if name not in _TALK or section != section.lower():
        return Missing()
    chosen = [rule for rule in visit.world.rules if rule.section == name]
    context = {
        "name": name,
        "talk": _TALK[name],
        "rules": chosen,
        "sections": _sections(),
        "current": f"/rules/{section}",
    }
    return show(visit, "rule_section.html", f"Rules: {name}", **context)


def _sections() -> list[tuple[str, str, str, str]]:
    return [(f"/rules/{name.lower()}", name, _ICONS[name], text) for name, text in _TALK.items()]
