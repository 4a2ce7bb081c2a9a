"""Outdoor gear."""

from __future__ import annotations

from webgym.sites.families.shop.trades.trade import Kind, Shelf, Trade

TRADE = Trade(
    key="outdoor",
    title="Outdoor gear",
    slogans=("Made for weather", "Pack less, go further", "Gear for the long way round"),
    makers=("Fjellvang", "Ridgeway", "Talus", "Cairn Works", "Northpaw", "Highlark", "Bivvy & Co", "Storrsund"),
    maker_label="Brand",
    colours=("Moss", "Slate", "Rust", "Navy", "Sand", "Black", "Ochre", "Glacier"),
    materials=("Ripstop nylon", "Recycled polyester", "Waxed canvas", "Merino wool", "Aluminium 7001", "Softshell"),
    models="land",
    shelves=(
        Shelf(
            "Backpacks",
            "luggage",
            (
                Kind("Trekking Backpack", "backpack", 99, 289),
                Kind("Daypack", "backpack", 39, 129),
                Kind("Roll-Top Pack", "backpack", 59, 169),
            ),
            ("Capacity", ("22 L", "32 L", "45 L", "60 L")),
            (
                ("Back length", ("S to M", "M to L", "Adjustable")),
                ("Pockets", ("3", "5", "7", "9")),
                ("Rain cover", ("Included", "Not included")),
            ),
            ("hut-to-hut tours", "fast day hikes", "city and trail", "wet autumn weekends"),
            ("Hip belt with two pockets", "Ventilated back panel", "Fits a hydration bladder"),
            (480, 2300),
            ("Strap size", ("Short", "Regular", "Long")),
        ),
        Shelf(
            "Tents",
            "tent",
            (
                Kind("Tunnel Tent", "tent", 189, 749),
                Kind("Dome Tent", "tent", 129, 589),
                Kind("Tarp", "tent", 49, 179, ("Poles",)),
            ),
            ("Sleeps", ("1 person", "2 persons", "3 persons", "4 persons")),
            (
                ("Water column", ("2000 mm", "3000 mm", "5000 mm")),
                ("Poles", ("Aluminium", "Fibreglass", "Carbon")),
                ("Season", ("Summer", "3 seasons", "4 seasons")),
            ),
            ("windy ridges", "family camping", "bike tours", "one light night out"),
            ("Pitched in six minutes", "Two entrances", "Reflective guy lines"),
            (1100, 5400),
        ),
        Shelf(
            "Sleeping",
            "moon",
            (
                Kind("Down Sleeping Bag", "sleeping-bag", 129, 529, ("R-value",)),
                Kind("Sleeping Mat", "sleeping-bag", 49, 219, ("option",)),
                Kind("Camp Pillow", "pillow", 15, 49, ("option", "Comfort temperature", "R-value")),
            ),
            ("Length", ("Short", "Regular", "Long")),
            (
                ("Comfort temperature", ("10 \u00b0C", "5 \u00b0C", "0 \u00b0C", "-5 \u00b0C")),
                ("Packed size", ("2 L", "4 L", "6 L", "9 L")),
                ("R-value", ("1.6", "2.9", "4.2", "5.8")),
            ),
            ("frosty mornings", "side sleepers", "summer bivouacs", "cold feet"),
            ("Draught collar", "Repair kit included", "Packs down to a loaf of bread"),
            (200, 1600),
            ("Zip", ("Left", "Right")),
        ),
        Shelf(
            "Footwear",
            "footprints",
            (
                Kind("Hiking Boots", "boot", 99, 289),
                Kind("Trail Shoes", "shoe", 79, 179),
                Kind("Camp Sandals", "sandal", 35, 99, ("Drop",)),
            ),
            ("Colour", ()),
            (
                ("Sole", ("Vibram", "Contagrip", "Natural rubber")),
                ("Waterproof", ("Yes", "No")),
                ("Drop", ("4 mm", "6 mm", "8 mm")),
            ),
            ("scree and roots", "wet meadows", "long forest roads", "rest days"),
            ("Resoleable", "Wide toe box", "Padded ankle"),
            (420, 1500),
            ("Shoe size", ("38", "39", "40", "41", "42", "43", "44")),
        ),
        Shelf(
            "Jackets",
            "shirt",
            (
                Kind("Rain Jacket", "jacket", 89, 349),
                Kind("Down Jacket", "jacket", 129, 399, ("Membrane",)),
                Kind("Fleece Hoodie", "hoodie", 49, 149, ("Membrane",)),
            ),
            ("Colour", ()),
            (
                ("Membrane", ("2 layers", "2.5 layers", "3 layers")),
                ("Hood", ("Fixed", "Detachable", "None")),
                ("Fit", ("Slim", "Regular", "Loose")),
            ),
            ("sudden showers", "cold belays", "the way to work", "ski tours"),
            ("Two-way front zip", "Taped seams", "Hood fits over a helmet"),
            (240, 900),
            ("Size", ("XS", "S", "M", "L", "XL")),
        ),
        Shelf(
            "Cooking",
            "flame",
            (
                Kind("Camp Kettle", "kettle", 25, 89, ("Keeps hot",)),
                Kind("Titanium Pot", "pot", 39, 119, ("Keeps hot",)),
                Kind("Insulated Flask", "bottle", 19, 69, ("Boil time",)),
            ),
            ("Volume", ("0.5 L", "0.75 L", "1 L", "1.5 L")),
            (
                ("Boil time", ("2 min", "3 min", "4 min", "5 min")),
                ("Keeps hot", ("6 hours", "12 hours", "24 hours")),
                ("Lid", ("Screw lid", "Flip lid", "None")),
            ),
            ("solo suppers", "coffee at sunrise", "groups of four", "melting snow"),
            ("Folds flat", "Handle stays cool", "Fits standard cartridges"),
            (90, 820),
        ),
        Shelf(
            "Light & tools",
            "zap",
            (
                Kind("Camp Lantern", "lamp", 19, 119),
                Kind("Pocket Knife", "knife", 25, 99, ("Battery life", "Water protection")),
                Kind("Storm Umbrella", "umbrella", 25, 99, ("Battery life", "Water protection")),
            ),
            ("Colour", ()),
            (
                ("Battery life", ("20 hours", "40 hours", "80 hours", "120 hours")),
                ("Water protection", ("IPX4", "IPX6", "IPX8")),
                ("Made in", ("Switzerland", "Norway", "Taiwan")),
            ),
            ("night hikes", "base camp", "steep descents", "the top pocket"),
            ("Works with gloves", "Lockable", "Spare parts available"),
            (60, 620),
        ),
    ),
    services=("Boot fitting", "Tent re-proofing", "Ski and sleeping-mat rental", "Repair workshop"),
)
