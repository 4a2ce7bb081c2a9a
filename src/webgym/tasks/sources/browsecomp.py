"""BrowseComp: published encrypted, and kept encrypted."""

from __future__ import annotations

import binascii

from webgym.records.task_row import Provenance, TaskRow
from webgym.tasks.problem import BadEntry
from webgym.tasks.sealing import BROWSECOMP as SEAL
from webgym.tasks.sealing import unsealed
from webgym.tasks.sources.source import Entry, Source, digest, made, need, simple


def _read(entry: Entry, origin: Provenance) -> TaskRow:
    """Read an entry, checking that it can be decrypted. It has no website."""
    problem, answer, canary = (str(need(entry, name)) for name in ("problem", "answer", "canary"))
    try:
        unsealed(problem, canary)
        unsealed(answer, canary)
    except (binascii.Error, UnicodeDecodeError, ValueError):
        raise BadEntry("problem or answer is not encrypted with this canary") from None
    return made(
        entry, origin, problem, source_id=digest(problem), drop=("problem", "answer"), answer=answer, sealed=SEAL
    )


BROWSECOMP = Source(
    "browsecomp",
    "BrowseComp",
    "MIT",
    "OpenAI's browse_comp_test_set.csv: problem, answer, problem_topic, canary; stays encrypted",
    simple(_read),
)
