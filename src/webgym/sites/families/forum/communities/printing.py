"""People with 3D printers."""

from __future__ import annotations

from webgym.sites.families.forum.communities.bank import Bank, Duel, Measure, Topic, Trouble

PRINTING = Bank(
    key="printing",
    people="makers",
    tagline="Layer by layer",
    covers=("tech", "tech:robot", "product:printer", "product:toy-car"),
    topics=(
        Topic(
            "filament",
            "Filament and materials",
            "PLA, PETG and stranger things",
            "layers",
            ("silk PLA", "PETG", "flexible TPU", "ASA", "wood-filled PLA", "carbon nylon", "matte PLA"),
            (
                Measure(
                    "Nozzle temperature for {thing}?",
                    "nozzle temperature",
                    "{} °C",
                    (195, 205, 210, 215, 225, 235, 240, 250, 265),
                ),
                Measure(
                    "Bed temperature for {thing}", "bed temperature", "{} °C", (45, 50, 55, 60, 65, 70, 80, 90, 105)
                ),
                Measure(
                    "What do you pay per kilo of {thing}?",
                    "price per kilo",
                    "${} a kilo",
                    (14, 16, 18, 21, 24, 28, 35, 46, 62),
                ),
            ),
            (
                Trouble(
                    "{thing} strings like mad",
                    "Looks like a spider moved in overnight.",
                    ("wet filament", "a hot nozzle", "short retraction", "slow travel", "a worn nozzle"),
                ),
            ),
        ),
        Topic(
            "hardware",
            "Printers and hardware",
            "Frames, boards and hot ends",
            "printer",
            (
                "a Corvid X1",
                "a Mantis 3",
                "a delta kit",
                "a resin printer",
                "a direct drive extruder",
                "a linear rail kit",
            ),
            (
                Measure(
                    "Print speed you get from {thing}?",
                    "print speed",
                    "{} mm/s",
                    (45, 60, 80, 100, 120, 150, 200, 250, 300),
                    ("a Corvid X1", "a Mantis 3", "a delta kit", "a linear rail kit"),
                ),
                Measure("What did you pay for {thing}?", "price", "${}", (45, 70, 95, 140, 190, 240, 330, 450, 620)),
            ),
            (
                Trouble(
                    "{thing} shifts layers",
                    "Always at the same height, always to the left.",
                    ("a loose pulley", "a hot stepper driver", "a tight belt", "a snagged cable", "high acceleration"),
                    ("a Corvid X1", "a Mantis 3", "a delta kit", "a self-built CoreXY"),
                ),
                Trouble(
                    "{thing} clicks while printing",
                    "Click, click, click and then nothing comes out.",
                    ("a clogged nozzle", "a cracked arm", "a low nozzle gap", "a kinked tube", "a weak spring"),
                    ("a Corvid X1", "a Mantis 3", "a delta kit", "a direct drive extruder"),
                ),
            ),
        ),
        Topic(
            "slicing",
            "Slicing and settings",
            "Walls, infill and supports",
            "sliders",
            ("tall vases", "snap-fit boxes", "gears", "miniatures", "phone stands", "lithophanes"),
            (
                Measure("Infill for {thing}?", "infill", "{} %", (5, 8, 10, 15, 20, 25, 30, 40, 60)),
                Measure(
                    "Layer height for {thing}",
                    "layer height",
                    "{} mm",
                    (0.08, 0.1, 0.12, 0.16, 0.18, 0.2, 0.24, 0.28, 0.32),
                ),
            ),
            (
                Trouble(
                    "Visible seam on {thing}",
                    "A zipper from top to bottom.",
                    ("a random seam", "high pressure advance", "slow outer walls", "coasting", "an aligned seam"),
                ),
            ),
        ),
        Topic(
            "design",
            "Modelling and design",
            "From sketch to mesh",
            "box",
            (
                "a threaded lid",
                "a print-in-place hinge",
                "a living hinge",
                "a press-fit bearing seat",
                "a snap hook",
                "a dovetail joint",
            ),
            (
                Measure(
                    "Clearance for {thing}?", "clearance", "{} mm", (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
                ),
                Measure(
                    "Wall thickness for {thing}",
                    "wall thickness",
                    "{} mm",
                    (0.8, 1.0, 1.2, 1.6, 2.0, 2.4, 2.8, 3.2, 4.0),
                ),
            ),
            (
                Trouble(
                    "{thing} breaks at the same place",
                    "Three prints, three identical cracks.",
                    ("layer direction", "a sharp corner", "thin walls", "brittle filament", "cold layers"),
                ),
            ),
        ),
        Topic(
            "resin",
            "Resin printing",
            "Vats, washing and gloves",
            "flask-conical",
            ("standard grey resin", "tough resin", "water-washable resin", "castable resin", "clear resin"),
            (
                Measure(
                    "Exposure time for {thing}?",
                    "exposure time",
                    "{} seconds",
                    (1.6, 1.9, 2.2, 2.5, 2.8, 3.1, 3.6, 4.5, 6),
                ),
                Measure("Curing time for {thing}", "curing time", "{} minutes", (2, 3, 4, 5, 6, 8, 10, 12, 15)),
            ),
            (
                Trouble(
                    "{thing} sticks to the film",
                    "The plate comes up empty and the model stays below.",
                    ("a cold vat", "short base layers", "worn film", "a loose plate", "old resin"),
                ),
            ),
        ),
    ),
    market="Marketplace",
    showcase="Print gallery",
    lounge="Idle chatter",
    wares=(
        ("spare hot end", 15, 60),
        ("enclosure kit", 45, 140),
        ("ten spools, mixed colours", 60, 150),
        ("wash and cure station", 50, 130),
        ("filament dryer", 20, 65),
        ("touch screen upgrade", 18, 70),
        ("textured steel plate", 12, 38),
        ("complete delta printer", 90, 280),
    ),
    projects=(
        "cable-driven arm",
        "macro keyboard",
        "hexagon shelf wall",
        "marble clock",
        "wind-up boat",
        "camera slider",
        "desk organiser",
        "folding chess set",
    ),
    materials=("matte PLA", "recycled PETG", "TPU", "brass inserts", "clear resin", "carbon nylon"),
    duels=(
        Duel("Glass, PEI or textured steel?", ("Glass", "Smooth PEI", "Textured steel", "Painter's tape")),
        Duel("Bowden or direct drive?", ("Bowden", "Direct drive", "Both", "Resin only")),
        Duel("Do you dry every spool?", ("Always", "Only nylon and TPU", "When it strings", "Never")),
        Duel("First layer: fast or slow?", ("Very slow", "Normal", "Fast", "Whatever the slicer says")),
    ),
    gear_label="Printer",
    gear=(
        "Corvid X1",
        "Mantis 3",
        "delta kit",
        "Corvid Mini",
        "Mantis Resin 8K",
        "self-built CoreXY",
        "two Mantis 2",
        "Lattice Pro",
    ),
    tags=(
        "pla",
        "petg",
        "calibration",
        "firmware",
        "supports",
        "bed-levelling",
        "resin",
        "upgrades",
        "first-layer",
        "cad",
        "multi-colour",
        "beginner",
    ),
    lines=(
        "Dry your filament.",
        "Level the bed, then level it again.",
        "Mine printed for 31 hours and failed in the last one.",
        "Print a calibration cube first.",
        "The cat sat on the print bed.",
        "Glue stick, thin layer.",
        "I changed one setting at a time, promise.",
        "The fan duct was on backwards.",
        "Firmware update fixed half of it.",
    ),
    words=("layer", "nozzle", "brim", "voxel", "spool", "raft", "mesh", "stepper", "extrude", "lattice"),
    signatures=(
        "0.4 mm of happiness",
        "Benchy number 63",
        "It is printing, do not touch the table",
        "Spaghetti chef",
        "Calibrating since 2017",
    ),
    meetups=("Printer clinic", "Model swap", "Maker faire trip", "CAD evening", "Resin safety class"),
    bring=("A failed print", "Spare filament", "Snacks", "A laptop"),
    guides=("Start here: what to post when a print fails", "Calibration order that works"),
)
