"""The help centre: the rules of a site."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.modes import Mode
from webgym_hermetic.families.travel.world import Fare, Focus, HelpPage, HelpRow


def help_pages(rng: Rng, fares: tuple[Fare, ...], mode: Mode, focus: Focus) -> tuple[HelpPage, ...]:
    """The articles that fit what a site sells."""
    pages = (
        _luggage(rng.fork("luggage"), fares, mode) if focus != "stays" else None,
        _changes(rng.fork("changes"), fares, mode) if focus != "stays" else None,
        _arrival(rng.fork("arrival")) if focus != "trips" else None,
        _cancelling(rng.fork("cancelling")),
        _children(rng.fork("children")),
        _paying(rng.fork("paying")),
        _reaching(rng.fork("reaching")),
    )
    return tuple(page for page in pages if page)


def _luggage(rng: Rng, fares: tuple[Fare, ...], mode: Mode) -> HelpPage:
    extra = rng.between(9, 45)
    sport = rng.between(20, 60)
    allowances = tuple(
        HelpRow(
            id=fare.id,
            label=fare.name,
            text=f"{fare.bags} {'piece' if fare.bags == 1 else 'pieces'} of up to {fare.kilos} kg each",
            question=f"how many kilograms one piece of luggage may weigh in {fare.name}",
            value=f"{fare.kilos}",
        )
        for fare in fares
        if fare.bags
    )
    rows = (
        *allowances,
        _row(
            "extra",
            "Extra piece of luggage",
            f"${extra} when booked online",
            "what an extra piece of luggage costs",
            extra,
        ),
        _row("sport", "Sports equipment", f"${sport} for each way", "what sports equipment costs each way", sport),
        _row(
            "hand",
            "Hand luggage",
            f"One bag of up to {(kilos := rng.between(7, 12))} kg",
            "how many kilograms hand luggage may weigh",
            kilos,
        ),
    )
    intro = f"What you can bring on our {mode.many} depends on your fare."
    return HelpPage(id="luggage", title="Luggage allowance", icon="luggage", intro=intro, rows=rows)


def _changes(rng: Rng, fares: tuple[Fare, ...], mode: Mode) -> HelpPage:
    fees = tuple(
        _row(
            fare.id,
            f"Changes in {fare.name}",
            f"${fare.change_fee // 100} for each traveller",
            f"what changing a {fare.name} ticket costs",
            fare.change_fee // 100,
        )
        for fare in fares
        if fare.change_fee
    )
    hours, minutes = rng.between(2, 36), rng.between(4, 18) * 5
    rows = (
        *fees,
        _row(
            "deadline",
            "Last moment for changes",
            f"{hours} hours before departure",
            "how many hours before departure changes are possible at the latest",
            hours,
        ),
        _row(
            "boarding",
            "Boarding closes",
            f"{minutes} minutes before departure",
            "how many minutes before departure boarding closes",
            minutes,
        ),
    )
    intro = f"Plans change. Here is what a new {mode.one} costs you."
    return HelpPage(id="changes", title="Changing a ticket", icon="repeat", intro=intro, rows=rows)


def _arrival(rng: Rng) -> HelpPage:
    late, cot, age = rng.between(20, 23), rng.between(5, 20), rng.between(16, 21)
    rows = (
        _row(
            "late",
            "Late arrival",
            f"Call the hotel if you arrive after {late}:00",
            "after what time guests should call the hotel",
            f"{late}:00",
        ),
        _row("cot", "Baby cots", f"${cot} a stay", "what a baby cot costs for a stay", cot),
        _row("age", "Minimum age", f"The lead guest must be at least {age}", "how old the lead guest must be", age),
    )
    return HelpPage(
        id="arrival", title="Arriving at your hotel", icon="bed", intro="What to know before you check in.", rows=rows
    )


def _cancelling(rng: Rng) -> HelpPage:
    days, share, fee = rng.between(5, 21), rng.between(4, 16) * 5, rng.between(8, 35)
    rows = (
        _row(
            "refund",
            "Refunds",
            f"Paid back within {days} working days",
            "within how many working days refunds are paid",
            days,
        ),
        _row(
            "share",
            "Late cancellation",
            f"{share}% of the price is kept",
            "what percentage is kept on a late cancellation",
            share,
        ),
        _row("fee", "Handling fee", f"${fee} by phone, free online", "the handling fee for cancelling by phone", fee),
    )
    return HelpPage(
        id="cancelling",
        title="Cancellation rules",
        icon="x-circle",
        intro="How to cancel, and what you get back.",
        rows=rows,
    )


def _children(rng: Rng) -> HelpPage:
    free, discount, alone = rng.between(2, 5), rng.between(3, 10) * 5, rng.between(12, 15)
    rows = (
        _row("free", "Free of charge", f"Children under {free} years", "under what age children go free", free),
        _row(
            "discount",
            "Children's discount",
            f"{discount}% up to 11 years",
            "the children's discount in percent",
            discount,
        ),
        _row("alone", "Travelling alone", f"From {alone} years", "from what age children may travel alone", alone),
    )
    return HelpPage(
        id="children",
        title="Children and families",
        icon="baby",
        intro="Prices and rules for younger guests.",
        rows=rows,
    )


def _paying(rng: Rng) -> HelpPage:
    hold, minimum, months = rng.between(12, 72), rng.between(8, 40) * 10, rng.between(3, 12)
    rows = (
        _row(
            "hold",
            "Bank transfer",
            f"We hold your booking for {hold} hours",
            "for how many hours a booking is held for a bank transfer",
            hold,
        ),
        _row(
            "minimum",
            "Paying by instalments",
            f"From ${minimum}",
            "from what amount paying by instalments is possible",
            minimum,
        ),
        _row("vouchers", "Vouchers", f"Valid for {months} months", "for how many months vouchers are valid", months),
    )
    return HelpPage(
        id="paying", title="Payment", icon="credit-card", intro="Ways to pay and what they mean.", rows=rows
    )


def _reaching(rng: Rng) -> HelpPage:
    hotline, groups = words.phone(rng.fork("hotline")), words.phone(rng.fork("groups"))
    opens, closes = f"0{rng.between(6, 9)}:00", f"{rng.between(17, 22)}:00"
    rows = (
        _row("hotline", "Customer service", hotline, "the phone number of customer service", hotline),
        _row("groups", "Group bookings", groups, "the phone number for group bookings", groups),
        _row("opens", "Lines open", f"Every day from {opens}", "from what time the phone lines are open", opens),
        _row("closes", "Lines close", f"Every day at {closes}", "at what time the phone lines close", closes),
    )
    return HelpPage(id="reaching", title="Talk to us", icon="phone", intro="People who can help, by phone.", rows=rows)


def _row(key: str, label: str, text: str, question: str, value: object) -> HelpRow:
    return HelpRow(id=key, label=label, text=text, question=question, value=str(value))
