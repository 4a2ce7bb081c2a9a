"""The HTML report of a training run: curves, the first and last evaluation compared, and example attempts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webgym.curves.about import About
from webgym.curves.app import Curve
from webgym.curves.report import Example, write_report
from webgym.errors import StoreError
from webgym.pipeline.train.folders import Folders
from webgym.records.curve import Iteration
from webgym.records.decision import Decision, Malformed
from webgym.records.trajectory import Step, outcome_kind
from webgym.store.compare import Comparison, compare
from webgym.store.read import Run, open_run

_EXAMPLES = 6
_STEPS = 30


def report(folders: Folders, iterations: Sequence[Iteration], about: About, beside: Curve | None = None) -> Path:
    """Write the report and return its path; `beside` is the curve of another run to show next to it."""
    evaluated = [one.iteration for one in iterations if one.evaluation is not None]
    difference = before_and_after(folders, evaluated) if len(evaluated) > 1 else None
    examples = _examples(folders, evaluated)
    paired = difference and difference.difference
    write_report(folders.report, iterations, about, examples, difference=paired, beside=beside)
    return folders.report


def before_and_after(folders: Folders, evaluated: Sequence[int]) -> Comparison:
    """Compare the last evaluation with the first, task by task."""
    first, last = folders.evaluation(evaluated[0]), folders.evaluation(evaluated[-1])
    with open_run(first) as before, open_run(last) as after:
        return compare("before", before.rows(), "after", after.rows())


def _examples(folders: Folders, evaluated: Sequence[int]) -> list[Example]:
    """Pick attempts of the last evaluation: newly solved tasks first, then other successes and failures."""
    if not evaluated:
        return []
    gained = [flip.attempts_b[0] for flip in before_and_after(folders, evaluated).gained] if len(evaluated) > 1 else []
    with open_run(folders.evaluation(evaluated[-1])) as run:
        rows = [row for row in run.rows() if row.reward is not None]
        succeeded = [row.attempt_id for row in rows if row.outcome == "success"]
        failed = [row.attempt_id for row in rows if row.outcome != "success"]
        half = _EXAMPLES // 2
        good = list(dict.fromkeys([*gained, *succeeded]))[: max(half, _EXAMPLES - len(failed))]
        return [_example(run, name, gained=name in gained) for name in [*good, *failed[: _EXAMPLES - len(good)]]]


def _example(run: Run, attempt_id: str, *, gained: bool) -> Example:
    found = run.trajectory(attempt_id)
    return Example(
        title=found.attempt.task.instruction,
        outcome=outcome_kind(found.ending.outcome),
        steps=[(_picture(run, step), _words(step)) for step in found.steps[:_STEPS]],
        note="not solved before training" if gained else "",
    )


def _picture(run: Run, step: Step) -> bytes | None:
    shot = step.observation.screenshot
    if shot is None:
        return None
    try:
        return run.blob(shot.address)
    except StoreError:
        return None


def _words(step: Step) -> str:
    match step.turn.choice:
        case Decision(call=call, action=action):
            return call or str(action)
        case Malformed(message=message):
            return f"malformed response: {message}"
