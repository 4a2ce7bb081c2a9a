"""Attempts in the report of a training run: in the words of the viewer, with what the agent pointed at."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.store.making import META, attempt, ending, picture

from webgym.records.action import Action, Answer, Click, Drag, MarkRef, Point, Scroll, TypeText
from webgym.records.decision import Decision, MalformedReply, Turn
from webgym.records.observation import Blob, Box, Mark, Observation, Viewport, address_of
from webgym.records.trajectory import Failure, Step
from webgym.run.training.examples import examples_of
from webgym.store.write import open_writer

pytestmark = pytest.mark.anyio
SHOT = picture(1)
VIEW = Viewport(448, 320)


def step(number: int, choice: Decision | MalformedReply) -> Step:
    shot = Blob(address_of(SHOT), "image/jpeg", len(SHOT))
    marks = (Mark(7, "button", "Menu", Box(100, 40, 24, 16)),)
    seen = Observation(number, "http://tracker.localhost/", "Issues", screenshot=shot, viewport=VIEW, marks=marks)
    return Step(number, seen, Turn(choice))


def decided(action: Action, sentence: str = "", call: str = "") -> Decision:
    return Decision(action, sentence=sentence, call=call)


async def stored(folder: Path, *choices: Decision | MalformedReply) -> Path:
    async with open_writer(folder, META) as writer:
        for number, outcome in enumerate((Failure("no"), None)):
            one = attempt(number)
            await writer.begin(one)
            for place, choice in enumerate(choices, 1):
                await writer.step(one, step(place, choice), {address_of(SHOT): SHOT})
            await writer.end(one, ending(outcome, steps=len(choices)), {})
    return folder


async def test_captions_are_words_and_never_what_the_model_wrote(tmp_path):
    search = TypeText("ARM-79", Point(288, 16), submit=True)
    folder = await stored(
        tmp_path,
        decided(search, "Search issues", "Search issues>s<072><005>ARM-79"),
        decided(Scroll(dy=200), "Reply", "Reply>d"),
        decided(Answer("Done"), call=">aDone"),
        MalformedReply("no_call", "Write one line."),
    )
    steps = examples_of(folder, [])[0].steps
    assert [(one.words, one.detail) for one in steps] == [
        ("Search issues", 'Type "ARM-79" and press Enter.'),
        ("Reply", "Scroll down."),
        ('Answer "Done".', ""),
        ("No action in this response", "Write one line."),
    ]


async def test_what_was_pointed_at_is_told_as_a_part_of_the_picture(tmp_path):
    folder = await stored(
        tmp_path,
        decided(Click(Point(112, 240))),
        decided(Click(MarkRef(7))),
        decided(Drag(Point(0, 0), Point(448, 320))),
        decided(Scroll(dy=64)),
        decided(Answer("Done")),
    )
    steps = examples_of(folder, [])[0].steps
    assert [one.at for one in steps] == [(0.25, 0.75), (0.25, 0.15), (0.0, 0.0), None, None]
    assert [one.path for one in steps] == [
        None,
        None,
        ((0.0, 0.0), (1.0, 1.0)),
        ((0.5, pytest.approx(0.4)), (0.5, pytest.approx(0.6))),
        None,
    ]


async def test_newly_solved_tasks_come_first(tmp_path):
    folder = await stored(tmp_path, decided(Answer("Done")))
    first, second = examples_of(folder, ["a-00001"])
    assert (first.outcome, first.note) == ("success", "not solved before training")
    assert (second.outcome, second.note) == ("failure", "")
