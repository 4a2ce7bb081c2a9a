"""Calibrates a judge: judges labelled attempts and attacks built from them, and compares with ground truth."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from webgym.errors import ConfigError
from webgym.files import write_whole
from webgym.judge.calibration.compare import CalibrationCase
from webgym.judge.calibration.figures import AttackRate, Calibration, attack_figure, calibration
from webgym.judge.calibration.gate import CalibrationGate, GateResult, check
from webgym.judge.calibration.labelled import KnownAttempt, known
from webgym.judge.calibration.page.write import write_page
from webgym.records.base import Record
from webgym.records.judgement import Judgement
from webgym.records.trajectory import reward
from webgym.run.config import JudgeConfig
from webgym.run.judging.calibrate.attacking import StoredAttack, about_attacks, write_attacks
from webgym.run.judging.judgement_log import read_judgements
from webgym.run.judging.rerun import Rejudging, RejudgingResult, judge_again
from webgym.store.read import open_run

CALIBRATION_FILE = "calibration.json"
PAGE_FILE = "report.html"
CALIBRATIONS = "calibration"
"""Default folder of calibrations within a run."""


class Calibrating(Record, frozen=True):
    """Options of a calibration."""

    at_once: int = 16
    retry: bool = False
    """Retry attempts that got no verdict before."""
    attacks: int = 20
    """Maximum instances of each attack; 0: none."""
    limit: int = 0
    """Maximum labelled attempts of each run; 0: all."""


class CalibrationResult(Record, frozen=True, omit_defaults=False):
    """The result of a calibration."""

    calibration: Calibration
    gates: tuple[GateResult, ...]
    out: str
    stopped: str
    """Why not all attempts were judged; empty if all were."""

    @property
    def passed(self) -> bool:
        """Whether all attempts were judged and all gates are met, for use in CI."""
        return not self.stopped and all(gate.passed for gate in self.gates)


Tell = Callable[[str, int, int], None]
"""Progress callback: the activity, how much is done, and the total."""


class _Going:
    """The state of a calibration."""

    def __init__(self, config: JudgeConfig, how: Calibrating, tell: Tell) -> None:
        self._config, self._how, self._tell = config, how, tell
        self.judge = self.config = self.stopped = ""
        self.dollars = 0.0
        """Spent on the runs so far: each has its own ledger, but they share one budget."""
        self.cases: list[CalibrationCase] = []
        self.attacks: list[tuple[StoredAttack, bool | None]] = []

    async def run(self, folder: Path, out: Path) -> str:
        """Judge the run's labelled attempts and attacks built from them; return the run's name."""
        with open_run(folder) as run:
            found = list(known(run))
            if self._how.limit:
                found = found[: self._how.limit]
            if not found:
                raise ConfigError(
                    f"run {run.name} has no labelled attempts: label some with webgym view --label, import "
                    "a labelled set with webgym judge import, or create one with webgym judge collect"
                )
            self.cases += _cases(found, await self._judged(folder, [one.attempt_id for one in found], "judging"))
            if self._how.attacks:
                self._tell("making attacks", 0, 0)
                place = out / "attacks" / _plain(run.name)
                made = await write_attacks(run, found, self._how.attacks, place)
                if made:
                    judged = await self._judged(place, [one.attempt_id for one in made], "judging attacks")
                    self.attacks += [(one, _rewarded(judged.get(one.attempt_id))) for one in made]
            return run.name

    async def _judged(self, folder: Path, attempts: Sequence[str], what: str) -> dict[str, Judgement]:
        done, of = 0, len(attempts)

        def begin(planned: int, kept: int) -> None:
            nonlocal done, of
            done, of = kept, planned
            self._tell(what, done, of)

        def one_more(_judgement: Judgement) -> None:
            nonlocal done
            done += 1
            self._tell(what, done, of)

        how = Rejudging(self._how.at_once, self._how.retry, attempts=frozenset(attempts))
        rejudged = await judge_again(folder, self._config, how, None, begin, one_more, self.dollars)
        self._note(rejudged)
        wanted = set(attempts)
        return {
            judgement.attempt_id: judgement
            for judgement in read_judgements(Path(rejudged.out))
            if judgement.attempt_id in wanted
        }

    def _note(self, rejudged: RejudgingResult) -> None:
        self.judge, self.config = rejudged.judge, rejudged.config
        self.stopped = self.stopped or rejudged.stopped
        self.dollars += rejudged.spent.dollars


async def calibrate(
    runs: Sequence[Path],
    config: JudgeConfig,
    how: Calibrating,
    gates: Sequence[CalibrationGate] = (),
    out: Path | None = None,
    tell: Tell = lambda _what, _done, _of: None,
) -> CalibrationResult:
    """Calibrate a judge on the ground truth of these runs, and write the report.

    Stored judgements are reused: after an interruption, the same call resumes.

    Args:
        runs: Folders of runs that have labels, or were made on hermetic sites.
        config: Settings of the judge.
        how: Options of the calibration.
        gates: Thresholds to check.
        out: Folder for the report and the attacks; None: a folder within the first run.
        tell: Progress callback.

    Raises:
        ConfigError: A run has no ground truth, or the judge cannot judge stored runs.
        StoreError: A run cannot be read, or is being judged by another process.
    """
    place = out or runs[0] / CALIBRATIONS
    going = _Going(config, how, tell)
    names = [await going.run(folder, place) for folder in runs]
    found = calibration(going.judge, going.config, names, going.cases, _figures(going.attacks, how), time.time())
    # A folder per judge, so that judges can be compared; the attacks are shared.
    folder = place / f"{_plain(going.judge)}-{_plain(going.config)}"
    done = CalibrationResult(found, tuple(check(gate, found) for gate in gates), str(folder), going.stopped)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / CALIBRATION_FILE, msgspec.json.format(msgspec.json.encode(done), indent=2))
    write_page(folder / PAGE_FILE, found, done.gates)
    return done


def _cases(found: Sequence[KnownAttempt], judgements: dict[str, Judgement]) -> list[CalibrationCase]:
    return [
        CalibrationCase(one.attempt_id, one.task, one.truth, judgements.get(one.attempt_id), one.answered)
        for one in found
    ]


def _figures(tries: Sequence[tuple[StoredAttack, bool | None]], how: Calibrating) -> list[AttackRate]:
    if not how.attacks:
        return []
    return [
        attack_figure(name, about, [(made.task_id, rewarded) for made, rewarded in tries if made.attack == name])
        for name, about in about_attacks().items()
    ]


def _rewarded(judgement: Judgement | None) -> bool | None:
    found = None if judgement is None else reward(judgement.outcome)
    return None if found is None else found > 0


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-") or "judge"
