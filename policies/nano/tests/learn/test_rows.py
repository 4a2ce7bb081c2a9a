"""Rows hold whole segments, and say of every token of a reply what is right there."""

from __future__ import annotations

import random as randomly

import pytest
import torch
from policies.nano.tests.learn.pages import SMALL, page, place, small_settings, stack_of

from webgym.records.lesson import Lesson, Question
from webgym_nano.learn.loss import location_targets
from webgym_nano.learn.rows import Packer
from webgym_nano.learn.segments import Column, Kind
from webgym_nano.learn.settings import RowSettings
from webgym_nano.learn.words import Words

WORDS = Words()
PICTURE = page(0).picture


def packed(lessons, settings, seed=None):
    packer = Packer(SMALL, settings.rows, settings.loss, WORDS)
    stack = stack_of(lessons, SMALL, settings, packer)
    random, noise = None, None
    if seed is not None:
        generator = torch.Generator().manual_seed(seed)
        random = torch.rand(stack.table.shape[:2], generator=generator)
        noise = torch.randn((len(lessons), packer.room), generator=generator)
        assert torch.equal(
            packer.pack(stack, torch.Generator().manual_seed(seed)).ids,
            packer.lay_out(stack.tokens, packer.choose(stack.table, random), noise).ids,
        )
    chosen = packer.choose(stack.table, random)
    return packer, stack, chosen, packer.lay_out(stack.tokens, chosen, noise)


def random_lesson(rng):
    def text(most):
        return "".join(rng.choice("abcdefgh ") for _ in range(rng.randrange(1, most)))

    kinds = ("where", "what", "value", "text")
    asked = tuple(
        Question(text(50), text(30) + rng.choice(("", "<010><020>")), rng.choice(kinds), (8, 8, 40, 30))
        for _ in range(rng.randrange(20))
    )
    decision = rng.random() < 0.8
    return Lesson(
        PICTURE, "a.test", asked, text(120) if decision else "", f"x>a{text(60)}" if decision else "", "answer"
    )


@pytest.mark.parametrize("seed", range(6))
def test_packing_never_cuts_a_reply(seed):
    rng = randomly.Random(seed)
    lessons = [random_lesson(rng) for _ in range(24)]
    lessons = [lesson for lesson in lessons if lesson.reply or lesson.questions]
    settings = small_settings(text=150)
    *_, rows = packed(lessons, settings, seed)
    told = 0
    for row, lesson in enumerate(lessons):
        right = {(q.ask, q.reply) for q in lesson.questions} | {(lesson.ask, lesson.reply)}
        written = []
        for number in rows.segments[row].unique().tolist():
            if number < 0:
                continue
            at = (rows.segments[row] == number).nonzero()[:, 0]
            assert rows.positions[row, at].tolist() == list(range(len(at)))
            mine = (rows.weights[row] > 0) & (rows.segments[row, rows.before[row]] == number)
            reply = rows.targets[row, mine].tolist()
            assert reply[-1] == WORDS.end
            ask = rows.ids[row, at[: len(at) - len(reply)]].tolist()
            assert ask[-1] == WORDS.assistant
            written.append((WORDS.decode(ask[:-1]), WORDS.decode(reply[:-1])))
        assert set(written) <= right
        told += len(written)
        assert int((rows.weights[row] > 0).sum()) == sum(len(WORDS.encode([reply])[0]) + 1 for _, reply in written)
    assert told > 40


def test_what_to_do_is_always_in_the_row_and_questions_take_turns():
    lessons = [page(0, questions=6)]
    settings = small_settings(text=90)
    seen = set()
    for seed in range(30):
        _, stack, chosen, _ = packed(lessons, settings, seed)
        kinds = chosen.table[0, :, Column.KIND][chosen.length[0] > 0].tolist()
        assert kinds[0] == Kind.POLICY
        seen |= set(chosen.table[0, :, Column.START][chosen.length[0] > 0].tolist())
    assert len(seen) == int((stack.table[0, :, Column.LENGTH] > 0).sum()) == 13


