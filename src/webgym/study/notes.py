"""Notes on a comparison: runs that lack evaluations, and runs that are not equally far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from webgym.study.runs import ComparedRun

Arms = Mapping[str, Sequence[ComparedRun]]


def notes_of(arms: Arms) -> Iterator[str]:
    """Yield what a reader of the figures must know about the runs behind them."""
    runs = [run for runs in arms.values() for run in runs]
    yield from _notes_of_missing_evaluations([run for run in runs if run.evaluated is None])
    yield from _notes_of_evaluations([(run, run.evaluated.iteration) for run in runs if run.evaluated])
    yield from _notes_of_lengths(arms)


def _notes_of_missing_evaluations(runs: Sequence[ComparedRun]) -> Iterator[str]:
    if runs:
        yield (
            f"success rates are without {_names(runs)}: no complete evaluations before and after training "
            "with a task graded in both"
        )
    # Resuming an unfinished run would train it further, and one that has had its evaluations would do nothing.
    put_off = [run for run in runs if run.is_finished and run.owes_evaluations]
    if put_off:
        first, *others = put_off
        yield (
            f"to make these evaluations: `webgym train --resume {first.folder} evaluate.later=false`"
            f"{f', and likewise for {_names(others)}' if others else ''}"
        )
    unfinished = [f"{run.folder} ({run.iterations} of {run.planned} iterations)" for run in runs if run.is_unfinished]
    if unfinished:
        yield f"not finished yet: {', '.join(unfinished)}"


def _notes_of_evaluations(evaluated: Sequence[tuple[ComparedRun, int]]) -> Iterator[str]:
    if len({iteration for _, iteration in evaluated}) > 1:
        told = ", ".join(f"{run.folder} {iteration}" for run, iteration in evaluated)
        yield f"the success rates after training are of different iterations: {told}"
    behind = [
        f"{run.folder} (evaluated after {iteration} of {run.iterations})"
        for run, iteration in evaluated
        if iteration < run.iterations
    ]
    if behind:
        yield f"the success rates after training are not of the last finished iteration: {', '.join(behind)}"


def _notes_of_lengths(arms: Arms) -> Iterator[str]:
    made = {name: [run.iterations for run in runs if run.curve] for name, runs in arms.items()}
    if len({number for numbers in made.values() for number in numbers}) > 1:
        told = ", ".join(f"{name} {_span(numbers)}" for name, numbers in made.items() if numbers)
        yield (
            f"the runs have finished different numbers of iterations ({told}): "
            "training s, lag and clipping are not over the same ones"
        )


def _names(runs: Sequence[ComparedRun]) -> str:
    return ", ".join(str(run.folder) for run in runs)


def _span(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"
