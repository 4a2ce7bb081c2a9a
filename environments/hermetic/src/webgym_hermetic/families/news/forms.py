"""The forms of a site: what they ask for, and what is wrong with what was filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta

from webgym_hermetic.families.news.records import Field, Form, Labels, Letter, Plan, Section

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+")
_PRICE = re.compile(r"\d{1,5}(\.\d{2})?")
_LONGEST = 2000
TIMES = tuple((f"{hour}:00", f"{(hour - 1) % 12 + 1}:00 {'am' if hour < 12 else 'pm'}") for hour in range(9, 22, 2))


_STEPWISE = {
    "broadsheet": ("subscription",),
    "reader": ("subscription", "event"),
    "portal": ("event", "advert"),
    "wiki": ("subscription",),
}


def stepwise(structure: str, form: Form) -> bool:
    """Whether a form is filled in step by step, with a last look before it is sent."""
    return form.name in _STEPWISE.get(structure, ())


def problems(form: Form, values: Mapping[str, str]) -> dict[str, str]:
    """What is wrong, by field; empty if the form can be accepted."""
    found = {field.name: problem(field, values.get(field.name, "")) for field in form.fields}
    return {name: text for name, text in found.items() if text}


def problem(field: Field, value: str) -> str:
    """What is wrong with one value, or nothing."""
    if not value.strip():
        return f"Please fill in: {field.label.lower()}." if field.required and field.kind != "toggle" else ""
    match field.kind:
        case _ if len(value) > _LONGEST:
            return "This is too long."
        case "email":
            return "" if _EMAIL.fullmatch(value.strip()) else "This is not an e-mail address."
        case "choice":
            return "" if value in dict(field.options) else "Please choose one of the options."
        case "date":
            return _date_problem(field, value)
        case "number":
            fits = value.isdecimal() and int(field.low) <= int(value) <= int(field.high)
            return "" if fits else f"Please enter a number from {field.low} to {field.high}."
        case "price":
            return "" if _PRICE.fullmatch(value.strip()) else "Please enter an amount such as 12 or 12.50."
        case _:
            short = len(value.strip()) < (2 if field.kind == "toggle" else 3)
            return "Please write at least 3 characters." if short else ""


def cleaned(form: Form, values: Mapping[str, str]) -> dict[str, str]:
    """The values of the form's fields, without blanks around them."""
    return {field.name: values.get(field.name, "").strip() for field in form.fields}


def shown_value(field: Field, value: str) -> str:
    """A value as people read it."""
    match field.kind:
        case "choice":
            return dict(field.options).get(value, value)
        case "toggle":
            return "Yes" if value == "on" else "No"
        case "date" if value:
            day = date.fromisoformat(value)
            return f"{day:%B} {day.day}, {day.year}"
        case _:
            return value


def draw_forms(
    labels: Labels,
    sections: tuple[Section, ...],
    kinds: tuple[tuple[str, ...], tuple[str, ...]],
    letters: tuple[Letter, ...],
    plans: tuple[Plan, ...],
    who: tuple[str, str, str],
    *,
    docs: bool,
) -> dict[str, Form]:
    """All forms of a site by name. `who` is the reader, their e-mail address and today."""
    reader, email, today = who
    forms = (
        _letter(labels, reader, email, docs=docs),
        _event(labels, kinds[0], email, today),
        _advert(labels, kinds[1], email),
        *_article_forms(labels, docs=docs),
        _subscription(labels, plans, reader, email, today),
        _newsletters(labels, letters, email),
        _settings(sections, reader, docs=docs),
    )
    return {form.name: form for form in forms}


