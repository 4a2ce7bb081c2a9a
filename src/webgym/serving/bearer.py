"""Bearer tokens: compared in constant time, stored and sent as digests."""

from __future__ import annotations

import hashlib
import hmac


def digest(token: str) -> str:
    """Return the digest that may be stored or sent in place of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def bears(header: str | None, *digests: str) -> bool:
    """Return whether an Authorization header bears a token with one of these digests, compared in constant time.

    An empty token never is one: an unset variable must not open what it was to protect.
    """
    scheme, _, token = (header or "").partition(" ")
    given = digest(token.strip())
    matches = [hmac.compare_digest(given, expected) for expected in digests if expected]
    return scheme.lower() == "bearer" and bool(token.strip()) and any(matches)
