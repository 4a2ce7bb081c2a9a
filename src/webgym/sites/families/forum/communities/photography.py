"""Photographers."""

from __future__ import annotations

from webgym.sites.families.forum.communities.bank import Bank, Duel, Measure, Topic, Trouble

PHOTOGRAPHY = Bank(
    key="photography",
    people="photographers",
    tagline="Light, lenses and learning to see",
    covers=("scene:mountains", "scene:harbour", "product:camera", "scene:lake"),
    topics=(
        Topic(
            "landscape", "Landscape and travel", "Early mornings and long walks", "image",
            ("waterfalls", "sea stacks at dusk", "foggy forests", "mountain sunrises", "night city skylines", "autumn vineyards"),
            (
                Measure("Exposure time for {thing}?", "exposure time", "{} seconds", (0.5, 1, 2, 4, 6, 8, 15, 20, 30)),
                Measure("Which aperture for {thing}?", "aperture", "f/{}", (2.8, 4, 5.6, 6.3, 7.1, 8, 9, 11, 13)),
            ),
            (Trouble("Soft corners in my shots of {thing}", "The centre is fine, the edges look smeared in every frame.", ("a decentred lens", "diffraction", "wind", "a stacked filter", "missed focus")),),
        ),
        Topic(
            "portrait", "Portrait and people", "Faces, families and weddings", "user",
            ("newborn portraits", "corporate headshots", "window light portraits", "dance rehearsals", "a small wedding", "street portraits"),
            (
                Measure("Focal length for {thing}?", "focal length", "{} mm", (28, 35, 40, 50, 58, 75, 85, 105, 135)),
                Measure("What do you charge for {thing}?", "fee", "${}", (80, 120, 150, 190, 240, 320, 450, 600, 850)),
            ),
            (Trouble("Odd skin tones in {thing}", "Everyone looks slightly green and I cannot fix it in post.", ("mixed lighting", "a green wall", "auto white balance", "a cheap diffuser", "the wrong profile")),),
        ),
        Topic(
            "film", "Film and darkroom", "Grain, chemistry and patience", "video",
            ("HP5 pushed two stops", "expired slide film", "Tri-X in Rodinal", "a 4x5 sheet", "fibre paper", "home developed C-41"),
            (
                Measure("Development time for {thing}?", "development time", "{} minutes", (3.5, 5, 6.5, 7, 8, 9.5, 11, 13, 16)),
                Measure("Which dilution for {thing}?", "dilution", "1+{}", (1, 4, 9, 14, 19, 25, 31, 50, 100)),
            ),
            (
                Trouble("Streaks on {thing}", "Pale bands that line up with the sprocket holes.", ("surge marks", "tired fixer", "a light leak", "wet reels", "no stop bath")),
                Trouble("{thing} came out blank", "Clear film, no edge markings at all.", ("swapped chemicals", "dead developer", "a slipped leader", "cold chemistry", "a stuck shutter")),
            ),
        ),
        Topic(
            "gear", "Cameras and lenses", "Bodies, glass, bags and tripods", "camera",
            ("a used full frame body", "a 70-200 zoom", "a carbon tripod", "a pancake lens", "a sling bag", "a macro lens"),
            (
                Measure("What did you pay for {thing}?", "price", "${}", (95, 140, 190, 260, 340, 480, 650, 890, 1250)),
                Measure("How heavy is {thing}?", "weight", "{} g", (125, 210, 340, 480, 620, 790, 1080, 1350, 1600)),
            ),
            (Trouble("{thing} will not lock any more", "It clicks but moves as soon as I let go.", ("a worn plate", "sand in the thread", "a bent tab", "a loose collar", "a broken spring"), ("a carbon tripod", "a 70-200 zoom", "a sling bag", "a ball head")),),
        ),
        Topic(
            "editing", "Editing and printing", "Raw files, colour and paper", "sliders",
            ("baryta prints", "a photo book", "scanned negatives", "a wedding set", "panoramas", "black and white conversions"),
            (
                Measure("Print size for {thing}?", "print width", "{} cm", (15, 20, 24, 30, 40, 45, 50, 60, 90)),
                Measure("Hours you spend on {thing}", "hours", "{} hours", (1, 2, 3, 4, 6, 8, 12, 16, 24)),
            ),
            (Trouble("{thing} look darker than on screen", "Two shades at least, whatever I do.", ("a bright monitor", "the wrong paper profile", "dim room light", "printer dimming", "soft proofing off"), ("baryta prints", "photo book pages", "scanned negatives", "panoramas")),),
        ),
    ),
    market="Buy and sell", showcase="Critique corner", lounge="The darkroom door",
    wares=(("50 mm f/1.8 lens", 60, 150), ("medium format back", 180, 650), ("enlarger", 70, 240), ("light meter", 40, 160), ("set of ND filters", 30, 110), ("studio flash kit", 120, 380), ("film scanner", 90, 320), ("leather strap", 15, 55)),
    projects=("pinhole camera", "copy stand", "darkroom bench", "light box", "home studio wall", "print drying rack", "camera cabinet"),
    materials=("birch plywood", "museum board", "blackout cloth", "brass sheet", "old enlarger parts", "beech offcuts"),
    duels=(
        Duel("Prime or zoom for travel?", ("One prime", "Two primes", "A zoom", "My phone")),
        Duel("Raw or JPEG?", ("Raw", "JPEG", "Raw and JPEG", "Film")),
        Duel("Favourite film speed?", ("ISO 100", "ISO 200", "ISO 400", "ISO 800")),
        Duel("Tripod or handheld at dusk?", ("Tripod", "Handheld", "Monopod", "A wall")),
    ),
    gear_label="Camera",
    gear=("Lumen FM2", "Orvik M4", "Tessar Box 120", "Halden X-20", "Lumen Z6", "Karo Rangefinder", "Vesta 4x5", "Halden Pocket"),
    tags=("black-and-white", "long-exposure", "flash", "street", "macro", "film", "printing", "lenses", "night", "wildlife", "colour", "beginner"),
    lines=(
        "Golden hour was over in four minutes.", "Shot from the car park, to be honest.", "My tripod knows that spot better than I do.",
        "Bracket everything.", "The histogram does not lie.", "Try it in black and white first.",
        "I only kept two frames of sixty.", "Bring a cloth, the spray gets everywhere.", "It is the light, not the lens.",
    ),
    words=("shutter", "grain", "bokeh", "fstop", "silver", "prism", "focus", "tripod", "halide", "frame"),
    signatures=("Available light only", "f/8 and be there", "Shooting film until the fridge is empty", "Comments welcome, be honest", "One camera, one lens, one year"),
    meetups=("Photo walk", "Darkroom evening", "Portfolio review", "Night sky shoot", "Camera jumble sale"),
    bring=("A tripod", "Prints to show", "Snacks", "A torch"),
    guides=("Start here: how to ask for critique", "Posting images: size and colour profile"),
)
