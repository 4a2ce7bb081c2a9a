"""Goals on travel sites."""

from __future__ import annotations

from webgym_hermetic.families.travel.goals.changes import AmendBooking, EndBooking, MoveStay
from webgym_hermetic.families.travel.goals.comparing import CompareHotels, CountStays, TellBestTrip
from webgym_hermetic.families.travel.goals.facts import TellCity, TellHotel, TellPrice, TellReview, TellRule
from webgym_hermetic.families.travel.goals.keeping import DropPlace, KeepPlaces, SetAlert, SetSettings
from webgym_hermetic.families.travel.goals.showing import OpenHotel, ShowStays, ShowTrips
from webgym_hermetic.families.travel.goals.stay import BookStay
from webgym_hermetic.families.travel.goals.trip import BookTrip
from webgym_hermetic.families.travel.goals.writing import SendMessage, WriteReview
from webgym_hermetic.goal import Goal

GOALS: tuple[type[Goal], ...] = (
    AmendBooking, BookStay, BookTrip, CompareHotels, CountStays, DropPlace, EndBooking, KeepPlaces, MoveStay, OpenHotel,
    SendMessage, SetAlert, SetSettings, ShowStays, ShowTrips, TellBestTrip, TellCity, TellHotel, TellPrice, TellReview,
    TellRule, WriteReview,
)  # fmt: skip
