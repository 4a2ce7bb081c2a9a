"""How requests to fill in a form begin."""

from __future__ import annotations

OPENINGS: dict[str, tuple[str, ...]] = {
    "letter": (
        "use \u201c{labels.letters}\u201d to send a message with",
        "fill in the form \u201c{labels.letters}\u201d and send it, with",
        "write to the team through \u201c{labels.letters}\u201d, with",
        "send a message from the page \u201c{labels.letters}\u201d with",
    ),
    "event": (
        "submit {labels.event} under {labels.events} with",
        "add {labels.event} of my own to {labels.events}, with",
        "under {labels.events}, hand in {labels.event} with",
        "fill in the form for {labels.event} ({labels.events}) and submit it, with",
    ),
    "advert": (
        "place {labels.advert} under {labels.adverts} with",
        "under {labels.adverts}, put in {labels.advert} with",
        "fill in the form for {labels.advert} ({labels.adverts}) and place it, with",
        "add {labels.advert} to {labels.adverts}, with",
    ),
    "comment": (
        "post a {labels.comment} on {title} with",
        "leave a {labels.comment} below {title}, with",
        "write a {labels.comment} on {title} and post it, with",
        "go to {title} and add a {labels.comment} with",
    ),
    "reply": (
        "reply to the {labels.comment} by {name} on {title} with",
        "answer the {labels.comment} that {name} left below {title} with",
        "below {title}, write a reply to {name} with",
        "go to {title} and reply to what {name} wrote, with",
    ),
    "feedback": (
        "send feedback on {title} with",
        "rate {title} with the feedback form, with",
        "go to {title} and fill in the feedback form with",
        "give feedback on {title}: send the form with",
    ),
    "subscription": (
        "take out a subscription (\u201c{labels.subscribe}\u201d) with",
        "go through \u201c{labels.subscribe}\u201d to the end, with",
        "order a plan under \u201c{labels.subscribe}\u201d with",
        "sign up under \u201c{labels.subscribe}\u201d, with",
    ),
    "newsletters": (
        "change my preferences under {labels.newsletters} to",
        "set up {labels.newsletters} with",
        "under {labels.newsletters}, save these preferences:",
        "go to {labels.newsletters} and save",
    ),
    "settings": (
        "change my account settings to",
        "in the account settings, save",
        "update the account settings with",
        "go to the account settings and set",
    ),
}
