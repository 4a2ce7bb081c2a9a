"""Sports."""

from __future__ import annotations

from webgym.sites.families.shop.trades.trade import Kind, Shelf, Trade

SHOES = ("38", "39", "40", "41", "42", "43", "44", "45")

TRADE = Trade(
    key="sports",
    title="Sports & fitness",
    slogans=("Start where you are", "Kit for every season", "Train, play, repeat"),
    makers=("Velo Nord", "Kinetik", "Strider", "Apex Court", "Sprinta", "Ironleaf", "Paddlewick", "Courtside"),
    maker_label="Brand",
    colours=("Red", "Blue", "Black", "White", "Lime", "Orange", "Grey", "Teal"),
    materials=("Aluminium 6061", "Carbon", "Recycled polyester", "Natural rubber", "EVA foam", "Cast iron"),
    models="craft",
    shelves=(
        Shelf(
            "Running",
            "footprints",
            (
                Kind("Running Shoes", "shoe", 69, 199),
                Kind("Trail Runners", "shoe", 79, 209),
                Kind("Running Cap", "hat", 15, 39, ("option", "Drop", "Cushioning")),
                Kind("Running Socks", "socks", 8, 25, ("Drop",)),
            ),
            ("Colour", ()),
            (
                ("Drop", ("4 mm", "6 mm", "8 mm", "10 mm")),
                ("Cushioning", ("Soft", "Medium", "Firm")),
                ("Surface", ("Road", "Trail", "Track")),
            ),
            ("the first 5 km", "marathons", "muddy paths", "intervals"),
            ("Reflective details", "Breathable upper", "Grips in the wet"),
            (40, 340),
            ("Shoe size", SHOES),
        ),
        Shelf(
            "Cycling",
            "bike",
            (
                Kind("City Bicycle", "bicycle", 399, 1199),
                Kind("Gravel Bicycle", "bicycle", 799, 2199),
                Kind("Cycling Helmet", "helmet", 39, 199, ("option", "Gears", "Brakes")),
            ),
            ("Frame size", ("S", "M", "L", "XL")),
            (
                ("Gears", ("3", "8", "11", "24")),
                ("Brakes", ("Disc", "Rim", "Coaster")),
                ("Lights", ("Dynamo", "Battery", "None")),
            ),
            ("commuting", "long gravel roads", "steep cities", "all weathers"),
            ("Assembled and tested", "Low step", "Rack mounts"),
            (280, 14500),
            ("Pedals", ("Flat", "Clip-in", "None")),
        ),
        Shelf(
            "Fitness",
            "dumbbell",
            (
                Kind("Dumbbell Pair", "dumbbell", 19, 149, ("Length",)),
                Kind("Hex Dumbbell", "dumbbell", 12, 89, ("Length",)),
                Kind("Yoga Mat", "yoga-mat", 19, 99, ("Surface",)),
            ),
            ("Weight", ("2 kg", "4 kg", "8 kg", "12 kg")),
            (
                ("Surface", ("Neoprene", "Rubber", "Chrome")),
                ("Length", ("18 cm", "24 cm", "30 cm", "183 cm")),
                ("Workout plan", ("Included", "Not included")),
            ),
            ("living rooms", "strength days", "stiff backs", "short breaks"),
            ("Does not roll away", "Easy to wipe", "Quiet on the floor"),
            (900, 12500),
        ),
        Shelf(
            "Ball sports",
            "trophy",
            (Kind("Football", "ball", 15, 99), Kind("Basketball", "ball", 19, 89), Kind("Volleyball", "ball", 19, 79)),
            ("Size", ("Size 3", "Size 4", "Size 5", "Size 7")),
            (
                ("Panels", ("8", "12", "18", "32")),
                ("Use", ("Indoor", "Outdoor", "Indoor and outdoor")),
                ("Pump", ("Included", "Not included")),
            ),
            ("school teams", "hard courts", "beach days", "matches"),
            ("Keeps its shape", "Hand-stitched", "Good grip"),
            (260, 650),
        ),
        Shelf(
            "Racket sports",
            "target",
            (
                Kind("Tennis Racket", "racket", 49, 279),
                Kind("Badminton Racket", "racket", 25, 159),
                Kind("Squash Racket", "racket", 35, 189),
            ),
            ("Colour", ()),
            (
                ("Head size", ("62 sq in", "98 sq in", "100 sq in", "105 sq in")),
                ("Balance", ("Head light", "Even", "Head heavy")),
                ("Level", ("Beginner", "Club", "Tournament")),
            ),
            ("beginners", "fast hands", "baseline players", "club nights"),
            ("Strung at the factory", "Damped handle", "Cover included"),
            (85, 320),
            ("Grip size", ("L1", "L2", "L3", "L4")),
        ),
        Shelf(
            "Water & snow",
            "waves",
            (
                Kind("Touring Kayak", "kayak", 299, 1299, ("Radius",)),
                Kind("All-Mountain Skis", "skis", 199, 799, ("Maximum load",)),
                Kind("Swim Towel", "towel", 12, 49, ("Radius", "Maximum load", "Level")),
            ),
            ("Length", ("160 cm", "170 cm", "180 cm", "190 cm")),
            (
                ("Level", ("Beginner", "Advanced", "Expert")),
                ("Maximum load", ("90 kg", "120 kg", "150 kg")),
                ("Radius", ("13 m", "16 m", "19 m")),
            ),
            ("calm lakes", "first tracks", "weekend trips", "powder days"),
            ("Light to carry", "Forgiving", "Bag included"),
            (300, 23000),
        ),
        Shelf(
            "Bottles & bags",
            "shopping-bag",
            (
                Kind("Sports Bottle", "bottle", 9, 39, ("Water protection",)),
                Kind("Gym Bag", "bag", 25, 99, ("Dishwasher",)),
                Kind("Running Backpack", "backpack", 39, 149, ("Dishwasher",)),
                Kind("Sports Watch", "watch", 79, 399, ("Volume", "Dishwasher")),
            ),
            ("Colour", ()),
            (
                ("Volume", ("0.6 L", "0.75 L", "12 L", "35 L")),
                ("Dishwasher", ("Yes", "No")),
                ("Water protection", ("IPX4", "IP67", "5 ATM")),
            ),
            ("the way to training", "long runs", "team trips", "every day"),
            ("Leak-proof", "Separate shoe pocket", "Free of BPA"),
            (60, 900),
        ),
    ),
    services=("Racket stringing", "Bike service", "Gait analysis", "Ski waxing"),
)
