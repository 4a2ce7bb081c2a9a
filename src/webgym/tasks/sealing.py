"""Tasks that must not be stored in plain text: encrypted at rest, decrypted only in memory.

BrowseComp is published as base64 of the text XORed with the SHA-256 of the row's canary, so that crawlers do not pick
it up by accident. Task sets keep it in this form.
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
    """Return the row in plain text, for use in memory only: never write it anywhere.

    Raises:
        TaskSetError: The sealing is unknown, or the row is damaged.
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
                raise TaskSetError(f"task {row.task_id} cannot be decrypted: {error}") from error
        case other:
            raise TaskSetError(f"task {row.task_id} is encrypted with {other!r}, which this WebGym does not support")


def unsealed(text: str, canary: str) -> str:
    """Decrypt a text."""
    return _combined(base64.b64decode(text, validate=True), canary).decode()


def sealed(text: str, canary: str) -> str:
    """Encrypt a text."""
    return base64.b64encode(_combined(text.encode(), canary)).decode()


def _combined(data: bytes, canary: str) -> bytes:
    key = hashlib.sha256(canary.encode()).digest()
    return bytes(byte ^ other for byte, other in zip(data, itertools.cycle(key), strict=False))
