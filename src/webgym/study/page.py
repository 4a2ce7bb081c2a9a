"""The page of a study: a comparison as a file that can be sent to a colleague."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from webgym.curves.study_page import StudyArm, StudyPage, StudyPoint, StudyRunLine, write_study
from webgym.store.statistics import student
from webgym.study.compare import ArmResult, Study, compared, runs_in
from webgym.study.outcome import arms_in, left_out
from webgym.study.progress import load_result
from webgym.study.runs import ComparedRun
from webgym.study.settings import ArmSettings, settings_of
from webgym.study.tables import tables_of
from webgym.study.tracks import aligned, track
from webgym.study.verdict import verdict_of
from webgym.version import __version__

PAGE_FILE = "study.html"
_SAME_MACHINE = (
    "Seconds are comparable only between runs made on the same machine, with as much else to do; "
    "the runs do not record whether they were."
)
_TOGETHER = (
    "Evaluations of an asynchronous run share its processor and slow its training down; those of a synchronous run are "
    "not counted. The comparison is biased against the asynchronous run."
)


def write_page(
    path: Path, name: str, arms: Mapping[str, Sequence[ComparedRun]], found: Study, notes: Sequence[str] = ()
) -> None:
    """Write or replace the page of a study; `notes` come on top of those of the comparison. Blocks."""
    settings = settings_of({name: [run.folder for run in runs] for name, runs in arms.items()})
    write_study(
        path,
        StudyPage(
            name=name,
            verdict=verdict_of(found),
            arms=tuple(_arm(told, arms[told.name]) for told in found.arms),
            settings=settings.different,
            shared=dict(settings.shared),
            level=found.level,
            tables=tables_of(found),
            notes=(*notes, *found.notes, *settings.notes, *_caveats(found, settings)),
            made=time.time(),
            version=__version__,
        ),
    )


def write_page_of(folder: Path) -> Path:
    """Write or replace the page in a study's folder, and return its path. Blocks.

    Raises:
        StoreError: There is no study, or no run has finished an iteration.
    """
    runs = runs_in(arms_in(folder))
    write_page(folder / PAGE_FILE, load_result(folder).name, runs, compared(runs), left_out(folder))
    return folder / PAGE_FILE


def _arm(told: ArmResult, runs: Sequence[ComparedRun]) -> StudyArm:
    tracks = [found for run in runs if (found := track(run.curve))]
    several = len(tracks) > 1
    return StudyArm(
        name=told.name,
        runs=tuple(
            StudyRunLine(Path(seed.run).name, run.iterations, seed.before, seed.after)
            for seed, run in zip(told.seeds, runs, strict=True)
        ),
        points=tuple(_means(runs)) if several else tuple(_one(runs)),
        band="95 % over seeds" if several else "95 % over tasks, one seed",
        rise=told.rise if told.rise and told.rise.n else None,
        rise_over_seeds=told.rise_over_seeds if told.rise_over_seeds and told.rise_over_seeds.n > 1 else None,
    )


def _means(runs: Sequence[ComparedRun]) -> Iterator[StudyPoint]:
    """Yield the mean over several runs, with its Student's t interval."""
    tracks = aligned([found for run in runs if (found := track(run.curve))])
    every = range(len(tracks.success))
    for at, (seconds, success) in enumerate(tracks.mean(every)):
        over = student([tracks.success[run][at] for run in every])
        yield StudyPoint(tracks.iterations[at], seconds, success, max(0.0, over.low), min(1.0, over.high))


def _one(runs: Sequence[ComparedRun]) -> Iterator[StudyPoint]:
    """Yield the evaluations of the only run that has some, with their own intervals."""
    for run in runs:
        if found := track(run.curve):
            rates = {one.iteration: one.evaluation.success for one in run.curve if one.evaluation}
            for iteration in found.iterations:
                rate = rates[iteration]
                yield StudyPoint(iteration, found.seconds[iteration], rate.rate, rate.low, rate.high)


def _caveats(found: Study, settings: ArmSettings) -> Iterator[str]:
    if any(arm.spent for arm in found.arms):
        yield _SAME_MACHINE
    modes = next((one.values for one in settings.different if one.name == "train.mode"), ())
    if {"sync", "async"} <= set(modes):
        yield _TOGETHER
    seeds = min(len(arm.seeds) for arm in found.arms)
    if seeds < 3:
        yield f"An arm has {seeds} seed{'' if seeds == 1 else 's'}: other seeds may give another result."
