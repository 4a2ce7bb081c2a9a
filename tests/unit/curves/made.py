"""A training run made up for tests: it gets better, with the noise that a real one has."""

from __future__ import annotations

import io
import math
import random

from PIL import Image, ImageDraw

from webgym.curves.about import RunFacts
from webgym.records.curve import AttemptResults, GroupShares, Iteration, Lengths, MaskedAttempts, Rate, UpdateSummary
from webgym.records.trajectory import OutcomeKind
from webgym.store.statistics import wilson

ABOUT = RunFacts("shop-small", 40, {"model": "qwen3-vl-2b", "recipe": "grpo"})
PHASES = {"collect": 410.0, "sleep": 6.5, "learn": 190.0, "wake": 14.0}
EASE = {"easy": 0.22, "medium": 0.0, "hard": -0.15}


def rate(successes: int, attempts: int) -> Rate:
    return Rate(successes, attempts, successes / attempts if attempts else 0.0, *wilson(successes, attempts))


def tried(chance: float, attempts: int, dice: random.Random) -> AttemptResults:
    each = attempts // 3
    levels = {
        level: rate(sum(dice.random() < chance + ease for _ in range(each)), each) for level, ease in EASE.items()
    }
    successes = sum(one.successes for one in levels.values())
    blocked, broken, unknown = each // 12, each // 24, each // 16
    truncated = (attempts - successes) // 3
    outcomes: dict[OutcomeKind, int] = {
        "success": successes,
        "failure": attempts - successes - truncated,
        "truncated": truncated,
        "blocked": blocked,
        "infrastructure": broken,
        "judge_unknown": unknown,
    }
    lost = blocked + broken + unknown
    share = lost / (attempts + lost)
    warnings = (f"{share:.1%} of the attempts have no reward: blocked {blocked} times",) if share > 0.05 else ()
    return AttemptResults(
        success=rate(successes, attempts),
        by_level=levels,
        outcomes=outcomes,
        successes=Lengths(successes, 11.5 - 4 * chance + dice.random(), 96 - 30 * chance + dice.gauss(0, 2)),
        failures=Lengths(attempts - successes, 17 - 3 * chance + dice.random(), 118 - 12 * chance + dice.gauss(0, 3)),
        tasks=attempts // 8 or 1,
        sites=8,
        masked=MaskedAttempts(lost, share, {"blocked": blocked}, 9.5, 13.0, 0.4, 0.2, warnings),
        grouped=GroupShares(attempts // 8 or 1, 0.02, chance / 2, (1 - chance) / 2),
    )


def learned(number: int, dice: random.Random) -> UpdateSummary:
    fade = math.exp(-number / 9)
    kept = 20 + dice.randrange(6)
    figures = {
        "loss": 0.012 * fade + dice.gauss(0, 0.0012),
        "grad_norm": 0.42 + 0.5 * fade + dice.random() * 0.15,
        "kl_behaviour": 0.0006 + 0.0004 * dice.random(),
        "kl_mismatch": 2.1e-5 + 6e-6 * dice.random(),
        "clip_share": 0.011 + 0.006 * dice.random(),
        "entropy": 0.31 + 0.25 * fade + dice.gauss(0, 0.006),
        "effective_share": 0.97 + 0.01 * dice.random(),
    }
    return UpdateSummary(
        rows=1400 + dice.randrange(300),
        tokens=3_100_000 + dice.randrange(400_000),
        steps=8,
        lr=1e-6,
        figures=figures,
        fates={
            "kept": kept,
            "all_pass": 2 + number // 2,
            "all_fail": max(0, 14 - number),
            "too_few": dice.randrange(3),
        },
        lags={0: 40_000, 1: 900 * number, 2: 300 * (number // 4)},
    )


def iteration(number: int) -> Iteration:
    """The same for the same number."""
    dice = random.Random(number + 1)
    chance = 0.27 + 0.4 * (1 - math.exp(-number / 7))
    evaluated = number % 3 == 0
    seconds = {phase: typical * (0.9 + 0.2 * dice.random()) for phase, typical in PHASES.items()} if number else {}
    if evaluated:
        seconds["evaluate"] = 160.0 + 20 * dice.random()
    return Iteration(
        iteration=number,
        version=number,
        ended=1_790_000_000.0 + 620 * number,
        train=tried(chance + 0.06, 288, dice) if number else None,
        learned=learned(number, dice) if number else None,
        evaluation=tried(chance, 96, dice) if evaluated else None,
        seconds=seconds,
        steps_per_second=(5.2 + dice.random()) if number else 0.0,
        tokens_per_second=(1450 + 200 * dice.random()) if number else 0.0,
    )


def run(last: int = 12) -> list[Iteration]:
    """Iterations 0 to `last`."""
    return [iteration(number) for number in range(last + 1)]


def screenshot(words: str, colour: str = "#2459b5") -> bytes:
    """A picture that could be of a web page."""
    picture = Image.new("RGB", (1280, 800), "white")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 1280, 90), fill=colour)
    draw.text((40, 30), words, fill="white", font_size=32)
    for row in range(4):
        draw.rectangle((40, 130 + row * 160, 1240, 260 + row * 160), outline="#c6ccd5", width=2)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()
