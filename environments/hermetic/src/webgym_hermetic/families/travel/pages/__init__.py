"""Pages of travel sites. Importing this registers them all."""

from __future__ import annotations

from webgym_hermetic.families.travel.pages import (
    account,
    book,
    bookings,
    desk,
    home,
    hotel,
    places,
    plan,
    results,
    trip,
)

__all__ = ["account", "book", "bookings", "desk", "home", "hotel", "places", "plan", "results", "trip"]
