"""Every error that WebGym raises deliberately, named for the boundary where it arises.

    WebGymError
    ├── ConfigError            the configuration cannot work
    ├── RequestError           malformed request
    │   └── BodyTooLarge
    ├── AuthError              missing or wrong token
    ├── CapacityError          no capacity at the moment; `retry_after` says when to retry
    ├── SessionError           the session cannot do that
    │   ├── SessionUnknown     no such session here, or no longer
    │   ├── SessionBusy        another step of the same session is in progress
    │   ├── StaleFence         the lease was taken over by another holder
    │   └── SessionLost        the session ended unexpectedly; `reason` says why
    ├── DeadlineError          not done before the deadline
    ├── SiteError              invalid request to the hermetic websites
    │   ├── SiteUnknown        no such site, family, task or state
    │   └── SiteStateError     a state or event that is invalid for its site
    ├── EgressRefused          sessions may not reach the page that an attempt starts at
    ├── PolicyError            no completion from the model
    │   ├── PolicyUnavailable  no server responds, or all refuse; a retry may succeed
    │   ├── PolicyRejected     the server rejects this request; a retry would fail again
    │   └── BudgetSpent        the request was not sent because it could exceed the remaining budget
    ├── JudgeError             the judge reached no verdict
    │   ├── JudgeUnclear       its model's reply is no verdict: refused, truncated or malformed
    │   ├── JudgeUnavailable   its model did not reply in time; a retry may succeed
    │   ├── JudgeRejected      its model's server rejects this request; a retry would fail again
    │   └── EvidenceGone       screenshots that the judge needs are no longer stored
    ├── TaskSetError           a task set that is missing, damaged, of another version or invalid
    │   └── LeakFound          test tasks leak into the training tasks
    ├── StoreError             a run folder that is missing, locked, damaged or of another version
    │   └── BlobGone           a blob that was stored and has since been dropped
    ├── TrainingError          the weights could not be updated
    │   ├── SampleError        a step that cannot be trained on; `problem` says why
    │   ├── ModelError         a model whose files are missing or damaged, or that the trainer does not support
    │   ├── TokenizerMismatch  token ids outside the model's vocabulary
    │   ├── LossNotFinite      the loss, a gradient or a weight is not finite; the weights are unchanged
    │   ├── CheckpointError    a trainer checkpoint that is missing, damaged or from another run
    │   └── DoesNotFit         not enough memory or disk space
    ├── TransportError         no response; it is unknown whether the request was executed
    └── BrowserFault           a browser failure without a more specific class

An agent's own mistake (a click outside the viewport, a mark that is gone, an invalid URL) is not an error. It is
reported to the agent as `ActionFailure` in the observation, so that the agent can learn from it.

`code` is the error's name on the wire, `status` its HTTP status.
"""

from __future__ import annotations

import enum
from typing import ClassVar


class WebGymError(Exception):
    """Base class of every error that WebGym raises deliberately."""

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500


class ConfigError(WebGymError):
    """The configuration cannot work; the message says what to change."""

    code = "config"
    status = 400


class RequestError(WebGymError):
    """The request is malformed."""

    code = "bad_request"
    status = 400


class BodyTooLarge(RequestError):
    """The request body exceeds the size limit."""

    code = "body_too_large"
    status = 413


class AuthError(WebGymError):
    """The token is missing or wrong."""

    code = "unauthorized"
    status = 401


