"""Names of models and titles, and what a shop writes about its goods."""

from __future__ import annotations

LAND = (
    ("Alder", "Elder"), ("Marlow", "Marlin"), ("Fenwick", "Fenwood"), ("Harlan", "Harlow"), ("Tolva", "Tolvan"),
    ("Brea", "Brae"), ("Soren", "Sorel"), ("Linden", "Lindal"), ("Corvo", "Corva"), ("Halden", "Halder"),
    ("Ravel", "Raven"), ("Osterby", "Osterley"), ("Kelso", "Kelda"), ("Mira", "Miran"), ("Novak", "Norvak"),
    ("Tilda", "Tilde"), ("Arden", "Ardal"), ("Juno", "Juna"), ("Vester", "Vesper"), ("Skagen", "Skagel"),
    ("Fjord", "Fjell"), ("Petra", "Petrel"), ("Ronda", "Rondo"), ("Stella", "Sella"), ("Birka", "Birken"),
    ("Lomond", "Lorne"), ("Tarn", "Tarno"), ("Wexford", "Wexley"), ("Ilse", "Isle"), ("Oslo", "Orlo"),
    ("Dunmore", "Dunbar"), ("Calla", "Cella"), ("Haven", "Havel"), ("Nora", "Norah"), ("Sund", "Sunda"),
)  # fmt: skip
CRAFT = (
    ("Pulse", "Pulsar"), ("Vertex", "Vortex"), ("Nova", "Novo"), ("Arc", "Arco"), ("Echo", "Ecco"), ("Lumen", "Lumina"),
    ("Drift", "Swift"), ("Atlas", "Altas"), ("Flint", "Flink"), ("Orbit", "Orbis"), ("Rivet", "River"), ("Solo", "Sol"),
    ("Tempo", "Tempra"), ("Zephyr", "Zenith"), ("Cobalt", "Cobra"), ("Delta", "Delto"), ("Ember", "Amber"),
    ("Fable", "Gable"), ("Indigo", "Inigo"), ("Koda", "Kodiak"), ("Legend", "Legato"), ("Motif", "Motive"),
    ("Nimbus", "Nimble"), ("Onyx", "Oryx"), ("Prism", "Prima"), ("Quartz", "Quarto"), ("Ridge", "Bridge"),
    ("Stride", "Strive"), ("Terra", "Terza"), ("Umbra", "Ombra"), ("Vivo", "Vivid"), ("Wave", "Weave"),
    ("Axel", "Axon"), ("Bolt", "Boldt"), ("Cinder", "Cedar"), ("Dune", "June"),
)  # fmt: skip
MODELS = {"land": LAND, "craft": CRAFT}
TITLE_FIRST = (
    "The Silent", "The Glass", "A Quiet", "The Last", "The Hidden", "Beyond the", "The Winter", "Under the", "The Salt",
    "The Paper", "A Distant", "The Northern", "Letters from the", "The Second", "The Borrowed", "Summer of the",
)  # fmt: skip
TITLE_LAST = (
    ("Harbour", "Harvest"), ("Orchard", "Order"), ("River", "Rival"), ("Garden", "Guardian"), ("Lantern", "Landing"),
    ("Mirror", "Miner"), ("Island", "Inland"), ("Kitchen", "Kitten"), ("Tide", "Tiger"), ("Forest", "Fortress"),
    ("Letter", "Ladder"), ("House", "Horse"),
)  # fmt: skip
BLURBS = (
    "Made for {use}. {feature}, and built to last for years.",
    "The {title} is our pick for {use}: {feature_low} and easy to live with.",
    "A {kind_low} for {use}. {feature} \u2013 and it looks good from every side.",
    "Simple, well made and fairly priced: the {title} was designed with {use} in mind.",
    "{feature}. {maker} makes the {title} in small series, mostly for {use}.",
)
PRAISE = (
    ("Exactly what I wanted", "Arrived well packed and looks just like the pictures. Very happy with it."),
    ("Better than expected", "I was sceptical at this price, but the quality is really good."),
    ("Would buy again", "We have used it every day for a month now and have nothing to complain about."),
    ("Great quality", "Feels solid, no loose parts, and the finish is very clean."),
    ("A lovely present", "Bought it for my sister and she has not stopped talking about it."),
    ("Does what it should", "No surprises, good instructions, works from the first day."),
    ("Worth every cent", "I compared several and this one was clearly the best made."),
    ("Fast delivery", "Ordered on Monday, here on Wednesday. The product is fine too."),
)
MIXED = (
    ("Good, with one flaw", "Nice overall, but the packaging was damaged when it arrived."),
    ("Fine for the price", "Not perfect, but at this price I cannot really complain."),
    ("Smaller than I thought", "Read the measurements carefully. Otherwise it is all right."),
    ("Colour a bit different", "On my screen the colour looked warmer. Still keeping it."),
)
BLAME = (
    ("Disappointed", "It broke after two weeks. The refund was quick, I will give them that."),
    ("Not for me", "Looks cheap in real life and I sent it back."),
    ("Arrived late", "It came a week after the promised date and nobody told me."),
)
PAINT = {
    "Oak": "beige", "Walnut": "brown", "Black": "black", "White": "white", "Sage": "olive", "Brass": "yellow",
    "Charcoal": "grey", "Terracotta": "orange", "Moss": "olive", "Slate": "grey", "Rust": "orange", "Navy": "navy",
    "Sand": "beige", "Ochre": "yellow", "Glacier": "teal", "Graphite": "grey", "Silver": "grey", "Midnight": "navy",
    "Coral": "red", "Mint": "teal", "Cream": "beige", "Copper": "orange", "Steel": "grey", "Forest": "green",
    "Cherry": "red", "Ocean": "blue", "Mustard": "yellow", "Ecru": "beige", "Olive": "olive", "Burgundy": "red",
    "Camel": "brown", "Sky": "blue", "Ivory": "beige", "Rose": "pink", "Red": "red", "Blue": "blue", "Green": "green",
    "Yellow": "yellow", "Natural": "beige", "Pink": "pink", "Teal": "teal", "Purple": "purple", "Anthracite": "grey",
    "Zinc": "grey", "Sunburst": "orange", "Lime": "green", "Orange": "orange", "Grey": "grey",
}  # fmt: skip
"""How the colours of the trades are drawn."""
