"""Baseline agents without knowledge: lower bounds for success rates, and perturbations for oracles."""

from __future__ import annotations

from webgym.records.action import Action, Answer, Back, Click, Point, Press, Scroll, TypeText
from webgym.records.decision import Decision, Turn
from webgym.records.observation import Capture, Element, Observation
from webgym.rng import Rng
from webgym.stages import Agent

_WORDS = ("hello", "blue", "42", "north", "test", "2026-04-01", "lamp", "ok")


class DoNothing:
    """Answers immediately."""

    async def decide(self, capture: Capture) -> Turn:
        """Answer that the task is done."""
        del capture
        return Turn(Decision(Answer("Done.")))


class RandomClicker:
    """Clicks, types and scrolls at random, then answers with some text it has seen."""

    def __init__(self, rng: Rng, steps: int) -> None:
        self._rng = rng
        self._left = steps

    async def decide(self, capture: Capture) -> Turn:
        """Act at random; at the last step, answer with the text of some element."""
        self._left -= 1
        seen = capture.observation
        if self._left <= 0:
            texts = [element.text for element in _within_reach(seen) if element.text] or ["Done."]
            return Turn(Decision(Answer(self._rng.pick(texts))))
        return Turn(Decision(stray(seen, self._rng)))


class PerturbedAgent:
    """Another agent, interrupted by a number of random actions."""

    def __init__(self, agent: Agent, rng: Rng, strays: int) -> None:
        self._agent = agent
        self._rng = rng
        self._strays = strays
        self._first = ""

    async def decide(self, capture: Capture) -> Turn:
        """Return the agent's own decision, or a random one."""
        self._first = self._first or capture.observation.url
        if self._strays and self._rng.chance(0.5):
            return self._stray(capture)
        turn = await self._agent.decide(capture)
        match turn.choice:
            case Decision(action=Answer()) if self._strays:
                return self._stray(capture)
            case _:
                return turn

    def _stray(self, capture: Capture) -> Turn:
        self._strays -= 1
        seen = capture.observation
        # Going back from its first page would lead to pages of earlier attempts.
        return Turn(Decision(stray(seen, self._rng, may_go_back=seen.url != self._first), sentence="stray"))


def stray(seen: Observation, rng: Rng, *, may_go_back: bool = True) -> Action:
    """Return a random action, mostly on a clickable element."""
    reachable = _within_reach(seen)
    kind = rng.weighted((("element", 6.0), ("anywhere", 1.5), ("scroll", 1.5), ("back", 0.6), ("key", 0.4)))
    if kind == "element" and reachable:
        return _on(rng.pick(reachable), rng)
    if kind == "scroll":
        return Scroll(dy=rng.pick((-300, 300, 600)))
    if kind == "back" and may_go_back and seen.sequence > 1:
        return Back()
    if kind == "key":
        return Press((rng.pick(("Escape", "Tab", "Enter", "PageDown")),))
    return Click(Point(rng.below(seen.viewport.width), rng.below(seen.viewport.height)))


def _on(element: Element, rng: Rng) -> Action:
    point = element.point or Point(0, 0)
    text = element.tag == "textarea" or (element.tag == "input" and element.type in ("text", "search", "email", "tel"))
    return TypeText(rng.pick(_WORDS), target=point, submit=rng.chance(0.3)) if text else Click(point)


def _within_reach(seen: Observation) -> list[Element]:
    return [element for element in seen.elements or () if element.point is not None and not element.disabled]
