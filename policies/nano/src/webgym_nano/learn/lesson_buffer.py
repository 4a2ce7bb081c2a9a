"""Lessons in memory, on the training device: the newest of a folder that others write into."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import queue
import time
import zlib
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import psutil
import torch
from torch import Tensor

from webgym.errors import DoesNotFit, TrainingError
from webgym_nano.config import NanoConfig
from webgym_nano.learn.follow import Arrived, Broken, Change, Follower, Gone, Scanned
from webgym_nano.learn.segments import COLUMNS, Prepared, Preparer
from webgym_nano.learn.settings import LearnSettings, ShelfSettings
from webgym_nano.learn.words import Words

_POLL_S = 0.25
_ROOM = 0.7
"""Share of the free memory that lessons may take."""


def held_out(site: str, share: float) -> bool:
    """Whether a website is held out of training: the same ones in every run."""
    return zlib.crc32(site.encode()) < share * 2**32


class Stack(NamedTuple):
    """Lessons at some indices of a pile, as tensors."""

    pictures: Tensor
    tokens: Tensor
    table: Tensor
    letters: Tensor


class Pile:
    """A buffer of fixed capacity for lessons; when full, it drops the oldest shards."""

    def __init__(self, room: int, config: NanoConfig, settings: ShelfSettings, device: torch.device) -> None:
        def shorts(*shape: int) -> Tensor:
            return torch.zeros((room, *shape), dtype=torch.int16, device=device)

        self._all = Stack(
            torch.empty((room, config.height, config.width, 3), dtype=torch.uint8, device=device),
            shorts(settings.tokens),
            shorts(settings.questions + 1, COLUMNS),
            shorts(settings.letters, 3),
        )
        self._room = room
        self._device = device
        self._free = deque(range(room))
        self._shards: dict[str, list[int]] = {}
        self._verbs = [""] * room
        self._used: Tensor = torch.zeros(0, dtype=torch.long, device=device)
        self._fresh = True

    def __len__(self) -> int:
        return self._room - len(self._free)

    def put(self, name: str, lessons: Prepared) -> None:
        """Add a shard, or replace the one of that name."""
        self.drop(name)
        lessons = lessons.part(range(max(0, len(lessons) - self._room), len(lessons)))
        while len(self._free) < len(lessons):
            self.drop(next(iter(self._shards)))
        places = [self._free.popleft() for _ in range(len(lessons))]
        at = torch.tensor(places, dtype=torch.long, device=self._device)
        arrays = (lessons.pictures, lessons.tokens, lessons.table, lessons.letters)
        for whole, array in zip(self._all, arrays, strict=True):
            whole[at] = torch.from_numpy(array).to(self._device)
        for place, verb in zip(places, lessons.verbs, strict=True):
            self._verbs[place] = verb
        self._shards[name] = places
        self._fresh = False

    def drop(self, name: str) -> None:
        """Remove a shard, if it is here."""
        self._free.extend(self._shards.pop(name, ()))
        self._fresh = False

    @property
    def places(self) -> Tensor:
        """Indices of its lessons, in order of arrival."""
        if not self._fresh:
            listed = [place for places in self._shards.values() for place in places]
            self._used = torch.tensor(listed, dtype=torch.long, device=self._device)
            self._fresh = True
        return self._used

    def at(self, places: Tensor) -> Stack:
        """Return the lessons at these indices."""
        return Stack(*(whole[places] for whole in self._all))

    def verbs(self, places: Sequence[int]) -> list[str]:
        return [self._verbs[place] for place in places]

    def sample(self, count: int, generator: torch.Generator) -> Tensor:
        """Return the indices of random lessons, drawn with replacement."""
        numbers = torch.randint(len(self), (count,), generator=generator)
        return self.places[numbers.to(self._device)]


def check_room(config: NanoConfig, settings: ShelfSettings, device: torch.device) -> None:
    """Check, before anything is read, that there is memory for the lessons.

    Raises:
        DoesNotFit: There is not.
    """
    free = torch.cuda.mem_get_info(device)[0] if device.type == "cuda" else psutil.virtual_memory().available
    lesson = config.height * config.width * 3 + 2 * (settings.tokens + 3 * settings.letters)
    needed = lesson * (settings.lessons + settings.held_lessons)
    if needed > _ROOM * free:
        fit = max(1, int(_ROOM * free / lesson) - settings.held_lessons)
        sizes = f"{needed / 2**30:.1f} GiB of memory, but only {free / 2**30:.1f} GiB are free"
        raise DoesNotFit(f"{settings.lessons} lessons need {sizes}: set shelf.lessons={fit}")


class LessonBuffer:
    """Training and held-out lessons, kept in sync with a folder.

    Lessons are only added between two steps, by the training thread: on a GPU, stream order then lets computations
    with the old ones finish first.
    """

    def __init__(
        self, folder: Path, config: NanoConfig, settings: LearnSettings, words: Words, device: torch.device
    ) -> None:
        shelf, rows = settings.shelf, settings.rows
        check_room(config, shelf, device)
        self.train = Pile(shelf.lessons, config, shelf, device)
        self.held = Pile(shelf.held_lessons, config, shelf, device)
        self.left_out = 0
        """Segments and lessons that did not fit."""
        self.seen = 0
        """Lessons received so far."""
        self._settings = shelf
        room = rows.tokens - config.picture_tokens - len(words.prefix) - 1
        preparer = Preparer(config, shelf, words, room, rows.replies)
        self._follower = Follower(folder, preparer.prepare, shelf.readers)

    def start(self) -> None:
        self._follower.start()

    def stop(self) -> None:
        self._follower.stop()

    def wait_until_scanned(self, patience: float) -> None:
        """Add everything the folder holds now.

        Raises:
            TrainingError: It took too long, or the folder cannot be read.
        """
        end = time.monotonic() + patience
        while time.monotonic() < end:
            try:
                change = self._follower.changes.get(timeout=_POLL_S)
            except queue.Empty:
                continue
            if isinstance(change, Scanned):
                return
            self._put(change)
        raise TrainingError(f"reading the lessons took longer than {patience:.0f} s")

    def take(self) -> bool:
        """Apply at most one change, so that no step waits long; return whether there was any."""
        try:
            change = self._follower.changes.get_nowait()
        except queue.Empty:
            return False
        self._put(change)
        return True

    def _put(self, change: Change) -> None:
        match change:
            case Arrived(name, lessons):
                self._arrived(name, lessons)
            case Gone(name):
                self.train.drop(name)
                self.held.drop(name)
            case Scanned():
                pass
            case Broken(error):
                raise TrainingError(f"watching the folder of lessons failed: {error}") from error

    def _arrived(self, name: str, lessons: Prepared) -> None:
        held = [held_out(site, self._settings.held_out) for site in lessons.sites]
        for pile, wanted in ((self.train, False), (self.held, True)):
            numbers = [number for number, is_held in enumerate(held) if is_held is wanted]
            if numbers:
                pile.put(name, lessons.part(numbers))
        self.left_out += lessons.left_out
        self.seen += len(lessons)
