"""What things are called on papers and in manuals."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.families.news.bank import Flavour
from webgym_hermetic.families.news.records import Labels

_EVENTS = {
    "library": ("Community events", "a community event"),
    "appliance": ("Workshops", "a workshop"),
    "service": ("Public dates", "a public date"),
    "wiki": ("Game nights", "a game night"),
}
_ADVERTS = {
    "library": ("Job board", "a job advert"),
    "appliance": ("Parts exchange", "a parts advert"),
    "service": ("Notice board", "a notice"),
    "wiki": ("Trading post", "a trade offer"),
}
_PLANS = {
    "library": ("Support plans", "Get support"),
    "appliance": ("Care plans", "Get a care plan"),
    "service": ("Print editions", "Order the print edition"),
    "wiki": ("Supporter plans", "Become a supporter"),
}


def news_labels(rng: Rng) -> Labels:
    saved = rng.pick((("Reading list", "Save"), ("Saved stories", "Save story"), ("My articles", "Keep")))
    return Labels(
        article="article",
        articles="articles",
        section="section",
        sections="Sections",
        wrote="wrote",
        published="Published",
        saved=saved[0],
        save=saved[1],
        comments="Comments",
        comment="comment",
        newsletters="Newsletters",
        plans=rng.pick(("Subscriptions", "Plans", "Membership")),
        subscribe="Subscribe",
        letters=rng.pick(("Letter to the editor", "Write to us")),
        events=rng.pick(("Events", "Calendar", "What's on".replace("'", "\u2019"))),
        event="an event",
        adverts=rng.pick(("Classifieds", "Small ads")),
        advert="an advert",
        polls=rng.pick(("Polls", "Reader polls")),
        archive="Archive",
        authors=rng.pick(("Our writers", "Authors")),
        lists=rng.pick(_LISTS),
    )


def docs_labels(flavour: Flavour) -> Labels:
    events, adverts, plans = _EVENTS[flavour.name], _ADVERTS[flavour.name], _PLANS[flavour.name]
    return Labels(
        article="page",
        articles="pages",
        section="chapter",
        sections="Chapters",
        wrote="maintains",
        published="Updated",
        saved="Bookmarks",
        save="Bookmark",
        comments="Community notes",
        comment="note",
        newsletters="Mailing lists",
        plans=plans[0],
        subscribe=plans[1],
        letters="Contact us",
        events=events[0],
        event=events[1],
        adverts=adverts[0],
        advert=adverts[1],
        polls="Surveys",
        archive="Updates by month",
        authors="Contributors",
        lists=(("work", "Work"), ("later", "Look at later"), ("team", "For the team")),
        price_word=flavour.price_word,
    )


_LISTS = (
    (("later", "Read later"), ("weekend", "Weekend"), ("share", "To share")),
    (("must", "Must read"), ("evening", "Evening"), ("archive", "Keep for good")),
    (("later", "Later"), ("work", "For work"), ("family", "For the family")),
)
