"""Woodworkers."""

from __future__ import annotations

from webgym.sites.families.forum.communities.bank import Bank, Duel, Measure, Topic, Trouble

WOODWORKING = Bank(
    key="woodworking",
    people="woodworkers",
    tagline="Sharp tools, square corners",
    covers=("scene:forest", "product:chair", "product:table", "product:toolbox"),
    topics=(
        Topic(
            "hand-tools",
            "Hand tools",
            "Planes, chisels and saws",
            "wrench",
            (
                "a No. 4 smoother",
                "a low angle jack",
                "mortise chisels",
                "a dovetail saw",
                "a card scraper",
                "a spokeshave",
            ),
            (
                Measure(
                    "Sharpening angle for {thing}?",
                    "sharpening angle",
                    "{} degrees",
                    (20, 23, 25, 27, 28, 30, 32, 33, 35),
                    ("a No. 4 smoother", "a low angle jack", "mortise chisels", "a spokeshave", "paring chisels"),
                ),
                Measure("What did you pay for {thing}?", "price", "${}", (12, 18, 25, 34, 48, 65, 85, 120, 175)),
            ),
            (
                Trouble(
                    "{thing} leaves tracks",
                    "A fine line on every pass however much I hone.",
                    ("a nicked edge", "square corners", "a loose frog", "a clogged mouth", "tear-out"),
                    ("a No. 4 smoother", "a low angle jack", "a jointer plane"),
                ),
                Trouble(
                    "{thing} chatters on oak",
                    "It skips along and the surface looks like a washboard.",
                    ("a thin blade", "a heavy cut", "a dull edge", "a loose cap iron", "wild grain"),
                    ("a No. 4 smoother", "a jointer plane", "a spokeshave"),
                ),
            ),
        ),
        Topic(
            "machines",
            "Machines",
            "Saws, planers and dust",
            "settings",
            (
                "a 14 inch bandsaw",
                "a contractor table saw",
                "a benchtop planer",
                "a router table",
                "a wood lathe",
                "a dust extractor",
            ),
            (
                Measure("Duct size for {thing}?", "duct diameter", "{} mm", (50, 63, 75, 80, 100, 110, 125, 150, 160)),
                Measure(
                    "What did you pay for {thing}?", "price", "${}", (140, 190, 240, 310, 390, 480, 620, 790, 1100)
                ),
            ),
            (
                Trouble(
                    "Burn marks from {thing}",
                    "Only on cherry and only on one side.",
                    ("a pitched blade", "a slow feed", "a fence out of line", "a dull bit", "a warped board"),
                    ("a contractor table saw", "a router table", "a 14 inch bandsaw", "a mitre saw"),
                ),
            ),
        ),
        Topic(
            "finishing",
            "Finishing",
            "Oil, shellac, wax and paint",
            "pencil",
            ("hardwax oil", "blonde shellac", "tung oil", "milk paint", "water-based varnish", "paste wax"),
            (
                Measure("How many coats of {thing}?", "coats", "{} coats", (1, 2, 3, 4, 5, 6, 7, 8, 10)),
                Measure("Drying time for {thing}?", "drying time", "{} hours", (2, 4, 6, 8, 12, 16, 20, 24, 48)),
            ),
            (
                Trouble(
                    "Cloudy patches in {thing}",
                    "Looked perfect when wet and milky the morning after.",
                    ("damp weather", "thick coats", "silicone", "cold varnish", "sanding dust"),
                ),
            ),
        ),
        Topic(
            "joinery",
            "Joinery and design",
            "Joints, plans and proportions",
            "target",
            (
                "half-blind dovetails",
                "drawbored tenons",
                "a mitred box",
                "bridle joints",
                "sliding dovetails",
                "breadboard ends",
            ),
            (
                Measure(
                    "How thick do you make {thing}?",
                    "thickness",
                    "{} mm",
                    (6, 8, 9, 10, 12, 14, 16, 18, 22),
                    ("drawbored tenons", "bridle joints", "breadboard ends", "drawer sides", "cabinet backs"),
                ),
                Measure(
                    "How long does one of your {thing} take?",
                    "time",
                    "{} minutes",
                    (12, 18, 25, 30, 40, 55, 70, 90, 120),
                ),
            ),
            (
                Trouble(
                    "Gaps in my {thing}",
                    "Tight when dry, open as soon as the glue goes in.",
                    ("a knife line drift", "a tapered cut", "bruised shoulders", "swollen tails", "clamp pressure"),
                ),
            ),
        ),
        Topic(
            "timber",
            "Timber and drying",
            "Boards, logs and moisture",
            "palmtree",
            ("green oak", "air-dried walnut", "ash boards", "reclaimed pine", "spalted beech", "yew slabs"),
            (
                Measure(
                    "Moisture content you accept for {thing}?",
                    "moisture content",
                    "{} %",
                    (6, 7, 8, 9, 10, 11, 12, 14, 18),
                ),
                Measure(
                    "Price per board foot for {thing}",
                    "price per board foot",
                    "${} a board foot",
                    (2.5, 3.4, 4.2, 5.5, 6.8, 8, 9.5, 12, 15),
                ),
            ),
            (
                Trouble(
                    "{thing} cupped after a week",
                    "Flat when I glued it up, a banana by Sunday.",
                    ("a damp garage", "one-sided finish", "case hardening", "sap side up", "tight stickers"),
                ),
            ),
        ),
    ),
    market="Tool exchange",
    showcase="Finished projects",
    lounge="Around the stove",
    wares=(
        ("No. 5 bench plane", 25, 95),
        ("set of six chisels", 30, 120),
        ("parallel clamps pair", 20, 75),
        ("benchtop bandsaw", 80, 260),
        ("Japanese saw", 15, 55),
        ("carving mallet", 10, 38),
        ("router with bits", 45, 160),
        ("leg vice screw", 25, 80),
    ),
    projects=(
        "Shaker side table",
        "tool chest",
        "Roubo bench",
        "walnut cutting board",
        "rocking chair",
        "wall cabinet",
        "steam-bent lamp",
        "blanket box",
    ),
    materials=("white oak", "American walnut", "ash", "cherry", "birch plywood", "reclaimed pine"),
    duels=(
        Duel("Pins first or tails first?", ("Pins first", "Tails first", "Router jig", "I use screws")),
        Duel("Favourite glue?", ("Hide glue", "PVA", "Epoxy", "Liquid hide glue")),
        Duel("Waterstones or oilstones?", ("Waterstones", "Oilstones", "Diamond plates", "Sandpaper on glass")),
        Duel("Best timber for a workbench?", ("Beech", "Oak", "Douglas fir", "Maple")),
    ),
    gear_label="Workshop",
    gear=(
        "single garage",
        "garden shed",
        "cellar with low beams",
        "shared makerspace",
        "old dairy",
        "spare bedroom",
        "double garage",
        "shipping container",
    ),
    tags=(
        "sharpening",
        "dovetails",
        "bandsaw",
        "oak",
        "walnut",
        "finish",
        "workbench",
        "turning",
        "carving",
        "dust",
        "plywood",
        "beginner",
    ),
    lines=(
        "Sharp fixes everything.",
        "Measure twice, blame the tape once.",
        "I keep an offcut of every mistake.",
        "Test it on scrap first.",
        "The stove helps with the moisture.",
        "My back prefers the taller bench.",
        "Nobody will see the underside.",
        "It moved again over the winter.",
        "The old boys at the club do it freehand.",
    ),
    words=("oak", "chisel", "burl", "tenon", "shavings", "mallet", "plank", "bevel", "walnut", "grain"),
    signatures=(
        "Making shavings since 1987",
        "Still have all ten fingers",
        "Buy once, cry once",
        "The bench is never finished",
        "Square is a feeling",
    ),
    meetups=("Sharpening evening", "Timber yard tour", "Spoon carving day", "Tool swap", "Open workshop"),
    bring=("Safety glasses", "A chisel to sharpen", "Cake", "Offcuts"),
    guides=("Start here: workshop safety", "How to post plans and drawings"),
)
