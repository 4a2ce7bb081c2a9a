"""The protocol of every stage: the architecture on one screen.

A stage implements one of these protocols, exchanges only `webgym.records`, and is wired to the other stages only in
`webgym.pipeline`.
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
    """One isolated browser, or any other environment to observe and act on. Steps must not overlap."""

    async def step(self, action: Action | None, look: Look) -> Capture:
        """Perform the action, wait for the page to settle, and observe it. Without an action, only observe.

        Mistakes of the agent are reported in the observation's `effect`; infrastructure failures are raised.
        """
        ...

    async def blob(self, address: str) -> bytes:
        """Return the bytes of a blob that this session referred to: a recent screenshot or a download."""
        ...


@runtime_checkable
class Browser(Protocol):
    """Opens sessions."""

    def open(self, spec: SessionSpec) -> AbstractAsyncContextManager[Session]:
        """Open a session that is released when the `async with` block exits, even on error or cancellation."""
        ...


@runtime_checkable
class Agent(Protocol):
    """Chooses the actions of one attempt at one task."""

    async def decide(self, capture: Capture) -> Turn:
        """Choose the next action. `Answer` ends the attempt."""
        ...


@runtime_checkable
class Policy(Protocol):
    """A model that generates completions."""

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        """Generate one completion. `pictures` maps the address of every picture in the prompt to its bytes.

        Prompts with the same `affinity` share a prefix and are best served by the same server.

        Raises:
            PolicyError: No completion could be obtained; the subclasses say why.
        """
        ...


@runtime_checkable
class Judge(Protocol):
    """Decides whether an attempt accomplished its task."""

    exact: bool
    """Whether the verdict comes from the website's own state. An exact judge is consulted even without an answer,
    and its verdict stands: no rule calls the website blocked, so it sets `Verdict.blocked` if the website refused."""

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        """Return a verdict on every fact of the task.

        Raises:
            JudgeError: No verdict was reached.
        """
        ...


@runtime_checkable
class Lookout(Protocol):
    """A judge that can also tell whether the website refused to serve an attempt that ended without an answer."""

    async def blocked(
        self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, pictures: Mapping[str, bytes]
    ) -> str:
        """Return the evidence of a refusal, or "". `pictures` holds the blobs of `last`, which is not yet recorded.

        Raises:
            JudgeError: The judge could not tell.
        """
        ...


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that one try of an attempt needs."""

    spec: SessionSpec
    look: Look
    agent: Agent
    judge: Judge


@runtime_checkable
class Scenes(Protocol):
    """Prepares the scene of an attempt: its session spec, its agent and its judge."""

    def set(self, attempt: Attempt) -> AbstractAsyncContextManager[Scene]:
        """Prepare a fresh scene for one try; its resources are released when the block exits."""
        ...


@runtime_checkable
class Recorder(Protocol):
    """Records attempts, step by step."""

    async def begin(self, attempt: Attempt) -> None:
        """Begin a try of this attempt, discarding the steps of any earlier try.

        Raises:
            StoreError: The attempt has already ended. One that was cancelled, or lost to infrastructure, may run again.
        """
        ...

    async def step(self, attempt: Attempt, step: Step, blobs: Mapping[str, bytes]) -> None:
        """Record one step; `blobs` holds at least the bytes that its observation refers to."""
        ...

    async def end(self, attempt: Attempt, ending: Ending, blobs: Mapping[str, bytes]) -> None:
        """Record how the attempt ended. Returns once the record would survive a crash of this process.

        Raises:
            StoreError: The attempt has already ended.
        """
        ...


@runtime_checkable
class Trainer(Protocol):
    """Updates the policy's weights, one batch at a time."""

    async def step(self, batch: Path, version: int, folder: Path) -> Trained:
        """Train on the batch file, which was made for weights of `version`, and write the new weights to `folder`.

        Idempotent: a repeated call for the same version does not train twice.

        Raises:
            TrainingError: No update was possible, e.g. the batch is empty or for other weights; weights are unchanged.
            StoreError: The batch cannot be read.
        """
        ...


@runtime_checkable
class Weights(Protocol):
    """The inference side of the policy: serves the weights that are published to it."""

    async def rest(self) -> None:
        """Pause sampling, leaving requests unfinished, and release memory until the next `publish`.

        Raises:
            TrainingError: The memory was not released.
        """
        ...

    async def publish(self, policy: PolicyVersion) -> None:
        """Sample from these weights from now on.

        Raises:
            WebGymError: The new weights cannot be served; the current ones stay in use.
        """
        ...


@runtime_checkable
class Events(Protocol):
    """Sink for the events of all stages."""

    def emit(self, event: Event) -> None:
        """Emit an event. Never blocks and never raises."""
        ...
