"""Stargazers."""

from __future__ import annotations

from webgym.sites.families.forum.communities.bank import Bank, Duel, Measure, Topic, Trouble

ASTRONOMY = Bank(
    key="astronomy",
    people="stargazers",
    tagline="Clear skies and steady mounts",
    covers=("science:space", "scene:night-city", "scene:snow", "product:lens"),
    topics=(
        Topic(
            "observing",
            "Observing",
            "What did you see last night?",
            "eye",
            (
                "the Orion Nebula",
                "Saturn's rings",
                "the Double Cluster",
                "the Ring Nebula",
                "Jupiter's moons",
                "the Whirlpool Galaxy",
                "the lunar Apennines",
            ),
            (
                Measure(
                    "Magnification for {thing}?", "magnification", "{} times", (25, 40, 60, 80, 100, 130, 160, 200, 240)
                ),
                Measure(
                    "Best session on {thing}: how long?",
                    "session length",
                    "{} minutes",
                    (15, 20, 30, 40, 50, 75, 90, 120, 180),
                ),
            ),
            (
                Trouble(
                    "{thing} looks blurred",
                    "It was better with the old eyepiece, I am sure of that.",
                    ("poor collimation", "warm air over roofs", "dew", "bad seeing", "a dirty eyepiece"),
                ),
            ),
        ),
        Topic(
            "imaging",
            "Imaging",
            "Cameras, guiding and stacking",
            "camera",
            (
                "the Andromeda Galaxy",
                "the Rosette Nebula",
                "the Veil",
                "a comet",
                "the Pleiades",
                "the lunar terminator",
            ),
            (
                Measure(
                    "Total exposure on {thing}?",
                    "total exposure",
                    "{} minutes",
                    (30, 45, 60, 90, 120, 180, 240, 320, 480),
                ),
                Measure(
                    "How many frames did you stack for {thing}?",
                    "frames",
                    "{} frames",
                    (20, 35, 60, 90, 120, 180, 240, 360, 500),
                ),
            ),
            (
                Trouble(
                    "Egg-shaped stars around {thing}",
                    "All in the same direction, worse in the corners.",
                    ("field rotation", "tilt", "backlash", "a sagging focuser", "wrong back focus"),
                ),
                Trouble(
                    "Gradient in my picture of {thing}",
                    "Orange at the bottom, whatever I try.",
                    ("light pollution", "a street lamp", "missing flats", "moonlight", "an amp glow"),
                ),
            ),
        ),
        Topic(
            "scopes",
            "Telescopes and mounts",
            "Buying, tuning and carrying",
            "search",
            (
                "an 8 inch Dobsonian",
                "a 72 mm refractor",
                "a Maksutov",
                "an equatorial mount",
                "a star tracker",
                "a 10 inch mirror",
            ),
            (
                Measure(
                    "What did you pay for {thing}?", "price", "${}", (120, 180, 240, 320, 410, 540, 690, 880, 1250)
                ),
                Measure(
                    "How heavy is {thing} with everything on it?", "weight", "{} kg", (3, 4.5, 6, 8, 11, 14, 18, 24, 31)
                ),
            ),
            (
                Trouble(
                    "{thing} drifts out of view",
                    "A minute and the planet is gone.",
                    ("poor polar alignment", "a loose clutch", "a weak battery", "an uneven tripod", "wrong latitude"),
                    ("an equatorial mount", "a star tracker", "a fork mount"),
                ),
            ),
        ),
        Topic(
            "dark-sites",
            "Dark sites and travel",
            "Where the Milky Way throws a shadow",
            "map",
            (
                "the quarry car park",
                "the high moor",
                "the lighthouse point",
                "the reservoir dam",
                "the forest clearing",
            ),
            (
                Measure(
                    "Sky brightness at {thing}",
                    "sky brightness",
                    "{} mag",
                    (19.2, 19.8, 20.3, 20.7, 21.0, 21.2, 21.4, 21.6, 21.8),
                ),
                Measure(
                    "How long is the drive to {thing}?", "drive", "{} minutes", (20, 25, 35, 40, 50, 65, 80, 95, 120)
                ),
            ),
            (
                Trouble(
                    "Sent away from {thing}",
                    "A man with a torch said we could not stay.",
                    ("private land", "a new gate", "nesting birds", "a night closure", "a film crew"),
                ),
            ),
        ),
        Topic(
            "diy",
            "DIY and observatories",
            "Mirrors, domes and heaters",
            "wrench",
            (
                "a roll-off roof",
                "a dew heater",
                "a plywood mount",
                "a flat panel",
                "a garden pier",
                "an all-sky camera",
            ),
            (
                Measure("What did {thing} cost you?", "cost", "${}", (25, 40, 60, 85, 130, 210, 380, 650, 1400)),
                Measure(
                    "Power draw of {thing}",
                    "power",
                    "{} W",
                    (3, 5, 8, 12, 15, 20, 26, 35, 48),
                    ("a dew heater", "a flat panel", "an all-sky camera", "a 12 V mount"),
                ),
            ),
            (
                Trouble(
                    "{thing} leaks when it rains",
                    "Only with wind from the west.",
                    ("a bad seam", "a lifted edge", "dried sealant", "a clogged gutter", "a bent rail"),
                    ("a roll-off roof", "a garden dome", "an all-sky camera"),
                ),
            ),
        ),
    ),
    market="Classifieds",
    showcase="Sketches and pictures",
    lounge="Cloudy nights",
    wares=(
        ("32 mm eyepiece", 25, 90),
        ("guide camera", 60, 190),
        ("Barlow lens", 20, 75),
        ("dew shield", 10, 35),
        ("6 inch Newtonian", 110, 320),
        ("steel pier", 70, 240),
        ("finder scope", 15, 60),
        ("narrowband filter", 50, 160),
    ),
    projects=(
        "roll-off observatory",
        "barn door tracker",
        "8 inch mirror",
        "solar finder",
        "binocular chair",
        "red light lamp",
        "portable power box",
    ),
    materials=("birch plywood", "aluminium profile", "PVC pipe", "cork", "borosilicate glass", "roofing felt"),
    duels=(
        Duel("Dobsonian or refractor for a beginner?", ("Dobsonian", "Refractor", "Binoculars", "Join a club first")),
        Duel("Go-to or push-to?", ("Go-to", "Push-to", "Star hopping", "All of them")),
        Duel("Which object do you show visitors first?", ("The Moon", "Saturn", "Jupiter", "The Pleiades")),
        Duel("How cold is too cold?", ("Below 0", "Below -5", "Below -10", "Never")),
    ),
    gear_label="Telescope",
    gear=(
        "8 inch Dobsonian",
        "80 mm refractor",
        "5 inch Maksutov",
        "10x50 binoculars",
        "6 inch Newtonian",
        "homemade 12 inch",
        "star tracker and DSLR",
        "90 mm on a photo tripod",
    ),
    tags=(
        "planets",
        "moon",
        "galaxies",
        "nebulae",
        "guiding",
        "collimation",
        "eyepieces",
        "dew",
        "narrowband",
        "sketching",
        "meteors",
        "beginner",
    ),
    lines=(
        "Clouds rolled in ten minutes later.",
        "New moon weekend, so everybody was out.",
        "My fingers did not like it.",
        "Let the mirror cool for an hour.",
        "The forecast said clear. The forecast always says clear.",
        "Averted vision helps a lot.",
        "Wrap it in an old sleeping bag.",
        "A fox sat down next to me.",
        "Polar alignment took longer than the session.",
    ),
    words=("comet", "nova", "lunar", "quasar", "meteor", "zenith", "orbit", "eclipse", "aurora", "halo"),
    signatures=(
        "Bortle 6 and complaining",
        "So many photons, so little time",
        "Clear skies!",
        "Red light only",
        "Owner of a telescope and of clouds",
    ),
    meetups=("Star party", "Moon watch", "Telescope clinic", "Meteor night", "Solar observing day"),
    bring=("A red torch", "Hot drinks", "A folding chair", "An eyepiece"),
    guides=("Start here: choosing a first telescope", "Light pollution and how to report it"),
)
