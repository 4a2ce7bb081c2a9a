"""Home cooks."""

from __future__ import annotations

from webgym.sites.families.forum.communities.bank import Bank, Duel, Measure, Topic, Trouble

COOKING = Bank(
    key="cooking",
    people="home cooks",
    tagline="Recipes that have been tried more than once",
    covers=("food:bread", "food:curry", "food:salad", "food:cake"),
    topics=(
        Topic(
            "baking",
            "Bread and baking",
            "Sourdough, cakes and pastry",
            "utensils",
            (
                "a country sourdough",
                "croissants",
                "a rye loaf",
                "lemon drizzle cake",
                "focaccia",
                "shortcrust pastry",
                "burger buns",
            ),
            (
                Measure(
                    "Oven temperature for {thing}?",
                    "oven temperature",
                    "{} °C",
                    (160, 170, 175, 180, 190, 200, 220, 235, 250),
                ),
                Measure(
                    "Hydration for {thing}",
                    "hydration",
                    "{} %",
                    (58, 62, 65, 68, 70, 72, 75, 78, 82),
                    ("a country sourdough", "focaccia", "a rye loaf", "burger buns", "a baguette"),
                ),
                Measure(
                    "Proving time for {thing}?",
                    "proving time",
                    "{} minutes",
                    (30, 45, 60, 75, 90, 120, 180, 240, 480),
                    ("a country sourdough", "focaccia", "a rye loaf", "burger buns", "croissants"),
                ),
            ),
            (
                Trouble(
                    "{thing} sank in the middle",
                    "Beautiful through the oven door, a crater on the table.",
                    ("an early door", "old baking powder", "too much sugar", "a cool oven", "overmixing"),
                    ("lemon drizzle cake", "carrot cake", "a plain sponge", "a cheese souffle"),
                ),
            ),
        ),
        Topic(
            "meat-fish",
            "Meat and fish",
            "Roasts, braises and the grill",
            "flame",
            (
                "pulled pork",
                "roast chicken",
                "braised short ribs",
                "whole trout",
                "lamb shoulder",
                "a salt-baked sea bass",
            ),
            (
                Measure(
                    "Core temperature for {thing}?", "core temperature", "{} °C", (52, 56, 60, 63, 66, 70, 74, 82, 93)
                ),
                Measure(
                    "How long do you cook {thing}?",
                    "cooking time",
                    "{} minutes",
                    (12, 20, 35, 50, 70, 95, 150, 240, 420),
                ),
            ),
            (
                Trouble(
                    "{thing} turned out dry",
                    "I followed the recipe to the minute.",
                    ("a lean cut", "no resting time", "a hot oven", "early salting", "a broken thermometer"),
                ),
            ),
        ),
        Topic(
            "preserving",
            "Preserving and ferments",
            "Jars, brine and patience",
            "archive",
            ("kimchi", "apricot jam", "dill pickles", "tomato passata", "preserved lemons", "kombucha"),
            (
                Measure(
                    "How much salt for {thing}?",
                    "salt",
                    "{} %",
                    (1.5, 1.8, 2, 2.2, 2.5, 3, 3.5, 4, 5),
                    ("kimchi", "dill pickles", "preserved lemons", "sauerkraut"),
                ),
                Measure("How long does {thing} keep?", "keeping time", "{} months", (1, 2, 3, 4, 6, 8, 10, 12, 18)),
            ),
            (
                Trouble(
                    "Mould on {thing}",
                    "A white film after five days.",
                    ("kahm yeast", "floating pieces", "too little salt", "a warm shelf", "a dirty lid"),
                ),
                Trouble(
                    "{thing} did not set",
                    "Runny after three boils.",
                    ("low pectin", "ripe fruit", "too little acid", "a small pan", "low sugar"),
                    ("apricot jam", "quince jelly", "strawberry jam"),
                ),
            ),
        ),
        Topic(
            "weeknight",
            "Weeknight dinners",
            "On the table in half an hour",
            "clock",
            ("chickpea curry", "miso noodles", "shakshuka", "sheet pan gnocchi", "red lentil soup", "mushroom risotto"),
            (
                Measure(
                    "What does {thing} cost you per head?",
                    "cost per head",
                    "${}",
                    (0.9, 1.2, 1.5, 1.8, 2.1, 2.5, 2.9, 3.4, 4.2),
                ),
                Measure(
                    "How many servings from your {thing}?", "servings", "{} servings", (2, 3, 4, 5, 6, 7, 8, 10, 12)
                ),
            ),
            (
                Trouble(
                    "{thing} tastes flat",
                    "Everything is in there and still something is missing.",
                    ("no acid", "too little salt", "old spices", "raw onions", "weak stock"),
                ),
            ),
        ),
        Topic(
            "kitchen",
            "Kitchen equipment",
            "Knives, pans and gadgets",
            "wrench",
            (
                "a carbon steel pan",
                "a stand mixer",
                "a chef's knife",
                "a pressure cooker",
                "a mandoline",
                "a cast iron casserole",
            ),
            (
                Measure("What did you pay for {thing}?", "price", "${}", (18, 26, 35, 48, 62, 85, 120, 180, 290)),
                Measure("How long have you had {thing}?", "years of use", "{} years", (1, 2, 4, 6, 8, 11, 15, 20, 30)),
            ),
            (
                Trouble(
                    "Rust spots on {thing}",
                    "Three uses and it already looks like a garden tool.",
                    ("the dishwasher", "a damp cupboard", "no oiling", "tomato sauce", "a wire brush"),
                ),
            ),
        ),
    ),
    market="Swap shelf",
    showcase="What I made today",
    lounge="Kitchen door",
    wares=(
        ("stand mixer", 60, 220),
        ("pasta machine", 20, 65),
        ("copper saucepan", 40, 160),
        ("set of steak knives", 20, 80),
        ("bread peel and stone", 15, 50),
        ("ice cream maker", 25, 90),
        ("cast iron casserole", 35, 130),
        ("box of cook books", 10, 40),
    ),
    projects=(
        "backyard pizza oven",
        "spice rack",
        "bread box",
        "cold smoker",
        "knife block",
        "herb drying rack",
        "serving board",
    ),
    materials=("firebrick", "oak barrel staves", "cherry wood", "steel sheet", "slate", "cast iron"),
    duels=(
        Duel(
            "Salt the pasta water before or after it boils?",
            ("Before", "After", "Not at all", "It makes no difference"),
        ),
        Duel("Gas, induction or wood?", ("Gas", "Induction", "Ceramic", "Wood")),
        Duel("Which knife do you reach for first?", ("Chef's knife", "Paring knife", "Santoku", "Bread knife")),
        Duel("Beans in chili?", ("Yes", "No", "Only black beans", "On the side")),
    ),
    gear_label="Signature dish",
    gear=(
        "rye sourdough",
        "mushroom risotto",
        "Sunday roast",
        "plum dumplings",
        "fish stew",
        "lentil curry",
        "lemon tart",
        "potato pancakes",
    ),
    tags=(
        "sourdough",
        "vegetarian",
        "vegan",
        "gluten-free",
        "grill",
        "knives",
        "ferment",
        "leftovers",
        "spices",
        "dessert",
        "budget",
        "beginner",
    ),
    lines=(
        "Taste it before you add more.",
        "My oven runs hot, so adjust.",
        "Even the children ate it.",
        "Leftovers were better the next day.",
        "Use a scale, not cups.",
        "Rest it for longer than you think.",
        "Smoke alarm included.",
        "The recipe card is stained beyond reading.",
        "Butter. The answer is butter.",
    ),
    words=("whisk", "saffron", "ladle", "crumb", "thyme", "skillet", "noodle", "pepper", "biscuit", "onion"),
    signatures=(
        "Butter first, questions later",
        "Eats leftovers for breakfast",
        "Starter named Gerald, alive since 2016",
        "A sharp knife is a safe knife",
        "Salt, fat, acid, tea",
    ),
    meetups=("Potluck supper", "Bread baking day", "Farmers' market tour", "Knife skills class", "Pickling evening"),
    bring=("A starter", "A dessert", "A salad", "Drinks"),
    guides=("Start here: how to write down a recipe", "Conversions: cups, grams and ovens"),
)