def _letter(labels: Labels, reader: str, email: str, *, docs: bool) -> Form:
    desks = ("Corrections", "Letters page", "News desk", "Subscriptions")
    if docs:
        desks = ("Missing page", "Wrong information", "Translation", "Accounts")
    fields = (
        Field("desk", "To", "choice", tuple((one.lower().replace(" ", "-"), one) for one in desks)),
        Field("subject", "Subject"),
        Field("message", "Message", "area"),
        Field("town", "Town"),
    )
    own = (
        Field("name", "Your name", default=reader),
        Field("email", "E-mail", "email", default=email),
        Field("public", "You may publish this with my name", "toggle"),
    )
    title = labels.letters
    return Form(
        "letter", title, "/letters", "Send", "letter", "Thank you. We read everything.",
        (("Your message", fields), ("About you", own)),
        "We answer within three working days. Letters may be shortened.",
    )  # fmt: skip


def _event(labels: Labels, kinds: tuple[str, ...], email: str, today: str) -> Form:
    start = date.fromisoformat(today) + timedelta(days=1)
    what = (
        Field("title", "Title"),
        Field("kind", "Category", "choice", tuple((kind.lower(), kind) for kind in kinds)),
        Field("text", "Description", "area", required=False),
    )
    when = (
        Field("date", "Date", "date", low=start.isoformat(), high=(start + timedelta(days=120)).isoformat()),
        Field("time", "Start", "choice", TIMES),
        Field("venue", "Venue"),
    )
    more = (
        Field("price", "Ticket price", "price", help="In dollars; 0 if it is free."),
        Field("places", "Places", "number", default="20", low="1", high="60"),
        Field("email", "Contact e-mail", "email", default=email),
    )
    return Form(
        "event", f"Submit {labels.event}", "/events/new", "Submit", labels.event.split(" ", 1)[-1],
        "Thank you. Your entry will be checked by the editors.",
        (("What", what), ("When and where", when), ("Details", more)),
        "Entries are free and appear within a day.",
    )  # fmt: skip


def _advert(labels: Labels, kinds: tuple[str, ...], email: str) -> Form:
    what = (
        Field("kind", "Category", "choice", tuple((kind.lower().replace(" ", "-"), kind) for kind in kinds)),
        Field("title", "Title"),
        Field("text", "Text", "area"),
    )
    terms = (
        Field("price", f"{labels.price_word} in dollars", "price"),
        Field("town", "Town"),
        Field("days", "Days online", "number", default="14", low="7", high="30"),
        Field("email", "Contact e-mail", "email", default=email),
        Field("bold", "Print in bold", "toggle"),
    )
    return Form(
        "advert", f"Place {labels.advert}", "/classifieds/new", "Place it", labels.advert.split(" ", 1)[-1],
        "Thank you. Your advert goes online within the hour.", (("The advert", what), ("Terms", terms)),
    )  # fmt: skip


def _article_forms(labels: Labels, *, docs: bool) -> tuple[Form, ...]:
    shown = (("full", "Full name"), ("initials", "Initials"), ("anonymous", "Anonymous"))
    comment = (
        Field("text", f"Your {labels.comment}", "area"),
        Field("shown", "Show me as", "choice", shown, default="full"),
        Field("notify", "Tell me about replies", "toggle"),
    )
    reply = (Field("text", "Your reply", "area"),)
    reasons = ("Out of date", "Hard to follow", "Missing example", "Typing error")
    if not docs:
        reasons = ("Too long", "Hard to follow", "Missing background", "Typing error")
    feedback = (
        Field("helpful", "Was this helpful?", "choice", (("yes", "Yes"), ("partly", "Partly"), ("no", "No"))),
        Field(
            "reason", "What could be better?", "choice", tuple((one.lower().replace(" ", "-"), one) for one in reasons)
        ),
        Field("text", "Suggestion", "area", required=False),
    )
    return (
        Form("comment", labels.comments, "{target}/comment", "Post", labels.comment, "Posted.", (("", comment),)),
        Form("reply", "Reply", "{target}/reply", "Reply", "reply", "Your reply is online.", (("", reply),)),
        Form(
            "feedback", f"Rate this {labels.article}", "{target}/feedback", "Send feedback", "feedback",
            "Thank you for your feedback.", (("", feedback),),
        ),
    )  # fmt: skip


