"""How wishes are worded."""

from __future__ import annotations

from collections.abc import Sequence

RATE_PHRASES = {
    "saver": "room only and non-refundable",
    "flex": "room only with free cancellation",
    "breakfast": "with breakfast included",
    "half": "with half board",
}
EXTRA_PHRASES = {
    "parking": "a parking space",
    "transfer": "the transfer",
    "insurance": "the insurance",
    "late": "late check-out",
    "cot": "a baby cot",
    "priority": "priority boarding",
    "sms": "text message updates",
}
ARRIVAL_PHRASES = {
    "14-16": "between 2 pm and 4 pm",
    "16-18": "between 4 pm and 6 pm",
    "18-20": "between 6 pm and 8 pm",
    "20-22": "between 8 pm and 10 pm",
    "late": "after 10 pm",
}
SEAT_PHRASES = {"window": "a window seat", "aisle": "an aisle seat", "table": "a seat with extra legroom"}
REQUESTS = (
    "A quiet room away from the lift, please",
    "We would like a room on a high floor",
    "Please put an extra pillow in the room",
    "We celebrate a birthday",
    "Please store our bikes overnight",
    "We need a step-free way to the room",
    "Vegetarian meals, please",
    "Please keep our luggage until the evening",
    "We travel with a service dog",
    "An extra blanket would be nice",
)
MESSAGES = (
    ("booking", "Please send me the invoice for my last trip"),
    ("booking", "The confirmation never reached me"),
    ("booking", "Please correct the spelling of my name on the voucher"),
    ("booking", "Can I change my seat after check-in"),
    ("booking", "I would like to add my sister to the booking"),
    ("refund", "I was charged twice for the same booking"),
    ("refund", "The refund has not arrived yet"),
    ("refund", "Please pay the refund to my other card"),
    ("refund", "How much do I get back if I cancel today"),
    ("luggage", "My suitcase arrived with a broken wheel"),
    ("luggage", "Can I bring a folding bike"),
    ("luggage", "I left my umbrella behind last week"),
    ("luggage", "May I leave two bags after check-out"),
    ("access", "We need a room for a wheelchair user"),
    ("access", "Is there a step-free entrance"),
    ("access", "Can my guide dog come along"),
    ("group", "We are a group of twelve people"),
    ("group", "Please make an offer for a school class of thirty"),
    ("group", "Can a group pay with separate cards"),
    ("press", "I am writing an article about rail travel"),
    ("press", "We run a small hotel and would like to be listed"),
    ("press", "May we use your photos in our magazine"),
)
"""Topic and text."""
REVIEW_TITLES = (
    "A pleasant surprise", "Good beds, thin walls", "We will return", "Great for families", "Best breakfast in town",
    "Nice but noisy", "Friendly people", "Too far from everything", "Spotless and calm", "A bit overpriced",
)  # fmt: skip
REVIEW_TEXTS = (
    "The staff helped us with everything and the room was very clean",
    "Lovely place, although the street outside wakes you up early",
    "Breakfast was generous and the coffee was strong",
    "The view was worth the climb to the fourth floor",
    "We liked the garden and the quiet evenings",
    "The shower was cold twice but they fixed it quickly",
    "Close to the station and easy to find at night",
    "The bed was soft and the curtains kept the light out",
)


def and_join(items: Sequence[str]) -> str:
    """`a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
