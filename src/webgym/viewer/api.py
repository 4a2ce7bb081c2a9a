"""The JSON API of the viewer's page."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from starlette.datastructures import QueryParams
from starlette.responses import Response

from webgym.errors import RequestError
from webgym.records.base import Record
from webgym.records.curve import Rate
from webgym.records.prompt import Prompt
from webgym.store.compare import compare
from webgym.store.meta import RunMeta
from webgym.store.read import RunSummary
from webgym.store.rows import Row
from webgym.store.statistics import Interval
from webgym.viewer.attempt_view import AttemptView
from webgym.viewer.failures import Failures, failures
from webgym.viewer.group_view import GroupsPage, GroupView, groups_page
from webgym.viewer.library import Library, OpenRun
from webgym.viewer.pairs import FLIPS, RunComparison, pair_up
from webgym.viewer.pictures import THUMBNAIL_WIDTHS, media_type, thumbnail
from webgym.viewer.query import PAGE, Facet, Query, facets, page_of, read_query, select
from webgym.viewer.rates import AttemptSubset, OutcomeSummary, parts, summary, summary_of_run

_ADDRESS = re.compile(r"sha256:[0-9a-f]{64}")


class EvaluationLine(Record, frozen=True, omit_defaults=False):
    """An evaluation of a training run: a run of its own."""

    key: str
    iteration: int
    success: Rate | None
    """Over graded attempts, on websites that training never uses; None until it has finished."""


class TrainingLine(Record, frozen=True, omit_defaults=False):
    """What a training run is about, besides its attempts."""

    evaluations: list[EvaluationLine]
    estimator: str
    """How advantages are estimated from the rewards of a group; empty if attempts are not compared in groups."""
    curriculum: bool
    """Whether its tasks were chosen by how often they were solved."""
    shuffled: bool
    """Whether rewards were permuted within groups before learning, as a control."""


class Gain(Record, frozen=True, omit_defaults=False):
    """The last evaluation of a training run compared with its first, task by task."""

    tasks: int
    """Tasks graded in both."""
    difference: Interval


class RunLine(Record, frozen=True, omit_defaults=False):
    """A run in the list of runs."""

    key: str
    """Path relative to the viewed folder."""
    name: str
    created: float
    kind: str
    live: bool
    size_bytes: int
    summary: OutcomeSummary
    training: TrainingLine | None
    """None unless it is a training run."""


class ParentTraining(Record, frozen=True, omit_defaults=False):
    """The training run that a run is an evaluation of."""

    key: str
    name: str
    training: TrainingLine


class RunPage(Record, frozen=True, omit_defaults=False):
    """The header of a run's page."""

    line: RunLine
    meta: RunMeta
    by_level: list[AttemptSubset]
    by_site: list[AttemptSubset]
    within: ParentTraining | None
    gain: Gain | None
    """None with fewer than two evaluations."""
    groups: int
    """Number of groups, if attempts were made in groups."""


class RowsPage(Record, frozen=True, omit_defaults=False):
    """One page of a run's attempts."""

    live: bool
    total: int
    page: int
    pages: int
    summary: OutcomeSummary
    """Summary of all matching attempts."""
    facets: dict[str, list[Facet]]
    rows: list[dict[str, object]]
    """Each with its label status under `said`, if it has labels."""
    problem: str
    """Why the labels cannot be read; empty if they can."""


class ListPosition(Record, frozen=True, omit_defaults=False):
    """Position of an attempt among the matching ones."""

    index: int | None
    of: int
    previous: str
    next: str


class AttemptPage(Record, frozen=True, omit_defaults=False):
    """One attempt."""

    live: bool
    place: ListPosition
    attempt: AttemptView
    group: GroupView | None
    """Its group, in a training run."""


class ComparePage(Record, frozen=True, omit_defaults=False):
    """A comparison of two runs, with one page of the matching tasks."""

    names: tuple[str, str]
    comparison: RunComparison
    total: int
    page: int
    pages: int


