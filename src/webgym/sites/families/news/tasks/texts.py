"""Texts that tasks ask to be entered: names, addresses, subjects, remarks."""

from __future__ import annotations

from webgym.rng import Rng
from webgym.sites.families.news.bank import lists
from webgym.sites.families.news.people import name_id, person
from webgym.sites.families.news.records import World

REMARKS = (
    "Thank you, this helped me a lot.",
    "I see this differently.",
    "Could you add a source for this?",
    "We had the same experience last year.",
    "Well explained, please write more of these.",
    "The second paragraph surprised me.",
    "Does this also apply to small towns?",
    "I will try this at the weekend.",
    "My sister told me about this.",
    "This deserves more attention.",
    "Please keep us informed.",
    "I was wrong about this for years.",
    "A map would be useful here.",
    "Good to know, thanks.",
    "I have shared this with my team.",
)
SUGGESTIONS = (
    "Add a short summary at the top",
    "The table needs a legend",
    "Please check the second figure",
    "Explain the terms in the first paragraph",
    "Link to the older edition",
    "Show an example for beginners",
    "The picture does not match the text",
    "Mention the price as well",
    "Name the source of the numbers",
    "Use shorter sentences",
)
_SUBJECTS = (
    "A question about last week",
    "Wrong date in the calendar",
    "Praise for the new layout",
    "Missing page in the index",
    "Trouble with the print edition",
    "An idea for a series",
    "Your report on the harbour",
    "Large print for my father",
    "A photo for the archive",
    "Spelling of my name",
)
_MESSAGES = (
    "Please let me know whom I should talk to.",
    "I noticed this twice now and wanted to tell you.",
    "Is there a way to get this on paper?",
    "You can reach me in the mornings.",
    "It would be good to correct this soon.",
    "I have been a reader for twenty years.",
    "Keep up the good work.",
    "I would like an answer before Friday.",
)
_EVENTS = (
    "Chess evening for beginners",
    "Open garden in the old mill",
    "Bicycle repair night",
    "Story hour for children",
    "Choir rehearsal with guests",
    "Plant swap in the yard",
    "Evening of short films",
    "Bread baking for two",
    "Quiz in the reading room",
    "Walk along the canal",
)
_ADVERTS = (
    "Blue armchair, as good as new",
    "Box of old maps",
    "Guitar with case",
    "Two garden chairs",
    "Record player in working order",
    "Desk lamp made of brass",
    "Set of cooking pots",
    "Child's bicycle, red",
    "Bookshelf, solid pine",
    "Telescope for beginners",
)
_DESCRIPTIONS = (
    "Everyone is welcome, bring a friend.",
    "Please call in the evening.",
    "Can be picked up any time this week.",
    "No experience needed.",
    "Small scratches, works perfectly.",
    "Only for people with a sense of humour.",
    "Ask for details by e-mail.",
    "There will be tea and cake.",
)
_VENUES = (
    "Old Mill Hall",
    "Corner House, room 2",
    "Quay Street Club",
    "The Green Room",
    "Station Loft",
    "Garden House",
)
_CODES = ("SPRING25", "WELCOME10", "READER5", "FRIEND20", "LOYAL15")


def email(rng: Rng) -> str:
    return f"{name_id(person(rng)).replace('-', '.')}@{rng.pick(('example.org', 'example.net', 'mail.example'))}"


def text_for(rng: Rng, world: World, form: str, field: str) -> str:
    """Something to write into a field of a form."""
    del world
    simple = {"subject": _SUBJECTS, "code": _CODES, "venue": _VENUES, "title": _EVENTS if form == "event" else _ADVERTS}
    match field:
        case "town" | "city":
            return rng.pick(lists()["town"])
        case "name":
            return person(rng)
        case "street":
            return f"{rng.between(2, 98)} {rng.pick(lists()['street'])}".replace("\u2019", "'")
        case "postcode":
            return str(rng.between(10000, 99999))
        case "text":
            return rng.pick(_DESCRIPTIONS)
        case _:
            return rng.pick(simple.get(field, _MESSAGES))
