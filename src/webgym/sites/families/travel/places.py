"""Cities that could be: names, the countries they lie in and what a visitor asks about them."""

from __future__ import annotations

from typing import NamedTuple


class Country(NamedTuple):
    """Where invented cities lie. Names that are alike stand side by side."""

    name: str
    currency: str
    language: str
    cities: tuple[str, ...]


COUNTRIES = (
    Country(
        "Portugal",
        "Euro",
        "Portuguese",
        (
            "Vila Serena", "Vila Severa", "Porto Claro", "Porto Clarim",
            "Alvarinha", "Montelvo", "Costa Lume", "Ribamar Novo",
        ),
    ),
    Country(
        "Spain",
        "Euro",
        "Spanish",
        (
            "Puerto Lindo", "Puerto Linares", "Valdemora", "Valdemara",
            "Santa Rocia", "Almenira", "Castelmar", "Sierra Alba",
        ),
    ),
    Country(
        "Italy",
        "Euro",
        "Italian",
        (
            "San Corvino", "San Corvello", "Montefalda", "Rivabella",
            "Portovero", "Castel Brina", "Lagomare", "Torre Alma",
        ),
    ),
    Country(
        "France",
        "Euro",
        "French",
        (
            "Saint-Aurel", "Saint-Auriel", "Beaumarais", "Valcourt",
            "Port-Lavande", "Montclair-sur-Mer", "Rochebelle", "Argenteau",
        ),
    ),
    Country(
        "Germany",
        "Euro",
        "German",
        ("Altenfurt", "Altenfeld", "Seebrunn", "Lindwald", "Neuhaven", "Kronbach", "Rosental", "Westerau"),
    ),
    Country(
        "Norway",
        "Krone",
        "Norwegian",
        ("Bjornvik", "Bjornvang", "Solhavn", "Fjellstad", "Nordnes", "Eidsund", "Langoya", "Storvik"),
    ),
    Country(
        "Greece",
        "Euro",
        "Greek",
        ("Agia Thalia", "Agia Thalassa", "Kalithea Bay", "Nea Myrtos", "Argostos", "Livadion", "Petrokampos", "Skaros"),
    ),
    Country(
        "Croatia",
        "Euro",
        "Croatian",
        ("Novi Zadrin", "Novi Zadar", "Crikvela", "Lumbarda Bay", "Starograd", "Otocina", "Vela Rijeka", "Brodisce"),
    ),
    Country(
        "Scotland",
        "Pound",
        "English",
        ("Kinlorran", "Kinlorrach", "Inverlay", "Strathmoor", "Port Ellery", "Dunmarrow", "Glenhaven", "Auchterbay"),
    ),
    Country(
        "Japan",
        "Yen",
        "Japanese",
        ("Minasawa", "Minazawa", "Kurohama", "Takeura", "Shirayama", "Hanamori", "Aokawa", "Tsukino"),
    ),
    Country(
        "Morocco",
        "Dirham",
        "Arabic",
        ("Ait Zaruk", "Ait Zarim", "Sidi Marouf Bay", "Tamezret", "Asfalou", "Dar Nouria", "Oued Laura", "Mersa Kbir"),
    ),
    Country(
        "Mexico",
        "Peso",
        "Spanish",
        (
            "San Telmo", "San Telesforo", "Bahia Coral", "Cerro Azulado",
            "Playa Ventura", "Tulmara", "Valle Dorado", "Isla Perla",
        ),
    ),
)  # fmt: skip

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip

DISTRICTS = (
    "Old Town", "Harbour", "Riverside", "Station Quarter", "Market Square", "Castle Hill", "Beachfront",
    "Garden District", "University", "Cathedral Quarter", "North Shore", "Lakeside", "Botanic Park", "Theatre Row",
)  # fmt: skip

STREETS = (
    "Harbour Street", "Mill Lane", "Castle Road", "Quay Street", "Orchard Avenue", "Station Road", "Chapel Street",
    "Linden Avenue", "Lighthouse Road", "Market Street", "Bridge Street", "Garden Walk", "Tower Street", "Canal Road",
    "Mariner Way", "Juniper Street",
)  # fmt: skip

SIGHTS = (
    "Lighthouse Museum", "Old Mint", "Glass Pavilion", "Maritime Gallery", "Clock Tower", "Palm House", "Stone Bridge",
    "Cable Car", "Summer Palace", "Fishermen's Hall", "Citadel", "Amber Museum", "Tile Museum", "Opera House",
    "Salt Works",
)  # fmt: skip

DISHES = (
    "grilled sardines", "saffron rice", "lemon almond cake", "smoked trout", "lamb stew with figs", "chestnut soup",
    "sea bass in salt", "honey pastries", "potato dumplings", "spiced chickpeas", "wild berry tart", "clam noodles",
    "rye flatbread", "plum brandy cake",
)  # fmt: skip

BLURBS = (
    (
        "{city} is a town of steep lanes, tiled fronts and long evenings. Most visitors come for the "
        "{sight} and stay for the food."
    ),
    "Between the hills and the water, {city} moves at its own pace. Start at the {sight}, then follow the promenade.",
    "A working port with a bright old centre, {city} is small enough to walk and large enough to get lost in.",
    "Markets in the morning, concerts at night: {city} is one of the liveliest places in {country}.",
    "{city} rewards slow travel. Give the {sight} a morning and leave the afternoon for the cafes around {district}.",
    "Known for its light and its {dish}, {city} has drawn painters to {country} for two hundred years.",
)
