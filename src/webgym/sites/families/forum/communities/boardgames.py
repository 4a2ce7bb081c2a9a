"""Board gamers."""

from __future__ import annotations

from webgym.sites.families.forum.communities.bank import Bank, Duel, Measure, Topic, Trouble

BOARDGAMES = Bank(
    key="boardgames",
    people="players",
    tagline="Cardboard, dice and long evenings",
    covers=("product:board-game", "product:puzzle", "culture", "room:lobby"),
    topics=(
        Topic(
            "rules-questions",
            "Rules questions",
            "What does this card really do?",
            "help",
            (
                "Harbour of Glass",
                "Salt Roads",
                "The Last Orchard",
                "Iron Meridian",
                "Lantern Keepers",
                "Crown of Reeds",
                "Nine Bridges",
            ),
            (
                Measure("Hand limit in {thing}?", "hand limit", "{} cards", (3, 4, 5, 6, 7, 8, 9, 10, 12)),
                Measure(
                    "How many rounds in {thing} with two players?",
                    "rounds",
                    "{} rounds",
                    (4, 5, 6, 7, 8, 9, 10, 12, 15),
                ),
                Measure("Starting money in {thing}", "starting money", "{} coins", (5, 6, 8, 10, 12, 14, 15, 18, 20)),
            ),
            (
                Trouble(
                    "Stuck in {thing}: nobody can move",
                    "We sat there for ten minutes and could not find a legal move.",
                    (
                        "a missed refresh phase",
                        "a misprinted card",
                        "the trade rule",
                        "a wrong setup",
                        "a missing token",
                    ),
                ),
            ),
        ),
        Topic(
            "strategy",
            "Strategy",
            "Openings, engines and bluffing",
            "line-chart",
            (
                "the farmer opening",
                "the rail engine",
                "a worker rush",
                "the late bid",
                "the double market",
                "a defensive start",
            ),
            (
                Measure(
                    "Score you reach with {thing}?", "score", "{} points", (48, 62, 74, 85, 96, 108, 121, 137, 160)
                ),
                Measure(
                    "In which round do you switch from {thing}?", "round", "round {}", (2, 3, 4, 5, 6, 7, 8, 9, 10)
                ),
            ),
            (
                Trouble(
                    "{thing} keeps losing",
                    "Ahead at half time and last at the end.",
                    ("hoarding cards", "ignoring the market", "late scoring", "bad turn order", "weak defence"),
                ),
            ),
        ),
        Topic(
            "solo",
            "Solo and two players",
            "Small tables, big games",
            "user",
            ("a solo campaign", "a two player duel", "an automa deck", "a lunch break game", "a legacy game for two"),
            (
                Measure("Playing time of {thing}", "playing time", "{} minutes", (15, 20, 30, 40, 45, 60, 75, 90, 120)),
                Measure("How many plays of {thing} so far?", "plays", "{} plays", (3, 7, 12, 18, 25, 34, 46, 60, 85)),
            ),
            (
                Trouble(
                    "{thing} feels flat",
                    "We like the theme and still it never takes off.",
                    ("a long setup", "no interaction", "easy mode", "a dull end game", "too many tokens"),
                ),
            ),
        ),
        Topic(
            "components",
            "Components and storage",
            "Sleeves, inserts and painting",
            "box",
            ("square sleeves", "a foam core insert", "a neoprene mat", "miniatures", "metal coins", "a card tray"),
            (
                Measure("What did you pay for {thing}?", "price", "${}", (6, 9, 12, 15, 19, 24, 32, 45, 60)),
                Measure("Which size for {thing}?", "size", "{} mm", (41, 44, 56, 63, 70, 80, 88, 100, 120)),
            ),
            (
                Trouble(
                    "{thing} will not fit in the box",
                    "Lid stands up by a finger.",
                    ("thick sleeves", "a warped board", "an expansion", "a swollen insert", "upside down trays"),
                ),
            ),
        ),
        Topic(
            "groups",
            "Groups and clubs",
            "Find players near you",
            "users",
            ("a Tuesday group", "a library club", "a family game day", "a teaching night", "a convention table"),
            (
                Measure(
                    "How many people come to {thing}?", "attendance", "{} people", (4, 6, 8, 10, 13, 16, 20, 28, 40)
                ),
                Measure("What is the fee for {thing}?", "fee", "${}", (1, 2, 3, 4, 5, 6, 8, 10, 15)),
            ),
            (
                Trouble(
                    "Attendance at {thing} is falling",
                    "From twenty to six in half a year.",
                    ("a dark room", "late buses", "long games", "no host", "a rival club"),
                ),
            ),
        ),
    ),
    market="Trades and sales",
    showcase="On the table",
    lounge="Between turns",
    wares=(
        ("Salt Roads with expansion", 25, 70),
        ("Iron Meridian deluxe", 45, 130),
        ("lot of ten card games", 20, 60),
        ("gaming table topper", 60, 220),
        ("dice tower", 10, 35),
        ("Nine Bridges, sealed", 30, 75),
        ("paint set for miniatures", 15, 55),
        ("storage insert", 12, 40),
    ),
    projects=(
        "gaming table",
        "travel set",
        "print and play prototype",
        "custom insert",
        "dice tray",
        "card holder",
        "wooden tile set",
    ),
    materials=("foam board", "walnut", "felt", "cast resin", "playing card stock", "neoprene"),
    duels=(
        Duel("Sleeve cards: yes or no?", ("Always", "Only valuable ones", "Never", "Only kids' games")),
        Duel("Ideal player count?", ("Two", "Three", "Four", "Five or more")),
        Duel(
            "Best length for a game night opener?",
            ("10 minutes", "20 minutes", "30 minutes", "Straight to the long one"),
        ),
        Duel("Who teaches the rules?", ("The owner", "Whoever read them", "A video", "We learn together")),
    ),
    gear_label="Favourite game",
    gear=(
        "Harbour of Glass",
        "Salt Roads",
        "The Last Orchard",
        "Iron Meridian",
        "Lantern Keepers",
        "Crown of Reeds",
        "Nine Bridges",
        "Copper and Clay",
    ),
    tags=(
        "two-player",
        "co-op",
        "solo",
        "euro",
        "legacy",
        "family",
        "cards",
        "dice",
        "painting",
        "variants",
        "expansion",
        "beginner",
    ),
    lines=(
        "We have played it wrong for three years.",
        "House rule: winner makes tea.",
        "The rulebook says it on page 11, in grey.",
        "My group would never allow that.",
        "It depends on the player count.",
        "Someone always forgets the bonus.",
        "The designer answered this at a fair.",
        "The cat ate a meeple.",
        "Take the tokens out of the box first.",
    ),
    words=("meeple", "dice", "token", "rook", "deck", "hex", "pawn", "tile", "joker", "domino"),
    signatures=(
        "One more round",
        "House rules apply",
        "First player: whoever smells best",
        "Sleeving my life away",
        "I play the red pieces",
    ),
    meetups=("Open game night", "Tournament", "Painting session", "Bring and buy", "Prototype testing"),
    bring=("A short game", "Snacks", "A long game", "Spare sleeves"),
    guides=("Start here: how to ask a rules question", "Trading guide and feedback list"),
)
