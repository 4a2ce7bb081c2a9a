"""The session options of an attempt."""

from __future__ import annotations

import msgspec

from webgym.records.session import SessionSpec
from webgym.records.trajectory import Attempt
from webgym.stages import AttemptTerms


def attempt_spec(attempt: Attempt, terms: AttemptTerms) -> SessionSpec:
    """Return the run's options with what differs by attempt: start page, seed and label."""
    common = terms.spec
    return msgspec.structs.replace(
        common,
        start_url=attempt.task.website,
        determinism=common.determinism and msgspec.structs.replace(common.determinism, seed=attempt.seed),
        labels={"attempt": attempt.attempt_id},
    )
