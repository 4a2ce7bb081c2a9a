"""Home brewers."""

from __future__ import annotations

from webgym.sites.families.forum.communities.bank import Bank, Duel, Measure, Topic, Trouble

BREWING = Bank(
    key="brewing",
    people="home brewers",
    tagline="Beer, cider and mead from your own kitchen",
    covers=("science:lab", "scene:vineyard", "product:bottle", "room:restaurant"),
    topics=(
        Topic(
            "all-grain",
            "All grain",
            "Mashing, sparging and boiling",
            "flask-conical",
            (
                "a dry stout",
                "a pale ale",
                "a Belgian tripel",
                "a brown ale",
                "an oatmeal porter",
                "a West Coast IPA",
                "a Vienna lager",
            ),
            (
                Measure(
                    "Mash temperature for {thing}?", "mash temperature", "{} °C", (62, 63, 64, 65, 66, 67, 68, 69, 70)
                ),
                Measure(
                    "Original gravity for {thing}",
                    "original gravity",
                    "{} points",
                    (38, 42, 45, 48, 52, 56, 62, 70, 78),
                ),
                Measure(
                    "How long do you boil {thing}?", "boil time", "{} minutes", (15, 30, 40, 45, 60, 70, 75, 90, 120)
                ),
            ),
            (
                Trouble(
                    "Low efficiency with {thing}",
                    "I keep missing my numbers by a wide margin.",
                    ("a coarse crush", "dough balls", "a fast sparge", "high mash pH", "old malt"),
                ),
            ),
        ),
        Topic(
            "fermentation",
            "Fermentation and yeast",
            "Starters, temperatures and patience",
            "hourglass",
            (
                "kveik",
                "a saison yeast",
                "a lager yeast",
                "an English ale yeast",
                "a wheat beer yeast",
                "champagne yeast",
            ),
            (
                Measure(
                    "Pitching temperature for {thing}",
                    "pitching temperature",
                    "{} °C",
                    (8, 10, 12, 15, 17, 18, 20, 24, 32),
                ),
                Measure(
                    "Starter size for {thing}?",
                    "starter size",
                    "{} ml",
                    (400, 500, 750, 900, 1000, 1250, 1500, 2000, 2500),
                ),
            ),
            (
                Trouble(
                    "{thing} stopped halfway",
                    "No bubbles for four days and the hydrometer has not moved.",
                    ("a cold night", "old yeast", "too little oxygen", "a broken hydrometer", "unfermentable sugar"),
                ),
                Trouble(
                    "Sulphur smell with {thing}",
                    "The whole cupboard smells like struck matches.",
                    ("stressed yeast", "young beer", "an infection", "low nutrients", "a tight lid"),
                ),
            ),
        ),
        Topic(
            "cider",
            "Cider, mead and wine",
            "Everything without grain",
            "coffee",
            (
                "windfall cider",
                "a sack mead",
                "elderflower wine",
                "perry",
                "a cherry melomel",
                "bottle-conditioned cider",
            ),
            (
                Measure("How long do you age {thing}?", "ageing time", "{} months", (2, 3, 4, 6, 8, 9, 12, 15, 18)),
                Measure(
                    "Honey or sugar per litre for {thing}?",
                    "sugar per litre",
                    "{} g per litre",
                    (60, 90, 120, 150, 180, 220, 260, 310, 350),
                ),
            ),
            (
                Trouble(
                    "{thing} tastes of vinegar",
                    "Clear, pretty and far too sharp.",
                    ("fruit flies", "headspace", "a leaking airlock", "late racking", "wild yeast"),
                ),
            ),
        ),
        Topic(
            "equipment",
            "Equipment and DIY",
            "Kettles, kegs and soldering",
            "wrench",
            ("a 30 l kettle", "a corny keg", "a plate chiller", "a fermentation fridge", "a kegerator", "a grain mill"),
            (
                Measure("What did you pay for {thing}?", "price", "${}", (35, 48, 60, 75, 95, 130, 165, 210, 280)),
                Measure(
                    "Serving pressure with {thing}?",
                    "pressure",
                    "{} psi",
                    (6, 8, 9, 10, 11, 12, 14, 16, 18),
                    ("a corny keg", "a kegerator", "a mini keg", "a stout tap"),
                ),
            ),
            (
                Trouble(
                    "{thing} pours nothing but foam",
                    "Half a glass of beer and two glasses of foam.",
                    ("a short beer line", "a warm tap", "overcarbonation", "a worn O-ring", "dirty lines"),
                    ("a corny keg", "a kegerator", "a mini keg", "a stout tap"),
                ),
            ),
        ),
        Topic(
            "recipes",
            "Recipes",
            "Share what you brewed and how",
            "book",
            (
                "a spruce tip ale",
                "a coffee stout",
                "a grapefruit pale",
                "a smoked porter",
                "a rye saison",
                "a pumpkin ale",
            ),
            (
                Measure("How many grams of hops in {thing}?", "hops", "{} g", (20, 35, 50, 65, 80, 100, 140, 180, 220)),
                Measure("Bitterness of {thing}", "bitterness", "{} IBU", (12, 18, 22, 28, 32, 38, 45, 58, 70)),
            ),
            (
                Trouble(
                    "{thing} came out thin",
                    "Flavour is there but it drinks like water.",
                    ("a low mash temperature", "too much sugar", "a hungry yeast", "soft water", "missing oats"),
                ),
            ),
        ),
    ),
    market="Swap and sell",
    showcase="On tap now",
    lounge="Tap room",
    wares=(
        ("grain mill", 40, 120),
        ("conical fermenter", 90, 340),
        ("counterflow chiller", 45, 130),
        ("corny keg pair", 50, 140),
        ("bottle tree", 10, 35),
        ("refractometer", 15, 50),
        ("bench capper", 18, 45),
        ("stir plate", 20, 65),
    ),
    projects=(
        "keezer",
        "three vessel rig",
        "tap wall",
        "mash tun from a cooler",
        "hop dryer",
        "fermentation chamber",
        "label printer",
    ),
    materials=("stainless steel", "oak boards", "copper tube", "silicone hose", "brass shanks", "an old freezer"),
    duels=(
        Duel("Bottles or kegs?", ("Bottles", "Kegs", "Mini kegs", "Straight from the fermenter")),
        Duel("Favourite hop for a pale ale?", ("Citra", "Cascade", "Mosaic", "East Kent Goldings")),
        Duel("Batch size at home?", ("Under 10 litres", "10 to 20 litres", "20 to 30 litres", "More")),
        Duel("How do you sanitise?", ("No-rinse acid", "Iodine", "Bleach", "Boiling water")),
    ),
    gear_label="System",
    gear=(
        "brew in a bag",
        "three vessel rig",
        "all-in-one 35 l",
        "stove top extract",
        "demijohns only",
        "single keg setup",
        "two-tap keezer",
        "cooler mash tun",
    ),
    tags=(
        "ipa",
        "stout",
        "lager",
        "yeast",
        "hops",
        "water",
        "kegging",
        "bottling",
        "extract",
        "sours",
        "malt",
        "beginner",
    ),
    lines=(
        "Relax and have a home brew.",
        "Clean everything twice.",
        "The neighbours volunteered as tasters.",
        "My water is very hard, so keep that in mind.",
        "It clears up if you leave it alone.",
        "I wrote it on the lid so I would not forget.",
        "Two weeks later it was a different beer.",
        "The cat is no longer allowed in the brew shed.",
        "Notes from my log book, page 41.",
    ),
    words=("malt", "hops", "barrel", "krausen", "lager", "firkin", "mash", "cask", "stout", "wort"),
    signatures=(
        "Primary: mild. Bottled: too much cider",
        "RDWHAHB",
        "It is not a hobby, it is a pipeline",
        "Beer is made by yeast, I only clean",
        "Next up: dark mild",
    ),
    meetups=("Brew day", "Bottle share", "Hop harvest", "Off-flavour tasting", "Cider pressing"),
    bring=("Two bottles", "Snacks", "A tasting glass", "Spare fermenter"),
    guides=("Start here: your first five batches", "How to post a recipe people can follow"),
)
