"""What a run needs is known before it starts."""

from __future__ import annotations

import pytest
import torch
from tests.unit.train import tiny
from tests.unit.train.test_model import packed

from webgym.errors import DoesNotFit
from webgym.train.estimate import (
    DiskRetention,
    Work,
    check,
    estimate,
    fitted,
    fitted_to_pass,
    kept_text,
    kept_vision,
    learning_parameters,
    memory,
)
from webgym.train.learner import Learner
from webgym.train.messages import TrainerStart
from webgym.train.model import PackedModel
from webgym.train.settings import LoraSettings, TrainerSettings
from webgym.train.shape import shape_of
from webgym_bench.trainer.sizes import SIZES

GIB = 1 << 30


def kept(share: float) -> float:
    """Bytes that autograd keeps for the way back, weights left out."""
    model = PackedModel(shape_of(tiny.config(layers=6)))
    model.scramble(0)
    model.save_memory(text=share, vision=1.0)
    made = packed(tiny.samples(), model.shape)
    weights = {weight.untyped_storage().data_ptr() for weight in model.parameters()}
    found: dict[int, int] = {}

    def note(tensor):
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in weights:
            found[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        spoken = model(made)
    assert spoken.logprobs.requires_grad
    return sum(found.values()) / len(made.ids) / 4


def test_layers_keep_about_as_much_as_estimated():
    """Somewhat more on a processor, where norms are not fused and keys are repeated."""
    shape = shape_of(tiny.config(layers=6)).text
    of_layer = (kept(0.0) - kept(1.0)) / 6
    assert 0.8 < of_layer / (kept_text(shape) - shape.width) < 1.7
    assert kept_vision(shape_of(tiny.config()).vision) > 0


def test_parameters_of_the_published_sizes():
    for name, text, vision in (("2b", 1.72e9, 0.41e9), ("8b", 7.57e9, 0.58e9)):
        shape = shape_of(SIZES[name]())
        assert shape.text_parameters == pytest.approx(text, rel=0.01)
        assert shape.vision_parameters == pytest.approx(vision, rel=0.03)


def test_an_8b_model_needs_a_narrow_mean_to_keep_activations_on_one_card():
    shape = shape_of(SIZES["8b"]())
    settings = TrainerSettings(tokens=6_000, patches=20_000, first_moment="bfloat16")
    assert fitted(shape, settings, 138 * GIB).recompute < 0.6
    with pytest.raises(DoesNotFit, match="GB of memory are needed"):
        fitted(shape, settings, 80 * GIB)
    assert memory(shape, settings, processes=4).total < 60 * GIB


@pytest.mark.parametrize("tokens", [6_000, 4_000, 1_500])
def test_a_smaller_pass_computes_less_again_and_keeps_no_more_than_a_full_one(tokens):
    shape = shape_of(SIZES["8b"]())
    full = TrainerSettings(tokens=6_000, patches=18_000, recompute=0.5)
    found = fitted_to_pass(shape, full, tokens, 3 * tokens)
    alone = found.model_copy(update={"tokens": tokens, "patches": 3 * tokens})
    assert memory(shape, alone).activations <= memory(shape, full).activations
    assert (found.recompute, found.recompute_vision) == {
        6_000: (0.5, 1.0),
        4_000: (pytest.approx(0.22, abs=0.03), 1.0),
        1_500: (0.0, 0.0),
    }[tokens]


def test_a_pass_that_is_larger_than_planned_is_computed_as_the_settings_say():
    full = TrainerSettings(tokens=1_000, patches=3_000)
    assert fitted_to_pass(shape_of(SIZES["2b"]()), full, 9_000, 30_000) == full


def test_more_layers_computed_again_need_less_memory_and_more_time():
    shape, work = shape_of(SIZES["2b"]()), Work(rows=64, tokens=4_500, patches=13_000)
    wide, narrow = (estimate(shape, TrainerSettings(recompute=share), work, speed=8e14) for share in (0.0, 1.0))
    assert wide.memory.total > narrow.memory.total
    assert 0 < wide.seconds < narrow.seconds


def test_lora_counts_its_small_matrices(tmp_path):
    trainer = tiny.trainer(tiny.folder(tmp_path), lora=LoraSettings(rank=2, targets=("q_proj", "down_proj", "qkv")))
    counted = sum(weight.numel() for weight in trainer.model.parameters() if weight.requires_grad)
    assert learning_parameters(trainer.model.shape, trainer.settings) == counted


@pytest.mark.parametrize(("precision", "width"), [("bfloat16", 2), ("float32", 4)])
def test_a_reference_takes_memory_and_time(precision, width):
    shape, settings = shape_of(SIZES["2b"]()), TrainerSettings(precision=precision)
    alone, both = (
        estimate(shape, settings, Work(rows=64, tokens=4_500, patches=13_000, reference=there), processes=2, speed=8e14)
        for there in (False, True)
    )
    assert both.memory.total - alone.memory.total == pytest.approx(width * shape.parameters / 2, abs=1)
    assert both.learning == alone.learning
    assert both.seconds > alone.seconds
    room = memory(shape, settings.model_copy(update={"recompute": 1.0, "recompute_vision": 1.0})).total
    fitted(shape, settings, room)
    with pytest.raises(DoesNotFit):
        fitted(shape, settings, room, reference=True)


def test_the_trainer_of_a_run_counts_the_reference_that_it_opens(tmp_path):
    folder = tiny.folder(tmp_path / "model")

    def learner(kl):
        settings = TrainerSettings(device="cpu", precision="bfloat16", tokens=64).model_dump_json()
        recipe = tiny.recipe_of(kl=kl).model_dump_json()
        start = TrainerStart(str(folder), recipe, settings, run="", checkpoints=str(tmp_path / f"checkpoints-{kl}"))
        return Learner(start, tiny.PICTURES.__getitem__)

    without, with_reference = learner(0.0), learner(0.01)
    held = sum(weight.nbytes for weight in with_reference.trainer._reference.parameters())
    counted = with_reference.ready.memory_bytes - without.ready.memory_bytes
    assert counted == 2 * with_reference.ready.parameters == pytest.approx(held, rel=0.02)


def test_what_does_not_learn_is_as_wide_as_what_does_once_it_is_spread_over_processes():
    shape, settings = shape_of(SIZES["8b"]()), TrainerSettings(precision="bfloat16", lora=LoraSettings())
    learning = learning_parameters(shape, settings)
    assert memory(shape, settings).weights == 4 * learning + 2 * shape.parameters
    assert memory(shape, settings, processes=4).weights == learning + shape.parameters
    both = memory(shape, settings, processes=4, reference=True)
    assert both.weights == learning + shape.parameters + shape.parameters // 2


def test_a_run_without_enough_memory_or_disk_is_refused(tmp_path):
    found = estimate(shape_of(SIZES["8b"]()), TrainerSettings(), Work(rows=1, tokens=10, patches=10))
    with pytest.raises(DoesNotFit, match=r"memory.*trainer\.processes"):
        check(found, room=GIB, folder=None)
    with pytest.raises(DoesNotFit, match="disk"):
        check(
            estimate(shape_of(SIZES["8b"]()), TrainerSettings(), Work(1, 1, 1), kept=DiskRetention(10**6)),
            room=None,
            folder=tmp_path / "x",
        )
    check(estimate(shape_of(tiny.config()), TrainerSettings(), Work(1, 1, 1)), room=100 * GIB, folder=tmp_path / "x")
