"""Neighbours of one part of a city."""

from __future__ import annotations

from webgym.sites.families.forum.communities.bank import Bank, Duel, Measure, Topic, Trouble

NEIGHBOURHOOD = Bank(
    key="neighbourhood",
    people="neighbours",
    tagline="What is going on around the corner",
    covers=("scene:city", "scene:village", "scene:river", "map"),
    topics=(
        Topic(
            "streets",
            "Streets and traffic",
            "Roadworks, parking and bike lanes",
            "milestone",
            (
                "Canal Street",
                "Mill Lane",
                "the station underpass",
                "the market square",
                "Orchard Road",
                "the school crossing",
                "the bridge at Weir Street",
            ),
            (
                Measure(
                    "How long will the works at {thing} take?", "duration", "{} weeks", (2, 3, 4, 5, 6, 8, 10, 12, 16)
                ),
                Measure(
                    "What does parking cost near {thing}?",
                    "parking fee",
                    "${} an hour",
                    (1, 1.5, 1.8, 2, 2.4, 2.8, 3.2, 3.5, 4),
                ),
            ),
            (
                Trouble(
                    "Noise at {thing} every night",
                    "It starts at about half past two and lasts for an hour.",
                    ("street sweepers", "a loose manhole cover", "deliveries", "the bottle bank", "a broken fan"),
                ),
                Trouble(
                    "Puddle at {thing} that never dries",
                    "Even after a week without rain.",
                    ("a blocked gully", "a burst main", "tree roots", "a sunken kerb", "the car wash"),
                ),
            ),
        ),
        Topic(
            "council",
            "Council and plans",
            "Meetings, permits and budgets",
            "building",
            (
                "the new library",
                "the playground at Elm Park",
                "the tram extension",
                "the old fire station",
                "the riverside path",
                "the recycling point",
            ),
            (
                Measure(
                    "What is the budget for {thing}?",
                    "budget",
                    "${} thousand",
                    (45, 80, 120, 180, 240, 310, 460, 620, 900),
                ),
                Measure(
                    "How many people came to the meeting about {thing}?",
                    "attendance",
                    "{} people",
                    (14, 22, 31, 38, 46, 57, 64, 83, 110),
                ),
            ),
            (
                Trouble(
                    "Why is {thing} delayed again?",
                    "The sign said spring. It is no longer spring.",
                    ("a missing permit", "contaminated soil", "a court appeal", "the contractor", "bats in the roof"),
                ),
            ),
        ),
        Topic(
            "services",
            "Tradespeople and services",
            "Who to call and who not to",
            "wrench",
            (
                "a plumber",
                "a piano tuner",
                "a chimney sweep",
                "a locksmith",
                "a dog sitter",
                "a window cleaner",
                "an electrician",
            ),
            (
                Measure("What did you pay for {thing}?", "price", "${}", (25, 35, 45, 60, 75, 90, 120, 150, 210)),
                Measure(
                    "How long did you wait for {thing}?", "waiting time", "{} days", (1, 2, 3, 4, 6, 9, 12, 15, 21)
                ),
            ),
            (
                Trouble(
                    "Trouble with {thing} I hired",
                    "Paid half up front and now nobody answers the phone.",
                    ("a wrong invoice", "a family emergency", "a holiday", "a lost part", "a double booking"),
                ),
            ),
        ),
        Topic(
            "food",
            "Food and shops",
            "Openings, closings and the best bread",
            "coffee",
            (
                "the bakery on the corner",
                "the Friday market",
                "the new noodle bar",
                "the refill shop",
                "the ice cream van",
                "the cafe by the lock",
            ),
            (
                Measure(
                    "What does lunch cost at {thing}?",
                    "price of lunch",
                    "${}",
                    (4.5, 5.5, 6.8, 7.5, 8.2, 9.5, 11, 12.5, 14),
                ),
                Measure(
                    "How long is the queue at {thing}?", "waiting time", "{} minutes", (3, 5, 8, 10, 12, 15, 20, 25, 35)
                ),
            ),
            (
                Trouble(
                    "{thing} was closed on Saturday",
                    "No note on the door and the lights were on.",
                    ("a staff party", "a broken oven", "a water leak", "new opening hours", "a wedding"),
                ),
            ),
        ),
        Topic(
            "nature",
            "Parks and pets",
            "Dogs, trees and allotments",
            "leaf",
            ("the dog field", "the pond at Elm Park", "the community orchard", "the allotments", "the old lime trees"),
            (
                Measure(
                    "How many volunteers turned up at {thing}?",
                    "volunteers",
                    "{} volunteers",
                    (4, 6, 8, 11, 13, 17, 21, 26, 34),
                ),
                Measure(
                    "How long does a round at {thing} take?",
                    "time for a round",
                    "{} minutes",
                    (8, 12, 15, 20, 25, 30, 35, 45, 60),
                ),
            ),
            (
                Trouble(
                    "Dead fish near {thing}",
                    "I counted five this morning.",
                    ("low oxygen", "a cold snap", "road salt", "an algae bloom", "bread feeding"),
                    ("the pond at Elm Park", "the lock", "the duck weir"),
                ),
            ),
        ),
    ),
    market="Free and for sale",
    showcase="Photos of the area",
    lounge="On the bench",
    wares=(
        ("oak bookshelf", 20, 90),
        ("garden table", 25, 110),
        ("washing machine", 60, 190),
        ("set of dining chairs", 40, 150),
        ("moving boxes", 5, 25),
        ("upright piano", 50, 280),
        ("cat carrier", 8, 30),
        ("floor lamp", 10, 55),
    ),
    projects=(
        "little free library",
        "notice board",
        "parklet",
        "flower tubs at the crossing",
        "history trail signs",
        "bike shelter",
        "repair cafe corner",
    ),
    materials=("reclaimed timber", "painted steel", "donated paint", "brick", "old doors", "council leftovers"),
    duels=(
        Duel("Should Canal Street be car-free on Sundays?", ("Yes", "No", "Only in summer", "Try it once")),
        Duel("Where should the new bench go?", ("Market square", "Station", "Elm Park", "Weir Street")),
        Duel("Best day for the street party?", ("Friday", "Saturday", "Sunday", "Holiday Monday")),
        Duel("Bins every week or every two weeks?", ("Weekly", "Every two weeks", "Weekly in summer", "No opinion")),
    ),
    gear_label="Street",
    gear=(
        "Canal Street",
        "Mill Lane",
        "Orchard Road",
        "Weir Street",
        "Station Road",
        "Elm Park side",
        "Upper Terrace",
        "Lock Keeper Row",
    ),
    tags=(
        "parking",
        "roadworks",
        "lost-and-found",
        "noise",
        "recommendation",
        "schools",
        "recycling",
        "dogs",
        "events",
        "housing",
        "safety",
        "new-here",
    ),
    lines=(
        "I wrote to the council about it in March.",
        "Lived here 22 years and never saw that.",
        "The residents' group meets on the first Tuesday.",
        "Ask at the corner shop, they know everything.",
        "Bring it up at the next meeting.",
        "There was a note on the lamp post.",
        "My window looks straight at it.",
        "Thanks for keeping an eye on it.",
        "The leaflet had the wrong date on it.",
    ),
    words=("lamp", "corner", "bench", "terrace", "lock", "bridge", "tram", "garden", "chimney", "market"),
    signatures=(
        "Number 14, the one with the blue door",
        "Be kind to your postman",
        "Resident since 1998",
        "Dog: Biscuit. Cat: Gravy",
        "See you at the market",
    ),
    meetups=("Street clean-up", "Residents' meeting", "Repair cafe", "Board game night", "Guided history walk"),
    bring=("Gloves", "Cake", "A folding chair", "Tools"),
    guides=("Start here: what this board is for", "Useful phone numbers and opening hours"),
)
