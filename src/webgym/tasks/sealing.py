"""Tasks that must not be written in the clear: encrypted at rest, opened only in memory.

BrowseComp is published as base64 of the text combined, byte by byte, with the SHA-256 of the row's canary, so that no
crawler learns it by accident. It stays like that in task sets.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import itertools

from webgym.errors import TaskSetError
from webgym.records.task_row import TaskRow
from webgym.tasks.extra import extra_of, revised

CANARY = "canary"
BROWSECOMP = "browsecomp"


def opened(row: TaskRow) -> TaskRow:
    """The row in the clear, for memory only: never write it anywhere.

    Raises:
        TaskSetError: It is sealed in a way we do not know, or damaged.
    """
    match row.sealed:
        case "":
            return row
        case "browsecomp":
            canary = str(extra_of(row).fields.get(CANARY, ""))
            try:
                answer = None if row.answer is None else unsealed(row.answer, canary)
                return revised(row, instruction=unsealed(row.instruction, canary), answer=answer, sealed="")
            except (binascii.Error, UnicodeDecodeError, ValueError) as error:
                raise TaskSetError(f"task {row.task_id} cannot be opened: {error}") from error
        case other:
            raise TaskSetError(f"task {row.task_id} is sealed with {other!r}, which this WebGym does not know")


def unsealed(text: str, canary: str) -> str:
    """The text of a sealed one."""
    return _combined(base64.b64decode(text, validate=True), canary).decode()


def sealed(text: str, canary: str) -> str:
    """A text, sealed."""
    return base64.b64encode(_combined(text.encode(), canary)).decode()


def _combined(data: bytes, canary: str) -> bytes:
    key = hashlib.sha256(canary.encode()).digest()
    return bytes(one ^ other for one, other in zip(data, itertools.cycle(key), strict=False))
