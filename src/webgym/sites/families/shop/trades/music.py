"""Musical instruments and sound."""

from __future__ import annotations

from webgym.sites.families.shop.trades.trade import Kind, Shelf, Trade

TRADE = Trade(
    key="music",
    title="Instruments & audio",
    slogans=("Make some noise", "From first chord to last encore", "Instruments set up by hand"),
    makers=("Cadenza", "Hollis", "Brightwire", "Tonewell", "Maple & Reed", "Larkspur", "Vox Nova", "Ritmo"),
    maker_label="Brand",
    colours=("Natural", "Sunburst", "Black", "Cherry", "White", "Teal", "Cream", "Navy"),
    materials=("Spruce and mahogany", "Maple", "Alder", "Birch", "Rosewood", "Die-cast metal"),
    models="craft",
    shelves=(
        Shelf(
            "Guitars",
            "music",
            (
                Kind("Acoustic Guitar", "guitar", 129, 899),
                Kind("Electric Guitar", "guitar", 199, 1299),
                Kind("Travel Guitar", "guitar", 89, 349),
            ),
            ("Colour", ()),
            (
                ("Scale length", ("580 mm", "628 mm", "648 mm", "650 mm")),
                ("Frets", ("19", "20", "21", "22")),
                ("Top", ("Solid spruce", "Laminated spruce", "Solid cedar")),
            ),
            ("first chords", "campfires", "small stages", "fingerstyle players"),
            ("Set up by hand", "Low action", "Padded bag included"),
            (1100, 4200),
            ("Strings", ("Light", "Medium", "Nylon")),
        ),
        Shelf(
            "Drums",
            "circle-dot",
            (
                Kind("Snare Drum", "drum", 79, 449),
                Kind("Floor Tom", "drum", 99, 389),
                Kind("Hand Drum", "drum", 49, 229, ("Lugs",)),
            ),
            ("Diameter", ("10 inch", "13 inch", "14 inch", "16 inch")),
            (
                ("Depth", ("5 inch", "6.5 inch", "8 inch", "14 inch")),
                ("Lugs", ("6", "8", "10")),
                ("Head", ("Coated", "Clear", "Goatskin")),
            ),
            ("rock bands", "brushes", "percussion circles", "recording"),
            ("Die-cast hoops", "Quick-change head", "Rubber feet"),
            (1400, 7800),
        ),
        Shelf(
            "Strings",
            "award",
            (
                Kind("Violin", "violin", 149, 1199),
                Kind("Student Violin", "violin", 89, 349),
                Kind("Electric Violin", "violin", 199, 799),
            ),
            ("Size", ("1/4", "1/2", "3/4", "4/4")),
            (
                ("Bow", ("Brazilwood", "Carbon", "None")),
                ("Varnish", ("Oil", "Spirit")),
                ("Strings", ("Steel", "Synthetic", "Gut")),
            ),
            ("music schools", "orchestras", "silent practice", "folk sessions"),
            ("Ready to play", "Case with rain cover", "Ebony fittings"),
            (380, 900),
            ("Shoulder rest", ("Without", "With")),
        ),
        Shelf(
            "Keys",
            "keyboard",
            (
                Kind("Digital Piano", "piano", 399, 1899),
                Kind("Stage Piano", "piano", 349, 1499),
                Kind("Beginner Piano", "piano", 199, 599),
            ),
            ("Keys", ("61 keys", "73 keys", "88 keys")),
            (
                ("Polyphony", ("64", "128", "192", "256")),
                ("Sounds", ("10", "24", "120", "500")),
                ("Speakers", ("2 x 6 W", "2 x 12 W", "2 x 20 W")),
            ),
            ("small flats", "lessons", "touring", "late-night practice"),
            ("Weighted action", "Records your playing", "Two headphone sockets"),
            (5200, 48000),
            ("Stand", ("Without stand", "X-stand", "Wooden stand")),
        ),
        Shelf(
            "Microphones",
            "mic",
            (
                Kind("Vocal Microphone", "microphone", 39, 249),
                Kind("Studio Microphone", "microphone", 89, 699),
                Kind("USB Microphone", "microphone", 49, 219, ("option",)),
            ),
            ("Colour", ()),
            (
                ("Pattern", ("Cardioid", "Super-cardioid", "Omni")),
                ("Connection", ("XLR", "USB-C", "Mini jack")),
                ("Sample rate", ("48 kHz", "96 kHz", "192 kHz")),
            ),
            ("podcasts", "loud stages", "voice-over", "home studios"),
            ("Pop filter inside", "Shock-mounted capsule", "Pouch included"),
            (180, 900),
            ("Cable", ("No cable", "3 m", "5 m")),
        ),
        Shelf(
            "Headphones",
            "headphones",
            (
                Kind("Studio Headphones", "headphones", 49, 399),
                Kind("DJ Headphones", "headphones", 59, 249),
                Kind("In-Ear Monitors", "earbuds", 69, 499, ("Design",)),
            ),
            ("Colour", ()),
            (
                ("Impedance", ("16 ohm", "32 ohm", "80 ohm", "250 ohm")),
                ("Design", ("Closed", "Open", "Semi-open")),
                ("Cable", ("Straight", "Coiled")),
            ),
            ("mixing", "long sessions", "silent practice", "on stage"),
            ("Replaceable ear pads", "Folds flat", "Linear sound"),
            (30, 380),
        ),
        Shelf(
            "Speakers",
            "activity",
            (
                Kind("Studio Monitor", "speaker", 99, 599, ("Effects",)),
                Kind("Practice Amp", "speaker", 69, 349),
                Kind("Stage Speaker", "speaker", 149, 799),
            ),
            ("Power", ("10 W", "40 W", "80 W", "200 W")),
            (
                ("Woofer", ("4 inch", "5 inch", "8 inch", "12 inch")),
                ("Inputs", ("1", "2", "4")),
                ("Effects", ("None", "Reverb", "Reverb and delay")),
            ),
            ("bedrooms", "rehearsals", "street music", "small desks"),
            ("Runs on batteries", "Headphone out", "Metal corners"),
            (2300, 16000),
        ),
    ),
    services=("Instrument set-up", "Rent to buy", "Restringing", "Lessons"),
)
