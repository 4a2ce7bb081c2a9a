"""Tables, plans and the pages about the site."""

from __future__ import annotations

from webgym_hermetic.families.news.bank import filler, flavour
from webgym_hermetic.families.news.family import FAMILY
from webgym_hermetic.families.news.records import World
from webgym_hermetic.family import Missing, Page, Reply, Visit


@FAMILY.get("/live/{name}")
def board(visit: Visit, name: str) -> Reply:
    world: World = visit.world
    if name not in {one.id for one in world.boards} or name == "plans":
        return Missing()
    one = world.board(name)
    groups = dict(one.groups)
    group = visit.query.get("group", "")
    group = group if group in groups else one.groups[0][0]
    first = one.groups[0][0]
    tabs = [(label, one.path if key == first else f"{one.path}?group={key}", key == group) for key, label in one.groups]
    context = {
        "board": one,
        "group": groups[group],
        "tabs": tabs if len(tabs) > 1 else [],
        "lines": [line for line in one.lines if line.group == group],
        "releases": world.releases if name == "releases" else (),
    }
    return Page("board.html", one.title, context)


@FAMILY.get("/plans")
def plans(visit: Visit) -> Page:
    world: World = visit.world
    return Page("plans.html", world.labels.plans, {"current": visit.state.latest("subscription")})


@FAMILY.get("/help")
def questions(visit: Visit) -> Page:
    world: World = visit.world
    terms: list[tuple[str, str]] = []
    if world.kind == "docs":
        manual = flavour(world.flavour)
        terms = [(manual.row_word.capitalize(), f"A line of the table \u201c{manual.rows_title}\u201d.")]
        terms += [(chapter.title, chapter.blurb.format(product=world.product)) for chapter in manual.chapters]
    return Page("help.html", "Questions and answers", {"questions": filler().faq, "terms": terms})


@FAMILY.get("/corrections")
def corrections(visit: Visit) -> Page:
    world: World = visit.world
    corrected = [one for one in world.articles if one.correction]
    return Page("corrections.html", "Corrections", {"corrected": corrected})
