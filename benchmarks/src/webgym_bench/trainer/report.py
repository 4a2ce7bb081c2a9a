"""Renders results as text and as a table."""

from __future__ import annotations

from rich.table import Table

from webgym_bench.trainer.compare import Comparison
from webgym_bench.trainer.spec import Found


def line(found: Found) -> str:
    """Format one result."""
    name = f"{found.size} {found.system}"
    if found.error:
        return f"{name}: {found.error}"
    return (
        f"{name}: {found.tokens_per_second:,.0f} tokens/s, {found.useful_tflops:.3g} useful TFLOP/s "
        f"({found.utilisation:.0%} of {found.peak_tflops:.3g}), {found.memory_gb:.1f} GB"
    )


def table(comparison: Comparison) -> Table:
    """Render all results."""
    made = Table("size", "system", "tokens/s", "useful TFLOP/s", "utilisation", "memory", "step", "against plain")
    ratios = {(ratio.size, ratio.system): ratio for ratio in comparison.ratios}
    for each in comparison.found:
        if each.error:
            made.add_row(each.size, each.system, each.error)
            continue
        ratio = ratios.get((each.size, each.system))
        made.add_row(
            each.size,
            each.system,
            f"{each.tokens_per_second:,.0f}",
            f"{each.useful_tflops:.3g}",
            f"{each.utilisation:.0%}",
            f"{each.memory_gb:.1f} GB",
            f"{each.seconds:.2f} s",
            f"{ratio.tokens_per_second:.2f}x" if ratio else "",
        )
    for name in comparison.skipped:
        made.add_row(*name.split(), "no time left")
    return made
