"""Reads the rows of attempts."""

from __future__ import annotations

import sqlite3

from webgym.store.checksums import check
from webgym.store.rows import CHECKED, Row
from webgym.store.schema import has_checksums

_WIDTH = len(Row.__struct_fields__)


def read_rows(connection: sqlite3.Connection) -> list[Row]:
    """Return one row per attempt, in the order in which they began.

    Raises:
        StoreError: A row is damaged.
    """
    columns = f"{CHECKED}, checksum" if has_checksums(connection) else f"{CHECKED}, NULL".replace('"malformed"', "0")
    found = connection.execute(f"SELECT {columns} FROM attempts ORDER BY number").fetchall()  # noqa: S608
    for *values, expected in found:
        check(values, expected, f"the row of attempt {str(values[0])[:100]!r}")
    return [Row(*values[:_WIDTH]) for values in found]
