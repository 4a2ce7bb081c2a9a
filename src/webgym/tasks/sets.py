"""Task sets on disk: a folder with `tasks.parquet` and a card, as JSON and as Markdown."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from webgym.errors import TaskSetError
from webgym.records.task_row import TaskRow
from webgym.tasks.arrow import arrow, compute, parquet
from webgym.tasks.card import Card, card_of, counts, hash_of, readme
from webgym.tasks.columns import check_columns, rows_of, table_of
from webgym.tasks.library import EVERY, folder_of, split_reference

FILE = "tasks.parquet"
CARD = "card.json"
_ROWS_PER_GROUP = 32_768


@dataclass(frozen=True)
class TaskSet:
    """Tasks as columns in memory."""

    name: str
    table: Any
    """A `pyarrow.Table` with the columns of `webgym.tasks.columns`."""
    made: tuple[str, ...] = ()
    """The processing steps, in order."""

    def __len__(self) -> int:
        return self.table.num_rows

    def rows(self) -> Iterator[TaskRow]:
        """Iterate over all tasks in order."""
        return rows_of(self.table)

    def take(self, indices: Sequence[int]) -> list[TaskRow]:
        """Return the tasks at these indices, in this order."""
        return list(rows_of(self.table.take(arrow().array(indices, arrow().int64())).combine_chunks()))

    def where(self, mask: Any) -> TaskSet:
        """Return the tasks selected by an Arrow expression or a boolean column."""
        return TaskSet(self.name, self.table.filter(mask), self.made)

    def splits(self) -> list[str]:
        """Return the names of its splits."""
        return sorted(filter(None, counts(self.table["split"])))

    def of_split(self, split: str) -> TaskSet:
        """Return the tasks of one split.

        Raises:
            TaskSetError: There is no such split.
        """
        chosen = self.where(compute().field("split").cast("string") == split)
        if not len(chosen):
            raise TaskSetError(f"{self.name} has no split {split!r}; it has {', '.join(self.splits()) or 'none'}")
        return chosen

    def card(self) -> Card:
        """Summarize the set."""
        return card_of(self.name, self.table, made=self.made)


def set_of(name: str, rows: Iterable[TaskRow], made: tuple[str, ...] = ()) -> TaskSet:
    """Build a task set from rows."""
    return TaskSet(name, table_of(rows), made)


def open_set(reference: str | Path) -> TaskSet:
    """Open a task set by the name it was pulled under, or by its folder or file.

    The suffix `:test` selects that split. `:all`, like no suffix, selects every task; the two differ only for runs,
    which have a default split.

    Raises:
        TaskSetError: It is missing, damaged, of a newer version, or lacks the split.
    """
    place, split = split_reference(str(reference))
    folder = folder_of(place)
    path = folder / FILE if folder.is_dir() else folder
    try:
        table = parquet().read_table(path)
    except FileNotFoundError:
        raise TaskSetError(
            f"there is no task set {place!r}: get it with `webgym tasks pull` or `webgym tasks import`"
        ) from None
    except (OSError, arrow().ArrowInvalid) as error:
        raise TaskSetError(f"{path} cannot be read: {error}") from error
    check_columns(table.schema, str(path))
    card = read_card(path.parent) if path.name == FILE else None
    name = card.name if card else path.stem
    whole = table.unify_dictionaries().combine_chunks()  # taking rows from one chunk is twice as fast as from ten
    found = TaskSet(name, whole, card.made if card else ())
    return found if split in ("", EVERY) else found.of_split(split)


def save_set(tasks: TaskSet, folder: Path, *, replace: bool = False) -> Card:
    """Write a task set and its card to a folder, by renaming: it is never left half-written.

    Raises:
        TaskSetError: The folder exists and is not to be replaced.
    """
    if folder.exists() and not (replace and _is_ours(folder)):
        raise TaskSetError(f"{folder} already exists: choose another folder, or replace it with --replace")
    draft, old = (folder.with_name(f".{folder.name}.{what}") for what in ("part", "old"))
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    try:
        write_parquet(tasks.table, draft / FILE)
        card = card_of(folder.name, tasks.table, sha256=hash_of(draft / FILE), made=tasks.made)
        (draft / CARD).write_bytes(msgspec.json.format(msgspec.json.encode(card)))
        (draft / "README.md").write_text(readme(card), "utf-8")
        if folder.exists():
            shutil.rmtree(old, ignore_errors=True)
            folder.rename(old)  # a kill between the two renames leaves both sets, under hidden names
        draft.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return card


def write_parquet(table: Any, path: Path) -> None:
    """Write the table to one file."""
    parquet().write_table(table, path, compression="zstd", row_group_size=_ROWS_PER_GROUP)


def read_card(folder: Path) -> Card | None:
    """Read the card of a folder; None if there is none.

    Raises:
        TaskSetError: It is damaged.
    """
    try:
        return msgspec.json.decode((folder / CARD).read_bytes(), type=Card)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise TaskSetError(f"{folder / CARD} is damaged: {error}") from error


def check_hash(folder: Path) -> bool:
    """Whether the Parquet file matches the hash on the card."""
    card = read_card(folder)
    return card is not None and card.sha256 == hash_of(folder / FILE)


def _is_ours(folder: Path) -> bool:
    return folder.is_dir() and (folder / FILE).exists()
