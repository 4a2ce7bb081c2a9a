"""What a trainer learns from: steps as rows of tokens, each token with the weight that the algorithm gave it."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

BATCH_VERSION = 1
"""Of batches on disk, and the samples in them."""

Estimator = Literal["grpo", "dr_grpo", "rloo", "maxrl", "reward"]
"""How an attempt's advantage comes from the rewards of its group."""
Aggregation = Literal["per_trajectory", "constant", "token_mean", "step_mean"]
"""How tokens are weighed against each other: by 1/|τ|, by 1/k, all alike, or each step alike."""


class Sample(Record, frozen=True):
    """One step of one attempt. Arrays are little-endian bytes: ids and versions int32, the others float32."""

    attempt_id: str
    group: str
    step: int
    prompt: bytes
    """Token ids, with placeholders where the pictures are."""
    pictures: tuple[str, ...]
    """Addresses of their encoded bytes, in order."""
    sampled: bytes
    """Token ids."""
    logprobs: bytes
    """Of the sampled tokens, under the distribution they were sampled from."""
    versions: bytes
    """Of the policy, for each sampled token."""
    weights: bytes
    """Advantage times aggregation weight, for each sampled token; 0 where it does not count. The trainer sums
    weight times surrogate over all tokens of a batch and divides by nothing more."""
    advantage: float
    """Of its attempt; its sign tells the clip which way is up."""
    temperature: float = 1.0


class Batch(Record, frozen=True):
    """Samples for one update of the weights. However it is cut up, its gradient is the same."""

    samples: tuple[Sample, ...]
    version: int = 0
    """Of the weights it is meant to improve: the lag of a token is this minus its own version."""


class PolicyVersion(Record, frozen=True):
    """Weights that can be sampled from."""

    version: int
    path: str
    """Folder with a checkpoint that transformers and the servers load."""
    digest: str = ""
    """Of the weights, to check that those served are those trained."""


class Trained(Record, frozen=True, omit_defaults=False):
    """What came of learning from one batch."""

    policy: PolicyVersion
    """The weights after it."""
    rows: int
    """That counted."""
    tokens: int
    """Of prompts and replies."""
    steps: int
    """Of the optimizer."""
    lr: float
    """At the last of them."""
    seconds: float
    figures: dict[str, float]
    """Means over the optimizer's steps."""