class LibraryApi:
    """Answers requests from the library. Methods block and are called in threads."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def runs(self, _params: QueryParams) -> list[RunLine]:
        return [self._line(key, summary) for key, summary in self._library.summaries().items()]

    def run(self, params: QueryParams) -> RunPage:
        key = _named(params, "run")
        opened = self._library.run(key)
        listed = opened.listed()
        line = self._line(key, self._library.summary(key))
        return RunPage(
            line,
            opened.run.meta,
            sorted(parts(listed.rows, lambda row: row.level), key=lambda part: "easy medium hard".find(part.name)),
            parts(listed.rows, lambda row: row.site),
            self._within(key),
            self._gain(line.training),
            len(listed.groups),
        )

    def groups(self, params: QueryParams) -> GroupsPage:
        return groups_page(
            self._opened(params).listed().groups,
            fate=params.get("fate", ""),
            iteration=params.get("iteration", ""),
            text=params.get("text", ""),
            page=_query(params).page,
        )

    def rows(self, params: QueryParams) -> RowsPage:
        opened, query = self._opened(params), _query(params)
        listed = opened.listed()
        matching = select(listed.rows, query, listed.said)
        return RowsPage(
            opened.run.live,
            len(matching),
            query.page,
            -(-len(matching) // PAGE),
            summary(matching),
            facets(listed.rows, query, listed.said),
            [_plain(row) | {"said": listed.said.get(row.attempt_id)} for row in page_of(matching, query)],
            listed.problem,
        )

    def failures(self, params: QueryParams) -> Failures:
        return failures(self._matching(params))

    def compare(self, params: QueryParams) -> ComparePage:
        flip, task, words = params.get("flip", ""), params.get("task", ""), params.get("text", "").lower().split()
        if flip and flip not in FLIPS:
            raise RequestError(f"tasks are {', '.join(FLIPS)}, not {flip!r}")
        a, b = self._opened(params, "a"), self._opened(params, "b")
        compared = pair_up(a.rows(), b.rows())
        matching = [
            pair
            for pair in compared.pairs
            if flip in ("", pair.flip)
            and task in ("", pair.task_id)
            and all(word in f"{pair.instruction} {pair.site} {pair.task_id}".lower() for word in words)
        ]
        page = _query(params).page
        shown = msgspec.structs.replace(compared, pairs=matching[page * PAGE : (page + 1) * PAGE])
        return ComparePage((a.run.name, b.run.name), shown, len(matching), page, -(-len(matching) // PAGE))

    def attempt(self, params: QueryParams) -> AttemptPage:
        opened, wanted = self._opened(params), _named(params, "attempt")
        shown = opened.attempt(wanted)
        group = opened.listed().groups.get(shown.group)
        return AttemptPage(opened.run.live, _place(self._matching(params), wanted), shown, group)

    def prompt(self, params: QueryParams) -> Prompt | None:
        step = _named(params, "step")
        if not step.isdecimal():
            raise RequestError(f"steps are counted from 1; there is no step {step!r}")
        return self._opened(params).prompt(_named(params, "attempt"), int(step))

    def picture(self, params: QueryParams) -> Response:
        address, width = _named(params, "address"), params.get("width", "")
        if not _ADDRESS.fullmatch(address):
            raise RequestError("a picture's address is sha256: and 64 digits")
        data = self._opened(params).run.blob(address)
        if width:
            if width not in map(str, THUMBNAIL_WIDTHS):
                raise RequestError(f"thumbnails are {' or '.join(map(str, THUMBNAIL_WIDTHS))} wide")
            data = thumbnail(data, int(width))
        # Images are content-addressed and never change.
        headers = {"cache-control": "private, max-age=31536000, immutable"}
        return Response(data, media_type=media_type(data), headers=headers)

    def _line(self, key: str, found: RunSummary) -> RunLine:
        return RunLine(
            key,
            found.name,
            found.created,
            found.kind,
            found.live,
            found.size_bytes,
            summary_of_run(found),
            self._training(key) if found.kind == "train" else None,
        )

    def _training(self, key: str) -> TrainingLine:
        found = self._library.training(key)
        lines = [
            EvaluationLine(self._library.key(evaluation.folder), evaluation.iteration, evaluation.success)
            for evaluation in found.evaluations
        ]
        return TrainingLine(lines, found.estimator, found.curriculum, found.shuffled)

    def _within(self, key: str) -> ParentTraining | None:
        parent = self._library.within(key)
        return ParentTraining(parent, self._library.run(parent).run.name, self._training(parent)) if parent else None

    def _gain(self, training: TrainingLine | None) -> Gain | None:
        finished = [evaluation for evaluation in training.evaluations if evaluation.success] if training else []
        if len(finished) < 2:
            return None
        first, last = self._library.run(finished[0].key), self._library.run(finished[-1].key)
        compared = compare("before", first.rows(), "after", last.rows())
        return Gain(compared.tasks, compared.difference)

    def _opened(self, params: QueryParams, which: str = "run") -> OpenRun:
        return self._library.run(_named(params, which))

    def _matching(self, params: QueryParams) -> list[Row]:
        listed = self._opened(params).listed()
        return select(listed.rows, _query(params), listed.said)


def _named(params: QueryParams, name: str) -> str:
    value = params.get(name, "")
    if not value:
        raise RequestError(f"missing parameter: {name}")
    return value


def _query(params: QueryParams) -> Query:
    return read_query({name: params.getlist(name) for name in params})


def _plain(row: Row) -> dict[str, object]:
    """Return a row as a dict, including fields with default values."""
    return {name: getattr(row, name) for name in row.__struct_fields__}


def _place(rows: Sequence[Row], attempt_id: str) -> ListPosition:
    ids = [row.attempt_id for row in rows]
    if attempt_id not in ids:
        return ListPosition(None, len(ids), "", "")
    index = ids.index(attempt_id)
    return ListPosition(
        index, len(ids), ids[index - 1] if index else "", ids[index + 1] if index + 1 < len(ids) else ""
    )
