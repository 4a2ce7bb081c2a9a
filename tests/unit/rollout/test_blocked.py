"""What rules take for a refusal of a website, and what they leave to the judge."""

from __future__ import annotations

import pytest

from webgym.records.observation import ActionFailure, FailedReason, Observation
from webgym.rollout.blocked import refusal_of

HOME = Observation(1, "https://a.example/", "Acme")
"""An ordinary page of the same website."""


def page(title: str = "Acme", status: int = 200, url: str = "https://a.example/x", **more) -> Observation:
    return Observation(2, url, title, error_status=status if status >= 400 else 0, **more)


@pytest.mark.parametrize(
    "title",
    [
        "Security check list - Wiki",
        "Security check",
        "Re: Access denied on staging - Inbox (3) - Mail",
        "Access denied",
        "[BUG-12] 403 Forbidden when saving a draft - Tracker",
        "403",
        "429 Too Many Requests - MDN",
        "CAPTCHA - Wikipedia",
        "Are you a robot? - Short stories",
        "Just a moment: photographs - Gallery",
        "Just a moment",
        "Unusual traffic on the A7 - News",
        "Request blocked · Issue #7",
        "Verify you are human (design review)",
        "Blocked",
    ],
)
def test_a_title_alone_is_no_refusal(title):
    assert refusal_of([], page(title)) == ""
    assert refusal_of([HOME], page(title, sparse=True)) == "", "a short note of this title, in an application"


@pytest.mark.parametrize(
    ("title", "status", "sparse"),
    [
        ("Permission needed - Tracker", 403, False),
        ("Access denied | Acme", 403, False),
        ("403 Forbidden", 403, False),
        ("Slow down - Forum", 429, False),
        ("Not available in your plan", 451, False),
        ("403 Forbidden", 403, True),
        ("", 403, True),
        ("Acme", 404, True),
        ("Acme", 503, True),
    ],
)
def test_an_applications_own_403_is_no_refusal_of_the_visitor(title, status, sparse):
    assert refusal_of([HOME], page(title, status, sparse=sparse)) == ""


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (page("Just a moment...", 403), "title: Just a moment; status: 403 forbidden"),
        (page("Attention Required! | Cloudflare", 403), "title: Attention Required; status: 403 forbidden"),
        (page("Acme", 403, bot_checks=("datadome",)), "status: 403 forbidden; bot check: datadome"),
        (
            page("Access Denied", 403, sparse=True),
            "status: 403 forbidden; title: Access Denied; little else on the page",
        ),
        (page("Acme", 429, sparse=True), "status: 429 too many requests; little else on the page"),
        (page("Acme", sparse=True, bot_checks=("cloudflare",)), "bot check: cloudflare; little else on the page"),
        (page("Acme - Are you a robot?", bot_checks=("perimeterx",)), "title: Are you a robot; bot check: perimeterx"),
        (
            page("Acme", 429, "https://g.example/sorry/index"),
            "status: 429 too many requests; path: /sorry/index",
        ),
        (page("Acme", url="https://a.example/cdn-cgi/challenge-platform/h/b"), "path: /cdn-cgi/challenge"),
        (page("Acme", url="https://geo.captcha-delivery.com/captcha/"), "host: captcha-delivery.com"),
    ],
)
def test_several_signs_are_a_refusal_even_of_a_website_that_served_before(seen, why):
    assert refusal_of([HOME], seen) == why


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (page("Acme", 403, sparse=True), "status: 403 forbidden; little else on the page"),
        (page("Security check", sparse=True), "title: Security check; little else on the page"),
        (page("Access denied", sparse=True), "title: Access denied; little else on the page"),
    ],
)
def test_a_bare_page_with_one_sign_is_a_refusal_of_a_website_that_served_nothing_else(seen, why):
    assert refusal_of([], seen) == why
    elsewhere = Observation(1, "https://search.example/", "Search")
    assert refusal_of([elsewhere], seen) == why
    assert refusal_of([HOME], seen) == ""


def test_a_page_about_captchas_is_no_refusal():
    assert refusal_of([], page("Captcha", url="https://wiki.example/wiki/captcha")) == ""
    assert refusal_of([], page("hCaptcha", url="https://www.hcaptcha.com/pricing")) == ""


def test_a_contact_form_with_a_captcha_is_no_refusal():
    assert refusal_of([], page("Contact us", bot_checks=("recaptcha",))) == ""


@pytest.mark.parametrize("reason", [FailedReason.EGRESS_REFUSED, FailedReason.NAVIGATION, FailedReason.INVALID_URL])
def test_a_page_that_was_never_reached_is_no_refusal(reason):
    assert refusal_of([], page("Just a moment", 403, sparse=True, effect=ActionFailure(reason, "no"))) == ""
