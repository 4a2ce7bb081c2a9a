"""Bearer tokens: compared in constant time, kept and sent as digests."""

from __future__ import annotations

import hashlib
import hmac


def digest(token: str) -> str:
    """What may be stored or sent in place of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def bears(header: str | None, *digests: str) -> bool:
    """Whether an Authorization header bears one of these tokens; in constant time for each."""
    scheme, _, token = (header or "").partition(" ")
    given = digest(token.strip())
    matches = [hmac.compare_digest(given, expected) for expected in digests if expected]
    return scheme.lower() == "bearer" and any(matches)
