"""The packed model computes what transformers computes, and so do its gradients."""

from __future__ import annotations

import pytest
import torch
from tests.unit.train import plain, tiny

from webgym.errors import ModelError
from webgym.train.attention import attend, segments
from webgym.train.images import PatchCache
from webgym.train.logprobs import speak
from webgym.train.model import PackedModel
from webgym.train.packing import Pack, pack
from webgym.train.rows import row_of
from webgym.train.shape import Shape, shape_of


def packed(samples, shape: Shape) -> Pack:
    gallery = PatchCache(tiny.PICTURES.__getitem__, tiny.processor(), shape.vision)
    rows = [row_of(n, s, [gallery.grid(a) for a in s.pictures], shape) for n, s in enumerate(samples)]
    return pack(rows, gallery.patches(a for s in samples for a in s.pictures), shape)


def twin(published, dtype=torch.float32) -> PackedModel:
    model = PackedModel(shape_of(published.config), dtype)
    state = published.state_dict()
    if model.lm_head is None:
        del state["lm_head.weight"]
    model.load_state_dict(state)
    return model


def gradients(model: PackedModel, samples) -> dict[str, torch.Tensor]:
    model.zero_grad()
    made = packed(samples, model.shape)
    (model(made).logprobs * made.weights).sum().backward()
    return {name: weight.grad.clone() for name, weight in model.named_parameters()}


@pytest.mark.parametrize("tied", [True, False])
def test_logprobs_and_gradients_equal_those_of_the_padded_transformers_model(tied):
    published = tiny.published(tied=tied)
    model = twin(published)
    samples = tiny.samples()
    made = packed(samples, model.shape)

    expected = plain.logprobs(published, samples)
    (expected * made.weights).sum().backward()
    theirs = dict(published.named_parameters())

    torch.testing.assert_close(model(made).logprobs, expected, atol=2e-5, rtol=1e-5)
    for name, found in gradients(model, samples).items():
        reference = theirs[name].grad
        scale = max(float(reference.abs().max()), 1.0)
        torch.testing.assert_close(
            found, reference, atol=1e-5 * scale, rtol=1e-4, msg=lambda text, name=name: name + text
        )


def test_what_is_computed_again_on_the_way_back_changes_no_gradient():
    model = twin(tiny.published())
    kept = gradients(model, tiny.samples())
    for text, vision in ((1.0, 1.0), (0.4, 0.0), (0.0, 0.6)):
        model.save_memory(text=text, vision=vision)
        for name, found in gradients(model, tiny.samples()).items():
            assert torch.equal(found, kept[name]), name


def test_gradients_in_bfloat16_are_near_those_in_float32_and_kept_in_float32():
    published = tiny.published()
    wide, narrow = twin(published), twin(published, torch.bfloat16)
    exact = gradients(wide, tiny.samples())
    for name, found in gradients(narrow, tiny.samples()).items():
        assert found.dtype == torch.float32
        cosine = torch.nn.functional.cosine_similarity(found.flatten(), exact[name].flatten(), dim=0)
        assert cosine > 0.9, name


def test_rows_of_a_pack_do_not_see_each_other():
    model = twin(tiny.published())
    samples = tiny.samples()
    together = model(packed(samples, model.shape)).logprobs
    alone = torch.cat([model(packed([sample], model.shape)).logprobs for sample in samples])
    torch.testing.assert_close(together, alone, atol=2e-5, rtol=1e-5)


def test_a_model_that_looks_without_pictures_computes_the_same():
    model = twin(tiny.published())
    samples = [tiny.sample(2, "", text=9)]
    plainly = model(packed(samples, model.shape)).logprobs.detach()
    model.always_look = True
    found = gradients(model, samples)
    assert torch.equal(model(packed(samples, model.shape)).logprobs, plainly)
    assert not found["model.visual.patch_embed.proj.weight"].any()


@pytest.mark.parametrize("chunk", [1, 3, 100])
def test_logprobs_in_chunks_are_those_of_a_softmax_over_everything(chunk):
    torch.manual_seed(0)
    hidden, weight = torch.randn(7, 5, requires_grad=True), torch.randn(11, 5, requires_grad=True)
    targets, temperatures = torch.randint(11, (7,)), torch.rand(7) + 0.5
    slope = torch.randn(7)
    logits = (hidden @ weight.t()) / temperatures[:, None]
    expected = logits.log_softmax(-1)
    chosen = expected.gather(-1, targets[:, None]).squeeze(-1)
    wanted = torch.autograd.grad((chosen * slope).sum(), (hidden, weight))
    spoken = speak(hidden, weight, targets, temperatures, chunk)
    torch.testing.assert_close(spoken.logprobs, chosen)
    torch.testing.assert_close(spoken.entropy, -(expected.exp() * expected).sum(-1))
    torch.testing.assert_close(torch.autograd.grad((spoken.logprobs * slope).sum(), (hidden, weight)), wanted)


@pytest.mark.parametrize("causal", [True, False])
def test_attention_stays_within_segments(causal):
    torch.manual_seed(0)
    lengths = (3, 5, 5, 1)
    query, key, value = torch.randn(14, 4, 8), torch.randn(14, 2, 8), torch.randn(14, 2, 8)
    segment = torch.repeat_interleave(torch.arange(4), torch.tensor(lengths))
    mask = segment[:, None] == segment
    if causal:
        mask = mask.tril()
    expected = torch.nn.functional.scaled_dot_product_attention(
        *(each.transpose(0, 1) for each in (query, key.repeat_interleave(2, 1), value.repeat_interleave(2, 1))),
        attn_mask=mask,
    ).transpose(0, 1)
    torch.testing.assert_close(attend(query, key, value, segments(lengths), causal=causal), expected)


def test_the_shape_of_a_model_counts_its_parameters():
    for tied in (True, False):
        config = tiny.config(tied=tied)
        model = PackedModel(shape_of(config))
        counted = sum(weight.numel() for weight in model.parameters() if weight.ndim > 1)
        assert shape_of(config).parameters == counted


def test_models_of_other_architectures_are_refused():
    config = tiny.config()
    config.model_type = "llama"
    with pytest.raises(ModelError, match="llama"):
        shape_of(config)
    config = tiny.config()
    config.text_config.rope_parameters["rope_type"] = "yarn"
    with pytest.raises(ModelError, match="yarn"):
        shape_of(config)
