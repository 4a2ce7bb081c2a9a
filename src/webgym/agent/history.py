"""What an agent remembers of its attempt: the last rounds in full, the older ones as one line each."""

from __future__ import annotations

from dataclasses import dataclass

from webgym.records.decision import Decision, Malformed
from webgym.records.observation import Effect, Observation
from webgym.records.prompt import Picture


@dataclass(frozen=True, slots=True)
class Round:
    """One look at the page and the reply to it."""

    number: int
    """Of the step, from 1."""
    seen: Observation
    picture: Picture | None
    led_here: str
    """What was said of the reply before."""
    told: str
    """What was said of the page."""
    choice: Decision | Malformed
    done: str
    """The action in words, fit for a prompt; empty if the reply could not be read."""
    kept: str
    """The reply as later prompts show it."""


@dataclass(frozen=True, slots=True)
class PastStep:
    """All that is left of an older round."""

    number: int
    done: str
    effect: Effect | None
    title: str
    url: str


def past_step(one: Round, following: Observation) -> PastStep:
    """A round as a line; `following` is what it led to."""
    return PastStep(one.number, one.done, effect_of(one, following), one.seen.title, one.seen.url)


def effect_of(one: Round, following: Observation) -> Effect | None:
    """What a round's action did. The same look again tells only the effect of an action before it."""
    acted = isinstance(one.choice, Decision) and following.sequence != one.seen.sequence
    return following.effect if acted else None


def picture_of(seen: Observation, *, marks: bool) -> Picture | None:
    """What the model is shown of an observation."""
    blob = (seen.labelled or seen.screenshot) if marks else seen.screenshot
    return None if blob is None else Picture(blob.address, seen.viewport.width, seen.viewport.height)
