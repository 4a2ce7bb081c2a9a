"""People who keep old computers alive."""

from __future__ import annotations

from webgym.sites.families.forum.communities.bank import Bank, Duel, Measure, Topic, Trouble

RETRO = Bank(
    key="retro",
    people="collectors",
    tagline="Old computers, kept running",
    covers=("tech:chip", "tech:server", "product:keyboard", "product:monitor"),
    topics=(
        Topic(
            "repairs",
            "Repairs and recapping",
            "Bring it back to life",
            "wrench",
            (
                "a Kestrel 64",
                "an Orbit ST",
                "a beige tower",
                "a portable Plus",
                "a Vega 1200",
                "a green screen terminal",
                "a dot matrix printer",
            ),
            (
                Measure(
                    "Voltage on the 5 V rail of {thing}",
                    "voltage",
                    "{} V",
                    (4.71, 4.78, 4.85, 4.92, 4.97, 5.02, 5.06, 5.12, 5.21),
                ),
                Measure(
                    "How many capacitors in {thing}?",
                    "number of capacitors",
                    "{} capacitors",
                    (9, 12, 14, 17, 19, 23, 28, 34, 41),
                ),
            ),
            (
                Trouble(
                    "Black screen on {thing}",
                    "Power light is on, fan spins, nothing else.",
                    ("a dead PLA", "bad RAM", "a cracked solder joint", "a leaking battery", "a corroded socket"),
                ),
                Trouble(
                    "{thing} resets after ten minutes",
                    "Runs perfectly when cold and then starts over by itself.",
                    (
                        "a tired power supply",
                        "a hot regulator",
                        "dried thermal paste",
                        "a loose ROM",
                        "a bulging capacitor",
                    ),
                ),
            ),
        ),
        Topic(
            "storage",
            "Drives and storage",
            "Floppies, tapes and flash replacements",
            "archive",
            ("a 5.25 inch drive", "a tape deck", "a SCSI disk", "a CF adapter", "a box of old floppies", "an MFM disk"),
            (
                Measure(
                    "Drive speed of {thing} after adjustment",
                    "speed",
                    "{} rpm",
                    (288, 294, 297, 299, 300, 302, 305, 311, 360),
                    ("a 5.25 inch drive", "a 3.5 inch drive", "a slim laptop drive", "a dual drive"),
                ),
                Measure(
                    "How many disks could you rescue with {thing}?",
                    "readable disks",
                    "{} disks",
                    (11, 18, 27, 36, 45, 58, 72, 90, 124),
                    ("a 5.25 inch drive", "a flux reader", "a dual drive", "a cleaning kit"),
                ),
            ),
            (
                Trouble(
                    "{thing} clicks but never reads",
                    "Two clicks, a pause, two clicks.",
                    ("dirty heads", "a slipped belt", "stuck grease", "track zero sensor", "a bad cable"),
                    ("a 5.25 inch drive", "a SCSI disk", "an MFM disk", "a tape deck"),
                ),
            ),
        ),
        Topic(
            "displays",
            "Monitors and video",
            "CRTs, scalers and cables",
            "monitor",
            ("a 14 inch CRT", "an RGB cable", "a line doubler", "an amber monitor", "a composite mod", "a VGA tower"),
            (
                Measure("What did you pay for {thing}?", "price", "${}", (18, 25, 32, 45, 60, 78, 95, 130, 175)),
                Measure("Refresh rate with {thing}", "refresh rate", "{} Hz", (48, 50, 56, 60, 66, 70, 72, 75, 85)),
            ),
            (
                Trouble(
                    "Wavy picture on {thing}",
                    "Slow ripples from bottom to top, worse in the evening.",
                    ("a ground loop", "a nearby speaker", "bad shielding", "a weak filter cap", "the dimmer switch"),
                ),
            ),
        ),
        Topic(
            "software",
            "Games and software",
            "Disks, demos and documentation",
            "code",
            (
                "a text adventure",
                "a word processor from 1986",
                "a tracker tune",
                "a BBS client",
                "a shoot-em-up in BASIC",
                "a spreadsheet on tape",
            ),
            (
                Measure(
                    "How much memory does {thing} need?", "memory", "{} KB", (16, 32, 48, 64, 128, 256, 512, 640, 1024)
                ),
                Measure(
                    "Loading time of {thing}", "loading time", "{} seconds", (12, 19, 28, 45, 70, 95, 140, 210, 310)
                ),
            ),
            (
                Trouble(
                    "{thing} crashes at the same place",
                    "Always on the third screen, on two different machines.",
                    ("a bad dump", "a PAL patch", "the wrong ROM version", "a missing driver", "turbo mode"),
                ),
            ),
        ),
        Topic(
            "network",
            "Networking old machines",
            "Modems, serial lines and small servers",
            "globe",
            (
                "a 2400 baud modem",
                "a serial WiFi bridge",
                "a token ring card",
                "a terminal server",
                "an Ethernet cartridge",
            ),
            (
                Measure("Top speed over {thing}", "speed", "{} KB/s", (0.2, 0.9, 1.8, 3.6, 7.2, 11, 19, 38, 110)),
                Measure("Cable length you run with {thing}", "cable length", "{} m", (2, 3, 5, 8, 10, 15, 25, 40, 60)),
            ),
            (
                Trouble(
                    "{thing} drops the line",
                    "Good for a minute, then garbage and gone.",
                    (
                        "missing flow control",
                        "a straight cable",
                        "wrong stop bits",
                        "a noisy phone line",
                        "an old driver",
                    ),
                ),
            ),
        ),
    ),
    market="Trading post",
    showcase="Collection showcase",
    lounge="Off topic BBS",
    wares=(
        ("mechanical keyboard", 40, 160),
        ("boxed joystick pair", 20, 70),
        ("14 inch CRT monitor", 30, 140),
        ("lot of 40 floppies", 12, 45),
        ("sound card", 25, 110),
        ("flash cartridge", 35, 90),
        ("dot matrix printer", 20, 85),
        ("reference manual set", 15, 60),
    ),
    projects=(
        "battery-free portable",
        "new case for a bare board",
        "replacement keyboard",
        "486 gaming tower",
        "home-made ROM board",
        "cartridge rack",
        "LED status panel",
    ),
    materials=("old bakelite", "3D printed shells", "aluminium plate", "salvaged chips", "walnut trim", "ribbon cable"),
    duels=(
        Duel("Real hardware or emulation?", ("Real hardware", "Emulation", "FPGA", "All of them")),
        Duel("Recap everything or only what fails?", ("Everything", "Only what fails", "Test first", "Never touch it")),
        Duel("Whiten yellowed plastic?", ("Yes, with peroxide", "Yes, in the sun", "Leave it", "Paint it")),
        Duel("Best keyboard ever made?", ("Buckling spring", "Alps", "Hall effect", "Rubber dome")),
    ),
    gear_label="Daily machine",
    gear=(
        "Kestrel 64",
        "Orbit ST",
        "Vega 1200",
        "486 DX2",
        "portable Plus",
        "green terminal",
        "Pentium 90",
        "homebrew Z80",
    ),
    tags=(
        "recap",
        "crt",
        "floppy",
        "basic",
        "soldering",
        "demoscene",
        "keyboards",
        "psu",
        "modem",
        "dos",
        "eprom",
        "beginner",
    ),
    lines=(
        "Check the fuse first, always.",
        "Isopropyl and a soft brush.",
        "Mine smelled of fish before it went.",
        "It came out of a school that closed in 1998.",
        "Socket it while you are in there.",
        "The schematic has an error on sheet 2.",
        "I measured twice because I did not believe it.",
        "Do not power it up without a load.",
        "That yellow glue turns conductive.",
    ),
    words=("pixel", "floppy", "baud", "sprite", "cathode", "ribbon", "kilo", "poke", "turbo", "parity"),
    signatures=(
        "LOAD, press play, wait",
        "More RAM than sense",
        "Still on dial-up at heart",
        "10 PRINT HELLO",
        "Do not turn off while the light is on",
    ),
    meetups=("Repair evening", "Swap meet", "LAN party", "Demo night", "Soldering class"),
    bring=("An extension lead", "Snacks", "A soldering iron", "Spare floppies"),
    guides=("Start here: before you switch it on", "How to post readable board photos"),
)
