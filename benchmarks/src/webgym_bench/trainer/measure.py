"""Measures one system in its own process, isolated from the memory use and failures of the others."""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import torch

from webgym.records.sample import Sample
from webgym.train.settings import TrainerSettings
from webgym.train.shape import shape_of
from webgym_bench.trainer.clock import memory_gb, now, peak_tflops
from webgym_bench.trainer.inside import waits, write_profile
from webgym_bench.trainer.packed import PackedLoop, settings_for
from webgym_bench.trainer.plain import PlainLoop
from webgym_bench.trainer.sizes import SIZES
from webgym_bench.trainer.spec import Found, Spec
from webgym_bench.trainer.work import SMALL, WEB, Kind, count, make_rows

Loop = PlainLoop | PackedLoop


def measure(spec: Spec) -> Found:
    """Build the system, warm it up and time a few steps."""
    deadline = time.monotonic() + spec.seconds
    device = _device(spec.device)
    dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
    config, kind = SIZES[spec.size](), SMALL if spec.size in {"tiny", "nano"} else WEB
    samples = make_rows(spec.rows, kind, config, spec.seed)
    shape = shape_of(config)
    peak = peak_tflops(device, dtype)
    say = _Say()
    say(f"{spec.size} {spec.system}: {peak:.0f} TFLOP/s peak matrix multiplication; building the model")
    loop, chosen = _built(spec, config, kind, device, dtype, samples)
    say(f"{spec.size} {spec.system}: warming up ({chosen})")
    loop.step(samples[: spec.plain_rows])
    if isinstance(loop, PackedLoop) and spec.system == "compiled":
        loop.step(samples)
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
    times: list[float] = []
    moves: list[float] = []
    works: list[float] = []
    loss = 0.0
    while len(times) < spec.steps and (not times or time.monotonic() + times[-1] < deadline):
        began, worked = now(device), time.process_time()
        loss = loop.step(samples)
        times.append(now(device) - began)
        works.append(time.process_time() - worked)
        moves.append(loop.optimizer_seconds)
        say(f"{spec.size} {spec.system}: step {len(times)} took {times[-1]:.2f} s")
    most_memory = memory_gb(device)
    waiting = _looked_into(loop, samples, device, spec, say) if isinstance(loop, PackedLoop) else {}
    tokens, patches = count(samples, kind)
    seconds = statistics.median(times)
    useful = 6 * (shape.text_parameters * tokens + shape.vision_parameters * patches) / seconds / 1e12
    return Found(
        system=spec.system,
        size=spec.size,
        device=torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu",
        seconds=seconds,
        cpu_seconds=statistics.median(works),
        steps=len(times),
        tokens=tokens,
        patches=patches,
        tokens_per_second=tokens / seconds,
        useful_tflops=useful,
        peak_tflops=peak,
        utilisation=useful / peak,
        memory_gb=most_memory,
        optimizer_seconds=statistics.median(moves),
        waits=waiting,
        loss=loss,
        settings=chosen,
    )


def _looked_into(
    loop: PackedLoop, samples: list[Sample], device: torch.device, spec: Spec, say: Callable[[str], None]
) -> dict[str, int]:
    """Count the synchronisations of a step and, if requested, profile it."""
    waiting: dict[str, int] = {}
    try:
        waiting = waits(lambda: loop.step(samples), device)
        if spec.profile:
            write_profile(lambda: loop.step(samples), device, Path(spec.profile) / f"{spec.size}-{spec.system}.txt")
    except Exception as error:  # noqa: BLE001  e.g. out of memory: the timings remain valid
        say(f"{spec.size} {spec.system}: profiling failed: {error}")
    return waiting


def _device(name: str) -> torch.device:
    there = torch.cuda.is_available()
    return torch.device("cuda", 0) if there and name != "cpu" else torch.device("cpu")


def _built(
    spec: Spec, config: Any, kind: Kind, device: torch.device, dtype: torch.dtype, samples: list[Sample]
) -> tuple[Loop, str]:
    if spec.system == "plain":
        return PlainLoop(config, kind, device, dtype, spec.plain_rows), f"{spec.plain_rows} padded rows at a time"
    settings = settings_for(shape_of(config), samples, kind, device, compiled=spec.system == "compiled")
    if device.type == "cpu":
        loop = PackedLoop(config, kind, device, settings)
        return loop, _told(loop)
    careful = settings.model_copy(update={"recompute": 1.0, "recompute_vision": 1.0})
    loop = _that_fits(lambda chosen: PackedLoop(config, kind, device, chosen), settings, careful, samples)
    return loop, _told(loop)


def _that_fits(
    make: Callable[[TrainerSettings], PackedLoop],
    settings: TrainerSettings,
    careful: TrainerSettings,
    samples: list[Sample],
) -> PackedLoop:
    """Return a loop with these settings if a step over all rows fits in memory, else one that recomputes everything."""
    loop = make(settings)
    try:
        loop.step(samples[:1])  # allocates the optimizer's moments
        loop.step(samples)
    except torch.OutOfMemoryError:
        loop.trainer.model.zero_grad(set_to_none=True)
    else:
        return loop
    del loop
    gc.collect()
    torch.cuda.empty_cache()
    return make(careful)


def _told(loop: PackedLoop) -> str:
    settings = loop.trainer.settings
    text, vision = (kernel.__name__ for kernel in loop.trainer.model.prepare(text=True, vision=True))
    return (
        f"{settings.tokens} tokens per pass, {settings.recompute:.0%} of text and {settings.recompute_vision:.0%} of "
        f"vision recomputed, optimizer moments in {settings.first_moment} and {settings.second_moment}, "
        f"attention kernels {text} and {vision}"
    )


class _Say:
    """Writes progress to standard error."""

    def __call__(self, text: str) -> None:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


def main() -> None:
    """Measure the JSON `Spec` of the first argument. Always print a JSON `Found`, also after an error."""
    spec = msgspec.json.decode(sys.argv[1], type=Spec)
    try:
        found = measure(spec)
    except Exception as error:  # noqa: BLE001  reported in the answer
        found = Found(spec.system, spec.size, error=f"{type(error).__name__}: {error}")
    sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
