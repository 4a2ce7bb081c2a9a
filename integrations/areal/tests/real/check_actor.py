"""The real FSDP2 actor on a CPU: an update from rows by reference is the one that our own trainer makes."""

from __future__ import annotations

import os
import socket
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from areal.api import FinetuneSpec
from areal.api.alloc_mode import ModelAllocation
from areal.api.cli_args import MicroBatchSpec, OptimizerConfig, PPOActorConfig, RejectionSamplingConfig
from areal.infra.rpc.rtensor import RTensor
from integrations.areal.tests.real.playing import MODEL, picture

from webgym.engine.shape import read_shape
from webgym.records.observation import address_of
from webgym.records.sample import Batch, Sample
from webgym.train.open import open_trainer
from webgym.train.recipe import Correction, GroupSource, LossSettings, Optimizer, Recipe
from webgym.train.settings import TrainerSettings
from webgym_areal.actor import ReferencedActor
from webgym_areal.pictures import read_cutter
from webgym_areal.references import Missing, Reference
from webgym_areal.rows import StepRow
from webgym_areal.tensors import trajectory_of

SHAPE = read_shape(Path(MODEL))
CUTTER = read_cutter(Path(MODEL))
BLOBS = {address_of(data): data for data in (picture(0, 320, 200), picture(1, 256, 256), picture(2, 320, 224))}
SHOWN = ((0,), (0, 1), (1, 2), (2,))
ADVANTAGES = (1.5, -0.7, 0.9, -0.3)


class MemoryShelf:
    def __init__(self) -> None:
        self.blobs = dict(BLOBS)
        self.asked: list[str] = []

    def get_many(self, references: Iterable[Reference]) -> dict[Reference, bytes | Missing]:
        wanted = list(references)
        self.asked += [one.address for one in wanted]
        return {one: self.blobs.get(one.address) or Missing("gone") for one in wanted}


def made_rows() -> list[StepRow]:
    pictures = list(BLOBS)
    chance = torch.Generator().manual_seed(3)

    def words(count: int) -> list[int]:
        return torch.randint(32, 250, (count,), generator=chance).tolist()

    rows: list[StepRow] = []
    for number, (shown, advantage) in enumerate(zip(SHOWN, ADVANTAGES, strict=True)):
        prompt = words(5)
        for one in shown:
            tokens = CUTTER.tokens(CUTTER.grid(BLOBS[pictures[one]]))
            pads = [SHAPE.image_token_id] * tokens
            prompt += [SHAPE.vision_start_token_id, *pads, SHAPE.vision_end_token_id, *words(3)]
        sampled = words(4 + number)
        rows.append(
            StepRow(
                f"attempt-{number}",
                1,
                array("i", prompt),
                array("i", sampled),
                array("f", [-1.0] * len(sampled)),
                array("i", [0] * len(sampled)),
                tuple(pictures[one] for one in shown),
                advantage,
            )
        )
    return rows


def trajectory(rows: list[StepRow]) -> dict[str, Any]:
    grids = {address: CUTTER.grid(data) for address, data in BLOBS.items()}
    return trajectory_of(
        rows, SHAPE.image_token_id, grids, {one: str(Reference("http://:t@h:1", one)) for one in BLOBS}
    )


def samples(rows: list[StepRow], behaviour: dict[str, array]) -> tuple[Sample, ...]:
    """The same rows for our own trainer, weighed as AReaL weighs: by the number of tokens."""
    count = sum(len(row.sampled) for row in rows)
    return tuple(
        Sample(
            row.attempt_id,
            "group",
            row.step,
            row.prompt.tobytes(),
            row.pictures,
            row.sampled.tobytes(),
            behaviour[row.attempt_id].tobytes(),
            row.versions.tobytes(),
            array("f", [row.reward / count] * len(row.sampled)).tobytes(),
            row.reward,
        )
        for row in rows
    )


def said_by(logprobs: torch.Tensor, rows: list[StepRow]) -> list[torch.Tensor]:
    """Of the sampled tokens of each row: AReaL's stand one place before."""
    return [logprobs[number, len(row.prompt) - 1 : row.length - 1] for number, row in enumerate(rows)]


