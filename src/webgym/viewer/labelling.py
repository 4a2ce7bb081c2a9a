"""Human labels of verdicts, the only thing that the viewer writes.

Reading is authorised by a cookie, which a browser sends automatically. Writing is not, to prevent cross-site request
forgery: each label request carries a separate secret, which comes with the link, is kept by the page and is unknown to
other sites. A link without the secret is read-only.
"""

from __future__ import annotations

import hmac
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import Headers

from webgym.errors import AuthError, BodyTooLarge, RequestError, StoreError
from webgym.records.base import Record
from webgym.records.label import FactRef, Label, Word
from webgym.serving.bearer import digest
from webgym.store.labels import append_label, labels_path
from webgym.viewer.attempt_view import AttemptView
from webgym.viewer.judge_view import fact_key
from webgym.viewer.labels import overrules
from webgym.viewer.library import Library
from webgym.viewer.rates import UNFINISHED

SECRET_HEADER = "x-webgym-label"  # noqa: S105 - the header's name
MOST_BYTES = 16_384
MOST_NOTE = 2_000


class Wish(Record, frozen=True):
    """A label as the page sends it."""

    run: str
    attempt: str
    verdict: Word
    about: FactRef | None = None
    """The labelled fact; None: the whole attempt."""
    note: str = ""
    shown: str = ""
    """The judge's finding as the page showed it."""


@dataclass(frozen=True)
class Labeller:
    """Who labels in this viewer, and the secret that authorises them."""

    who: str
    secret: str

    def known(self, headers: Headers) -> bool:
        """Return whether a request carries the secret and, if it has an origin, comes from this viewer."""
        given = headers.get(SECRET_HEADER, "")
        if not hmac.compare_digest(digest(given), digest(self.secret)):
            return False
        origin = headers.get("origin")
        return origin is None or urlsplit(origin).netloc == headers.get("host")


def check_sender(labeller: Labeller | None, headers: Headers) -> Labeller:
    """Return who sends a label.

    Raises:
        AuthError: The viewer or the link is read-only.
        RequestError: The body is not sent as JSON, as by a form on another site.
    """
    if labeller is None:
        raise AuthError("this viewer is read-only; start it with webgym view --label to add labels")
    if not labeller.known(headers):
        raise AuthError("this link is read-only; open the link for labelling that the command printed")
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RequestError("a label is sent as application/json")
    return labeller


def read_wish(body: bytes) -> Wish:
    """Parse the body of a label request.

    Raises:
        RequestError: The body is invalid or too large.
    """
    if len(body) > MOST_BYTES:
        raise BodyTooLarge(f"a label takes at most {MOST_BYTES} bytes")
    try:
        wish = msgspec.json.decode(body, type=Wish)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RequestError(f"invalid label: {error}") from error
    if len(wish.note) > MOST_NOTE:
        raise RequestError(f"a note has at most {MOST_NOTE} characters")
    return wish


def put_label(library: Library, who: str, wish: Wish) -> AttemptView:
    """Store a label and return the updated attempt. Blocks.

    Raises:
        RequestError: The label does not fit the attempt.
        StoreError: There is no such attempt, or the label cannot be stored.
    """
    opened = library.run(wish.run)
    attempt = opened.attempt(wish.attempt)
    if attempt.kind == UNFINISHED:
        raise RequestError("the attempt has not ended yet, so it cannot be labelled")
    if wish.shown != _word(attempt, wish.about):
        raise RequestError("the verdict has changed since this page was loaded; reload the page")
    if problem := opened.listed().problem:
        raise StoreError(f"repair the labels of this run first: {problem}")
    note = wish.note.strip()
    label = Label(wish.attempt, wish.verdict, who, time.time(), wish.about, note, wish.shown)
    if not label.fitting:
        raise RequestError(f"{wish.verdict!r} is no label for {'a fact' if wish.about else 'a whole attempt'}")
    if not note and overrules(wish.verdict, wish.shown):
        raise RequestError("explain in a note why the judge is wrong")
    append_label(labels_path(opened.run.path), label)
    return opened.attempt(wish.attempt)


def _word(attempt: AttemptView, about: FactRef | None) -> str:
    """Return the outcome or finding that counts; empty if there is none.

    Raises:
        RequestError: There is no such fact.
    """
    if about is None:
        return attempt.kind
    key = fact_key(about.group, about.fact)
    if not any(fact.key == key for group in attempt.rubric for fact in group.facts):
        raise RequestError(f"the task has no fact {key}")
    return next((judge.facts[key].found for judge in attempt.judges if judge.counts and key in judge.facts), "")
