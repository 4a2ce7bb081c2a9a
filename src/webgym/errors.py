"""Every error WebGym raises on purpose, named for the boundary it crossed.

    WebGymError
    ├── ConfigError            what the user configured cannot work
    ├── RequestError           a request that cannot be read as written
    │   └── BodyTooLarge
    ├── AuthError              a missing or wrong token
    ├── CapacityError          no room now; `retry_after` says when to ask again
    ├── SessionError           this session cannot do that
    │   ├── SessionUnknown     no such session here, or no longer
    │   ├── SessionBusy        another step of the same session is under way
    │   ├── StaleFence         the lease was taken over by someone else
    │   └── SessionLost        it ended without being asked to; `reason` says why
    ├── DeadlineError          not done in the time allowed
    ├── SiteError              the hermetic websites cannot do that
    │   ├── SiteUnknown        no such site, family, task or state
    │   └── SiteStateError     a state or an event that does not fit its site
    ├── PolicyError            no reply could be had from the model
    │   ├── PolicyUnavailable  no server answers now, or all refuse; trying later may help
    │   ├── PolicyRejected     the server will not take this request, however often it is sent
    │   └── BudgetSpent        the next request could cost more than is left of the budget; it was not sent
    ├── JudgeError             the judge came to no verdict
    │   ├── JudgeUnclear       what its model said is none: refused, cut off, or not of the form asked for
    │   ├── JudgeUnavailable   its model did not answer in time; asking later may help
    │   ├── JudgeRejected      its model's server will not take this request, however often it is sent
    │   └── EvidenceGone       screenshots that it needs are there no more
    ├── TaskSetError           a task set that is missing, damaged, of another version, or not what it should be
    │   └── LeakFound          training tasks give away test tasks
    ├── StoreError             a run folder that is missing, locked, damaged or of another version
    │   └── BlobGone           bytes that were stored, and given up since
    ├── TrainingError          the weights cannot be improved with what there is
    │   ├── SampleError        a step that cannot be learned from; `problem` says why
    │   ├── ModelError         a model whose files are missing or damaged, or that this trainer cannot compute
    │   ├── TokenizerMismatch  tokens that the model has no words for
    │   ├── LossNotFinite      learning went wrong; the weights are as they were before the step
    │   ├── CheckpointError    a checkpoint of a trainer that is missing, damaged, or of another run
    │   └── DoesNotFit         more memory or disk is needed than there is
    ├── TransportError         no reply; whether the request was carried out is unknown
    └── BrowserFault           the browser failed in a way that has no better name

An agent's own mistake (a click off the viewport, a mark that is gone, a bad URL) is not an error: it is told to the
agent as `Failed` in the observation, because what the agent is not told, it cannot learn.

`code` is the error's name on the wire, `status` its HTTP status.
"""

from __future__ import annotations

import enum
from typing import ClassVar


class WebGymError(Exception):
    """Base of every error raised on purpose."""

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500


class ConfigError(WebGymError):
    """What the user configured cannot work; the message says what to change."""

    code = "config"
    status = 400


class RequestError(WebGymError):
    """A request that cannot be read as written."""

    code = "bad_request"
    status = 400


class BodyTooLarge(RequestError):
    """A request body over the limit."""

    code = "body_too_large"
    status = 413


class AuthError(WebGymError):
    """A missing or wrong token."""

    code = "unauthorized"
    status = 401


