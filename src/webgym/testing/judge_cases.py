"""Synthetic attempts with a known ground truth, for tests of judges."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from webgym.records.action import Answer, Click, Point
from webgym.records.decision import Decision, Turn
from webgym.records.observation import Blob, Observation, PageChange, Viewport, address_of
from webgym.records.task import FactGroup, Task
from webgym.records.trajectory import Attempt, OutcomeKind, Step, Truncation
from webgym.records.verdict import Finding
from webgym.testing.vlm_world import World

Story = Literal["good", "missing", "wrong", "undone", "made_up", "other_answer", "blocked", "no_answer"]
STORIES: tuple[Story, ...] = (
    "good",
    "missing",
    "wrong",
    "undone",
    "made_up",
    "other_answer",
    "blocked",
    "no_answer",
)
"""In order: everything was done; a fact was never shown; one was contradicted; one was done and undone; the answer
claims something never shown; it differs from the reference; the website refused to serve; no answer came in time."""
_OUTCOMES: dict[Story, OutcomeKind] = {"good": "success", "blocked": "blocked", "no_answer": "truncated"}
_SIZE = (320, 192)
_MOST_EARLIER = 12


@dataclass(frozen=True, slots=True)
class JudgeCase:
    """An attempt and the ground truth about it."""

    story: Story
    attempt: Attempt
    steps: tuple[Step, ...]
    last: Observation | None
    answer: str | None
    end: Truncation | None
    pictures: dict[str, bytes]
    findings: tuple[Finding, ...]
    """Expected finding of each fact, in the order of the rubric."""
    claims: tuple[Finding, ...]
    reference: Finding | None

    @property
    def outcome(self) -> OutcomeKind:
        """The expected outcome."""
        return _OUTCOMES.get(self.story, "failure")


def made_case(
    number: int,
    world: World,
    *,
    seed: int = 0,
    copy: Callable[[bytes], bytes] | None = None,
    story: Story | None = None,
) -> JudgeCase:
    """Make a case and register its pictures in the world; with `copy`, also a copy of each that shows the same."""
    rng = random.Random(f"{seed}:{number}")  # noqa: S311 - not a secret
    chosen: Story = story or rng.choice(("good", "good", "good", *STORIES))
    task = _task(number, rng, reference=chosen == "other_answer" or rng.random() < 0.3)
    facts = [fact for group in task.rubric for fact in group.facts]
    findings: list[Finding] = ["supported"] * len(facts)
    pages = [_PageClaims(set(), set()) for _ in range(rng.randint(1, 1 + _MOST_EARLIER))]
    for fact in facts:
        rng.choice(pages).shows.add(fact)
    _spoil(chosen, facts, findings, pages, rng)
    answer, claims = _answer(chosen, number, task, pages, rng)
    pictures: dict[str, bytes] = {}
    looks: list[Observation] = []
    for index, page in enumerate(pages):
        data = drawn_picture(f"{seed}:{number}:{index}")
        refuses = "a captcha that nobody can solve" if chosen == "blocked" and index == len(pages) - 1 else ""
        copies = [copy(data)] if copy else []
        world.show(data, shows=page.shows, denies=page.denies, refuses=refuses, copies=copies)
        pictures[address_of(data)] = data
        looks.append(_look(index + 1, task, data))
    steps = tuple(_step(index, look, answer if index + 1 == len(looks) else None) for index, look in enumerate(looks))
    last = None
    if answer is None:
        steps, last = steps[:-1], looks[-1]
    return JudgeCase(
        chosen,
        Attempt(f"case-{number:05d}", task, f"group-{number // 4}", number % 4, seed=number),
        steps,
        last,
        answer,
        Truncation("steps") if answer is None else None,
        pictures,
        tuple(findings),
        claims,
        None if not task.reference or answer is None else "contradicted" if chosen == "other_answer" else "supported",
    )


@dataclass(frozen=True, slots=True)
class _PageClaims:
    shows: set[str]
    denies: set[str]


def _task(number: int, rng: random.Random, *, reference: bool) -> Task:
    count = rng.choice((1, 2, 2, 3, 4, 5, 7, 9))
    names = [f"Fact {index + 1} of task {number} holds" for index in range(count)]
    half = (count + 1) // 2
    groups = [FactGroup(1, "The first half", tuple(names[:half])), FactGroup(2, "The rest", tuple(names[half:]))]
    return Task(
        f"task-{number}",
        f"Do thing {number}, and say what it came to.",
        "https://shop.example/",
        tuple(group for group in groups if group.facts),
        domain="shopping",
        reference=f"{number} euros" if reference else "",
    )


def _spoil(
    story: Story, facts: list[str], findings: list[Finding], pages: list[_PageClaims], rng: random.Random
) -> None:
    """Change the pages and findings of one fact to fit the story."""
    which = rng.randrange(len(facts))
    fact = facts[which]
    match story:
        case "missing" | "blocked" | "no_answer":
            findings[which] = "not_shown"
            for page in pages:
                page.shows.discard(fact)
        case "wrong":
            findings[which] = "contradicted"
            for page in pages:
                page.shows.discard(fact)
            rng.choice(pages).denies.add(fact)
        case "undone":
            findings[which] = "contradicted"
            pages.append(_PageClaims(set(), {fact}))
        case _:
            pass


def _answer(
    story: Story, number: int, task: Task, pages: list[_PageClaims], rng: random.Random
) -> tuple[str | None, tuple[Finding, ...]]:
    """Return the final answer, and the expected finding for each of its sentences."""
    if story == "no_answer":
        return None, ()
    seen = [f"Thing {number} came to {part} parts." for part in range(rng.randint(1, 3))]
    claims: list[Finding] = ["supported"] * len(seen)
    if task.reference:
        seen.append(f"It costs {number + 1} pounds." if story == "other_answer" else f"It costs {number} euros.")
        claims.append("supported")
    for page in seen:
        rng.choice(pages).shows.add(page)
    if story == "made_up":
        seen.append(f"The total of {number} is certainly right.")
        claims.append("not_shown")
    return " ".join(seen), tuple(claims)


def _look(number: int, task: Task, data: bytes) -> Observation:
    blob = Blob(address_of(data), "image/jpeg", len(data))
    effect = PageChange(("content",)) if number > 1 else None
    url = f"{task.website}page/{number}"
    return Observation(number, url, "A shop", Viewport(*_SIZE), screenshot=blob, effect=effect)


def _step(index: int, look: Observation, answer: str | None) -> Step:
    action = Click(Point(10, 10 + index)) if answer is None else Answer(answer)
    return Step(index + 1, look, Turn(Decision(action, sentence="I act.", thought="Everything is done, surely.")))


def drawn_picture(seed: str, size: tuple[int, int] = _SIZE) -> bytes:
    """Return a small JPEG that is unique to its seed."""
    from PIL import Image  # noqa: PLC0415 - needed only for drawing

    rng = random.Random(seed)  # noqa: S311 - not a secret
    image = Image.frombytes("RGB", (10, 6), rng.randbytes(180)).resize(size, Image.Resampling.NEAREST)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=80)
    return out.getvalue()
