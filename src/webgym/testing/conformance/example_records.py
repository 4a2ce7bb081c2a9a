"""Small example records for exercising stages: pictures, prompts, captures, attempts."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

from webgym.records.action import Answer, Click, Point
from webgym.records.decision import Decision, Turn
from webgym.records.observation import Blob, Capture, Observation, PageChange, Viewport, address_of
from webgym.records.prompt import Message, Picture, Prompt, Text
from webgym.records.task import FactGroup, Task
from webgym.records.trajectory import Attempt, Step

SIZE = (128, 96)
WEBSITE = "http://fake.example/"
ODD_WORDS = "\x00 \u202e\u2028 \U0001f9f6 “größer” </answer> ```{"
"""Unusual characters that occur in pages and model output."""


def drawn(shade: int) -> bytes:
    """Return a PNG of one colour."""
    width, height = SIZE
    row = b"\0" + bytes((shade % 256, 80, 160)) * width
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = (_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(row * height)), _chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def a_prompt(words: str = "What is there to see?", shades: Sequence[int] = (10,)) -> tuple[Prompt, dict[str, bytes]]:
    """Return a prompt of one message with a picture per shade, and the pictures' bytes."""
    pictures = {address_of(data): data for data in map(drawn, shades)}
    shown = tuple(Picture(address, *SIZE) for address in pictures)
    return Prompt((Message("user", (*shown, Text(words))),)), pictures


def a_capture(number: int) -> Capture:
    """Return the capture with this number, counted from 1, with a picture of its own."""
    data = drawn(number)
    observation = Observation(
        sequence=number,
        url=f"{WEBSITE}{number}",
        title=f"Page {number}",
        viewport=Viewport(*SIZE),
        screenshot=Blob(address_of(data), "image/png", len(data)),
        effect=PageChange(("url", "content")) if number > 1 else None,
    )
    return Capture(observation, {address_of(data): data})


def an_attempt(name: str = "task-1/0") -> Attempt:
    """Return an attempt at a task with three facts in two groups."""
    rubric = (FactGroup(1, "The page", ("It was opened.", "It was read.")), FactGroup(4, "The answer", ("It is 7.",)))
    task = Task(name.partition("/")[0], "Say what the page says.", WEBSITE, rubric)
    return Attempt(name, task, group=task.task_id, seed=1)


def a_step(number: int, answer: str = "") -> Step:
    """Return a step with the observation of this number, and a click or the answer."""
    action = Answer(answer) if answer else Click(Point(5, number))
    return Step(number, a_capture(number).observation, Turn(Decision(action, sentence=f"I act. {ODD_WORDS}")))
