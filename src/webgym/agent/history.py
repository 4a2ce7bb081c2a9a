"""What an agent remembers of its attempt: recent rounds in full, older ones as one line each."""

from __future__ import annotations

from dataclasses import dataclass

from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import Effect, Observation
from webgym.records.prompt import Picture


@dataclass(frozen=True, slots=True)
class Round:
    """One observation and the reply to it."""

    number: int
    """Number of the step, from 1."""
    seen: Observation
    picture: Picture | None
    led_here: str
    """What the prompt said about the previous reply."""
    told: str
    """What the prompt said about the page."""
    choice: Decision | MalformedReply
    done: str
    """The action in words, safe for a prompt; empty if the reply was malformed."""
    kept: str
    """The reply as later prompts show it."""


@dataclass(frozen=True, slots=True)
class PastStep:
    """What is kept of an older round."""

    number: int
    done: str
    effect: Effect | None
    title: str
    url: str


def past_step(one: Round, following: Observation) -> PastStep:
    """Reduce a round to one line; `following` is the observation after it."""
    return PastStep(one.number, one.done, effect_of(one, following), one.seen.title, one.seen.url)


def effect_of(one: Round, following: Observation) -> Effect | None:
    """Return the effect of a round's action; None if there was no action, or no new observation."""
    acted = isinstance(one.choice, Decision) and following.sequence != one.seen.sequence
    return following.effect if acted else None


def picture_of(seen: Observation, *, marks: bool) -> Picture | None:
    """Return the screenshot that the model is shown, labelled if it uses marks."""
    blob = (seen.labelled or seen.screenshot) if marks else seen.screenshot
    return None if blob is None else Picture(blob.address, seen.viewport.width, seen.viewport.height)
