"""Kernels of attention, and products with wide weights: all compute the same, and keep no more than they must."""

import itertools
import shutil

import pytest
import torch

from webgym.train.attention import segments
from webgym.train.attention_kernels import Heads, by_runs, cudnn, cudnn_repeated, fastest
from webgym.train.layers import Linear, together
from webgym.train.lora import LoraLinear
from webgym.train.mixed_precision import product, shifted
from webgym.train.settings import LoraSettings
from webgym.train.shape import TextShape
from webgym.train.text import TextLayer
from webgym.train.typed import compiled


@pytest.mark.parametrize("kernel", [cudnn, cudnn_repeated])
@pytest.mark.parametrize("causal", [True, False])
def test_every_kernel_computes_the_same_attention_and_gradients(kernel, causal):
    # On a processor, what is done to the inputs for cuDNN is the same; what computes them is not.
    within = segments((300, 300, 256, 7))
    counts = (4, 2, 2)
    generator = torch.Generator().manual_seed(1)
    inputs = [torch.randn(863, count, 16, generator=generator, requires_grad=True) for count in counts]
    slope = torch.randn(863, 4, 16, generator=generator)
    found, expected = (each(*inputs, within, causal=causal) for each in (kernel, by_runs))
    torch.testing.assert_close(found, expected)
    for ours, theirs in zip(
        torch.autograd.grad(found, inputs, slope), torch.autograd.grad(expected, inputs, slope), strict=True
    ):
        torch.testing.assert_close(ours, theirs)


