"""People who ride bicycles."""

from __future__ import annotations

from webgym.sites.families.forum.communities.bank import Bank, Duel, Measure, Topic, Trouble

CYCLING = Bank(
    key="cycling",
    people="riders",
    tagline="Road, gravel and the ride to work",
    covers=("sport:cycling", "scene:mountains", "scene:countryside", "product:bicycle"),
    topics=(
        Topic(
            "workshop", "Workshop", "Maintenance, tools and things that creak", "wrench",
            ("tubeless tyres", "a square taper crank", "hydraulic brakes", "an 11-speed chain", "cartridge hubs", "a threadless headset", "internal cables"),
            (
                Measure("Torque for {thing}?", "torque", "{} Nm", (4, 5, 6, 8, 10, 12, 35, 40, 45), ("a square taper crank", "disc rotor bolts", "a carbon seatpost", "stem bolts", "a threadless headset", "bottle cage bolts")),
                Measure("How many kilometres do you get from {thing}?", "distance", "{} km", (1800, 2500, 3200, 4000, 5200, 6500, 8000, 9500, 12000), ("an 11-speed chain", "tubeless tyres", "organic brake pads", "a steel cassette", "cartridge bearings")),
            ),
            (
                Trouble("Creaking noise from {thing}", "Once per turn, only under load and only when it is dry.", ("a loose chainring bolt", "the seatpost", "a worn pedal bearing", "the bottom bracket", "a cracked spacer"), ("a square taper crank", "a threadless headset", "a carbon seatpost", "cartridge hubs")),
                Trouble("{thing} leaking since the last service", "A few drops overnight, and the floor tells me so every morning.", ("an old seal", "a damaged olive", "too much sealant", "a scratched seat", "a loose banjo bolt"), ("hydraulic brakes", "tubeless tyres", "a suspension fork")),
            ),
        ),
        Topic(
            "gravel", "Gravel and bikepacking", "Long days on rough roads", "map",
            ("a fully loaded gravel bike", "650b wheels", "a handlebar bag", "frame bags", "a dynamo hub", "a two-day loop"),
            (
                Measure("Tyre pressure for {thing}?", "tyre pressure", "{} psi", (22, 25, 28, 30, 32, 35, 38, 42, 48), ("a fully loaded gravel bike", "650b wheels", "40 mm tyres", "muddy lanes", "wet chalk tracks")),
                Measure("How heavy is {thing} really?", "weight", "{} g", (240, 310, 380, 460, 540, 690, 820, 950, 1200), ("a handlebar bag", "a frame bag", "a dynamo hub", "a full bivvy kit", "a two-day food bag")),
            ),
            (Trouble("{thing} rattles on every descent", "Everything is strapped down and still it sounds like a kitchen drawer.", ("a loose strap buckle", "the tool roll", "a bottle cage bolt", "worn bag mounts", "the tent poles"), ("my handlebar bag", "my frame bag", "my loaded bike")),),
        ),
        Topic(
            "road", "Road and training", "Intervals, climbs and Sunday groups", "line-chart",
            ("a first 100 km ride", "hill repeats", "winter base miles", "an hour on the trainer", "a sportive with 2,000 m of climbing"),
            (
                Measure("Average speed on {thing}?", "average speed", "{} km/h", (21, 23, 24, 26, 27, 29, 31, 33, 36)),
                Measure("How much do you eat during {thing}?", "carbohydrates per hour", "{} g an hour", (30, 40, 45, 50, 60, 70, 75, 80, 90)),
            ),
            (Trouble("Numb hands after {thing}", "The last two fingers go first and it takes an hour to pass.", ("a saddle that tips forward", "long reach", "thin bar tape", "locked elbows", "worn gloves")),),
        ),
        Topic(
            "commuting", "Commuting", "Rain, racks and secure parking", "briefcase",
            ("a folding bike", "a cargo trailer", "full mudguards", "a belt drive bike", "an e-bike battery", "studded tyres"),
            (
                Measure("What did you pay to insure {thing}?", "yearly insurance", "${} a year", (38, 45, 55, 64, 72, 85, 98, 120, 145), ("a folding bike", "a cargo bike", "a belt drive bike", "an e-bike", "a touring bike")),
                Measure("How many winters did {thing} last?", "winters", "{} winters", (1, 2, 3, 4, 5, 6, 7, 8, 9), ("full mudguards", "studded tyres", "an e-bike battery", "a belt drive", "a set of panniers")),
            ),
            (Trouble("{thing} got stolen outside the station", "Gone between 8 and 17, lock cut cleanly. Where was my mistake?", ("a cable lock", "a dark corner", "no second lock", "a weak rack", "the same spot every day"), ("my folding bike", "my cargo trailer", "my e-bike", "my daughter's bike")),),
        ),
        Topic(
            "routes", "Routes and tours", "Where to ride next", "compass",
            ("the canal towpath", "the old railway line", "the coast road", "the reservoir loop", "the three valleys tour"),
            (
                Measure("How long is {thing}?", "length", "{} km", (24, 32, 41, 48, 56, 63, 78, 92, 118)),
                Measure("How much climbing on {thing}?", "climbing", "{} m", (120, 260, 340, 480, 610, 790, 950, 1240, 1580)),
            ),
            (Trouble("Is {thing} passable in winter?", "Last time I had to turn back after the second bridge.", ("fallen trees", "flooding", "roadworks", "a closed tunnel", "deep mud")),),
        ),
    ),
    market="Classifieds", showcase="Bike builds", lounge="Cafe stop",
    wares=(("carbon seatpost", 25, 90), ("steel touring frame", 120, 480), ("bike computer", 60, 220), ("pair of panniers", 35, 110), ("turbo trainer", 90, 350), ("dynamo front light", 30, 95), ("52/36 chainset", 40, 140), ("roof rack carrier", 45, 130)),
    projects=("winter commuter", "1x gravel conversion", "1980s randonneur", "single speed pub bike", "kids' 24-inch build", "long-tail cargo bike", "first wheel build"),
    materials=("a steel fork", "a titanium seatpost", "a leather saddle", "cork tape", "alloy rims", "ceramic bearings"),
    duels=(
        Duel("1x or 2x for gravel?", ("1x", "2x", "Depends on the hills", "Single speed")),
        Duel("Rim brakes or disc brakes?", ("Rim brakes", "Hydraulic discs", "Mechanical discs", "Coaster brake")),
        Duel("Which chain lube do you use?", ("Wet lube", "Dry lube", "Hot wax", "Whatever is open")),
        Duel("Do you ride with music?", ("Never", "Only off-road", "One ear", "Always")),
    ),
    gear_label="Main bike",
    gear=("steel tourer", "aluminium gravel bike", "titanium road bike", "folding commuter", "cargo bike", "1992 mountain bike", "fixed gear", "carbon all-road"),
    tags=("tubeless", "brakes", "wheels", "winter", "nutrition", "drivetrain", "luggage", "fitting", "e-bike", "lights", "audax", "beginner"),
    lines=(
        "Headwind both ways, of course.", "The local shop wanted twice that.", "Check it again after the first 100 km.",
        "A little grease goes a long way.", "I have done three winters on mine.", "Strava disagrees, but I felt fast.",
        "Carry a spare, trust me.", "My knees decided for me.", "The group ride on Sunday was soaked.",
    ),
    words=("spoke", "gravel", "crank", "sprocket", "tandem", "saddle", "pedal", "climb", "cadence", "chain"),
    signatures=("Steel is real", "The best bike is the one outside", "N+1", "Slow uphill, slower downhill", "Ride to the cafe, not from it"),
    meetups=("Sunday social ride", "Night ride", "Wheel building evening", "Bike jumble", "Beginner maintenance class"),
    bring=("A spare tube", "Cake", "Tools", "A flask of coffee"),
    guides=("Start here: how to describe a noise", "Sizing and fit: read before you ask"),
)
