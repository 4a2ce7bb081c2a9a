"""Rule-based detection of pages that refuse to serve the agent."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from webgym.records.observation import Failed, FailedReason, Observation

_TITLES = re.compile(
    r"""
    ^just\ a\ moment\b | attention\ required | \baccess\ (to\ this\ page\ )?(has\ been\ )?denied\b
    | \bverify(ing)?\ (that\ )?you\ are\ (a\ )?human\b | \bare\ you\ (a\ )?(human|robot)\b | \bnot\ a\ robot\b
    | \b(robot|human|bot)\ (check|verification|or\ human)\b | \bcaptcha\b | \bsecurity\ check\b | \bunusual\ traffic\b
    | ^403\b | \b403\ forbidden\b | ^429\b | \btoo\ many\ requests\b | \brequest\ (was\ )?blocked\b
    | ^pardon\ our\ interruption | ^(sorry,\ )?you\ have\ been\ blocked | ^ddos-guard
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PATHS = re.compile(r"/cdn-cgi/(challenge|l/chk)|/sorry/index|/_sec/cp_challenge|/captcha\b|/px/captcha", re.IGNORECASE)
_STATUSES = {403: "forbidden", 429: "too many requests", 451: "unavailable for legal reasons"}
_HOSTS = ("captcha-delivery.com", "hcaptcha.com", "perimeterx.net", "challenges.cloudflare.com")


def blocked_by(seen: Observation) -> str:
    """Return the evidence that this page is a refusal; empty if it is not one.

    A navigation that never reached a website, such as to a forbidden address, is the agent's mistake and no refusal.
    """
    match seen.effect:
        case Failed(reason=FailedReason.EGRESS_REFUSED | FailedReason.NAVIGATION | FailedReason.INVALID_URL):
            return ""
        case _:
            pass
    if found := _TITLES.search(seen.title):
        return f"title: {found.group(0).strip()}"
    if seen.error_status in _STATUSES:
        return f"status: {seen.error_status} {_STATUSES[seen.error_status]}"
    address = urlsplit(seen.url)
    served = not seen.error_status and address.scheme in {"http", "https"}
    if seen.blank and served and seen.dialog is None:
        return "an empty page"
    if found := _PATHS.search(address.path):
        return f"path: {found.group(0)}"
    host = (address.hostname or "").lower()
    return next((f"host: {one}" for one in _HOSTS if host == one or host.endswith("." + one)), "")