def test_a_kernel_that_does_not_work_here_is_not_chosen(monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("no kernel for this card")

    monkeypatch.setattr("webgym.train.attention_kernels.varlen", broken)
    monkeypatch.setattr("webgym.train.attention_kernels.cudnn", broken)
    monkeypatch.setattr("webgym.train.attention_kernels.cudnn_repeated", broken)
    heads = Heads(queries=2, keys=1, width=8, causal=True)
    assert fastest(heads, torch.float32, segments((5, 3))) is by_runs


def test_a_kernel_that_is_held_up_now_and_then_is_chosen_all_the_same(monkeypatch):
    clock = 0.0

    def taking(*seconds):
        each = itertools.cycle(seconds)

        def kernel(query, key, value, _within, *, causal):
            nonlocal clock
            clock += next(each)
            return query + key + value

        return kernel

    steady, held_up = taking(1.0), taking(0.5, 9.0, 0.5, 3.0)
    monkeypatch.setattr("webgym.train.attention_kernels._now", lambda _device: clock)
    monkeypatch.setattr("webgym.train.attention_kernels.varlen", steady)
    monkeypatch.setattr("webgym.train.attention_kernels.cudnn", held_up)
    heads = Heads(queries=2, keys=2, width=8, causal=False)
    assert fastest(heads, torch.float32, segments((5, 3))) is held_up


def test_a_product_with_wide_weights_has_their_gradients_in_their_width():
    x = torch.randn(3, 5, 8).bfloat16().requires_grad_()
    weight = torch.randn(4, 8, requires_grad=True)
    slope = torch.randn(3, 5, 4).bfloat16()
    found = product(x, weight)
    plain = torch.nn.functional.linear(x, weight.bfloat16())
    torch.testing.assert_close(found, plain)
    to_x, to_weight = torch.autograd.grad(found, (x, weight), slope)
    assert (to_x.dtype, to_weight.dtype) == (torch.bfloat16, torch.float32)
    for ours, theirs in zip((to_x, to_weight), torch.autograd.grad(plain, (x, weight), slope), strict=True):
        torch.testing.assert_close(ours, theirs)


def test_a_wide_bias_has_its_gradient_summed_in_its_own_width():
    x = torch.randn(3, 700, 4).bfloat16().requires_grad_()
    bias = torch.randn(4, requires_grad=True)
    slope = torch.rand(3, 700, 4).bfloat16()
    found = shifted(x, bias)
    torch.testing.assert_close(found, x + bias.bfloat16())
    to_x, to_bias = torch.autograd.grad(found, (x, bias), slope)
    assert torch.equal(to_x, slope)
    # To the last digits: about 1,050, which is 1,048 or 1,056 in bfloat16.
    torch.testing.assert_close(to_bias, slope.double().sum((0, 1)).float(), rtol=1e-5, atol=0)


def test_rows_that_are_filled_up_for_cudnn_lie_in_memory_as_they_came(monkeypatch):
    seen = []

    def noted(query, key, value, **options):
        seen.extend(each.transpose(1, 2).is_contiguous() for each in (query, key, value))
        return torch.nn.functional.scaled_dot_product_attention(query, key, value, **options)

    monkeypatch.setattr("webgym.train.attention_kernels.scaled_dot_product_attention", noted)
    inputs = [torch.randn(300, count, 16) for count in (4, 2, 2)]
    cudnn(*inputs, segments((300,)), causal=True)
    assert seen == [True, True, True]


def wide_layers(*outputs: int, bias: bool = False) -> list[Linear]:
    layers = [Linear(8, each, bias=bias) for each in outputs]
    for layer in layers:
        for weight in layer.parameters():
            torch.nn.init.normal_(weight)
    return layers


def test_layers_asked_together_give_what_each_gives_and_get_its_gradient():
    layers = wide_layers(4, 2, 6)
    x = torch.randn(3, 5, 8).bfloat16().requires_grad_()
    weights = [layer.weight for layer in layers]
    slopes = [torch.randn(3, 5, len(weight)).bfloat16() for weight in weights]
    found, expected = together(x, *layers), [layer(x) for layer in layers]
    ours, theirs = (torch.autograd.grad(each, [x, *weights], slopes) for each in (found, expected))
    assert [each.dtype for each in ours] == [torch.bfloat16, *[torch.float32] * 3]
    for one, other in zip((*found, *ours), (*expected, *theirs), strict=True):
        torch.testing.assert_close(one, other, rtol=0.02, atol=0.05)  # sums of bfloat16 in another order


def test_layers_asked_together_are_one_product_if_they_are_plain_and_wide_and_their_own_otherwise():
    x = torch.randn(5, 8).bfloat16()
    plain, biased, narrow = wide_layers(4, 4), wide_layers(4, 4, bias=True), wide_layers(4, 4)
    for layer in narrow:
        layer.to(torch.bfloat16)
    adapted = [LoraLinear(layer, LoraSettings(rank=2, alpha=4.0)) for layer in wide_layers(4, 4)]
    for layer in adapted:
        layer.start(0)
        torch.nn.init.normal_(layer.lora_b)
    for layers, one in ((plain, True), (biased, False), (narrow, False), (adapted, False)):
        found = together(x, *layers)
        assert (found[0].untyped_storage().data_ptr() == found[1].untyped_storage().data_ptr()) == one
        for ours, layer in zip(found, layers, strict=True):
            torch.testing.assert_close(ours, layer(x), rtol=0.02, atol=0.05)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch's, of its own parts
@pytest.mark.filterwarnings("ignore:The .grad attribute:UserWarning")
@pytest.mark.skipif(shutil.which("g++") is None, reason="torch compiles with g++")
def test_a_compiled_layer_keeps_no_narrow_copy_of_its_weights():
    shape = TextShape(100, 64, 128, 1, 4, 2, 16, 1e4, (4, 2, 2), 1e-6, bias=False)
    layer = TextLayer(shape)
    torch.manual_seed(0)
    for weight in layer.parameters():
        torch.nn.init.normal_(weight, 0, 0.1)
    x = torch.randn(50, 64).bfloat16().requires_grad_()
    angles = torch.randn(2, 50, 8).bfloat16()
    asked, concluded = compiled(layer.ask), compiled(layer.conclude)
    kept: dict[int, torch.Tensor] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        kept[tensor.data_ptr()] = tensor
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        found = concluded(x, asked(x, *angles)[0])
    expected = layer.conclude(x, layer.ask(x, *angles)[0])
    torch.testing.assert_close(found, expected, rtol=0.05, atol=0.05)
    assert kept
    # All that is kept is of tokens, or a weight as it is.
    own = {weight.data_ptr() for weight in layer.parameters()}
    assert all(len(each) == 50 for place, each in kept.items() if place not in own)
