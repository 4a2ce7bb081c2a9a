"""Trainers in processes of their own. Each prints what it does, one JSON object per line."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import torch
from tests.unit.train import tiny

from webgym.train.checkpoint import Checkpoints
from webgym.train.distributed_tensors import full_tensor
from webgym.train.settings import LoraSettings

KINDS = {
    "full": {},
    "lora": {"lora": LoraSettings(rank=2)},
    "reference": {"recipe": tiny.recipe_of(minibatches=2, epochs=2, kl=0.1), "precision": "bfloat16"},
}


def batch(number: int):
    chosen = [tiny.sample(10 * number + each, pictures) for each, pictures in enumerate(("ab", "", "cab", "e", "d"))]
    return tiny.batch(chosen, number)


def say(**what: object) -> None:
    print(json.dumps(what), flush=True)


def shard(model: str, meeting: str, out: str, rank: str, processes: str, kind: str) -> None:
    """Learn from two batches in some processes, leave a checkpoint after the first, and weights after the second."""
    torch.distributed.init_process_group("gloo", f"file://{meeting}", rank=int(rank), world_size=int(processes))
    trainer = tiny.trainer(
        Path(model), **{"recipe": tiny.recipe_of(minibatches=2, epochs=2), "tokens": 64} | KINDS[kind]
    )
    gradients: list[dict[str, torch.Tensor]] = []

    def look(*_: object) -> None:
        learning = ((name, weight) for name, weight in trainer.model.named_parameters() if weight.requires_grad)
        gradients.append({name: full_tensor(weight.grad).clone() for name, weight in learning})

    trainer.optimizer.register_step_pre_hook(look)
    kept = Checkpoints(Path(out) / "checkpoints")
    first = kept.resume(trainer) or 0
    reports = []
    for number in range(first, 2):
        reports.append(trainer.step(batch(number)))
        if number == 0:
            kept.save(trainer, 1)
    trainer.save(Path(out) / "model", 2)
    weights = {name: full_tensor(weight) for name, weight in trainer.model.named_parameters()}
    logprobs = trainer.logprobs(batch(0).samples)
    if rank == "0":
        torch.save({"weights": weights, "gradients": gradients, "logprobs": logprobs}, Path(out) / "found.pt")
    reference = [] if trainer._reference is None else list(trainer._reference.parameters())
    say(
        first=first,
        loss=[update.loss for report in reports for update in report.updates],
        divergence=[update.tokens.kl_reference for report in reports for update in report.updates],
        reference=sorted({str(weight.dtype) for weight in reference}),
    )
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    torch.set_num_threads(1)
    shard(*sys.argv[1:])
    # All is said and written. Some processes aborted after this, in threads that are not ours; why is not known.
    os._exit(0)
