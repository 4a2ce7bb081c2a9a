"""Loading steps from the database."""

from __future__ import annotations

import hashlib
import sqlite3
from typing import Any

from webgym.errors import StoreError
from webgym.records.trajectory import Step
from webgym.store.checksums import check
from webgym.store.encoding import load_step, unsqueeze
from webgym.store.schema import has_checksums

CHECKED = "attempt, number, step, prompt, prompt_ids, sampled_ids, logprobs, versions"
"""The columns of `steps` that its checksum covers."""


def load_steps(connection: sqlite3.Connection, attempt_id: str) -> tuple[Step, ...]:
    """Load all steps of an attempt so far, in order."""
    texts: dict[bytes, str] = {}

    def text(digest: bytes) -> str:
        if digest not in texts:
            found = connection.execute("SELECT body FROM texts WHERE digest = ?", (digest,)).fetchone()
            if found is None:
                raise StoreError(f"a prompt of attempt {attempt_id} refers to a text that is missing from the store")
            body = unsqueeze(found[0]) if isinstance(found[0], bytes) else b""
            if hashlib.sha256(body).digest() != digest:
                raise StoreError(f"a text in a prompt of attempt {attempt_id} is damaged: it is not what was written")
            texts[digest] = body.decode()
        return texts[digest]

    def step(row: tuple[Any, ...]) -> Step:
        *values, expected = row
        _, number, body, prompt, prompt_ids, *arrays = values
        check(values, expected, f"step {number} of attempt {attempt_id}")
        tokens = None if prompt_ids is None else (unsqueeze(prompt_ids), *arrays)
        return load_step(unsqueeze(body), None if prompt is None else unsqueeze(prompt), tokens, text)

    kept = "checksum" if has_checksums(connection) else "NULL"
    query = (
        f"SELECT {CHECKED}, {kept} FROM steps"  # noqa: S608 - our own column names
        " WHERE attempt = (SELECT number FROM attempts WHERE attempt_id = ?) ORDER BY number"
    )
    return tuple(step(row) for row in connection.execute(query, (attempt_id,)).fetchall())
