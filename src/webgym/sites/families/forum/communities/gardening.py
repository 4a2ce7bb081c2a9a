"""Gardeners."""

from __future__ import annotations

from webgym.sites.families.forum.communities.bank import Bank, Duel, Measure, Topic, Trouble

GARDENING = Bank(
    key="gardening",
    people="gardeners",
    tagline="Seeds, soil and everything that grows",
    covers=("scene:countryside", "product:plant", "scene:vineyard", "product:watering-can"),
    topics=(
        Topic(
            "vegetables", "Vegetable patch", "Sowing, feeding and harvesting what you can eat", "leaf",
            ("garlic", "shallots", "runner beans", "sweet peppers", "beefsteak tomatoes", "cherry tomatoes", "winter leeks", "butternut squash"),
            (
                Measure("How deep do you plant {thing}?", "planting depth", "{} cm", (2, 3, 4, 5, 6, 8, 10, 12, 15)),
                Measure("Spacing for {thing} in a raised bed", "spacing", "{} cm", (10, 15, 20, 25, 30, 35, 40, 45, 60)),
                Measure("When is the soil warm enough for {thing}?", "soil temperature", "{} °C", (6, 8, 9, 10, 12, 13, 14, 16, 18)),
            ),
            (
                Trouble("Yellow leaves on my {thing}", "The lower leaves turn yellow between the veins and then drop.", ("magnesium deficiency", "overwatering", "spider mites", "cold nights", "root rot")),
                Trouble("Something is eating my {thing}", "There are round holes every morning but I never see anything on the plants.", ("slugs", "flea beetles", "pigeons", "cutworms", "earwigs")),
            ),
        ),
        Topic(
            "flowers", "Flowers and borders", "Bulbs, perennials and cutting gardens", "sun",
            ("dahlias", "sweet peas", "tulip bulbs", "hardy geraniums", "climbing roses", "lavender", "peonies", "foxgloves"),
            (
                Measure("How often do you feed {thing}?", "days between feeds", "every {} days", (5, 7, 8, 10, 12, 14, 18, 21, 28)),
                Measure("How tall do your {thing} get?", "height", "{} cm", (35, 45, 60, 75, 90, 110, 130, 150, 180)),
            ),
            (
                Trouble("Buds on my {thing} never open", "They swell, go brown and stay shut.", ("botrytis", "late frost", "thrips", "too much nitrogen", "deep planting")),
                Trouble("White powder on {thing}", "It started on two leaves and is everywhere a week later.", ("powdery mildew", "dry roots", "crowded stems", "hard water spray", "mealybugs")),
            ),
        ),
        Topic(
            "soil", "Soil and compost", "Heaps, worms, mulch and feeding the ground", "layers",
            ("leaf mould", "a hot compost heap", "horse manure", "coffee grounds", "wood chip mulch", "a worm bin"),
            (
                Measure("How long do you leave {thing} before using it?", "waiting time", "{} weeks", (4, 6, 8, 10, 12, 16, 20, 26, 40)),
                Measure("How thick a layer of {thing}?", "layer thickness", "{} cm", (2, 3, 4, 5, 6, 7, 8, 10, 12), ("leaf mould", "horse manure", "coffee grounds", "wood chip mulch", "garden compost")),
            ),
            (Trouble("Bad smell from {thing}", "It was fine until last week and now the neighbours have noticed.", ("too much grass", "no air", "waterlogging", "cooked food", "a blocked drain tap")),),
        ),
        Topic(
            "greenhouse", "Greenhouse and indoors", "Growing under glass and on windowsills", "home",
            ("lemon trees", "chilli seedlings", "orchids", "a cold frame", "tomato seedlings", "basil", "overwintered geraniums"),
            (
                Measure("Lowest night temperature for {thing}?", "night temperature", "{} °C", (2, 3, 4, 5, 7, 8, 10, 12, 15)),
                Measure("Hours of grow light for {thing}", "hours of light", "{} hours", (6, 8, 9, 10, 11, 12, 14, 16, 18), ("lemon trees", "chilli seedlings", "orchids", "tomato seedlings", "basil")),
            ),
            (Trouble("{thing} gone leggy and pale", "Tall, thin and falling over although I water every day.", ("too little light", "too much heat", "late potting on", "overfeeding", "poor compost"), ("chilli seedlings", "tomato seedlings", "basil", "overwintered geraniums")),),
        ),
        Topic(
            "trees", "Fruit and trees", "Pruning, grafting and picking", "palmtree",
            ("apple trees", "espalier pears", "blackcurrants", "autumn raspberries", "plum trees", "a fig in a pot", "gooseberries"),
            (
                Measure("Yearly harvest from {thing}", "harvest", "{} kg", (2, 3, 5, 7, 9, 12, 16, 22, 30)),
                Measure("How far back do you prune {thing}?", "pruning length", "to {} cm", (10, 15, 20, 30, 40, 50, 60, 80, 100)),
            ),
            (Trouble("No fruit on {thing} again", "Plenty of blossom in spring, nothing to pick in autumn.", ("no pollination partner", "late frost", "hard pruning", "bullfinches", "drought in June")),),
        ),
    ),
    market="Seed swap and sales", showcase="Show your garden", lounge="The potting shed",
    wares=(("cast iron bench", 60, 180), ("polytunnel frame", 90, 320), ("heated propagator", 25, 80), ("copper watering can", 15, 60), ("set of terracotta pots", 20, 75), ("push reel mower", 35, 120), ("bokashi bin pair", 20, 55), ("Japanese pruning saw", 18, 48)),
    projects=("keyhole bed", "pallet potting bench", "wildlife pond", "bean tunnel", "green roof shed", "herb spiral", "cold frame from old windows", "dry stream bed"),
    materials=("larch sleepers", "reclaimed brick", "cedar boards", "scaffold planks", "willow hurdles", "galvanised sheet"),
    duels=(
        Duel("Raised beds or open ground?", ("Raised beds", "Open ground", "Both", "Pots only")),
        Duel("Which tomato would you keep if you could grow only one?", ("Sungold", "Black Krim", "Marmande", "Gardener's Delight")),
        Duel("Best mulch for a dry summer?", ("Wood chip", "Straw", "Leaf mould", "Grass clippings")),
        Duel("When do you start chillies?", ("January", "February", "March", "I buy plants")),
    ),
    gear_label="Garden",
    gear=("north-facing courtyard", "allotment plot", "balcony in the city", "quarter acre on clay", "walled garden", "roof terrace", "sandy plot by the sea", "small orchard"),
    tags=("clay-soil", "no-dig", "organic", "containers", "seedlings", "pruning", "pests", "watering", "winter", "perennials", "heritage", "beginner"),
    lines=(
        "The robins watched the whole time.", "Clay soil here, so your mileage may vary.", "We had frost until the second week of May this year.",
        "Mulch, mulch and more mulch.", "I lost a whole tray to damping off last spring.", "Rain barrels were empty by June.",
        "The allotment committee would not approve.", "Worth it for the smell alone.", "My grandmother did it the same way.",
    ),
    words=("moss", "fern", "spade", "radish", "compost", "sprout", "nettle", "bloom", "clover", "turnip"),
    signatures=("Growing on heavy clay since 2009", "There is always room for one more plant", "Plant trees you will never sit under", "Weeds are just enthusiastic", "Zone 8b and hopeful"),
    meetups=("Seed swap", "Open garden afternoon", "Pruning workshop", "Plant sale", "Compost masterclass"),
    bring=("Seeds to swap", "Cake", "Spare pots", "Folding chairs"),
    guides=("Start here: sowing calendar and frost dates", "How to ask for plant identification"),
)
