"""Names and words that worlds are made of."""

from __future__ import annotations

FIRST_NAMES = (
    "Adrian", "Alice", "Amara", "Andre", "Anita", "Anna", "Arthur", "Beatrice", "Bruno", "Camille", "Carla",
    "Clara", "Daniel", "David", "Deepa", "Diana", "Dmitri", "Elena", "Elias", "Emma", "Erik", "Esther", "Farah",
    "Felix", "Fiona", "Gabriel", "Grace", "Greta", "Hannah", "Henry", "Hugo", "Ida", "Ines", "Iris", "Ivan",
    "Jacob", "Jana", "Jonas", "Julia", "Karim", "Kate", "Laura", "Leon", "Lena", "Liam", "Lucia", "Magnus", "Marco",
    "Maria", "Martin", "Maya", "Mina", "Nadia", "Nina", "Noah", "Nora", "Oliver", "Olivia", "Omar", "Oscar",
    "Paula", "Peter", "Petra", "Priya", "Rachel", "Rafael", "Rosa", "Ruben", "Samir", "Sara", "Selma", "Simon",
    "Sofia", "Stefan", "Tara", "Theo", "Thomas", "Tobias", "Vera", "Victor", "Walter", "Wendy", "Yara", "Yusuf",
    "Zoe",
)  # fmt: skip
LAST_NAMES = (
    "Abbott", "Adeyemi", "Ahmed", "Alvarez", "Andersen", "Barros", "Becker", "Bennett", "Berg", "Bianchi", "Blake",
    "Brandt", "Castillo", "Chandra", "Chen", "Cooper", "Costa", "Dalton", "Delgado", "Dubois", "Eriksen", "Farrell",
    "Ferreira", "Fischer", "Fletcher", "Foster", "Garcia", "Gibson", "Grant", "Haas", "Hale", "Hansen", "Harper",
    "Hayes", "Holloway", "Ibrahim", "Iverson", "Jensen", "Kaplan", "Keller", "Khan", "Kim", "Kovacs", "Laurent",
    "Lewis", "Lindgren", "Lopez", "Marsh", "Mendes", "Meyer", "Moreau", "Morgan", "Nakamura", "Navarro", "Nguyen",
    "Novak", "Okafor", "Olsen", "Osborne", "Park", "Patel", "Petrov", "Quinn", "Ramos", "Reyes", "Rossi", "Ryan",
    "Sandoval", "Santos", "Schmidt", "Sharma", "Silva", "Sinclair", "Sutton", "Tanaka", "Torres", "Turner", "Vance",
    "Vargas", "Walsh", "Weber", "Whitaker", "Winter", "Young", "Zhang",
)  # fmt: skip
EMPLOYERS = (
    "Northfield Logistics", "Carver & Lowe", "Meridian Freight", "Bluewater Analytics", "Hollis Architects",
    "Pinecrest Foods", "Vantage Instruments", "Redwood Energy", "Sterling Press", "Kestrel Robotics",
    "Lumen Studio", "Fairmont Textiles", "Orchard Software", "Granite Insurance", "Halyard Shipping",
    "Cobalt Ceramics", "Everly Health", "Tidewater Research",
)  # fmt: skip
CLIENTS = (
    "Ashby Print Works", "Delta Office Supply", "Moreno Catering", "Brightside Cleaning", "Quantum Hosting",
    "Larkfield Legal", "Summit Couriers", "Parkway Furniture", "Ironbridge Tools", "Violet Media",
    "Copperfield Design", "Greenway Landscaping", "Atlas Translations", "Harbor Coffee Roasters",
    "Sable Photography", "Trident Security", "Opal Staffing", "Rowe Electrical",
)  # fmt: skip
JOBS = (
    "Account manager", "Analyst", "Designer", "Engineer", "Finance lead", "Head of operations", "HR partner",
    "Legal counsel", "Marketing lead", "Office manager", "Product manager", "Project lead", "Recruiter",
    "Researcher", "Sales manager", "Support lead", "Team assistant", "Warehouse manager",
)  # fmt: skip
SERVICES = (
    ("Bayview Dental", "Dentist"),
    ("Elm Street Garage", "Mechanic"),
    ("Hillside School", "Class teacher"),
    ("Corner Pharmacy", "Pharmacist"),
    ("Lakeside Property", "Landlord"),
    ("Riverside Gym", "Trainer"),
    ("Maple Veterinary", "Vet"),
    ("Oakwood Insurance", "Insurance agent"),
    ("Sunrise Bakery", "Owner"),
    ("Kingsley Tax Advisers", "Tax adviser"),
    ("Northside Library", "Librarian"),
    ("Willow Plumbing", "Plumber"),
)
KIN = ("Sister", "Brother", "Mother", "Father", "Cousin", "Aunt", "Uncle", "Friend", "Neighbour", "Old friend")
CITIES = (
    "Portland", "Denver", "Boston", "Chicago", "Seattle", "Austin", "Madison", "Oakland", "Tucson", "Raleigh",
    "Buffalo", "Savannah", "Omaha", "Boise", "Albany", "Tampa",
)  # fmt: skip
AREA_CODES = ("503", "720", "617", "312", "206", "512", "608", "510", "520", "919", "716", "912")
STREETS = (
    "Alder Street", "Beacon Avenue", "Canal Road", "Chestnut Lane", "Division Street", "Elm Court",
    "Foundry Street", "Garden Road", "Harbor Drive", "Juniper Way", "King Street", "Linden Avenue", "Mill Road",
    "Orchard Lane", "Park Avenue", "Quarry Road", "River Street", "Station Road", "Temple Street", "Walnut Street",
)  # fmt: skip
ROOMS = (
    "Aspen", "Birch", "Cedar", "Dogwood", "Hazel", "Juniper", "Laurel", "Magnolia", "Poplar", "Sequoia", "Spruce",
    "Willow",
)  # fmt: skip
SHOPS = (
    (
        "Hearth & Home",
        ("enamel kettle", "linen tablecloth", "cast iron pan", "oak cutting board", "stoneware bowl set"),
    ),
    ("Trailhead Outfitters", ("rain jacket", "hiking poles", "merino base layer", "two person tent", "trail shoes")),
    (
        "Paper Lantern Books",
        ("atlas of islands", "crime novel", "field guide to mosses", "cookbook", "poetry collection"),
    ),
    ("Circuit Depot", ("USB-C hub", "mechanical keyboard", "27 inch monitor", "noise cancelling headphones", "webcam")),
    ("Fern & Pot", ("monstera plant", "terracotta planter", "watering can", "potting soil", "grow lamp")),
    ("Little Acorn Toys", ("wooden train set", "jigsaw puzzle", "plush otter", "building blocks", "watercolour set")),
    ("Spoke & Chain", ("bike light set", "pannier bag", "chain lubricant", "floor pump", "cycling helmet")),
    ("Bluebird Optics", ("reading glasses", "sunglasses", "binoculars", "lens cleaner", "spectacle case")),
)
CARRIERS = ("Swiftline Parcel", "Polar Post", "Redwing Express", "Union Couriers")
AIRLINES = (("Skylark Air", "SK"), ("Northern Wings", "NW"), ("Azure Airways", "AZ"), ("Meridian Air", "MD"))
HOTELS = (
    "Harbour View Hotel",
    "The Linden House",
    "Grand Station Hotel",
    "Hotel Bellevue",
    "The Copper Kettle Inn",
    "Parkside Suites",
)
BANKS = ("Cascade Savings", "First Orchard Bank", "Unity Credit Union", "Lakeshore Bank")
UTILITIES = (
    ("Bright River Energy", "electricity"),
    ("Valley Water", "water"),
    ("Ember Gas", "gas"),
    ("Fiberlane", "internet"),
    ("Tonic Mobile", "mobile phone"),
)
SUBSCRIPTIONS = (
    ("Streamhaus", "Family plan"),
    ("Melody Box", "Premium plan"),
    ("Cloudcrate", "200 GB plan"),
    ("Fitloop", "Annual pass"),
    ("The Daily Lantern", "Digital edition"),
    ("Verbly", "Language course"),
)
NEWSLETTERS = (
    (
        "The Garden Letter",
        "gardening",
        (
            "pruning roses in dry weather",
            "a small pond in a weekend",
            "seeds worth saving",
            "what to plant under trees",
            "compost without the smell",
        ),
    ),
    (
        "Byte Size",
        "technology",
        (
            "batteries that last a decade",
            "why small models are back",
            "the return of the desktop",
            "open maps for everyone",
            "keyboards people love",
        ),
    ),
    (
        "Slow Travel Weekly",
        "travel",
        (
            "night trains through the Alps",
            "ten quiet islands",
            "walking the Ligurian coast",
            "a winter in Porto",
            "the best station cafes",
        ),
    ),
    (
        "Kitchen Notes",
        "cooking",
        (
            "lemons in everything",
            "one dough for six breads",
            "soups for a cold month",
            "a better tomato sauce",
            "pickles in an afternoon",
        ),
    ),
    (
        "Market Minutes",
        "business",
        (
            "freight prices fall again",
            "what shops learned this spring",
            "the cost of returns",
            "small firms borrow less",
            "four charts on rent",
        ),
    ),
    (
        "City Runners",
        "running",
        (
            "a plan for your first ten miles",
            "shoes for wet streets",
            "running before breakfast",
            "stretching that works",
            "the new river loop",
        ),
    ),
)
PROJECTS = (
    "Warehouse move", "Website relaunch", "Spring catalogue", "Customer survey", "Office refit", "Data migration",
    "Trade fair stand", "Mobile app pilot", "Packaging redesign", "Training handbook", "Supplier audit",
    "Loyalty scheme", "Delivery dashboard",
)  # fmt: skip
MEETINGS = (
    "Budget review", "Design review", "Team retrospective", "Hiring panel", "Sprint planning", "Vendor selection",
    "Safety briefing", "Roadmap workshop", "Sales forecast", "Contract walkthrough", "Release planning",
    "Brand workshop",
)  # fmt: skip
PLACES_TO_EAT = (
    "Trattoria Lucca", "The Green Table", "Noodle House Kin", "Cafe Orion", "Harbor Grill", "Pepper & Thyme",
    "Casa Marisol", "The Brass Spoon", "Blue Door Bistro", "Sakura Garden",
)  # fmt: skip
SHOWS = (
    ("The Winter Tides", "Orpheum Hall"),
    ("Copper Moon Quartet", "Lyric Theatre"),
    ("An Evening of Tango", "City Playhouse"),
    ("The Paper Kings", "Granary Stage"),
    ("Symphony No. 7", "Concert House"),
    ("Stand-up Marathon", "The Basement Club"),
)
LABELS = (
    "Receipts",
    "Travel",
    "Work",
    "Family",
    "Finance",
    "Clients",
    "Newsletters",
    "Home",
    "Follow up",
    "Taxes",
    "Health",
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