class CapacityError(WebGymError):
    """There is no capacity at the moment."""

    code = "no_capacity"
    status = 429

    def __init__(self, message: str, *, retry_after: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds after which a retry may succeed."""


class SessionError(WebGymError):
    """The session cannot do that."""

    code = "session"
    status = 409


class SessionUnknown(SessionError):
    """No such session here, or no longer."""

    code = "session_unknown"
    status = 404


class SessionBusy(SessionError):
    """Another step of the same session is in progress; steps of one session must not overlap."""

    code = "session_busy"
    status = 409


class StaleFence(SessionError):
    """The lease was taken over by another holder; this one may no longer act."""

    code = "stale_fence"
    status = 409


class LossReason(enum.StrEnum):
    """Why a session ended unexpectedly."""

    EXPIRED = "expired"
    """The lease expired: its holder neither used nor renewed it."""
    POISONED = "poisoned"
    """A step was interrupted by a deadline or a cancellation, so the state of the page is unknown."""
    WEBSITE = "website"
    """A page made the session's browser unusable, so that not even a blank tab could replace it."""
    BROWSER_DIED = "browser_died"
    WORKER_DIED = "worker_died"
    NODE_LOST = "node_lost"
    """The node left or stopped responding, or was frozen and has dropped its old leases."""
    SHUTDOWN = "shutdown"


class SessionLost(SessionError):
    """The session ended unexpectedly; `reason` says why."""

    code = "session_lost"
    status = 410

    def __init__(self, message: str, *, reason: LossReason) -> None:
        super().__init__(message)
        self.reason = reason


class DeadlineError(WebGymError):
    """The operation did not finish before its deadline."""

    code = "deadline"
    status = 504


class SiteError(WebGymError):
    """Invalid request to the hermetic websites."""

    code = "site"
    status = 400


class SiteUnknown(SiteError):
    """No such site, family, task or state."""

    code = "site_unknown"
    status = 404


class SiteStateError(SiteError):
    """A state or an event that is invalid for its site."""

    code = "site_state"
    status = 409


class EgressRefused(WebGymError):
    """The egress policy of the fleet refuses the page that an attempt starts at; the message says how to allow it."""

    code = "egress_refused"
    status = 409


class PolicyError(WebGymError):
    """No completion could be obtained from the model."""

    code = "policy"
    status = 502


class PolicyUnavailable(PolicyError):
    """No server responds, or all refuse; a retry may succeed."""

    code = "policy_unavailable"
    status = 503


class PolicyRejected(PolicyError):
    """The server rejects this request and would reject a retry; the message says what to change."""

    code = "policy_rejected"
    status = 400


class BudgetSpent(PolicyError):
    """The request was not sent because it could cost more than the remaining budget."""

    code = "budget_spent"
    status = 402


class JudgeError(WebGymError):
    """The judge reached no verdict."""

    code = "judge"
    status = 502


class JudgeUnclear(JudgeError):
    """The reply of the judge's model is no verdict: refused, truncated or malformed."""

    code = "judge_unclear"


class JudgeUnavailable(JudgeError):
    """The judge's model did not reply in time; a retry may succeed."""

    code = "judge_unavailable"
    status = 503


class JudgeRejected(JudgeError):
    """The server of the judge's model rejects this request and would reject a retry."""

    code = "judge_rejected"
    status = 400


class EvidenceGone(JudgeError):
    """Screenshots that the judge needs have been dropped, or were never stored."""

    code = "evidence_gone"
    status = 410


class TaskSetError(WebGymError):
    """A task set that is missing, damaged, of another version or invalid."""

    code = "task_set"
    status = 409


class LeakFound(TaskSetError):
    """Test tasks leak into the training tasks; the message says which, and how."""

    code = "leak"


class StoreError(WebGymError):
    """A run folder that is missing, locked, damaged or of another version."""

    code = "store"
    status = 409


class BlobGone(StoreError):
    """A blob that was stored and is gone: dropped to stay within the budget, or lost in a machine crash."""

    code = "blob_gone"
    status = 410


class TrainingError(WebGymError):
    """The weights could not be updated; the message says why."""

    code = "training"
    status = 409


class SampleProblem(enum.StrEnum):
    """Why a step cannot be trained on."""

    NO_TOKENS = "no_tokens"
    """The prompt or sampled token ids are unknown."""
    NO_PROMPT = "no_prompt"
    """The prompt, and with it the pictures shown, is unknown."""
    NO_LOGPROBS = "no_logprobs"
    NO_VERSIONS = "no_versions"
    """The policy version that sampled the tokens is unknown."""
    BAD_LENGTHS = "bad_lengths"
    """Arrays that should have equal lengths differ, or are empty."""
    BAD_VALUES = "bad_values"
    """A negative token id, a positive or non-finite logprob, or a temperature that is not positive and finite."""
    OTHER_DISTRIBUTION = "other_distribution"
    """Top-k or top-p was on, so the logprobs are not of the distribution that the trainer computes."""
    PICTURES = "pictures"
    """The number of picture placeholders in the prompt differs from the number of pictures."""


class SampleError(TrainingError):
    """A step that cannot be trained on."""

    code = "sample"
    status = 422

    def __init__(self, message: str, *, problem: SampleProblem | None = None) -> None:
        super().__init__(message)
        self.problem = problem


class ModelError(TrainingError):
    """A model whose files are missing or damaged, or that the trainer does not support."""

    code = "model"
    status = 422


class TokenizerMismatch(TrainingError):
    """Token ids outside the model's vocabulary: they come from another model's tokenizer."""

    code = "tokenizer_mismatch"
    status = 422


class LossNotFinite(TrainingError):
    """The loss, a gradient or a weight is not finite. The weights and the last checkpoint are unchanged."""

    code = "loss_not_finite"
    status = 422


class CheckpointError(TrainingError):
    """A trainer checkpoint that is missing, damaged or from another run."""

    code = "checkpoint"
    status = 409


class DoesNotFit(TrainingError):
    """Not enough memory or disk space; the message says how much is needed and what would help."""

    code = "does_not_fit"
    status = 409


class TransportError(WebGymError):
    """No response: it is unknown whether the request was executed."""

    code = "transport"
    status = 502


class BrowserFault(WebGymError):
    """A browser failure without a more specific class."""

    code = "browser_fault"
    status = 500