class CapacityError(WebGymError):
    """No room now."""

    code = "no_capacity"
    status = 429

    def __init__(self, message: str, *, retry_after: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds after which asking again may succeed."""


class SessionError(WebGymError):
    """This session cannot do that."""

    code = "session"
    status = 409


class SessionUnknown(SessionError):
    """No such session here, or no longer."""

    code = "session_unknown"
    status = 404


class SessionBusy(SessionError):
    """Another step of the same session is under way; steps of one session are taken one at a time."""

    code = "session_busy"
    status = 409


class StaleFence(SessionError):
    """The lease was taken over: this holder may no longer act."""

    code = "stale_fence"
    status = 409


class LossReason(enum.StrEnum):
    """Why a session ended without being asked to."""

    EXPIRED = "expired"
    """The lease ran out: its holder neither used nor renewed it."""
    POISONED = "poisoned"
    """A step was cut off by a deadline or a cancellation, so the state of the page is unknown."""
    BROWSER_DIED = "browser_died"
    WORKER_DIED = "worker_died"
    NODE_LOST = "node_lost"
    """The node is gone or silent, or was frozen and has given up its old leases."""
    SHUTDOWN = "shutdown"


class SessionLost(SessionError):
    """The session ended without being asked to."""

    code = "session_lost"
    status = 410

    def __init__(self, message: str, *, reason: LossReason) -> None:
        super().__init__(message)
        self.reason = reason


class DeadlineError(WebGymError):
    """Not done in the time allowed."""

    code = "deadline"
    status = 504


class SiteError(WebGymError):
    """The hermetic websites cannot do that."""

    code = "site"
    status = 400


class SiteUnknown(SiteError):
    """No such site, family, task or state."""

    code = "site_unknown"
    status = 404


class SiteStateError(SiteError):
    """A state or an event that does not fit its site."""

    code = "site_state"
    status = 409


class PolicyError(WebGymError):
    """No reply could be had from the model."""

    code = "policy"
    status = 502


class PolicyUnavailable(PolicyError):
    """No server answers now, or all refuse; trying later may help."""

    code = "policy_unavailable"
    status = 503


class PolicyRejected(PolicyError):
    """The server will not take this request, however often it is sent: the message says what to change."""

    code = "policy_rejected"
    status = 400


class BudgetSpent(PolicyError):
    """The next request could cost more than is left of the budget: it was not sent."""

    code = "budget_spent"
    status = 402


class JudgeError(WebGymError):
    """The judge came to no verdict."""

    code = "judge"
    status = 502


class JudgeUnclear(JudgeError):
    """What the judge's model said is no verdict: refused, cut off, or not of the form asked for."""

    code = "judge_unclear"


class JudgeUnavailable(JudgeError):
    """The judge's model did not answer in time. Asking later may help."""

    code = "judge_unavailable"
    status = 503


class JudgeRejected(JudgeError):
    """The server of the judge's model will not take this request, however often it is sent."""

    code = "judge_rejected"
    status = 400


class EvidenceGone(JudgeError):
    """Screenshots that the judge needs were dropped since, or never stored."""

    code = "evidence_gone"
    status = 410


class TaskSetError(WebGymError):
    """A task set that is missing, damaged, of another version, or not what it should be."""

    code = "task_set"
    status = 409


class LeakFound(TaskSetError):
    """Training tasks give away test tasks: the message says which, and how."""

    code = "leak"


class StoreError(WebGymError):
    """A run folder that is missing, locked, damaged or of another version."""

    code = "store"
    status = 409


class BlobGone(StoreError):
    """Bytes that were stored, and given up since: dropped for the budget, or lost with the machine."""

    code = "blob_gone"
    status = 410


class TrainingError(WebGymError):
    """The weights cannot be improved with what there is; the message says what is wrong with it."""

    code = "training"
    status = 409


class SampleProblem(enum.StrEnum):
    """Why a step cannot be learned from."""

    NO_TOKENS = "no_tokens"
    """It is not known which tokens were shown or sampled."""
    NO_PROMPT = "no_prompt"
    """It is not known which pictures were shown."""
    NO_LOGPROBS = "no_logprobs"
    NO_VERSIONS = "no_versions"
    """It is not known which weights it was sampled from."""
    BAD_LENGTHS = "bad_lengths"
    """Arrays that belong together are not of the same length, or are empty."""
    BAD_VALUES = "bad_values"
    """A token id below 0, a logprob above 0 or not finite, a temperature that nothing can be sampled at."""
    OTHER_DISTRIBUTION = "other_distribution"
    """The logprobs are not of the distribution that a trainer computes: top-k or top-p was on."""
    PICTURES = "pictures"
    """The prompt has more or fewer placeholders than pictures."""


class SampleError(TrainingError):
    """A step that cannot be learned from."""

    code = "sample"
    status = 422

    def __init__(self, message: str, *, problem: SampleProblem | None = None) -> None:
        super().__init__(message)
        self.problem = problem


class ModelError(TrainingError):
    """A model whose files are missing or damaged, or that this trainer cannot compute."""

    code = "model"
    status = 422


class TokenizerMismatch(TrainingError):
    """Tokens that the model has no words for: they come from another model's tokenizer."""

    code = "tokenizer_mismatch"
    status = 422


class LossNotFinite(TrainingError):
    """Learning went wrong. The weights are as they were before the step; so is the last checkpoint."""

    code = "loss_not_finite"
    status = 422


class CheckpointError(TrainingError):
    """A checkpoint of a trainer that is missing, damaged, or of another run."""

    code = "checkpoint"
    status = 409


class DoesNotFit(TrainingError):
    """More memory or disk is needed than there is; the message says how much, and what would help."""

    code = "does_not_fit"
    status = 409


class TransportError(WebGymError):
    """No reply: whether the request was carried out is unknown."""

    code = "transport"
    status = 502


class BrowserFault(WebGymError):
    """The browser failed in a way that has no better name."""

    code = "browser_fault"
    status = 500
