"""The statistics of a task set as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from webgym.tasks.stats.figures import Figures

_WIDTH = 30
_MOST = 12


def told(figures: Figures) -> str:
    """Render everything on a screen or two."""
    return "\n".join(_lines(figures))


def _lines(figures: Figures) -> Iterator[str]:
    card = figures.card
    yield f"{card.name}: {card.rows:,} tasks on {card.websites:,} websites"
    yield (
        f"{card.decomposed:,} subtasks of other tasks; {card.without_website:,} without a website, "
        f"{card.without_rubric:,} without a rubric, {card.sealed:,} encrypted"
    )
    if figures.words:
        words = figures.words
        yield (
            f"instructions of {words['median']} words (5 % under {words['p5']}, 5 % over {words['p95']}, "
            f"longest {words['longest']:,}); {figures.groups} fact groups on average"
        )
    some = {name: number for name, number in figures.facts.items() if number}
    for title, counted in (
        ("split", card.splits),
        ("level", card.levels),
        ("facts", some),
        ("source", card.sources),
        ("licence", card.licences),
        ("domain", card.domains),
        ("website", figures.sites),
    ):
        yield from _bars(title, counted, card.rows)
    spread = figures.concentration
    told = [f"{number:,}: {share:.0%}" for number, share in zip(spread.websites, spread.shares, strict=True)]
    if told:
        yield ""
        yield f"tasks on the largest websites: {', '.join(told)}; {figures.single_task_sites:,} have one task"


def _bars(title: str, counted: dict[str, int], total: int) -> Iterator[str]:
    if not counted or set(counted) == {""}:
        return
    yield ""
    yield title
    largest = max(counted.values()) or 1
    for name, number in list(counted.items())[:_MOST]:
        bar = "█" * round(_WIDTH * number / largest)
        yield f"  {(name or '(none)')[:28]:<28} {number:>9,} {number / max(1, total):>6.1%} {bar}"
    if len(counted) > _MOST:
        yield f"  and {len(counted) - _MOST:,} more"
