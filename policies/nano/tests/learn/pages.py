"""Pages drawn by hand, with lessons about them."""

from __future__ import annotations

import io
import os
import random

import msgspec
import torch
from PIL import Image, ImageDraw

from webgym.records.lesson import Lesson, Question
from webgym_nano.config import NanoConfig
from webgym_nano.learn.lesson_buffer import Stack
from webgym_nano.learn.segments import Preparer
from webgym_nano.learn.settings import LearnSettings, OptimizerSettings, RowSettings, ShelfSettings
from webgym_nano.learn.words import Words

SMALL = NanoConfig(
    width=128,
    height=96,
    vision_layers=2,
    vision_size=64,
    vision_heads=2,
    vision_inner=128,
    vision_grid=8,
    layers=2,
    size=64,
    heads=2,
    key_heads=1,
    inner=128,
)
WORDS = "Buy Cart Home Search Login Help News Mail Send Cancel Price Total Filter Sort Hats Shoes Travel Hotel".split()
COLOURS = ("#204080", "#a03020", "#207040", "#705010", "#502070", "#106070")


def small_settings(config=SMALL, text=200, **changes):
    """Rows with room for so many tokens of text; nothing is published or measured before the end."""
    given = {
        "batch": 8,
        "device": "cpu",
        "recolour": False,
        "rows": RowSettings(tokens=config.picture_tokens + 3 + text, replies=min(text, 90)),
        "shelf": ShelfSettings(lessons=32, held_lessons=16, first=1, held_out=0.0, patience=20),
        "optimizer": OptimizerSettings(warmup=10, average=0.9, lr=3e-3, muon_lr=1e-2),
        "publish_s": 1000,
        "publish_from": 0.0,
        "checkpoint_s": 1000,
        "measure_s": 1000,
    }
    return LearnSettings(**(given | changes))


def stack_of(lessons, config, settings, packer):
    """Lessons as they lie on a shelf."""
    preparer = Preparer(config, settings.shelf, Words(), packer.room, settings.rows.replies)
    made = preparer.prepare(lessons)
    return Stack(*(torch.from_numpy(array) for array in (made.pictures, made.tokens, made.table, made.letters)))


def place(x, y, config):
    side = max(config.width, config.height)
    return f"<{x * 112 // side:03d}><{y * 112 // side:03d}>"


def page(seed, config=SMALL, site=None, questions=4):
    """Buttons with words on them; one of them is to be clicked, or all is done and an answer is due."""
    rng = random.Random(seed)
    image = Image.new("RGB", (config.width, config.height), rng.choice(("white", "#f4f4ff", "#fff8ee")))
    draw = ImageDraw.Draw(image)
    rows, columns = config.height // 24, config.width // 64
    spots = [(column * 64 + 2, row * 24 + 2) for row in range(rows) for column in range(columns)]
    count = min(questions, len(spots))
    chosen = list(zip(rng.sample(WORDS, count), rng.sample(spots, count), strict=True))
    asked = []
    for word, (x, y) in chosen:
        box = (x, y, x + 56, y + 18)
        draw.rectangle(box, fill=rng.choice(COLOURS))
        draw.text((x + 4, y + 3), word, fill="white")
        middle = place(x + 28, y + 9, config)
        asked.append(Question(f"click {word}", f"{word}>c{middle}", "where", box))
        line = draw.textbbox((x + 4, y + 3), word)
        asked.append(Question(f"read {middle}", word, "text", tuple(map(int, line))))
    word, (x, y) = chosen[0]
    ask = f"#press {word}\n@"
    if seed % 4 == 3:
        reply, verb, box = f">a{chosen[1][0]}", "answer", None
        ask = f"#what is beside {word}?\n@"
    elif seed % 4 == 2:
        reply, verb, box = f"{word}>s{place(x + 28, y + 9, config)}wool", "submit", (x, y, x + 56, y + 18)
        ask = f"#search wool in {word}\n@"
    else:
        reply, verb, box = f"{word}>c{place(x + 28, y + 9, config)}", "click", (x, y, x + 56, y + 18)
    out = io.BytesIO()
    image.save(out, "PNG")
    return Lesson(
        out.getvalue(), site or f"site-{seed % 5}.test", tuple(asked), ask, reply, verb, box, task_id=f"t{seed}"
    )


def write_shard(folder, number, lessons):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"lessons-1-{number}.msgpack"
    draft = path.with_suffix(".draft")
    draft.write_bytes(msgspec.msgpack.encode(list(lessons)))
    os.utime(draft, ns=(number * 10**9, number * 10**9))
    draft.replace(path)
    return path
