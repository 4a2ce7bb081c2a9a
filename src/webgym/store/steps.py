"""Loading steps from the database."""

from __future__ import annotations

import sqlite3
from typing import Any

from webgym.errors import StoreError
from webgym.records.trajectory import Step
from webgym.store.encoding import load_step, unsqueeze

_QUERY = (
    "SELECT step, prompt, prompt_ids, sampled_ids, logprobs, versions FROM steps"
    " WHERE attempt = (SELECT number FROM attempts WHERE attempt_id = ?) ORDER BY number"
)


def load_steps(connection: sqlite3.Connection, attempt_id: str) -> tuple[Step, ...]:
    """Load all steps of an attempt so far, in order."""
    texts: dict[bytes, str] = {}

    def text(digest: bytes) -> str:
        if digest not in texts:
            found = connection.execute("SELECT body FROM texts WHERE digest = ?", (digest,)).fetchone()
            if found is None:
                raise StoreError(f"a prompt of attempt {attempt_id} refers to a text that is missing from the store")
            texts[digest] = unsqueeze(found[0]).decode()
        return texts[digest]

    def step(row: tuple[Any, ...]) -> Step:
        body, prompt, prompt_ids, *arrays = row
        tokens = None if prompt_ids is None else (unsqueeze(prompt_ids), *arrays)
        return load_step(unsqueeze(body), None if prompt is None else unsqueeze(prompt), tokens, text)

    return tuple(step(row) for row in connection.execute(_QUERY, (attempt_id,)).fetchall())
