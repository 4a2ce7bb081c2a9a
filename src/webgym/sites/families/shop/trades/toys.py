"""Toys and games."""

from __future__ import annotations

from webgym.sites.families.shop.trades.trade import Kind, Shelf, Trade

TRADE = Trade(
    key="toys",
    title="Toys & games",
    slogans=("Play it again", "Toys that get handed down", "For rainy days and birthdays"),
    makers=("Pippin", "Klots", "Tumble & Roll", "Marbello", "Bramblewood", "Zigzag", "Little Harbour", "Fable Works"),
    maker_label="Brand",
    colours=("Red", "Blue", "Green", "Yellow", "Natural", "Pink", "Teal", "Purple"),
    materials=("Beech wood", "Organic cotton", "Recycled cardboard", "ABS plastic", "Wool felt", "Maple wood"),
    models="craft",
    shelves=(
        Shelf(
            "Building",
            "box",
            (
                Kind("Building Blocks", "blocks", 15, 99),
                Kind("Castle Blocks", "blocks", 25, 129),
                Kind("Magnet Blocks", "blocks", 29, 119),
            ),
            ("Pieces", ("50 pieces", "100 pieces", "200 pieces", "400 pieces")),
            (
                ("Age", ("From 1", "From 3", "From 5", "From 7")),
                ("Storage", ("Cotton bag", "Wooden box", "Carton")),
                ("Finish", ("Water-based paint", "Oiled", "Untreated")),
            ),
            ("patient builders", "two children at once", "the living room floor", "tall towers"),
            ("Rounded corners", "Fits other brands", "Guide with 30 ideas"),
            (500, 5200),
        ),
        Shelf(
            "Puzzles",
            "puzzle",
            (
                Kind("Landscape Puzzle", "puzzle", 12, 39),
                Kind("Animal Puzzle", "puzzle", 9, 29),
                Kind("World Map Puzzle", "puzzle", 15, 45),
            ),
            ("Pieces", ("24 pieces", "100 pieces", "500 pieces", "1000 pieces")),
            (
                ("Finished size", ("30 x 20 cm", "49 x 36 cm", "68 x 48 cm")),
                ("Age", ("From 3", "From 6", "From 10")),
                ("Poster", ("Included", "Not included")),
            ),
            ("winter evenings", "grandparents", "quiet Sundays", "small fingers"),
            ("Pieces that click", "No dust", "Printed with vegetable inks"),
            (250, 1200),
        ),
        Shelf(
            "Board games",
            "gamepad-2",
            (
                Kind("Strategy Game", "board-game", 25, 79),
                Kind("Family Game", "board-game", 15, 49),
                Kind("Dice Game", "board-game", 9, 29),
            ),
            ("Edition", ("Travel", "Standard", "Deluxe")),
            (
                ("Players", ("1 to 4", "2 to 4", "2 to 5", "3 to 6")),
                ("Playing time", ("15 min", "30 min", "45 min", "90 min")),
                ("Age", ("From 5", "From 8", "From 12")),
            ),
            ("family evenings", "good losers", "holidays", "two players"),
            ("Explained in five minutes", "No reading needed", "Every game is different"),
            (200, 2400),
            ("Language", ("English", "German", "French", "Spanish")),
        ),
        Shelf(
            "Soft toys",
            "smile",
            (
                Kind("Teddy Bear", "teddy", 15, 69),
                Kind("Cuddly Bear", "teddy", 12, 49),
                Kind("Baby Blanket", "blanket", 19, 59, ("Height", "Filling")),
            ),
            ("Colour", ()),
            (
                ("Height", ("18 cm", "25 cm", "35 cm", "50 cm")),
                ("Washing", ("30 degrees", "40 degrees", "Hand wash")),
                ("Filling", ("Wool", "Recycled fibre", "Cotton")),
            ),
            ("newborns", "night-time", "brave explorers", "long journeys"),
            ("Embroidered eyes", "Safe from birth", "Made by hand"),
            (120, 900),
            ("Name tag", ("None", "With name")),
        ),
        Shelf(
            "Vehicles",
            "car",
            (
                Kind("Racing Car", "toy-car", 9, 39),
                Kind("Toy Truck", "toy-car", 15, 59),
                Kind("Pull-Back Car", "toy-car", 5, 25),
            ),
            ("Colour", ()),
            (
                ("Length", ("9 cm", "14 cm", "22 cm", "30 cm")),
                ("Age", ("From 1", "From 3", "From 5")),
                ("Batteries", ("Not needed", "2 x AA", "3 x AAA")),
            ),
            ("carpet motorways", "the sandpit", "collectors", "ramps"),
            ("Rubber tyres", "Doors that open", "Runs straight"),
            (80, 1500),
        ),
        Shelf(
            "Outdoor play",
            "sun",
            (
                Kind("Kite", "kite", 12, 59, ("Maximum load",)),
                Kind("Play Ball", "ball", 6, 29, ("Maximum load", "Assembly")),
                Kind("Skateboard", "skateboard", 39, 119),
                Kind("Children's Bicycle", "bicycle", 99, 299),
            ),
            ("Size", ("Small", "Medium", "Large")),
            (
                ("Age", ("From 3", "From 5", "From 8")),
                ("Maximum load", ("30 kg", "50 kg", "80 kg")),
                ("Assembly", ("None", "About 10 minutes", "About 30 minutes")),
            ),
            ("windy beaches", "the school yard", "first rides", "big gardens"),
            ("Grippy surface", "Bag included", "Spare parts for years"),
            (150, 8200),
        ),
        Shelf(
            "Music toys",
            "music",
            (
                Kind("Toy Drum", "drum", 19, 69, ("Notes",)),
                Kind("Children's Guitar", "guitar", 29, 99, ("Notes",)),
                Kind("Toy Piano", "piano", 35, 149),
            ),
            ("Colour", ()),
            (
                ("Notes", ("8", "12", "18", "25")),
                ("Age", ("From 2", "From 3", "From 5")),
                ("Songbook", ("Included", "Not included")),
            ),
            ("small bands", "music lessons", "patient parents", "kitchen concerts"),
            ("Properly tuned", "Rounded edges", "Carrying strap"),
            (300, 4200),
        ),
    ),
    services=("Birthday boxes", "Gift wrapping", "Game evenings", "Toy repairs"),
)
