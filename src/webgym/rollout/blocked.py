"""Rule-based detection of pages that refuse to serve the agent, for attempts that no exact judge decides.

Titles of mail, wikis and trackers are written by their users, and applications answer 403 for their own reasons. So one
sign is not enough, except for what only a bot check has: its address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from webgym.records.observation import ActionFailure, FailedReason, Observation
from webgym.records.trajectory import Step

_CHALLENGE = re.compile(
    r"""
    just\ a\ moment | attention\ required | access\ to\ this\ page\ has\ been\ denied | captcha | ddos-guard
    | (sorry,\ )?you\ have\ been\ blocked | pardon\ our\ interruption | unusual\ traffic | security\ check
    | (please\ )?verify(ing)?\ (that\ )?you\ are\ (a\ )?human | are\ you\ (a\ )?(human|robot) | checking\ your\ browser
    | (i'm\ |you're\ )?not\ a\ robot | (robot|human|bot)\ (check|verification|or\ human)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Titles of pages that check for bots."""
_DENIAL = re.compile(r"access denied|(your )?request (was |has been )?blocked|blocked", re.IGNORECASE)
"""Titles of refusals; an application has pages of these names too."""
_BETWEEN = re.compile(r"\s+[-|:\u00b7\u2013\u2014]\s+")
_TOO_MANY = 429
_STATUSES = {403: "forbidden", _TOO_MANY: "too many requests", 451: "unavailable for legal reasons"}
_CHECK_PATHS = re.compile(r"^/(cdn-cgi/(challenge|l/chk)|_sec/cp_challenge|px/captcha)", re.IGNORECASE)
_CHECK_HOSTS = ("captcha-delivery.com", "challenges.cloudflare.com")
"""Addresses that show nothing but bot checks."""
_LIKELY_PATHS = re.compile(r"^/(sorry/index|captcha\b)", re.IGNORECASE)
_LIKELY_HOSTS = ("hcaptcha.com", "perimeterx.net")


def refusal_of(earlier: Iterable[Observation], seen: Observation | None) -> str:
    """Return the evidence that this page is a refusal, given earlier ones of its attempt; empty if it is not one.

    A navigation that never reached a website, such as to a forbidden address, is the agent's mistake and no refusal.
    """
    if seen is None or _never_arrived(seen):
        return ""
    address = urlsplit(seen.url)
    host = (address.hostname or "").lower()
    if found := _CHECK_PATHS.search(address.path):
        return f"path: {found.group(0)}"
    if found := _within(host, _CHECK_HOSTS):
        return f"host: {found}"
    if seen.blank and not seen.error_status and address.scheme in {"http", "https"} and seen.dialog is None:
        return "an empty page"
    signs = _signs(seen, host, address.path)
    if len(signs) < 2 and not seen.sparse:
        return ""
    if seen.sparse and (denied := _title(_DENIAL, seen.title)):
        signs.append(f"title: {denied}")
    # Of a website that served other pages, a bare 403 or an odd title is about this page, not about this visitor.
    about_visitor = len(signs) > 1 or seen.bot_checks or seen.error_status == _TOO_MANY
    if not signs or (not about_visitor and any(_served(page, host) for page in earlier)):
        return ""
    return "; ".join([*signs, "little else on the page"] if seen.sparse else signs)


def last_refusal(steps: Sequence[Step], last: Observation | None) -> str:
    """Return the same for the last page of a stored attempt; `last` is None after an answer."""
    seen = [step.observation for step in steps] + ([last] if last else [])
    return refusal_of(seen[:-1], seen[-1] if seen else None)


def _never_arrived(seen: Observation) -> bool:
    match seen.effect:
        case ActionFailure(reason=FailedReason.EGRESS_REFUSED | FailedReason.NAVIGATION | FailedReason.INVALID_URL):
            return True
        case _:
            return False


def _signs(seen: Observation, host: str, path: str) -> list[str]:
    """Return the independent signs of a refusal; none of them is enough alone."""
    signs: list[str] = []
    if title := _title(_CHALLENGE, seen.title):
        signs.append(f"title: {title}")
    if seen.error_status in _STATUSES:
        signs.append(f"status: {seen.error_status} {_STATUSES[seen.error_status]}")
    if seen.bot_checks:
        signs.append(f"bot check: {', '.join(seen.bot_checks)}")
    if found := _LIKELY_PATHS.search(path):
        signs.append(f"path: {found.group(0)}")
    elif found := _within(host, _LIKELY_HOSTS):
        signs.append(f"host: {found}")
    return signs


def _title(pattern: re.Pattern[str], title: str) -> str:
    """Return the part of a title that says nothing but this; the website's name may stand beside it."""
    parts = (part.strip(" .\u2026!?") for part in _BETWEEN.split(title))
    return next((part for part in parts if pattern.fullmatch(part)), "")


def _within(host: str, domains: Iterable[str]) -> str:
    return next((domain for domain in domains if host == domain or host.endswith("." + domain)), "")


def _served(seen: Observation, host: str) -> bool:
    return not (seen.error_status or seen.blank or seen.sparse) and (urlsplit(seen.url).hostname or "").lower() == host
