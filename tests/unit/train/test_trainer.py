"""The trainer learns what the loss says, however a batch is cut up, and stops before it does harm."""

from __future__ import annotations

import shutil
from array import array

import msgspec
import pytest
import torch
from tests.unit.train import plain, tiny

from webgym.errors import LossNotFinite, SampleError, TokenizerMismatch
from webgym.train.loss import LossTokens, policy_loss
from webgym.train.open import settled
from webgym.train.optimizer import MomentTypes, NarrowAdamW, draws, rounded
from webgym.train.settings import LoraSettings, TrainerSettings


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.folder(tmp_path_factory.mktemp("models") / "model")


def test_a_step_is_that_of_plain_adamw_on_the_padded_model(folder):
    trainer = tiny.trainer(folder, recipe=tiny.recipe_of(lr=1e-3))
    published = tiny.published()
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in published.parameters() if p.ndim > 1], "weight_decay": 0.01},
            {"params": [p for p in published.parameters() if p.ndim == 1], "weight_decay": 0.0},
        ],
        lr=1e-3,
        # Where gradients are nothing but rounding errors, Adam would make whole steps of them.
        eps=1e-3,
    )
    trainer.optimizer.param_groups[0]["eps"] = trainer.optimizer.param_groups[1]["eps"] = 1e-3
    samples = tiny.samples()
    for version in range(3):
        report = trainer.step(tiny.batch(samples, version))
        current = plain.logprobs(published, samples)
        weights = torch.frombuffer(bytearray(b"".join(s.weights for s in samples)), dtype=torch.float32)
        loss, _ = policy_loss(LossTokens(current, weights, proximal=current.detach()), trainer.recipe.loss)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(published.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        assert report.updates[0].loss == pytest.approx(loss.item(), abs=1e-4)
        assert report.updates[0].grad_norm == pytest.approx(norm.item(), rel=1e-4)
    theirs = dict(published.named_parameters())
    for name, weight in trainer.model.named_parameters():
        torch.testing.assert_close(weight, theirs[name], atol=2e-5, rtol=1e-4, msg=lambda text, name=name: name + text)


@pytest.mark.parametrize(("tokens", "passes"), [(1, 5), (64, 3), (10_000, 1)])
def test_how_a_batch_is_cut_up_does_not_change_the_gradient(folder, tokens, passes):
    def moved(**settings):
        trainer = tiny.trainer(folder, **settings)
        seen = {}

        def look(*_):
            seen.update({name: weight.grad.clone() for name, weight in trainer.model.named_parameters()})

        trainer.optimizer.register_step_pre_hook(look)
        report = trainer.step(tiny.batch())
        return seen, report

    whole, _ = moved(tokens=100_000, patches=100_000)
    cut, report = moved(tokens=tokens)
    assert report.passes == passes
    for name, gradient in cut.items():
        torch.testing.assert_close(gradient, whole[name], atol=1e-6, rtol=1e-4)


def test_each_pass_computes_as_few_layers_again_as_it_can(folder, monkeypatch):
    chosen = []
    trainer = tiny.trainer(folder, tokens=64, recompute=1.0, recompute_vision=1.0)
    told = trainer.model.save_memory

    def noted(*, text, vision):
        chosen.append((text, vision))
        told(text=text, vision=vision)

    monkeypatch.setattr(trainer.model, "save_memory", noted)
    report = trainer.step(tiny.batch())
    assert len(chosen) == report.passes == 3
    assert min(chosen) < (1.0, 1.0)
    plainly = tiny.trainer(folder, tokens=64, recompute=0.0, recompute_vision=0.0)
    assert plainly.step(tiny.batch()).updates == report.updates
    for name, weight in plainly.model.named_parameters():
        assert torch.equal(weight, dict(trainer.model.named_parameters())[name])


def test_proximal_logprobs_are_those_before_the_first_minibatch(folder):
    """With one minibatch for each row, all ratios of the first epoch but the first would be 1 if they were not."""
    trainer = tiny.trainer(folder, recipe=tiny.recipe_of(lr=1e-2, minibatches=5, epochs=2))
    before = trainer.logprobs(tiny.samples())
    kept = {}
    known = trainer._known

    def spy(*arguments):
        kept["known"] = known(*arguments)
        return kept["known"]

    trainer._known = spy
    report = trainer.step(tiny.batch())
    assert len(report.updates) == 10
    assert trainer.steps == 10
    assert [update.tokens.mean_ratio == 1 for update in report.updates] == [True, *[False] * 9]
    for number, expected in enumerate(before):
        torch.testing.assert_close(kept["known"].proximal[number], expected, atol=1e-5, rtol=1e-5)


def test_logprobs_are_those_of_transformers_in_the_order_of_the_samples(folder):
    trainer = tiny.trainer(folder)
    samples = list(reversed(tiny.samples()))
    expected = plain.logprobs(tiny.published(), samples).detach()
    torch.testing.assert_close(torch.cat(trainer.logprobs(samples)), expected, atol=2e-5, rtol=1e-5)


def test_a_learning_rate_of_nothing_changes_nothing(folder):
    trainer = tiny.trainer(folder, recipe=tiny.recipe_of(lr=0))
    before = tiny.weights(trainer.model)
    trainer.step(tiny.batch())
    assert all(torch.equal(weight, before[name]) for name, weight in trainer.model.named_parameters())


def test_small_steps_are_lost_in_bfloat16_weights_and_kept_in_ours(folder):
    """At lr 1e-6 a step is smaller than the distance from one bfloat16 number of this size to the next."""
    recipe = tiny.recipe_of(lr=1e-6)
    trainer = tiny.trainer(folder, recipe=recipe, precision="bfloat16")
    large = {name: weight for name, weight in tiny.weights(trainer.model).items() if weight.ndim > 1}
    for weight in trainer.model.parameters():
        assert weight.dtype == torch.float32

    narrow = tiny.published().bfloat16()
    before = tiny.weights(narrow)
    optimizer = torch.optim.AdamW(narrow.parameters(), lr=1e-6)
    plain.logprobs(narrow, tiny.samples()).sum().backward()
    optimizer.step()
    trainer.step(tiny.batch())

    theirs = [(weight != before[name])[before[name].abs() > 1e-3] for name, weight in narrow.named_parameters()]
    ours = [(dict(trainer.model.named_parameters())[name] != weight) for name, weight in large.items()]
    assert not torch.cat(theirs).any()
    assert torch.cat([moved.flatten() for moved in ours]).float().mean() > 0.5


def test_learning_makes_what_is_rewarded_likelier(folder):
    trainer = tiny.trainer(folder, recipe=tiny.recipe_of(lr=3e-3))
    good, bad = tiny.sample(1, "ab", weight=1.0), tiny.sample(4, "c", weight=-1.0)
    before = [float(each.sum()) for each in trainer.logprobs([good, bad])]
    for version in range(5):
        trainer.step(tiny.batch([good, bad], version))
    after = [float(each.sum()) for each in trainer.logprobs([good, bad])]
    assert after[0] > before[0]
    assert after[1] < before[1]


def test_rows_without_weight_are_left_out(folder):
    idle = msgspec.structs.replace(tiny.sample(2, "a"), weights=bytes(16))
    both, one = tiny.trainer(folder), tiny.trainer(folder)
    assert both.step(tiny.batch([idle, tiny.sample(1)])).rows == 1
    one.step(tiny.batch([tiny.sample(1)]))
    ours = tiny.weights(both.model)
    assert all(torch.equal(ours[name], weight) for name, weight in one.model.named_parameters())


def test_empty_batches_are_refused(folder):
    trainer = tiny.trainer(folder)
    with pytest.raises(SampleError, match="empty"):
        trainer.step(tiny.batch([]))
    with pytest.raises(SampleError, match="all weights"):
        trainer.step(tiny.batch([msgspec.structs.replace(tiny.sample(2), weights=bytes(16))]))
    assert trainer.batches == 0


def test_a_loss_that_is_not_finite_stops_before_the_weights_move(folder):
    trainer = tiny.trainer(folder)
    before = tiny.weights(trainer.model)
    infinite = msgspec.structs.replace(tiny.sample(1), weights=array("f", [3e38] * 4).tobytes())
    with pytest.raises(LossNotFinite, match="step 1"):
        trainer.step(tiny.batch([tiny.sample(2), infinite]))
    assert all(torch.equal(weight, before[name]) for name, weight in trainer.model.named_parameters())
    assert trainer.steps == 0
    trainer.step(tiny.batch())
    assert all(torch.isfinite(weight).all() for weight in trainer.model.parameters())


def test_other_vocabularies_are_refused_before_anything_is_computed(folder):
    trainer = tiny.trainer(folder)
    bad = msgspec.structs.replace(tiny.sample(1), prompt=array("i", [5, 150_000]).tobytes())
    with pytest.raises(TokenizerMismatch, match="150000"):
        trainer.step(tiny.batch([tiny.sample(2), bad]))


def test_lora_moves_small_matrices_alone_and_is_merged_when_saved(folder, tmp_path):
    trainer = tiny.trainer(folder, lora=LoraSettings(rank=2, alpha=4.0), recipe=tiny.recipe_of(lr=1e-2))
    plain_model = tiny.trainer(folder)
    samples = tiny.samples()
    torch.testing.assert_close(torch.cat(trainer.logprobs(samples)), torch.cat(plain_model.logprobs(samples)))
    before = tiny.weights(trainer.model)
    trainer.step(tiny.batch())
    trainer.step(tiny.batch())
    for name, weight in trainer.model.named_parameters():
        assert torch.equal(weight, before[name]) == (not name.endswith(("lora_a", "lora_b"))), name
    trainer.save(tmp_path / "out", 1)
    merged = tiny.trainer(tmp_path / "out")
    torch.testing.assert_close(
        torch.cat(merged.logprobs(samples)), torch.cat(trainer.logprobs(samples)), atol=0.3, rtol=0.05
    )
    assert dict(merged.model.named_parameters()).keys() == dict(plain_model.model.named_parameters()).keys()


def test_a_vision_tower_that_does_not_learn_stays_as_it_is(folder):
    trainer = tiny.trainer(folder, train_vision=False)
    before = tiny.weights(trainer.model)
    trainer.step(tiny.batch())
    for name, weight in trainer.model.named_parameters():
        assert torch.equal(weight, before[name]) == name.startswith("model.visual"), name


def test_a_divergence_from_the_first_weights_pulls_back_to_them(folder):
    free, bound = (tiny.trainer(folder, recipe=tiny.recipe_of(lr=2e-3, kl=kl)) for kl in (0.0, 10.0))
    for version in range(4):
        free.step(tiny.batch(version=version))
        report = bound.step(tiny.batch(version=version))
    first = tiny.trainer(folder).logprobs(tiny.samples())
    distance = [
        float((torch.cat(trainer.logprobs(tiny.samples())) - torch.cat(first)).abs().mean())
        for trainer in (free, bound)
    ]
    assert report.updates[0].tokens.kl_reference > 0
    assert distance[1] < distance[0]


@pytest.mark.parametrize("lora", [None, LoraSettings(rank=2)])
def test_a_reference_is_kept_in_what_it_computes_in(folder, lora):
    recipe = tiny.recipe_of(lr=1e-2, kl=0.01)
    trainer = tiny.trainer(folder, recipe=recipe, precision="bfloat16", lora=lora)
    reference = trainer._reference
    assert {(weight.dtype, weight.requires_grad) for weight in reference.parameters()} == {(torch.bfloat16, False)}
    learning = {weight.dtype for weight in trainer.model.parameters() if weight.requires_grad}
    assert learning == {torch.float32}
    before = tiny.weights(reference)
    updates = [trainer.step(tiny.batch(version=version)).updates[0] for version in range(2)]
    assert updates[0].tokens.kl_reference < updates[1].tokens.kl_reference
    assert all(torch.equal(weight, before[name]) for name, weight in reference.named_parameters())


def test_random_rounding_is_right_on_average():
    value = torch.tensor(1.0) + 2**-10
    values = value.repeat(200_000)
    found = rounded(values, draws(len(values), values.device, 7)).float()
    assert set(found.tolist()) == {1.0, 1.0 + 2**-7}
    assert abs(float(found.mean()) - float(value)) < 1e-4
    exact = torch.tensor([0.0, 1.0, 2.5e-9, 3e20]).bfloat16().float()
    assert torch.equal(rounded(exact, draws(len(exact), exact.device, 7)).float(), exact)


def test_a_narrow_running_square_follows_what_moves_it_by_less_than_its_own_spacing():
    weight = torch.nn.Parameter(torch.zeros(4096))
    types = MomentTypes(torch.float32, torch.bfloat16)
    narrow = NarrowAdamW([weight], types, lr=0.0, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0)
    for _ in range(400):
        weight.grad = torch.ones(4096)
        narrow.step()
    square = narrow.state[weight]["exp_avg_sq"]
    assert square.dtype == torch.bfloat16
    assert abs(float(square.float().mean()) / (1 - 0.999**400) - 1) < 0.01


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch's, of its own parts
@pytest.mark.skipif(shutil.which("g++") is None, reason="torch compiles with g++")
def test_a_fused_step_of_a_narrow_optimizer_moves_as_a_step_in_parts_does():
    def after(*, fused: bool) -> tuple[torch.Tensor, torch.Tensor]:
        weight = torch.nn.Parameter(torch.linspace(-1, 1, 640).reshape(20, 32))
        types = MomentTypes(torch.bfloat16, torch.bfloat16)
        narrow = NarrowAdamW([weight], types, fused=fused, lr=0.1, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.1)
        for step in range(3):
            weight.grad = torch.sin(torch.arange(640.0) * (step + 1)).reshape(20, 32)
            narrow.step()
        return weight.detach(), narrow.state[weight]["exp_avg_sq"].float()

    for fused, in_parts in zip(after(fused=True), after(fused=False), strict=True):
        torch.testing.assert_close(fused, in_parts, rtol=1e-2, atol=1e-5)


def test_a_narrow_optimizer_moves_a_weight_in_pieces_as_it_moves_a_whole_one(monkeypatch):
    def after() -> list[torch.Tensor]:
        weight = torch.nn.Parameter(torch.linspace(-1, 1, 640).reshape(20, 32))
        types = MomentTypes(torch.bfloat16, torch.float32)
        narrow = NarrowAdamW([weight], types, lr=0.1, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.1)
        for step in range(3):
            # Not contiguous, as a gradient may be.
            weight.grad = torch.sin(torch.arange(640.0) * (step + 1)).reshape(32, 20).T
            narrow.step()
        return [weight.detach(), narrow.state[weight]["exp_avg"], narrow.state[weight]["exp_avg_sq"]]

    at_once = after()
    assert (at_once[0] != torch.linspace(-1, 1, 640).reshape(20, 32)).all()
    monkeypatch.setattr("webgym.train.optimizer._PIECE", 100)
    assert all(torch.equal(pieces, whole) for pieces, whole in zip(after(), at_once, strict=True))


def test_random_rounding_of_a_narrow_optimizer_is_another_in_every_step_and_the_same_again():
    def after(steps: int) -> torch.Tensor:
        weight = torch.nn.Parameter(torch.zeros(640))
        types = MomentTypes(torch.float32, torch.bfloat16)
        narrow = NarrowAdamW([weight], types, lr=0.0, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0)
        for _ in range(steps):
            weight.grad = torch.ones(640)
            narrow.step()
        return narrow.state[weight]["exp_avg_sq"]

    assert torch.equal(after(2), after(2))
    # With the same draws again, whatever was rounded up would be so in each step: two values, not three or more.
    assert len(set(after(1).tolist())) == 2
    assert len(set(after(2).tolist())) > 2


@pytest.mark.parametrize("narrowed", [{}, {"second_moment": "bfloat16"}])
def test_a_narrow_running_mean_learns_almost_the_same(folder, narrowed):
    wide, narrow = tiny.trainer(folder), tiny.trainer(folder, first_moment="bfloat16", **narrowed)
    before = tiny.weights(wide.model)
    for version in range(3):
        wide.step(tiny.batch(version=version))
        narrow.step(tiny.batch(version=version))
    ours = tiny.weights(narrow.model)
    moved = torch.cat([(weight - before[name]).flatten() for name, weight in wide.model.named_parameters()])
    apart = torch.cat([(weight - ours[name]).flatten() for name, weight in wide.model.named_parameters()])
    assert apart.abs().mean() < 0.02 * moved.abs().mean()


def test_a_processor_computes_in_float32_unless_told_otherwise(folder):
    opened = tiny.trainer(folder, precision="auto")
    assert opened.settings.precision == "float32"
    assert opened.model.dtype == torch.float32
    assert settled(TrainerSettings(device="cpu", precision="bfloat16")).precision == "bfloat16"
