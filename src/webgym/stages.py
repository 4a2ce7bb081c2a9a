"""The protocol of every stage: the architecture on one screen.

A stage implements one of these protocols, exchanges only `webgym.records`, and is wired to the other stages only in
`webgym.run`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from webgym.records.action import Action
from webgym.records.decision import Turn
from webgym.records.environment import NO_FAULTS, Egress, Faults, TaskSelection, TaskSupport
from webgym.records.event import Event
from webgym.records.observation import Capture, Observation
from webgym.records.prompt import Completion, Prompt
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.records.session import Look, SessionSpec
from webgym.records.task import Task
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
class BlockDetector(Protocol):
    """A judge that can also tell whether the website refused to serve an attempt that ended without an answer."""

    async def blocked(
        self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, pictures: Mapping[str, bytes]
    ) -> str:
        """Return the evidence of a refusal, or "". `pictures` holds the blobs of `last`, which is not yet recorded.

        Raises:
            JudgeError: The judge could not tell.
        """
        ...


@runtime_checkable
class StateHandle(Protocol):
    """The state of an environment, as one attempt sees it."""

    async def read(self) -> Any:
        """Return the state, in the environment's own form."""
        ...

    async def reset(self) -> None:
        """Return to the state that the attempt began with."""
        ...


@runtime_checkable
class InjectableState(StateHandle, Protocol):
    """A state that can be replaced by one that was read before."""

    async def inject(self, state: Any) -> None:
        """Replace the state by this one, which `read` has returned, here or in another attempt at the task."""
        ...


@runtime_checkable
class ForkableState(StateHandle, Protocol):
    """A state that can be copied while it is in use."""

    def fork(self) -> AbstractAsyncContextManager[AttemptSetup]:
        """Prepare the same attempt from the state it is in now. From here on the two do not affect each other."""
        ...


@runtime_checkable
class AttemptEnd(Protocol):
    """Lets an environment end an attempt, as a game does that is over."""

    async def reason(self, observation: Observation) -> str:
        """Return why the attempt is over, or "" to let it go on. Asked after every action."""
        ...


@dataclass(frozen=True, slots=True)
class AttemptTerms:
    """The conditions of an attempt, the same for all of a run."""

    spec: SessionSpec = SessionSpec()
    """Options common to all sessions."""
    faults: Faults = NO_FAULTS


@dataclass(frozen=True, slots=True)
class AttemptSetup:
    """What an environment has prepared for one try of an attempt."""

    attempt: Attempt
    """The attempt, perhaps with a start page or an instruction that exists only now."""
    spec: SessionSpec
    """How to open its session."""
    judge: Judge | None = None
    """The judge that knows, if there is one."""
    state: StateHandle | None = None
    oracle: Callable[[], Agent] | None = None
    """Makes an agent that solves the task from any state, if there is one."""
    end: AttemptEnd | None = None


@dataclass(frozen=True, slots=True)
class EnvironmentNeeds:
    """What a run needs of an environment."""

    tasks: Sequence[Task]
    """Some, at least one of each place that attempts take place on."""
    attempts: int = 1
    """How many there are at once, at most."""
    sites_per_family: int = 50
    fleet: bool = True
    """Whether the run starts its own fleet, which will let sessions reach what `RunningEnvironment.egress` says."""
    address: str = ""
    """Where the environment runs already, if anywhere."""
    token: str = ""
    """Token for that; empty: the one of `WEBGYM_TOKEN`, else the user's own."""


@runtime_checkable
class RunningEnvironment(Protocol):
    """An environment while a run uses it. May also be a `BrowserCheck`."""

    egress: Egress

    def prepare(self, attempt: Attempt, terms: AttemptTerms) -> AbstractAsyncContextManager[AttemptSetup]:
        """Prepare one try of an attempt, before its session is opened.

        What it takes is released when the block exits, whatever happened within: the agent crashed, the session was
        lost, the attempt was cancelled.
        """
        ...


@runtime_checkable
class BrowserCheck(Protocol):
    """A running environment that can tell whether sessions of a fleet reach it."""

    async def check(self, browser: Browser, spec: SessionSpec) -> None:
        """Check it once, before a run with a fleet that it has not started.

        Raises:
            ConfigError: They do not.
        """
        ...


@runtime_checkable
class Environment(Protocol):
    """A world with its own tasks, state and judge: what users bring."""

    name: str

    def tasks(self, selection: TaskSelection) -> Iterable[Task]:
        """Yield the selected tasks, in an order that depends on nothing but the selection.

        Raises:
            ConfigError: It makes no sense here.
        """
        ...

    def supports(self, task: Task) -> TaskSupport:
        """Return what there is for this task."""
        ...

    def open(self, needs: EnvironmentNeeds) -> AbstractAsyncContextManager[RunningEnvironment]:
        """Open it once for a run: start servers or containers, or nothing.

        Raises:
            ConfigError: It cannot be opened, or does not serve one of the tasks.
        """
        ...


@dataclass(frozen=True, slots=True)
class Episode:
    """Everything that one try of an attempt needs."""

    attempt: Attempt
    """The attempt as it was prepared, which is recorded."""
    spec: SessionSpec
    look: Look
    agent: Agent
    judge: Judge
    end: AttemptEnd | None = None


@runtime_checkable
class Episodes(Protocol):
    """Prepares the episode of an attempt: its session spec, its agent and its judge."""

    def prepare(self, attempt: Attempt) -> AbstractAsyncContextManager[Episode]:
        """Prepare a fresh episode for one try; its resources are released when the block exits."""
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

    async def step(self, batch: Path, version: int, folder: Path) -> TrainingResult:
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
