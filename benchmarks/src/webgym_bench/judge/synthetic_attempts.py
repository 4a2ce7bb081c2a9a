"""Synthetic labelled attempts: pages are drawn, and a scripted model is told what each of them shows.

One takes a fraction of a millisecond, so a judge can be tested on thousands, with every outcome and failure mode.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from webgym.records.action import Action, Answer, Click, Point
from webgym.records.decision import Decision, Turn
from webgym.records.label import FactRef, Label, Word
from webgym.records.observation import Blob, Observation, PageChange, address_of
from webgym.records.task import FactGroup, Task
from webgym.records.trajectory import (
    Attempt,
    Cancellation,
    Ending,
    Infrastructure,
    JudgeUnknown,
    Outcome,
    OutcomeKind,
    Step,
    Trajectory,
    Truncation,
)
from webgym.rng import Rng
from webgym.testing.vlm_world import World
from webgym_bench.judge.sizes import Sizes, tiny

Kind = Literal[
    "done",
    "answered",
    "missing",
    "denied",
    "undone",
    "wrong_answer",
    "unseen_answer",
    "wrong_reference",
    "truncated",
    "blocked",
    "infrastructure",
    "cancelled",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""How an attempt goes. Successes are as frequent as all failures together."""
TRUTH = "drawn"
"""Name of the labeller."""
_REFUSAL = "Access denied: automated traffic"
_DONE = "Done."


@dataclass(frozen=True, slots=True)
class SyntheticAttempt:
    """An attempt with its labels."""

    kind: Kind
    trajectory: Trajectory
    blobs: dict[str, bytes]
    outcome: OutcomeKind
    """The outcome that a perfect judge would assign."""
    labels: tuple[Label, ...]


@dataclass(slots=True)
class _Page:
    shows: list[str] = field(default_factory=list[str])
    denies: list[str] = field(default_factory=list[str])
    refuses: str = ""


