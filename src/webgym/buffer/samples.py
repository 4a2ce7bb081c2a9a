"""Conversion of steps to training samples, with validation."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from itertools import groupby

from webgym.errors import SampleError, SampleProblem
from webgym.records.prompt import Completion, Tokens, pack_ids, unpack_ids, unpack_logprobs
from webgym.records.sample import Sample
from webgym.records.trajectory import Attempt, Step

WIDTH = 4
"""Bytes per number in a token array."""
_ROUNDING = 1e-3
"""Tolerance for logprobs above 0."""

PictureCount = Callable[[Sequence[int]], int]
"""Counts the picture placeholders in the token ids of a prompt."""


def runs(token: int) -> PictureCount:
    """Count each consecutive run of this token as one picture: `<|image_pad|>` occurs once per patch."""

    def count(ids: Sequence[int]) -> int:
        return sum(same for same, _ in groupby(map(token.__eq__, ids)))

    return count


class SampleMaker:
    """Makes samples from steps, and refuses those that cannot be trained on.

    Behaviour cloning needs no `logprobs`: there is no importance ratio. Samples then have none, have temperature 1, and
    have versions only if known; `versions` makes them required.
    """

    def __init__(self, pictures: PictureCount, *, logprobs: bool = True, versions: bool = False) -> None:
        self._pictures = pictures
        self._logprobs = logprobs
        self._versions = versions or logprobs

    def make(self, attempt: Attempt, step: Step, *, advantage: float, weight: float) -> Sample:
        """Make the sample of one step, each token weighted by advantage times weight.

        Raises:
            SampleError: The step cannot be trained on.
        """
        try:
            return self._make(attempt, step, advantage, weight)
        except SampleError as error:
            where = f"attempt {attempt.attempt_id}, step {step.number}"
            raise SampleError(f"{where}: {error}", problem=error.problem) from None

    def _make(self, attempt: Attempt, step: Step, advantage: float, weight: float) -> Sample:
        completion, prompt = step.turn.completion, step.turn.prompt
        if completion is None or completion.tokens is None:
            message = "its token ids are not known: ask the policy's server for them"
            raise SampleError(message, problem=SampleProblem.NO_TOKENS)
        tokens = completion.tokens
        if prompt is None:
            raise SampleError("it is not known which pictures were shown", problem=SampleProblem.NO_PROMPT)
        length = len(tokens.sampled) // WIDTH
        _check_ids(tokens)
        if self._logprobs:
            _check_logprobs(tokens, length)
        addresses = tuple(picture.address for picture in prompt.pictures)
        self._check_pictures(tokens, len(addresses))
        return Sample(
            attempt_id=attempt.attempt_id,
            group=attempt.group,
            step=step.number,
            prompt=tokens.prompt,
            pictures=addresses,
            sampled=tokens.sampled,
            logprobs=tokens.logprobs if self._logprobs else b"",
            versions=self._versions_of(tokens, completion, length),
            weights=(array("f", [advantage * weight]) * length).tobytes(),
            advantage=advantage,
            temperature=tokens.temperature if self._logprobs else 1.0,
        )

    def _check_pictures(self, tokens: Tokens, shown: int) -> None:
        places = self._pictures(unpack_ids(tokens.prompt))
        if places != shown:
            message = f"the prompt has places for {places} pictures, and {shown} were shown"
            raise SampleError(message, problem=SampleProblem.PICTURES)

    def _versions_of(self, tokens: Tokens, completion: Completion, length: int) -> bytes:
        versions = tokens.versions
        if not versions and completion.version is not None:
            versions = pack_ids([completion.version]) * length
        if not versions and self._versions:
            message = "it is not known which weights it was sampled from"
            raise SampleError(message, problem=SampleProblem.NO_VERSIONS)
        if versions and len(versions) != length * WIDTH:
            message = f"{len(versions) // WIDTH} versions for {length} tokens"
            raise SampleError(message, problem=SampleProblem.BAD_LENGTHS)
        return versions


def sampled_length(step: Step) -> int:
    """Return the number of sampled tokens, at least 1: a step without any is refused by `SampleMaker`."""
    completion = step.turn.completion
    return max(1, len(completion.tokens.sampled) // WIDTH) if completion and completion.tokens else 1


def _check_ids(tokens: Tokens) -> None:
    for name, ids in (("prompt", tokens.prompt), ("reply", tokens.sampled)):
        if not ids or len(ids) % WIDTH:
            message = f"the {name} is {len(ids)} bytes long, which is not a valid array of ids"
            raise SampleError(message, problem=SampleProblem.BAD_LENGTHS)
        if min(unpack_ids(ids)) < 0:
            raise SampleError(f"the {name} has an id below 0", problem=SampleProblem.BAD_VALUES)


def _check_logprobs(tokens: Tokens, length: int) -> None:
    if not (math.isfinite(tokens.temperature) and tokens.temperature > 0):
        message = f"the sampling temperature must be above 0, not {tokens.temperature}"
        raise SampleError(message, problem=SampleProblem.BAD_VALUES)
    if tokens.top_p < 1 or tokens.top_k > 0:
        message = f"it was sampled with top_p {tokens.top_p} and top_k {tokens.top_k}: train with 1.0 and 0"
        raise SampleError(message, problem=SampleProblem.OTHER_DISTRIBUTION)
    if not tokens.logprobs:
        message = "the server gave no logprobs of the distribution that it sampled from"
        raise SampleError(message, problem=SampleProblem.NO_LOGPROBS)
    if len(tokens.logprobs) != length * WIDTH:
        message = f"{len(tokens.logprobs) // WIDTH} logprobs for {length} tokens"
        raise SampleError(message, problem=SampleProblem.BAD_LENGTHS)
    if not all(math.isfinite(logprob) and logprob <= _ROUNDING for logprob in unpack_logprobs(tokens.logprobs)):
        raise SampleError("a logprob is above 0 or not finite", problem=SampleProblem.BAD_VALUES)
