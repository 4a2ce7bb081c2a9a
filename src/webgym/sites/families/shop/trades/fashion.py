"""Fashion."""

from __future__ import annotations

from webgym.sites.families.shop.trades.trade import Kind, Shelf, Trade

SIZES = ("XS", "S", "M", "L", "XL")

TRADE = Trade(
    key="fashion",
    title="Clothing & accessories",
    slogans=("Clothes to keep", "Fewer, better things", "New season, same good cuts"),
    makers=("Maren Holt", "Atelier Rue", "Fold", "Common Thread", "Brindle", "Oda", "Saltmarsh", "Wyn & Ash"),
    maker_label="Brand",
    colours=("Navy", "Ecru", "Black", "Olive", "Burgundy", "Camel", "Sky", "Charcoal"),
    materials=("Organic cotton", "Merino wool", "Linen", "Lyocell", "Recycled wool", "Vegetable-tanned leather"),
    models="craft",
    shelves=(
        Shelf(
            "Sweatshirts",
            "shirt",
            (
                Kind("Zip Hoodie", "hoodie", 49, 149),
                Kind("Heavy Hoodie", "hoodie", 59, 169),
                Kind("Cropped Hoodie", "hoodie", 45, 129),
            ),
            ("Colour", ()),
            (
                ("Fabric weight", ("280 gsm", "320 gsm", "400 gsm", "460 gsm")),
                ("Washing", ("30 degrees", "40 degrees", "Hand wash")),
                ("Fit", ("Slim", "Regular", "Relaxed")),
            ),
            ("the first cold day", "layering", "the office", "walks by the sea"),
            ("Brushed inside", "Does not pill", "Ribbed cuffs"),
            (220, 780),
            ("Size", SIZES),
        ),
        Shelf(
            "Shirts",
            "shirt",
            (
                Kind("Oxford Shirt", "shirt", 45, 139),
                Kind("Linen Shirt", "shirt", 49, 149),
                Kind("Overshirt", "shirt", 69, 199),
            ),
            ("Colour", ()),
            (
                ("Collar", ("Button-down", "Spread", "Band")),
                ("Sleeves", ("Long", "Short")),
                ("Iron", ("Easy-iron", "Medium", "Hot")),
            ),
            ("warm evenings", "meetings", "travel days", "over a T-shirt"),
            ("Mother-of-pearl buttons", "Double-stitched seams", "Spare button included"),
            (160, 540),
            ("Size", SIZES),
        ),
        Shelf(
            "Trousers",
            "scale",
            (
                Kind("Straight Jeans", "trousers", 69, 189),
                Kind("Chinos", "trousers", 55, 149),
                Kind("Wide Trousers", "trousers", 65, 199),
            ),
            ("Colour", ()),
            (("Rise", ("Low", "Mid", "High")), ("Stretch", ("0 %", "1 %", "2 %")), ("Closure", ("Zip", "Buttons"))),
            ("every day", "cycling", "smart occasions", "rainy weeks"),
            ("Reinforced pockets", "Selvedge denim", "Softens after three washes"),
            (340, 820),
            ("Waist", ("28", "30", "32", "34", "36")),
        ),
        Shelf(
            "Coats",
            "umbrella",
            (
                Kind("Wool Coat", "jacket", 189, 549),
                Kind("Raincoat", "jacket", 99, 289),
                Kind("Quilted Jacket", "jacket", 89, 279),
            ),
            ("Colour", ()),
            (("Lining", ("Full", "Half", "None")), ("Length", ("82 cm", "94 cm", "108 cm")), ("Hood", ("Yes", "No"))),
            ("northern winters", "sudden rain", "city weekends", "early trains"),
            ("Two inside pockets", "Horn buttons", "Taped seams"),
            (560, 1900),
            ("Size", SIZES),
        ),
        Shelf(
            "Shoes",
            "footprints",
            (
                Kind("Leather Sneakers", "shoe", 79, 229),
                Kind("Chelsea Boots", "boot", 129, 299),
                Kind("Slide Sandals", "sandal", 39, 129, ("Resoleable",)),
            ),
            ("Colour", ()),
            (
                ("Sole", ("Crepe", "Rubber", "Leather")),
                ("Heel", ("1 cm", "2 cm", "3 cm")),
                ("Resoleable", ("Yes", "No")),
            ),
            ("cobbled streets", "dress codes", "travel light", "all weathers"),
            ("Blake stitched", "Breathes", "Replacement laces included"),
            (480, 1400),
            ("Shoe size", ("37", "38", "39", "40", "41", "42", "43", "44")),
        ),
        Shelf(
            "Bags",
            "shopping-bag",
            (
                Kind("Tote Bag", "bag", 35, 189),
                Kind("Weekender", "suitcase", 99, 349),
                Kind("Belt Bag", "bag", 29, 119, ("Laptop pocket",)),
            ),
            ("Colour", ()),
            (
                ("Volume", ("3 L", "12 L", "18 L", "38 L")),
                ("Closure", ("Zip", "Magnet", "Open")),
                ("Laptop pocket", ("Yes", "No")),
            ),
            ("market mornings", "two nights away", "festivals", "work and gym"),
            ("Brass fittings", "Water-repellent", "Repaired free of charge"),
            (180, 1700),
        ),
        Shelf(
            "Accessories",
            "glasses",
            (
                Kind("Wool Scarf", "scarf", 25, 99),
                Kind("Leather Belt", "belt", 29, 99),
                Kind("Beanie", "hat", 15, 59),
                Kind("Sunglasses", "sunglasses", 59, 189, ("Care",)),
            ),
            ("Colour", ()),
            (
                ("Made in", ("Portugal", "Scotland", "Italy")),
                ("Gift box", ("Yes", "No")),
                ("Care", ("Wipe clean", "Hand wash", "Dry clean only")),
            ),
            ("presents", "cold ears", "bright days", "finishing touches"),
            ("One size fits most", "Made in a family workshop", "Comes in a cotton pouch"),
            (40, 360),
        ),
    ),
    services=("Alterations", "Repairs", "Personal styling", "Shoe resoling"),
)