def test_no_more_questions_than_wanted_are_asked_at_once():
    settings = small_settings(rows=RowSettings(tokens=215, replies=90, questions=3))
    _, _, chosen, _ = packed([page(0, questions=6)], settings, 1)
    assert int((chosen.length > 0).sum()) == 4


def test_a_decision_that_is_too_long_for_a_row_is_left_out_and_its_questions_are_kept():
    lesson = page(0)
    long = Lesson(lesson.picture, "a.test", lesson.questions, "x" * 300, ">ano", "answer")
    _, stack, chosen, _ = packed([long], small_settings())
    assert Kind.ANSWER not in stack.table[0, :, Column.KIND].tolist()
    assert int((chosen.length > 0).sum()) == len(lesson.questions)


def test_decisions_and_answers_count_more():
    settings = small_settings()
    *_, rows = packed([page(0), page(3)], settings)
    click, answer = (rows.weights[row][rows.policy[row]] for row in (0, 1))
    assert click.unique().tolist() == [3.0]
    assert answer.unique().tolist() == [4.5]
    asked = rows.weights[0][~rows.policy[0] & (rows.weights[0] > 0)]
    assert sorted(round(weight, 3) for weight in asked.unique().tolist()) == [0.7, 1.0]


def location_rows(box, x, y):
    lesson = Lesson(PICTURE, "a.test", (Question("Buy", f"c{place(x, y, SMALL)}", "where", box),))
    return packed([lesson], small_settings())


def test_a_location_is_right_around_the_cell_that_is_named_and_nowhere_outside_of_its_box():
    *_, rows = location_rows((40, 20, 90, 60), 65, 40)
    side = WORDS.side(SMALL)
    middles = (torch.arange(WORDS.places) + 0.5) * side
    found = location_targets(middles, rows)
    for token, (low, high), centre in ((1, (40, 90), 65), (2, (20, 60), 40)):
        assert float(rows.middles[0, token]) > 0
        shares = found[0, token]
        assert abs(float(middles[shares.argmax()]) - centre) <= side
        assert float(shares.sum()) == pytest.approx(1)
        assert float(shares[(middles < low) | (middles > high)].sum()) < 1e-9
        spread = float((shares * (middles - centre) ** 2).sum() ** 0.5)
        assert spread == pytest.approx(0.12 * (high - low), rel=0.15)
    assert (rows.middles[0, [0, 3]] == -1).all()


def test_a_box_smaller_than_a_cell_leaves_the_cell_that_is_named():
    *_, rows = location_rows((65, 40, 65, 41), 65, 40)
    middles = (torch.arange(WORDS.places) + 0.5) * WORDS.side(SMALL)
    assert float(rows.middles[0, 1]) == -1
    assert rows.targets[0, 1] == WORDS.first_place + 65 * 112 // 128
    assert int(location_targets(middles, rows)[0, 2].argmax()) == 40 * 112 // 128


def test_places_wander_in_their_boxes_and_targets_stay():
    lesson = Lesson(PICTURE, "a.test", (Question("Buy", f"c{place(65, 40, SMALL)}z", "where", (40, 20, 90, 60)),))
    shown = set()
    side = WORDS.side(SMALL)
    for seed in range(40):
        *_, still = packed([lesson], small_settings())
        *_, rows = packed([lesson], small_settings(), seed)
        assert torch.equal(rows.targets, still.targets)
        assert torch.equal(rows.middles, still.middles)
        x, y = ((rows.ids[0, at].item() - WORDS.first_place + 0.5) * side for at in (5, 6))
        assert 40 <= x <= 90
        assert 20 <= y <= 60
        shown.add(x)
    assert len(shown) > 5


def test_the_pointer_learns_which_part_of_the_picture_a_box_is_in():
    *_, rows = location_rows((16, 0, 48, 32), 30, 10)
    assert rows.pointed.shape[-1] == 12
    assert rows.pointed[0, 0].tolist() == [0.5, 0.5] + [0.0] * 10
    assert WORDS.decode([rows.ids[0, rows.pointing[0, 0]].item()]) == "c"
    assert float(rows.pointed[0, 1:].sum()) == 0
