"""Samples as rows of tensors, checked against the model to be trained."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from webgym.errors import SampleError, SampleProblem, TokenizerMismatch
from webgym.records.sample import Sample
from webgym.train.positions import Grid, token_positions
from webgym.train.shape import Shape


@dataclass(frozen=True, slots=True)
class SampleRow:
    """One sample, ready to be packed."""

    number: int
    """Index in the batch."""
    ids: Tensor
    """Prompt and reply, with one placeholder per image token."""
    positions: Tensor
    pictures: tuple[str, ...]
    grids: tuple[Grid, ...]
    prompt: int
    """Number of tokens before the reply."""
    weights: Tensor
    behaviour: Tensor | None
    """Logprobs recorded at sampling; None: unknown."""
    advantage: float
    temperature: float

    @property
    def sampled(self) -> int:
        return len(self.ids) - self.prompt


def row_of(number: int, sample: Sample, grids: Sequence[Grid], shape: Shape) -> SampleRow:
    """Return the row of a sample whose images have these grids.

    Raises:
        SampleError: Its parts do not fit each other, or its images.
        TokenizerMismatch: It was made with another vocabulary.
    """
    try:
        return _row(number, sample, grids, shape)
    except SampleError as error:
        raise SampleError(f"{_name(sample)}: {error}", problem=error.problem) from None
    except TokenizerMismatch as error:
        raise TokenizerMismatch(f"{_name(sample)}: {error}") from None


def _name(sample: Sample) -> str:
    return f"attempt {sample.attempt_id}, step {sample.step}"


def _row(number: int, sample: Sample, grids: Sequence[Grid], shape: Shape) -> SampleRow:
    prompt, sampled = _ids(sample.prompt, "prompt"), _ids(sample.sampled, "reply")
    _check_vocabulary(prompt, sampled, shape)
    prompt = _expanded(prompt, grids, shape)
    ids = torch.cat((prompt, sampled))
    return SampleRow(
        number=number,
        ids=ids,
        positions=token_positions(ids, grids, shape.image_token, shape.vision.merge),
        pictures=sample.pictures,
        grids=tuple(grids),
        prompt=len(prompt),
        weights=_floats(sample.weights, len(sampled), "weights"),
        behaviour=_floats(sample.logprobs, len(sampled), "logprobs") if sample.logprobs else None,
        advantage=sample.advantage,
        temperature=_temperature(sample),
    )


def _ids(data: bytes, name: str) -> Tensor:
    if not data or len(data) % 4:
        message = f"the {name} is {len(data)} bytes long, which is not a valid array of ids"
        raise SampleError(message, problem=SampleProblem.BAD_LENGTHS)
    return torch.frombuffer(bytearray(data), dtype=torch.int32).long()


def _floats(data: bytes, length: int, name: str) -> Tensor:
    if len(data) != 4 * length:
        message = f"{len(data) / 4:g} {name} for {length} sampled tokens"
        raise SampleError(message, problem=SampleProblem.BAD_LENGTHS)
    values = torch.frombuffer(bytearray(data), dtype=torch.float32)
    if not bool(values.isfinite().all()):
        raise SampleError(f"its {name} are not all finite", problem=SampleProblem.BAD_VALUES)
    return values


def _temperature(sample: Sample) -> float:
    if not (math.isfinite(sample.temperature) and sample.temperature > 0):
        message = f"the sampling temperature must be above 0, not {sample.temperature}"
        raise SampleError(message, problem=SampleProblem.BAD_VALUES)
    return sample.temperature


def _check_vocabulary(prompt: Tensor, sampled: Tensor, shape: Shape) -> None:
    for name, ids in (("prompt", prompt), ("reply", sampled)):
        least, most = int(ids.min()), int(ids.max())
        if least < 0 or most >= shape.text.vocabulary:
            raise TokenizerMismatch(
                f"the {name} has the token {least if least < 0 else most}, outside the model's vocabulary "
                f"of {shape.text.vocabulary}: was it made with the tokenizer of another model?"
            )
    if bool((sampled == shape.image_token).any()):
        raise SampleError("the reply has placeholders of pictures", problem=SampleProblem.PICTURES)


def _expanded(prompt: Tensor, grids: Sequence[Grid], shape: Shape) -> Tensor:
    """Expand placeholders to one per image token: some servers return a single one per image."""
    single = prompt == shape.image_token
    tokens = [height * width // shape.vision.merge**2 for height, width in grids]
    if int(single.sum()) != len(grids) or tokens == [1] * len(grids):
        return prompt
    repeats = torch.ones_like(prompt)
    repeats[single] = torch.tensor(tokens)
    return prompt.repeat_interleave(repeats)
