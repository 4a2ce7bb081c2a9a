"""The architecture on one screen: the protocol of every stage.

A stage implements one of these, speaks only `webgym.records`, and meets the others only in `webgym.pipeline`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from webgym.records.action import Action
from webgym.records.decision import Turn
from webgym.records.event import Event
from webgym.records.observation import Capture, Observation
from webgym.records.prompt import Completion, Prompt
from webgym.records.sample import PolicyVersion, Trained
from webgym.records.session import Look, SessionSpec
from webgym.records.trajectory import Attempt, Ending, Step
from webgym.records.verdict import Verdict


@runtime_checkable
class Session(Protocol):
    """One isolated browser, or anything that can be looked at and acted on. Steps are taken one at a time."""

    async def step(self, action: Action | None, look: Look) -> Capture:
        """Act, let the page come to rest, observe. Without an action: observe only.

        What the agent did wrong is told in the observation's `effect`; what broke is raised.
        """
        ...

    async def blob(self, address: str) -> bytes:
        """The bytes of something this session referred to: a recent screenshot, a download."""
        ...


@runtime_checkable
class Browser(Protocol):
    """Gives out sessions."""

    def open(self, spec: SessionSpec) -> AbstractAsyncContextManager[Session]:
        """A session that lasts as long as the `async with` block, however that ends."""
        ...


@runtime_checkable
class Agent(Protocol):
    """Decides what to do next, in one attempt at one task."""

    async def decide(self, capture: Capture) -> Turn:
        """The next action. `Answer` ends the attempt."""
        ...


@runtime_checkable
class Policy(Protocol):
    """A model that continues prompts."""

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        """One reply. `pictures` holds the bytes of every picture of the prompt, by address.

        Prompts with the same `affinity` share their beginnings, and do well on the same server.

        Raises:
            PolicyError: No reply could be had; its subclasses say why.
        """
        ...


@runtime_checkable
class Judge(Protocol):
    """Says whether an attempt did what its task asks."""

    exact: bool
    """Whether it asks the website itself: such a judge is asked even if the agent gave no answer."""

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        """The verdict, fact by fact.

        Raises:
            JudgeError: It came to none.
        """
        ...


@runtime_checkable
class Lookout(Protocol):
    """A judge that also looks at attempts without an answer: did the website refuse to serve them?"""

    async def blocked(
        self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, pictures: Mapping[str, bytes]
    ) -> str:
        """What says so; empty if nothing does. `pictures` holds the bytes of `last`, which nobody has recorded yet.

        Raises:
            JudgeError: It cannot be told.
        """
        ...


@dataclass(frozen=True, slots=True)
class Scene:
    """All that one try of an attempt needs."""

    spec: SessionSpec
    look: Look
    agent: Agent
    judge: Judge


@runtime_checkable
class Scenes(Protocol):
    """Sets the scene of attempts: the session they start in, who acts and who judges."""

    def set(self, attempt: Attempt) -> AbstractAsyncContextManager[Scene]:
        """A fresh scene for one try; what it needed is given back when the block ends."""
        ...


@runtime_checkable
class Recorder(Protocol):
    """Keeps what happens in attempts, step by step."""

    async def begin(self, attempt: Attempt) -> None:
        """A try of this attempt begins; steps of an earlier one are void.

        Raises:
            StoreError: It is over already. One that was cancelled may be made again.
        """
        ...

    async def step(self, attempt: Attempt, step: Step, blobs: Mapping[str, bytes]) -> None:
        """One more step; `blobs` holds at least the bytes its observation refers to."""
        ...

    async def end(self, attempt: Attempt, ending: Ending, blobs: Mapping[str, bytes]) -> None:
        """The attempt is over. Returns when that is safe from a crash of this process.

        Raises:
            StoreError: It is over already.
        """
        ...


@runtime_checkable
class Trainer(Protocol):
    """Makes better weights of batches, one after the other."""

    async def step(self, batch: Path, version: int, folder: Path) -> Trained:
        """Learn from the batch in this file, written for weights of this version, and write the next ones to a folder.

        Asked again for the same version, it does not learn twice.

        Raises:
            TrainingError: It cannot, for the batch is empty or for other weights, say; the weights are as they were.
            StoreError: The batch cannot be read.
        """
        ...


@runtime_checkable
class Weights(Protocol):
    """Whoever samples from the policy, to be told of new weights."""

    async def rest(self) -> None:
        """Finish nothing, sample nothing, and give memory back, until the next `publish`.

        Raises:
            TrainingError: Its memory did not come free.
        """
        ...

    async def publish(self, policy: PolicyVersion) -> None:
        """Sample from these weights from now on.

        Raises:
            WebGymError: They cannot be sampled from; it goes on with those it has.
        """
        ...


@runtime_checkable
class Events(Protocol):
    """Where every stage says what happens."""

    def emit(self, event: Event) -> None:
        """Never blocks and never raises."""
        ...
