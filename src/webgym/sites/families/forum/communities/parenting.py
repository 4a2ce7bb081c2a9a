"""Parents."""

from __future__ import annotations

from webgym.sites.families.forum.communities.bank import Bank, Duel, Measure, Topic, Trouble

PARENTING = Bank(
    key="parenting",
    people="parents",
    tagline="Advice from people who are also tired",
    covers=("product:teddy", "product:blocks", "scene:beach", "room:bedroom"),
    topics=(
        Topic(
            "babies",
            "Babies and toddlers",
            "The first three years",
            "heart",
            (
                "the midday nap",
                "the bedtime bottle",
                "the evening bath",
                "the first solid food",
                "tummy time",
                "the four month sleep regression",
            ),
            (
                Measure(
                    "How long does {thing} last at your place?",
                    "duration",
                    "{} minutes",
                    (10, 15, 20, 25, 35, 45, 60, 75, 90),
                ),
                Measure("At what age did {thing} get easier?", "age", "{} months", (4, 5, 6, 7, 9, 11, 13, 15, 18)),
            ),
            (
                Trouble(
                    "Tears at {thing} every day",
                    "It was our best part of the day until two weeks ago.",
                    ("a new tooth", "overtiredness", "an ear infection", "hunger", "a growth spurt"),
                ),
                Trouble(
                    "Awake an hour after {thing}",
                    "Wide awake, cheerful and very loud.",
                    ("a late nap", "a bright room", "a cold room", "too short a walk", "a noisy toy"),
                ),
            ),
        ),
        Topic(
            "school",
            "School years",
            "Homework, friends and packed lunches",
            "book",
            (
                "the walk to school",
                "reading homework",
                "a packed lunch",
                "the school fair",
                "swimming lessons",
                "the recorder",
            ),
            (
                Measure("Budget for {thing}?", "weekly budget", "${} a week", (6, 9, 12, 14, 18, 22, 26, 32, 40)),
                Measure("How many minutes for {thing}?", "minutes", "{} minutes", (10, 15, 18, 20, 25, 30, 40, 45, 55)),
            ),
            (
                Trouble(
                    "Daily fight over {thing}",
                    "We start calm and end with slammed doors.",
                    ("low blood sugar", "a lost friend", "poor eyesight", "screen time before it", "too many clubs"),
                ),
            ),
        ),
        Topic(
            "teens",
            "Teenagers",
            "Phones, sleep and doors that shut",
            "phone",
            (
                "a first phone",
                "the weekend curfew",
                "pocket money",
                "a part-time job",
                "a school exchange",
                "the shared bathroom",
            ),
            (
                Measure(
                    "How did you settle {thing}?",
                    "age limit",
                    "from {} years",
                    (10, 11, 12, 13, 14, 15, 16, 17, 18),
                    ("a first phone", "a part-time job", "a school exchange", "going out alone"),
                ),
                Measure(
                    "What do you allow per month for {thing}?",
                    "monthly amount",
                    "${} a month",
                    (10, 15, 20, 25, 30, 40, 50, 65, 80),
                ),
            ),
            (
                Trouble(
                    "No talking since {thing}",
                    "One word answers for three weeks.",
                    ("a lost bet", "exam stress", "a broken promise", "group chat drama", "lack of sleep"),
                ),
            ),
        ),
        Topic(
            "gear-kids",
            "Prams and gear",
            "Car seats, slings and high chairs",
            "cart",
            ("a double buggy", "a bike seat", "a travel cot", "a wooden high chair", "a woven sling", "a balance bike"),
            (
                Measure("What did you pay for {thing}?", "price", "${}", (22, 35, 48, 60, 85, 110, 145, 190, 260)),
                Measure("How heavy is {thing}?", "weight", "{} kg", (1.2, 2.4, 3.6, 4.8, 6.1, 7.5, 9.2, 11.4, 13.8)),
            ),
            (
                Trouble(
                    "{thing} squeaks and nobody can find out why",
                    "Every single step in a quiet museum.",
                    ("a dry hinge", "sand in the axle", "a loose rivet", "a swollen bolt", "a worn washer"),
                ),
            ),
        ),
        Topic(
            "outings",
            "Days out",
            "Where to go with small legs",
            "map",
            (
                "the petting farm",
                "the science museum",
                "the indoor pool",
                "the steam railway",
                "the forest trail",
                "the toy library",
            ),
            (
                Measure("Family ticket for {thing}?", "ticket price", "${}", (8, 12, 15, 18, 21, 24, 29, 34, 42)),
                Measure(
                    "How long can you spend at {thing}?", "time there", "{} hours", (1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6)
                ),
            ),
            (
                Trouble(
                    "Meltdown at {thing}",
                    "Halfway through, on the floor, in front of everybody.",
                    ("long queues", "no snacks", "loud hand dryers", "a skipped nap", "a lost balloon"),
                ),
            ),
        ),
    ),
    market="Pass it on",
    showcase="Made by us",
    lounge="Kitchen table",
    wares=(
        ("twin pram", 80, 260),
        ("wooden train set", 15, 60),
        ("toddler bed", 30, 110),
        ("box of baby clothes", 8, 35),
        ("balance bike", 20, 65),
        ("cloth nappy kit", 25, 90),
        ("baby carrier", 30, 95),
        ("play kitchen", 25, 85),
    ),
    projects=(
        "reading corner",
        "mud kitchen",
        "sandpit with a lid",
        "bunk bed den",
        "advent calendar",
        "costume box",
        "family timetable board",
    ),
    materials=("pine boards", "felt", "old pallets", "fabric scraps", "magnetic paint", "cork tiles"),
    duels=(
        Duel("Bath before or after dinner?", ("Before", "After", "Mornings", "Twice a week")),
        Duel("How many after-school clubs are too many?", ("One", "Two", "Three", "It depends")),
        Duel("Who gets up first?", ("Me", "My partner", "The baby", "The dog")),
        Duel(
            "Store-bought or home-made birthday cake?",
            ("Store-bought", "Home-made", "Grandma makes it", "Fruit instead"),
        ),
    ),
    gear_label="Children",
    gear=(
        "one, aged 2",
        "twins, aged 5",
        "two, aged 4 and 7",
        "three teenagers",
        "one on the way",
        "one, aged 11",
        "two under three",
        "four, all boys",
    ),
    tags=(
        "sleep",
        "food",
        "twins",
        "school",
        "screen-time",
        "travel",
        "budget",
        "single-parent",
        "health",
        "crafts",
        "siblings",
        "beginner",
    ),
    lines=(
        "It is a phase. Everything is a phase.",
        "Snacks solve most of it.",
        "We tried the chart with stars, for a day.",
        "The second one was completely different.",
        "Coffee helps, for you, not for them.",
        "Write it down, you will forget.",
        "My sister swears by it.",
        "The nursery said the same thing.",
        "You are doing fine.",
    ),
    words=("pram", "mitten", "crayon", "nap", "jigsaw", "bib", "teddy", "scooter", "puddle", "sock"),
    signatures=(
        "Powered by cold coffee",
        "Mum of two, referee of one",
        "Dad jokes at no extra cost",
        "It takes a village and a calendar",
        "Sleeps when the baby sleeps, in theory",
    ),
    meetups=("Playground picnic", "Toy swap", "Parents' breakfast", "Stroller walk", "First aid course"),
    bring=("Fruit", "A blanket", "Toys to swap", "A salad"),
    guides=("Start here: house rules and kindness", "Medical questions: what we can and cannot answer"),
)