def _subscription(labels: Labels, plans: tuple[Plan, ...], reader: str, email: str, today: str) -> Form:
    start = date.fromisoformat(today)
    chosen = (
        Field("plan", "Plan", "choice", tuple((plan.id, plan.name) for plan in plans)),
        Field("period", "Billing", "choice", (("monthly", "Monthly"), ("yearly", "Yearly"))),
        Field(
            "start", "Starts on", "date",
            low=(start + timedelta(days=1)).isoformat(), high=(start + timedelta(days=90)).isoformat(),
        ),
    )  # fmt: skip
    address = (
        Field("name", "Name", default=reader),
        Field("street", "Street and number"),
        Field("city", "City"),
        Field("postcode", "Postcode"),
        Field("email", "E-mail", "email", default=email),
    )
    ways = (("card", "Card"), ("transfer", "Bank transfer"), ("invoice", "Invoice"))
    pay = (
        Field("payment", "Payment", "choice", ways),
        Field("renew", "Renew automatically", "toggle"),
        Field("code", "Voucher code", required=False),
    )
    return Form(
        "subscription", labels.subscribe, "/subscribe", "Subscribe", "subscription", "Your subscription is set up.",
        (("Plan", chosen), ("Address", address), ("Payment", pay)), "Cancel at any time.",
    )  # fmt: skip


def _newsletters(labels: Labels, letters: tuple[Letter, ...], email: str) -> Form:
    picks = tuple(Field(letter.id, letter.title, "toggle", help=letter.text) for letter in letters)
    often = (("daily", "Daily"), ("weekly", "Weekly"), ("monthly", "Monthly"))
    how = (
        Field("frequency", "How often", "choice", often, default="daily"),
        Field("format", "Format", "choice", (("full", "Full text"), ("short", "Headlines only")), default="full"),
        Field("email", "Send to", "email", default=email),
    )
    return Form(
        "newsletters", labels.newsletters, "/newsletters", "Save preferences", "preferences",
        "Your preferences have been saved.", (("Choose", picks), ("Delivery", how)), keeps=True,
    )  # fmt: skip


def _settings(sections: tuple[Section, ...], reader: str, *, docs: bool) -> Form:
    editions = ("English", "Simple English", "Large print") if docs else ("Morning", "Evening", "Weekend")
    reading = (
        Field("edition", "Edition", "choice", tuple((one.lower().replace(" ", "-"), one) for one in editions)),
        Field("size", "Text size", "choice", (("small", "Small"), ("medium", "Medium"), ("large", "Large"))),
        Field("start", "Start with", "choice", (("front", "Front page"), *((one.id, one.title) for one in sections))),
        Field("images", "Show pictures", "toggle"),
    )
    alerts = (
        Field("name", "Display name", default=reader),
        Field("replies", "Notify me about replies", "toggle"),
        Field("digest", "Send a weekly digest", "toggle"),
        Field(
            "alerts",
            "Alerts",
            "choice",
            (("all", "All alerts"), ("important", "Important only"), ("none", "No alerts")),
        ),
    )
    return Form(
        "settings", "Account settings", "/account", "Save settings", "settings", "Your settings have been saved.",
        (("Reading", reading), ("Notifications", alerts)), keeps=True,
    )  # fmt: skip


def sample_value(field: Field) -> str:
    """Something acceptable, for fields that nobody asked about."""
    if field.default:
        return field.default
    match field.kind:
        case "choice":
            return field.options[0][0]
        case "date":
            return field.low
        case "number":
            return field.low
        case "price":
            return "10"
        case "email":
            return "reader@example.org"
        case "toggle":
            return ""
        case _:
            return "Not given" if field.required else ""


def _date_problem(field: Field, value: str) -> str:
    try:
        day = date.fromisoformat(value.strip()).isoformat()
    except ValueError:
        return "Please enter a date such as 2026-03-14."
    return "" if field.low <= day <= field.high else f"Please choose a date from {field.low} to {field.high}."