def synthetic_attempts(
    count: int, world: World, *, seed: int = 0, sizes: Sizes | None = None
) -> Iterator[SyntheticAttempt]:
    """Generate `count` labelled attempts. `world` learns what their pictures show."""
    sizes = sizes or Sizes()
    successes: list[Kind] = ["done", "answered"]
    failures: list[Kind] = [kind for kind in KINDS if kind not in successes]
    for number in range(count):
        kind: Kind = successes[number // 2 % 2] if number % 2 else failures[number // 2 % len(failures)]
        yield _Attempt(number, kind, Rng("drawn", seed, number), sizes).made(world)


def sibling(number: int, kind: Kind, world: World, *, seed: int = 0, sizes: Sizes | None = None) -> SyntheticAttempt:
    """Return a different attempt at the task of attempt `number` of `synthetic_attempts`.

    Either both kinds must ask for an answer, or neither.
    """
    return _Attempt(number, kind, Rng("drawn", seed, number), sizes or Sizes(), member=1).made(world)


class _Attempt:
    def __init__(self, number: int, kind: Kind, rng: Rng, sizes: Sizes, member: int = 0) -> None:
        self._kind: Kind = kind
        self._number, self._rng, self._sizes, self._member = number, rng, sizes, member
        self._name = f"{number}-{rng.below(10**6)}"
        self._attempt_id = f"drawn-{self._name}/{member}"
        self._pages = [_Page() for _ in range(sizes.pages(rng))]
        self._facts = [f"Field {n} of record {self._name} is set to {self._value(n)}" for n in range(self._fields())]
        self._code = str(rng.between(10**6, 10**7))
        self._claim = f"The code of record {self._name} is {self._code}."
        self._asks = kind in {"answered", "wrong_answer", "unseen_answer", "wrong_reference"}
        self._answer_fact = f"The answer says that the code of record {self._name} is {self._code}"
        self._holds = dict.fromkeys(self._facts, True)

    def made(self, world: World) -> SyntheticAttempt:
        self._show_facts()
        self._spoil()
        answer = self._answer()
        if self._asks:
            world.about_answer(self._answer_fact, self._code)
            self._holds[self._answer_fact] = answer is not None and self._code in answer
        self._pages[-1].shows.append(_DONE)
        pictures = [self._drawn(index, page, world) for index, page in enumerate(self._pages)]
        return SyntheticAttempt(
            kind=self._kind,
            trajectory=self._trajectory(answer, pictures),
            blobs={address_of(one): one for one in pictures},
            outcome=self._expected(),
            labels=tuple(self._labels()),
        )

    def _fields(self) -> int:
        return self._sizes.facts(self._rng)

    def _value(self, field_number: int) -> str:
        return self._rng.fork("value", field_number).pick(("blue", "north", "weekly", "open", "two"))

    def _show_facts(self) -> None:
        last = len(self._pages) - 1
        for fact in self._facts:
            self._pages[self._rng.below(last + 1)].shows.append(fact)
            if self._rng.chance(0.3):  # repeated on an overview at the end
                self._pages[last].shows.append(fact)
        if self._asks and self._kind != "unseen_answer":
            # Not on the start page: the agent has to find it.
            found = self._pages[self._rng.between(min(1, last), last)]
            found.shows += [self._claim, self._answer_fact]

    def _spoil(self) -> None:
        """Falsify one fact in the way of this kind of failure."""
        spoiled = self._rng.pick(self._facts)
        match self._kind:
            case "missing" | "truncated":
                self._unshow(spoiled)
            case "denied":
                self._unshow(spoiled)
                self._rng.pick(self._pages).denies.append(spoiled)
            case "undone":
                if len(self._pages) == 1:
                    self._pages.append(_Page())
                self._pages[-1].shows = [one for one in self._pages[-1].shows if one != spoiled]
                self._pages[self._rng.below(len(self._pages) - 1)].shows.append(spoiled)
                self._pages[-1].denies.append(spoiled)
            case "blocked":
                self._pages = [*self._pages[: self._rng.below(2)], _Page(refuses=_REFUSAL)]
                return
            case _:
                return
        self._holds[spoiled] = False

    def _unshow(self, fact: str) -> None:
        for page in self._pages:
            page.shows = [one for one in page.shows if one != fact]

    def _answer(self) -> str | None:
        match self._kind:
            case "truncated" | "infrastructure" | "cancelled":
                return None
            case "wrong_answer":
                return self._claim.replace(self._code, str(int(self._code) + 1))
            case _:
                return self._claim if self._asks else _DONE

    def _drawn(self, index: int, page: _Page, world: World) -> bytes:
        number = (self._number * 2 + self._member) * 1000 + index
        picture = (self._sizes.picture or tiny)(number)
        copies = [self._sizes.small(picture)] if self._sizes.small else []
        world.show(picture, shows=page.shows, denies=page.denies, refuses=page.refuses, copies=copies)
        return picture

    def _expected(self) -> OutcomeKind:
        match self._kind:
            case "done" | "answered":
                return "success"
            case "truncated" | "blocked" | "infrastructure" | "cancelled":
                return self._kind
            case _:
                return "failure"

    def _trajectory(self, answer: str | None, pictures: Sequence[bytes]) -> Trajectory:
        facts = (*self._facts, *((self._answer_fact,) if self._asks else ()))
        task = Task(
            task_id=f"drawn-{self._name}",
            instruction=f"Fill in record {self._name}" + (" and tell me its code." if self._asks else "."),
            website="https://records.example/",
            rubric=(FactGroup(1, "The record", facts),),
            benchmark="drawn",
            domain="records.example",
            reference=self._reference(),
        )
        looks = [self._look(index, picture) for index, picture in enumerate(pictures)]
        last: Action = Click(Point(1, 1)) if answer is None else Answer(answer)
        actions = [Click(Point(10 + index, 20)) for index in range(len(looks) - 1)] + [last]
        steps = tuple(
            Step(number, look, Turn(Decision(action)))
            for number, (look, action) in enumerate(zip(looks, actions, strict=True), 1)
        )
        ending = Ending(self._stored(), answer, steps=len(steps), began=1.0, ended=2.0)
        return Trajectory(Attempt(self._attempt_id, task, task.task_id, self._member), steps, ending)

    def _reference(self) -> str:
        """Return a reference answer for some successes, and a wrong one for failures that are due to it alone."""
        if self._kind == "wrong_reference":
            return str(int(self._code) + 7)
        return self._code if self._kind == "answered" and self._rng.chance(0.5) else ""

    def _look(self, index: int, picture: bytes) -> Observation:
        return Observation(
            sequence=index + 1,
            url=f"https://records.example/{self._name}/{index}",
            title=f"Record {self._name}",
            screenshot=Blob(address_of(picture), "image/png", len(picture)),
            effect=PageChange(("url", "content")) if index else None,
        )

    def _stored(self) -> Outcome:
        """Return the outcome that a rollout without a judge would store."""
        match self._kind:
            case "truncated":
                return Truncation("steps")
            case "infrastructure":
                return Infrastructure("session_lost", "drawn so")
            case "cancelled":
                return Cancellation("drawn so")
            case _:
                return JudgeUnknown("nobody was asked to judge")

    def _labels(self) -> Iterator[Label]:
        words: dict[OutcomeKind, Word] = {
            "success": "success",
            "failure": "failure",
            "truncated": "failure",
            "blocked": "blocked",
        }
        attempt_id, expected = self._attempt_id, self._expected()
        if expected not in words:
            return
        yield Label(attempt_id, words[expected], TRUTH, 0.0)
        if expected == "blocked":
            return
        against: Word = "contradicted" if self._kind in {"denied", "undone"} else "not_shown"
        for index, holds in enumerate(self._holds.values()):
            yield Label(attempt_id, "supported" if holds else against, TRUTH, 0.0, FactRef(1, index))
