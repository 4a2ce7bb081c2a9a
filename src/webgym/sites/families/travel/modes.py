"""Ways to travel: what each calls its departures, its fares and its operators."""

from __future__ import annotations

from typing import NamedTuple


class FareWords(NamedTuple):
    """One class of travel, as sold."""

    id: str
    name: str
    percent: int
    """Price against the cheapest."""
    bags: int
    kilos: tuple[int, ...]
    """What one piece of luggage may weigh: one of these."""
    change_fee: tuple[int, ...]
    """In whole units of money: one of these."""
    refundable: bool


class Mode(NamedTuple):
    """A way to travel."""

    id: str
    one: str
    many: str
    title: str
    icon: str
    picture: str
    stop: str
    """A place where it calls: airport, station."""
    operators: tuple[str, ...]
    codes: tuple[str, ...]
    fares: tuple[FareWords, ...]
    speed: float
    """Minutes for each unit of distance on the map."""
    base: int
    """Minutes that every journey takes."""
    price: float
    """Units of money for each unit of distance."""


FLIGHTS = Mode(
    "flights", "flight", "flights", "Flights", "plane", "plane", "airport",
    ("Aerovia", "Skylark Air", "Northwind", "Meridian Jet", "BlueCrest Air", "Cirro"),
    ("AV", "SL", "NW", "MJ", "BC", "CI"),
    (
        FareWords("light", "Light", 100, 0, (0,), (60, 70, 80), refundable=False),
        FareWords("classic", "Classic", 135, 1, (20, 23, 25), (30, 35, 40), refundable=False),
        FareWords("flex", "Flex", 190, 2, (23, 28, 32), (0,), refundable=True),
    ),
    1.1, 55, 1.6,
)  # fmt: skip
TRAINS = Mode(
    "trains", "train", "trains", "Trains", "train", "train", "station",
    ("RailNova", "InterCity Blue", "TransLinea", "Coastline Rail", "Allegra", "Vector"),
    ("RN", "IC", "TL", "CR", "AL", "VE"),
    (
        FareWords("saver", "Second class Saver", 100, 2, (18, 20, 22), (20, 25), refundable=False),
        FareWords("standard", "Second class Standard", 128, 2, (24, 25, 26), (10, 12, 15), refundable=True),
        FareWords("first", "First class", 185, 3, (28, 30, 32), (0,), refundable=True),
    ),
    4.2, 35, 0.8,
)  # fmt: skip
FERRIES = Mode(
    "ferries", "ferry", "ferries", "Ferries", "ship", "ship", "port",
    ("Blue Channel", "Island Lines", "Seabridge", "Halcyon Ferries", "Maris", "Nordsund"),
    ("BL", "IL", "SB", "HF", "MA", "NS"),
    (
        FareWords("deck", "Deck", 100, 1, (25, 30), (15, 20), refundable=False),
        FareWords("lounge", "Lounge seat", 140, 2, (32, 35), (8, 10), refundable=True),
        FareWords("cabin", "Cabin", 230, 3, (40, 45), (0,), refundable=True),
    ),
    6.5, 60, 0.6,
)  # fmt: skip
COACHES = Mode(
    "coaches", "coach", "coaches", "Coaches", "bus", "bus", "terminal",
    ("GreenLine", "Roadstar", "CityHopper", "Estrada", "Kilometro", "Viaplus"),
    ("GL", "RS", "CH", "ES", "KM", "VP"),
    (
        FareWords("standard", "Standard", 100, 1, (20, 23), (8, 10), refundable=False),
        FareWords("comfort", "Comfort", 130, 2, (25, 28), (4, 5, 6), refundable=True),
        FareWords("plus", "Plus", 165, 3, (30, 32), (0,), refundable=True),
    ),
    5.6, 30, 0.4,
)  # fmt: skip
MODES = {mode.id: mode for mode in (FLIGHTS, TRAINS, FERRIES, COACHES)}