@pytest.fixture(scope="module")
def actor() -> Iterator[ReferencedActor]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    names = {"RANK": "0", "WORLD_SIZE": "1", "LOCAL_RANK": "0", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    before = dict(os.environ)
    os.environ.update(names)
    config = PPOActorConfig(
        experiment_name="x",
        trial_name="y",
        path=MODEL,
        dtype="float32",
        attn_impl="sdpa",
        backend="fsdp:d1",
        # Without flash attention rows that are packed together would see each other, so each is a pass of its own.
        mb_spec=MicroBatchSpec(n_mbs=1, max_tokens_per_mb=160),
        gradient_checkpointing=False,
        disable_dropout=True,
        optimizer=OptimizerConfig(type="adam", lr=0.0, weight_decay=0.0, gradient_clipping=1e9),
        kl_ctl=0.0,
        reward_clip=1e6,
        ppo_n_minibatches=1,
        recompute_logprob=True,
        use_decoupled_loss=True,
        c_clip=3.0,
        rejection_sampling=RejectionSamplingConfig(level="token", action="mask", metric="ratio", upper=5.0),
    )
    made = ReferencedActor(config)
    made.create_process_group(ModelAllocation.from_str("fsdp:d1", name="actor").parallel)
    made.initialize(None, FinetuneSpec(1, 10, 1))
    yield made
    made.destroy()
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def gradients(actor: ReferencedActor) -> Iterator[dict[str, torch.Tensor]]:
    """As they are when the optimizer is about to step."""
    found: dict[str, torch.Tensor] = {}
    step = actor.optimizer_step

    def noting() -> Any:
        for name, weight in actor.model.named_parameters():
            found[name] = weight.grad.full_tensor().clone()
        return step()

    actor.optimizer_step = noting
    yield found
    actor.optimizer_step = step


def updated(actor: ReferencedActor, rows: list[StepRow], behaviour: dict[str, array] | None = None) -> torch.Tensor:
    """One update of AReaL's, by its own three calls; the logprobs that it computed before."""
    batch = trajectory(rows)
    if behaviour is not None:
        for number, row in enumerate(rows):
            batch["logprobs"][number, len(row.prompt) : row.length] = torch.tensor(behaviour[row.attempt_id])
    [proximal] = actor.compute_logp([batch])
    batch["prox_logp"] = proximal
    actor.ppo_update(actor.compute_advantages([batch]))
    return proximal


def check_an_update_from_rows_by_reference_has_the_gradients_of_our_own_trainer(actor, gradients):
    rows, shelf = made_rows(), MemoryShelf()
    actor.gallery.shelf = shelf
    said = said_by(updated(actor, rows), rows)
    gradients.clear()
    # What was sampled from: near the policy, and for one token so far that it is left out.
    moved = [(values + 0.3 * torch.sin(torch.arange(len(values)) + n)).tolist() for n, values in enumerate(said)]
    moved[1][2] = float(said[1][2]) - 2.5
    behaviour = {row.attempt_id: array("f", values) for row, values in zip(rows, moved, strict=True)}
    updated(actor, rows, behaviour)

    recipe = Recipe(
        source=GroupSource(),
        loss=LossSettings(dual_clip=3.0, correction=Correction(use="mask", high=5.0)),
        optimizer=Optimizer(lr=0.0, clip_norm=1e9),
    )
    settings = TrainerSettings(device="cpu", precision="float32", recompute=0, recompute_vision=0)
    trainer = open_trainer(MODEL, recipe, settings, BLOBS.__getitem__)
    batch = samples(rows, behaviour)
    for ours, theirs in zip(trainer.logprobs(batch), said, strict=True):
        assert torch.allclose(ours, theirs, atol=1e-4)

    ours: dict[str, torch.Tensor] = {}
    move = trainer._move

    def noting(loss, lr):
        ours.update({name: weight.grad.clone() for name, weight in trainer.model.named_parameters()})
        return move(loss, lr)

    trainer._move = noting
    trainer.step(Batch(batch, 0))
    assert ours.keys() == gradients.keys()
    for name, gradient in ours.items():
        assert torch.allclose(gradient, gradients[name], rtol=1e-3, atol=1e-4 * float(gradient.abs().max())), name
    assert sorted(set(shelf.asked)) == sorted(BLOBS)
    assert len(shelf.asked) == len(BLOBS)


def check_a_lost_picture_costs_its_rows_and_the_update_goes_on(actor, gradients):
    rows, shelf = made_rows(), MemoryShelf()
    lost = list(BLOBS)[2]
    del shelf.blobs[lost]
    actor.gallery = type(actor.gallery)(CUTTER, shelf)
    updated(actor, rows)
    # In each of the two passes: for the logprobs before, and for the update.
    assert actor.gallery.missing == 4
    with_loss = {name: one.clone() for name, one in gradients.items()}
    whole = [row for row in rows if lost not in row.pictures]
    gradients.clear()
    updated(actor, whole)
    for name, gradient in gradients.items():
        assert torch.allclose(with_loss[name], gradient, rtol=1e-3, atol=1e-5 * float(gradient.abs().max())), name


def check_a_row_longer_than_a_microbatch_ends_the_job_which_the_configuration_is_checked_for(actor):
    actor.gallery = type(actor.gallery)(CUTTER, MemoryShelf())
    spec, actor.config.mb_spec = actor.config.mb_spec, MicroBatchSpec(max_tokens_per_mb=50)
    try:
        with pytest.raises(RuntimeError, match="larger than capacity"):
            actor.compute_logp([trajectory(made_rows())])
    finally:
        actor.config.mb_spec = spec


def check_references_pass_through_areals_own_data_plane_unchanged():
    from areal.infra.rpc import rtensor
    from areal.infra.rpc.serialization import deserialize_value, serialize_value

    batch = trajectory(made_rows())
    away = RTensor.remotize(batch, node_addr="here:1")
    sent = deserialize_value(serialize_value(away))
    assert [one["references"] for one in sent["multi_modal_input"]] == [
        one["references"] for one in batch["multi_modal_input"]
    ]
    held = rtensor.storage_stats()["total_bytes"]
    patches = sum(CUTTER.grid(BLOBS[list(BLOBS)[one]]).patches for shown in SHOWN for one in shown)
    as_floats = patches * 3 * 2 * CUTTER.reader.patch**2 * 4
    assert as_floats > 50 * held
    assert isinstance(sent["input_ids"], RTensor)
