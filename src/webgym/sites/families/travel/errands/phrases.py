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
    "Please send me the invoice for my last trip",
    "My suitcase arrived with a broken wheel",
    "Can I bring a folding bike on board",
    "The confirmation never reached me",
    "I would like to travel with a group of twelve people",
    "I was charged twice for the same booking",
    "Is there a step-free entrance at the hotel",
    "Please correct the spelling of my name on the voucher",
    "I left my umbrella on board last week",
    "Can I change my seat after check-in",
    "We need a room for a wheelchair user",
    "The refund has not arrived yet",
)
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
