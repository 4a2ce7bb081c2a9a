"""Benchmark of a learner against plain transformers, one segment at a time, on the same lessons in one run.

python -m webgym_nano.learn.speed --rows 8 --rounds 3
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import argparse
import io
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from PIL import Image

from webgym.records.base import Record
from webgym.records.lesson import Lesson, Question
from webgym.run.inference.processor import read_processor
from webgym_nano.config import NanoConfig
from webgym_nano.folder import write_folder
from webgym_nano.learn.flops import flops_of_a_row
from webgym_nano.learn.learner import Learner
from webgym_nano.learn.lesson_buffer import Pile
from webgym_nano.learn.segments import Column, Preparer
from webgym_nano.learn.settings import LearnSettings
from webgym_nano.learn.words import Words
from webgym_nano.model import new_model

_PROMPT = "<|user|><|vision_start|><|image_pad|><|vision_end|>"
_LETTERS = "abcdefghijklmnopqrstuvwxyz "
_QUESTIONS = 31
_ASK, _REPLY, _POLICY_ASK, _POLICY_REPLY = 14, 11, 200, 13
"""Lengths in tokens, as in lessons of real pages."""
_WARM = 2


class Speed(Record, frozen=True, omit_defaults=False):
    """Throughput of forward, backward and optimizer step; the median of some rounds."""

    device: str
    threads: int
    rows: int
    """Rows per step."""
    segments: float
    """Segments per row."""
    rows_per_second: float
    segments_per_second: float
    plain_segments_per_second: float
    """Transformers, one prompt with its image at a time, and one AdamW step for a row's worth of them."""
    ratio: float
    flops_per_row: float
    flops_per_second: float


def compare(config: NanoConfig, settings: LearnSettings, rounds: int) -> Speed:
    """Measure both in alternation, so that other load on the machine affects both."""
    words = Words()
    learner = Learner(new_model(config), config, settings, words)
    pile = _pile(learner)
    stack = pile.at(pile.places[: settings.batch])
    chosen = learner.packer.choose(stack.table)
    segments = float((chosen.length > 0).sum()) / settings.batch
    plain = _Plain(learner, pile)
    ours: list[float] = []
    theirs: list[float] = []
    for number in range(rounds + _WARM):
        began = time.perf_counter()
        learner.learn(pile, 0.0)
        _wait(learner)
        between = time.perf_counter()
        plain.learn()
        _wait(learner)
        if number >= _WARM:
            ours.append(between - began)
            theirs.append(time.perf_counter() - between)
    rows = settings.batch / statistics.median(ours)
    plainly = plain.count / statistics.median(theirs)
    cost = flops_of_a_row(config, settings.rows, words.size)
    return Speed(
        device=str(learner.device),
        threads=torch.get_num_threads(),
        rows=settings.batch,
        segments=segments,
        rows_per_second=rows,
        segments_per_second=rows * segments,
        plain_segments_per_second=plainly,
        ratio=rows * segments / plainly,
        flops_per_row=cost,
        flops_per_second=cost * rows,
    )


class _Plain:
    """Plain transformers over the segments of one row, each with its image."""

    def __init__(self, learner: Learner, pile: Pile) -> None:
        self._learner = learner
        self._model: Any = new_model(learner.config)
        self._model.to(learner.device).train()
        self._optimizer = torch.optim.AdamW(self._model.parameters(), lr=1e-3)
        with tempfile.TemporaryDirectory() as folder:
            write_folder(Path(folder), self._model, learner.config)
            processor = read_processor(Path(folder))
        self._prompts = [self._prompt(processor, *one) for one in _segments(learner, pile)]
        self.count = len(self._prompts)

    def _prompt(self, processor: Any, picture: Image.Image, ids: list[int], ask: int) -> dict[str, Any]:
        text = _PROMPT + self._learner.words.decode(ids)
        made = dict(processor(text=[text], images=[picture], return_tensors="pt"))
        labels = made["input_ids"].clone()
        labels[:, : labels.shape[1] - len(ids) + ask] = -100
        return {name: value.to(self._learner.device) for name, value in (made | {"labels": labels}).items()}

    def learn(self) -> None:
        device = self._learner.device.type
        for prompt in self._prompts:
            with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
                loss = self._model(**prompt).loss
            loss.backward()
        self._optimizer.step()
        self._optimizer.zero_grad()


def _segments(learner: Learner, pile: Pile) -> list[tuple[Image.Image, list[int], int]]:
    """Return the segments of one row: image, tokens, number of tokens before the reply."""
    stack = pile.at(pile.places[:1])
    chosen = learner.packer.choose(stack.table)
    picture = Image.fromarray(stack.pictures[0].cpu().numpy())
    lines = chosen.table[0][chosen.length[0] > 0].tolist()
    tokens: list[int] = stack.tokens[0].tolist()
    return [
        (picture, tokens[line[Column.START] : line[Column.START] + line[Column.LENGTH]], line[Column.ASK])
        for line in lines
    ]


def _pile(learner: Learner) -> Pile:
    settings, config = learner.settings, learner.config
    pile = Pile(settings.batch, config, settings.shelf, learner.device)
    preparer = Preparer(config, settings.shelf, learner.words, learner.packer.room, settings.rows.replies)
    pile.put("made up", preparer.prepare([_lesson(config, seed) for seed in range(settings.batch)]))
    return pile


def _lesson(config: NanoConfig, seed: int) -> Lesson:
    """Return a lesson with a noise image and random text, as long as in real lessons."""
    rng = random.Random(seed)  # noqa: S311 - nothing secret

    def text(length: int) -> str:
        return "".join(rng.choice(_LETTERS) for _ in range(length))

    box = (100, 100, 180, 120)
    asked = tuple(Question(text(_ASK), f"{text(_REPLY)}<030><027>", "where", box) for _ in range(_QUESTIONS))
    pixels = np.random.default_rng(seed).integers(0, 256, (config.height, config.width, 3), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    reply = f"{text(_POLICY_REPLY)}>c<030><027>"
    return Lesson(out.getvalue(), "made.up", asked, text(_POLICY_ASK), reply, "click", box)


def _wait(learner: Learner) -> None:
    if learner.device.type == "cuda":
        torch.cuda.synchronize()


def main() -> None:
    """Print one line of JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda"))
    parser.add_argument("--no-compile", action="store_true")
    given = parser.parse_args()
    settings = LearnSettings(batch=given.rows, device=given.device, compile=not given.no_compile)
    speed = compare(NanoConfig(), settings, given.rounds)
    sys.stdout.write(msgspec.json.encode(speed).decode() + "\n")


if __name__ == "__main__":
    main()
