"""What the learner computes is what transformers computes of each segment alone."""

from __future__ import annotations

import pytest
import torch
from PIL import Image
from policies.nano.tests.learn.pages import SMALL, page, small_settings, stack_of

from webgym.run.inference.processor import read_processor
from webgym_nano.config import NanoConfig
from webgym_nano.folder import write_folder
from webgym_nano.learn import greedy
from webgym_nano.learn.colours import scaled
from webgym_nano.learn.model import Pupil, segment_mask
from webgym_nano.learn.rows import Packer
from webgym_nano.learn.segments import Column
from webgym_nano.learn.words import Words
from webgym_nano.model import new_model

WORDS = Words()
PROMPT = "<|user|><|vision_start|><|image_pad|><|vision_end|>"


def rows_of(config, count=2):
    """Lessons in rows, with the segments in any order."""
    settings = small_settings(config)
    packer = Packer(config, settings.rows, settings.loss, WORDS)
    stack = stack_of([page(number, config) for number in range(count)], config, settings, packer)
    chosen = packer.choose(stack.table, torch.rand(stack.table.shape[:2], generator=torch.Generator().manual_seed(1)))
    return packer, stack, chosen


def prompt_of(processor, stack, row, ids):
    image = Image.fromarray(stack.pictures[row].numpy())
    return processor(text=[PROMPT + WORDS.decode(ids)], images=[image], return_tensors="pt")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("config", [NanoConfig(), NanoConfig(layers=3, deepstack=(1, 3)), SMALL])
def test_a_segment_of_a_shared_row_has_the_logits_of_transformers_on_its_prompt_alone(config, tmp_path):
    model = new_model(config, seed=3)
    write_folder(tmp_path, model, config)
    processor, pupil = read_processor(tmp_path), Pupil(model, config, WORDS)
    packer, stack, chosen = rows_of(config, 2 if config is SMALL else 1)
    rows = packer.lay_out(stack.tokens, chosen)
    with torch.no_grad():
        states = pupil.states(pupil.look(scaled(stack.pictures)), rows.ids, rows.positions, rows.segments)
        ours = pupil.logits(states[:, pupil.prefix :])
    compared = 0
    for row, number in chosen.length.nonzero().tolist():
        start, length = int(chosen.start[row, number]), int(chosen.length[row, number])
        ids = rows.ids[row, start : start + length].tolist()
        made = prompt_of(processor, stack, row, ids)
        assert made["input_ids"][0, pupil.prefix :].tolist() == ids
        with torch.no_grad():
            theirs = model(**made).logits[0, pupil.prefix :]
        torch.testing.assert_close(ours[row, start : start + length], theirs, atol=1e-4, rtol=0)
        compared += 1
    assert compared >= 7


def test_replies_are_those_that_transformers_generates(tmp_path):
    model = new_model(SMALL, seed=3)
    with torch.no_grad():
        model.model.language_model.embed_tokens.weight.mul_(6)  # so that replies differ and some end
    write_folder(tmp_path, model, SMALL)
    processor, pupil = read_processor(tmp_path), Pupil(model, SMALL, WORDS)
    packer, stack, chosen = rows_of(SMALL)
    found = greedy.replies(pupil, packer, stack, chosen, WORDS)
    told = set()
    for row, number in chosen.length.nonzero().tolist():
        start, ask, length = chosen.table[row, number, [Column.START, Column.ASK, Column.LENGTH]].tolist()
        made = prompt_of(processor, stack, row, stack.tokens[row, start : start + ask].tolist())
        with torch.no_grad():
            theirs = model.generate(**made, do_sample=False, max_new_tokens=length - ask, temperature=None, top_k=None)
        new = theirs[0, made["input_ids"].shape[1] :].tolist()
        new = new[: new.index(WORDS.end)] if WORDS.end in new else new
        assert found[row][number] == new
        told.add(tuple(new))
    assert len(told) > 5


def test_gradients_do_not_flow_between_segments():
    pupil = Pupil(new_model(SMALL, seed=3), SMALL, WORDS)
    packer, stack, chosen = rows_of(SMALL, 1)
    rows = packer.lay_out(stack.tokens, chosen)
    seen = pupil.look(scaled(stack.pictures))
    states = pupil.begin(seen, rows.ids).detach().requires_grad_()
    out = pupil.read(states, pupil.row_turns(rows.positions), segment_mask(rows.segments, pupil.prefix))
    numbers = [number for number in rows.segments.unique().tolist() if number >= 0]
    assert len(numbers) > 4
    for number in numbers:
        mine = rows.segments[0] == number
        logits = pupil.logits(out[:, pupil.prefix :])[0, mine]
        (gradient,) = torch.autograd.grad(logits.square().sum(), states, retain_graph=True)
        moved = gradient[0].abs().sum(-1) > 0
        assert moved[: pupil.prefix].all()
        assert torch.equal(moved[pupil.prefix :], mine)
