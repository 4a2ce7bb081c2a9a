"""Errands on travel sites."""

from __future__ import annotations

from webgym_hermetic.errand import Errand
from webgym_hermetic.families.travel.errands.changes import AmendBooking, EndBooking, MoveStay
from webgym_hermetic.families.travel.errands.comparing import CompareHotels, CountStays, TellBestTrip
from webgym_hermetic.families.travel.errands.facts import TellCity, TellHotel, TellPrice, TellReview, TellRule
from webgym_hermetic.families.travel.errands.keeping import DropPlace, KeepPlaces, SetAlert, SetSettings
from webgym_hermetic.families.travel.errands.showing import OpenHotel, ShowStays, ShowTrips
from webgym_hermetic.families.travel.errands.stay import BookStay
from webgym_hermetic.families.travel.errands.trip import BookTrip
from webgym_hermetic.families.travel.errands.writing import SendMessage, WriteReview

ERRANDS: tuple[type[Errand], ...] = (
    AmendBooking, BookStay, BookTrip, CompareHotels, CountStays, DropPlace, EndBooking, KeepPlaces, MoveStay, OpenHotel,
    SendMessage, SetAlert, SetSettings, ShowStays, ShowTrips, TellBestTrip, TellCity, TellHotel, TellPrice, TellReview,
    TellRule, WriteReview,
)  # fmt: skip
