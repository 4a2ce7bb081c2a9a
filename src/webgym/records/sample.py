"""Training batches: steps as rows of tokens, each token with its weight in the loss."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

BATCH_VERSION = 1
"""Version of the on-disk format of batches and their samples."""

AVERAGED = "averaged"
"""Folder, inside that of a version of the weights, of their moving average."""

Aggregation = Literal["per_trajectory", "constant", "token_mean", "step_mean"]
"""How the loss is aggregated over tokens: weighted by 1/|τ|, by 1/k, every token equally, or every step equally."""


class Sample(Record, frozen=True):
    """One step of one attempt. Arrays are little-endian bytes: ids and versions int32, the others float32."""

    attempt_id: str
    group: str
    step: int
    prompt: bytes
    """Token ids, with placeholders for the pictures."""
    pictures: tuple[str, ...]
    """Addresses of the encoded pictures, in prompt order."""
    sampled: bytes
    """Token ids."""
    logprobs: bytes
    """One per sampled token, under the distribution sampled from."""
    versions: bytes
    """Policy version of each sampled token."""
    weights: bytes
    """Advantage times aggregation weight of each sampled token; 0 for tokens that do not count. The trainer sums
    weight times surrogate over all tokens of a batch without further normalization."""
    advantage: float
    """Advantage of the attempt, or of the step; its sign selects the clipped side of the importance ratio."""
    temperature: float = 1.0


class Batch(Record, frozen=True):
    """Samples for one update of the weights. The gradient does not depend on how it is split into micro-batches."""

    samples: tuple[Sample, ...]
    version: int = 0
    """Version of the weights to be updated: a token's lag is this minus its own version."""
    done: float = 0.0
    """Share of the run that is over, for schedules that end with it."""


class PolicyVersion(Record, frozen=True):
    """A version of the policy's weights that can be sampled from."""

    version: int
    path: str
    """Checkpoint folder that transformers and the inference servers can load."""
    digest: str = ""
    """Digest of the weights, to verify that those served are those trained."""


class TrainingResult(Record, frozen=True, omit_defaults=False):
    """Result of training on one batch."""

    policy: PolicyVersion
    """The updated weights."""
    rows: int
    """Samples trained on."""
    tokens: int
    """Prompt and sampled tokens."""
    steps: int
    """Optimizer steps."""
    lr: float
    """Learning rate of the last optimizer step."""
    seconds: float
    figures: dict[str, float]
    """Means over the optimizer steps."""
