"""What a study found, in sentences. A difference that chance explains is called that."""

from __future__ import annotations

from collections.abc import Iterator

from webgym.store.statistics import Interval
from webgym.study.compare import Against, Study
from webgym.study.tables import points, share


def verdict_of(found: Study) -> tuple[str, ...]:
    """Return the findings, the most important one first."""
    return (*(line for one in found.against_first for line in _compared(one, found.level)), *_rises(found))


def _compared(one: Against, level: float | None) -> Iterator[str]:
    difference = one.difference
    if difference is None or difference.n == 0:
        yield f"{one.name} and {one.than} cannot be compared in success: no task was graded in both after training."
    else:
        over = f"on {difference.n} unseen tasks (95 % interval over tasks {_bounds(difference)})"
        size = f"{100 * abs(difference.estimate):.1f} points"
        if difference.low > 0:
            yield f"{one.name} ended {size} above {one.than} {over}."
        elif difference.high < 0:
            yield f"{one.name} ended {size} below {one.than} {over}."
        else:
            yield (
                f"No difference in success between {one.name} and {one.than} is shown: "
                f"{100 * difference.estimate:+.1f} points {over}."
            )
    yield from _time(one, level)


def _time(one: Against, level: float | None) -> Iterator[str]:
    ratio = one.seconds_to_level
    if ratio is None or level is None:
        return
    took = f"{one.name} took {ratio.estimate:.2f} times the training time of {one.than} to {share(level)} success"
    if ratio.low is None or ratio.high is None:
        yield f"{took}; with one seed, this has no interval."
    elif ratio.low <= 1 <= ratio.high:
        yield f"{took} ({ratio.low:.2f} to {ratio.high:.2f}), which leaves open which is faster."
    else:
        way = "faster" if ratio.high < 1 else "slower"
        yield f"{took} ({ratio.low:.2f} to {ratio.high:.2f}): {way}."


def _rises(found: Study) -> Iterator[str]:
    told = [(arm, arm.rise) for arm in found.arms if arm.rise is not None and arm.rise.n > 0]
    for title, chosen in (
        ("rose beyond chance", [arm for arm, rise in told if rise.low > 0]),
        ("fell beyond chance", [arm for arm, rise in told if rise.high < 0]),
        ("did not change beyond chance", [arm for arm, rise in told if rise.low <= 0 <= rise.high]),
    ):
        if chosen:
            named = ", ".join(f"{arm.name} {points(arm.rise)}" for arm in chosen)
            yield f"From before to after training, success {title} (points, 95 % interval over tasks): {named}."


def _bounds(interval: Interval) -> str:
    return f"{100 * interval.low:+.1f} to {100 * interval.high:+.1f}"
