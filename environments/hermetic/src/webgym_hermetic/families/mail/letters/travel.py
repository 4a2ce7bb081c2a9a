"""Flights, hotels and trains."""

from __future__ import annotations

from webgym_hermetic.families.mail.letters.pen import (
    Line,
    Pen,
    Plot,
    after,
    decimal,
    detail,
    house,
    money,
    short,
    spoken,
)  # fmt: skip
from webgym_hermetic.families.mail.words import mail_words


def flight(pen: Pen) -> list[Plot]:
    airline, letters = pen.rng.pick(mail_words().airlines)
    start, end = pen.rng.sample(mail_words().cities, 2)
    number, booking = f"{letters} {pen.rng.between(102, 989)}", pen.code("@@@@@#")
    on, leaves = pen.day(2, 32), pen.time(6, 19)
    hour, minute = leaves.split(":")
    lands = f"{int(hour) + pen.rng.between(2, 4):02d}:{(int(minute) + 5) % 60:02d}"
    seat, gate = f"{pen.rng.between(4, 31)}{pen.rng.pick('ABCDEF')}", f"{pen.rng.pick('ABC')}{pen.rng.between(1, 48)}"
    fare = pen.cents(89, 640)
    lines = [
        Line(
            house(airline, "bookings"),
            (
                pen.hello,
                f"thank you for flying with {airline}. Your trip from {start} to {end} is booked.",
                f"Booking code: {booking}. Flight {number} on {spoken(on)}, departure {leaves}, arrival {lands}.",
                f"Seat: {seat}. Baggage: one bag of 23 kg. Total fare: {money(fare)}.",
                "Check-in opens 24 hours before departure.",
            ),
            (pen.file(f"itinerary-{booking}.pdf", 90, 420),),
        )
    ]
    old: list[str] = []
    if pen.rng.chance(0.5):
        old = [leaves]
        leaves = f"{int(hour) + 1:02d}:{(int(minute) + 20) % 60:02d}"
        change = f"flight {number} on {spoken(on)} now leaves at {leaves}. We are sorry for the change."
        more = f"It boards at gate {gate}. Your seat and your booking code stay the same."
        lines.append(Line(house(airline, "bookings"), (pen.hello, change, more), wait=pen.rng.between(900, 4000)))
    return [
        Plot(
            "flight",
            f"{airline} booking {booking}: {start} to {end}",
            tuple(lines),
            (
                detail(
                    "leaves",
                    f"at what time flight {number} leaves now" if old else "the departure time",
                    "time",
                    leaves,
                    old,
                ),
                detail("flight", "the flight number", "text", number),
                detail("flies", "the date of the flight", "date", on),
                detail("seat", "the seat", "text", seat),
                detail("fare", "the total fare", "money", decimal(fare)),
            ),
            labels=("Travel",),
        )
    ]


def hotel(pen: Pen) -> list[Plot]:
    name, city = pen.rng.pick(mail_words().hotels), pen.rng.pick(mail_words().cities)
    number = pen.code("#######")
    arrive, nights = pen.day(2, 34), pen.rng.between(2, 6)
    night = pen.cents(72, 240)
    street = f"{pen.rng.between(2, 140)} {pen.rng.pick(mail_words().streets)}"
    free = after(arrive, -pen.rng.between(1, 3))
    body = (
        pen.hello,
        f"we look forward to welcoming you at {name} in {city}.",
        f"Confirmation number: {number}. Check-in: {spoken(arrive)} from 15:00. Nights: {nights}.",
        f"Price per night: {money(night)}. Total for your stay: {money(night * nights)}, paid at the hotel.",
        f"You find us at {street}, {city}. You can cancel free of charge until {spoken(free)}.",
        pen.say(
            "Breakfast is served from 6:30 to 10:00.",
            "Parking is available behind the house.",
            "The pool opens at 7:00.",
        ),
    )
    return [
        Plot(
            "hotel",
            f"{name}, {city}: your stay from {short(arrive)}",
            (Line(house(name, "reservations"), body),),
            (
                detail("stay", "the total price of the stay", "money", decimal(night * nights), [decimal(night)]),
                detail("confirmation", "the confirmation number", "text", number),
                detail("cancel", "until which date you can cancel free of charge", "date", free, [arrive]),
                detail("nights", "how many nights are booked", "number", str(nights)),
                detail("hotel street", "the street address of the hotel", "text", street),
            ),
            labels=("Travel",),
        )
    ]


def train(pen: Pen) -> list[Plot]:
    start, end = pen.rng.sample(mail_words().cities, 2)
    on, leaves = pen.day(1, 28), pen.time(6, 20)
    coach, seat, platform = pen.rng.between(2, 14), pen.rng.between(3, 88), pen.rng.between(1, 12)
    fare, order = pen.cents(18, 140), pen.code("T-######")
    body = (
        pen.hello,
        f"your train ticket from {start} to {end} is attached.",
        f"Date: {spoken(on)}. Departure: {leaves} from platform {platform}. Order: {order}.",
        f"Reserved: coach {coach}, seat {seat}. Paid: {money(fare)}.",
        pen.say(
            "Tickets are checked on board.",
            "Bicycles need a reservation of their own.",
            "The buffet car is next to coach 7.",
        ),
    )
    return [
        Plot(
            "train",
            f"Train ticket {order}: {start} to {end}",
            (Line(house("Continental Rail", "tickets"), body, (pen.file(f"ticket-{order.lower()}.pdf", 60, 210),)),),
            (
                detail("platform", "the departure platform", "number", str(platform), [str(coach), str(seat)]),
                detail("coach", "the number of the coach", "number", str(coach), [str(platform), str(seat)]),
                detail("departs", "when the train leaves", "time", leaves),
                detail("travels", "the date of the journey", "date", on),
                detail("paid", "the price of the ticket", "money", decimal(fare)),
            ),
            labels=("Travel",),
        )
    ]
