"""Recovery of a run after a crash, before it is written again."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from webgym.store.packs import PACK_FOLDER, PackLocation, is_whole, pack_path
from webgym.store.schema import transaction


def recover(connection: sqlite3.Connection, folder: Path) -> int:
    """Make packs and index agree: truncate uncommitted bytes, and mark index entries with lost bytes as gone.

    Returns the number of pictures that were found to be lost.
    """
    packs: dict[int, int] = dict(connection.execute("SELECT pack, bytes FROM packs").fetchall())
    (folder / PACK_FOLDER).mkdir(exist_ok=True)
    known = {pack_path(folder, pack) for pack in packs}
    for path in (folder / PACK_FOLDER).iterdir():
        if path not in known:
            path.unlink()
    with transaction(connection):
        return sum(_mend(connection, folder, pack, committed) for pack, committed in packs.items())


def _mend(connection: sqlite3.Connection, folder: Path, pack: int, committed: int) -> int:
    lost = 0
    path = pack_path(folder, pack)
    present = path.stat().st_size if path.exists() else 0
    if present > committed:
        _cut(path, committed)
    query = "SELECT pack, offset, length FROM images WHERE pack = ? ORDER BY offset DESC"
    # A crash damages only the tail: once a record, seen from the end, is intact, so are all before it.
    for row in connection.execute(query, (pack,)).fetchall():
        place = PackLocation(*row)
        if is_whole(folder, place):
            break
        change = "UPDATE images SET pack = NULL, gone = 'damaged' WHERE pack = ? AND offset = ?"
        connection.execute(change, (place.pack, place.offset))
        lost += 1
        committed = place.offset
        _cut(path, committed)
    row = (min(committed, present), pack)
    connection.execute("UPDATE packs SET bytes = ? WHERE pack = ?", row)
    return lost


def _cut(path: Path, size: int) -> None:
    if path.exists() and path.stat().st_size > size:
        with path.open("r+b") as file:
            file.truncate(size)
