"""Fakes of a policy, its trainer and its weights, without a model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

import anyio
import anyio.lowlevel
import msgspec

from webgym.errors import PolicyRejected, SampleError, TrainingError
from webgym.records.base import Record
from webgym.records.prompt import Completion, Picture, Prompt, Text, Tokens, pack_ids, pack_logprobs
from webgym.records.sample import Batch, PolicyVersion, TrainingResult
from webgym.testing.policy_replies import END_ID, PICTURE_ID, PICTURE_TOKENS

WEIGHTS_FILE = "weights.txt"
_STATE_FILE = "trainer.msgpack"


class FakePolicy:
    """Replies with what its function returns for a prompt, with token ids, logprobs and its current version.

    Text is tokenised into bytes, as in `policy_server`.
    """

    def __init__(
        self, say: Callable[[Prompt], str] = lambda _prompt: "hello", *, version: int = 0, longest: int = 10_000
    ) -> None:
        self.version = version
        """Version of its weights, reported with every reply."""
        self.longest = longest
        """Maximum number of tokens in a prompt."""
        self.asked = 0
        self._say = say
        self._awake = anyio.Event()
        self._awake.set()

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        """Return the function's reply; while resting, only once `wake` is called.

        Raises:
            PolicyRejected: The prompt is too long, or lacks a picture.
        """
        del affinity
        self.asked += 1
        await anyio.lowlevel.checkpoint()
        ids = _ids(prompt)
        if len(ids) > self.longest:
            raise PolicyRejected(f"the prompt has {len(ids)} tokens; at most {self.longest} are allowed")
        if lacking := [picture.address for picture in prompt.pictures if picture.address not in pictures]:
            raise PolicyRejected(f"the image {lacking[0]} is missing from the request")
        await self._awake.wait()
        text = self._say(prompt)
        sampled = [*text.encode(), END_ID]
        tokens = Tokens(
            pack_ids(ids),
            pack_ids(sampled),
            pack_logprobs([-0.5] * len(sampled)),
            pack_ids([self.version] * len(sampled)),
        )
        return Completion(
            text,
            model="fake",
            version=self.version,
            prompt_tokens=len(ids),
            sampled_tokens=len(sampled),
            tokens=tokens,
        )

    def rest(self) -> None:
        """Make callers of `sample` wait until `wake`."""
        self._awake = anyio.Event()

    def wake(self) -> None:
        """Let callers of `sample` continue."""
        self._awake.set()


class FakeWeights:
    """Sets the version of a fake policy, and records what was published."""

    def __init__(self, policy: FakePolicy) -> None:
        self.published: list[PolicyVersion] = []
        self.rests = 0
        self._policy = policy

    async def rest(self) -> None:
        """Suspend sampling until the next `publish`."""
        await anyio.lowlevel.checkpoint()
        self.rests += 1
        self._policy.rest()

    async def publish(self, policy: PolicyVersion) -> None:
        """Switch the policy to this version, and resume sampling.

        Raises:
            TrainingError: The folder of its weights does not exist.
        """
        await anyio.lowlevel.checkpoint()
        if not Path(policy.path).is_dir():  # noqa: ASYNC240 - a fake
            raise TrainingError(f"there are no weights of version {policy.version} in {policy.path}")
        self.published.append(policy)
        self._policy.version = policy.version
        self._policy.wake()


class _State(Record, frozen=True):
    """The persistent state of a trainer."""

    weights: str = hashlib.sha256().hexdigest()
    last: TrainingResult | None = None


class FakeTrainer:
    """A trainer whose weights are a hash of every batch it was trained on.

    Args:
        folder: Holds its state. A trainer created in the same folder resumes from it.
        read: Reads a batch, such as `webgym.train.batch_file.read_batch`.
        rate: Learning rate; with 0, its weights never change.
    """

    def __init__(self, folder: Path, read: Callable[[Path], Batch], *, rate: float = 1.0) -> None:
        self._file = folder / _STATE_FILE
        self._read = read
        self._rate = rate

    async def step(self, batch: Path, version: int, folder: Path) -> TrainingResult:
        """Hash the batch into the weights, and write them to `folder`.

        Raises:
            TrainingError: The batch is empty, or for another version.
            StoreError: The batch cannot be read.
        """
        await anyio.lowlevel.checkpoint()
        state = self._state()
        if state.last is None or state.last.policy.version != version + 1:
            state = self._learned(state, batch, version, folder)
        assert state.last is not None
        _write(folder, state.weights)
        return state.last

    def _state(self) -> _State:
        return msgspec.msgpack.decode(self._file.read_bytes(), type=_State) if self._file.exists() else _State()

    def _learned(self, state: _State, path: Path, version: int, folder: Path) -> _State:
        batch = self._read(path)
        at = state.last.policy.version if state.last else 0
        if not batch.version == version == at:
            raise TrainingError(f"the batch is for version {batch.version}, asked for is {version}, this is at {at}")
        if not batch.samples:
            raise SampleError("the batch is empty")
        weights = _hashed(state.weights, batch) if self._rate else state.weights
        tokens = sum(len(sample.prompt) + len(sample.sampled) for sample in batch.samples) // 4
        policy = PolicyVersion(version + 1, str(folder), weights)
        last = TrainingResult(policy, len(batch.samples), tokens, 1, self._rate, 0.0, {"loss": 0.0})
        state = _State(weights, last)
        self._file.write_bytes(msgspec.msgpack.encode(state))
        return state


def _ids(prompt: Prompt) -> list[int]:
    parts = [part for message in prompt.messages for part in message.parts]
    return [number for part in parts for number in _part_ids(part)]


def _part_ids(part: Picture | Text) -> list[int]:
    return [PICTURE_ID] * PICTURE_TOKENS if isinstance(part, Picture) else list(part.text.encode())


def _hashed(weights: str, batch: Batch) -> str:
    return hashlib.sha256(weights.encode() + msgspec.msgpack.encode(batch)).hexdigest()


def _write(folder: Path, weights: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WEIGHTS_FILE).write_text(weights)
