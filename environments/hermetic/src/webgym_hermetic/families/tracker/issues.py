"""The issues of a tracker: similar ones in families, so that one has to look twice."""

from __future__ import annotations

import re
from datetime import date, timedelta

from msgspec.structs import replace

from webgym.rng import Rng
from webgym_hermetic.families.tracker.records import (
    ESTIMATES,
    Comment,
    Detail,
    Issue,
    Milestone,
    Project,
    Relation,
    Work,
)
from webgym_hermetic.families.tracker.teams.base import Area, Shape, Subject, Team
from webgym_hermetic.families.tracker.words import capital, filled, slug

_SLOT = re.compile(r"\{(\w+)\}")
_STATUS_WEIGHTS = (22, 20, 20, 12, 28)
_PRIORITY_WEIGHTS = (10, 26, 42, 22)


def draw_issues(
    rng: Rng, kind: Team, projects: tuple[Project, ...], milestones: tuple[Milestone, ...], today: date
) -> tuple[Issue, ...]:
    """All issues of all projects; keys count up with the date of creation."""
    total = rng.between(125, 185)
    areas = {area.key: area for area in kind.areas}
    titles: set[str] = set()
    made: list[Issue] = []
    for index, project in enumerate(projects):
        count = total // len(projects) + (index * 5) % 7 - 3
        spans = tuple(one for one in milestones if one.project == project.key)
        made += _Desk(rng.fork(project.key), kind, areas[project.key], project, spans, today).draw(count, titles)
    return tuple(made)


class _Desk:
    """Draws the issues of one project."""

    def __init__(
        self, rng: Rng, kind: Team, area: Area, project: Project, spans: tuple[Milestone, ...], today: date
    ) -> None:
        self.rng = rng
        self.kind = kind
        self.area = area
        self.project = project
        self.spans = spans
        self.today = today
        self.shapes = {shape.name: shape for shape in kind.shapes}
        self.slugs = tuple(
            tuple(slug(name) for name in names) for names in (kind.statuses, kind.priorities, kind.kinds)
        )

    def draw(self, count: int, titles: set[str]) -> list[Issue]:
        number = self.rng.between(1, 80)
        age = 260
        made: list[Issue] = []
        while len(made) < count:
            index = self.rng.below(len(self.area.subjects))
            words = self._words(self.area.subjects[index], titles)
            if words is None:
                continue
            number += self.rng.between(1, 4)
            age = max(1, age - self.rng.below(2 * 258 // count))
            made.append(self._issue(f"{self.project.key}-{number}", words, index, age))
        return self._related(made)

    def _words(self, subject: Subject, titles: set[str]) -> tuple[str, str] | None:
        names = dict.fromkeys(_SLOT.findall(subject.title + subject.opening))
        for _ in range(6):
            values = {name: self.rng.pick(self.kind.slots[name]) for name in names}
            title = capital(subject.title.format(**values))
            if title.lower() not in titles:
                titles.add(title.lower())
                return title, capital(subject.opening.format(**values))
        return None

    def _issue(self, key: str, words: tuple[str, str], index: int, age: int) -> Issue:
        rng = self.rng.fork(key)
        subject = self.area.subjects[index]
        statuses, priorities, kinds = self.slugs
        status = rng.weighted(tuple(zip(statuses, _STATUS_WEIGHTS, strict=True)))
        over = status == statuses[-1]
        details, sentences = self._details(rng, subject)
        comments = self._comments(rng, age)
        updated = max([self._ago(rng.between(0, age)), *(one.date for one in comments)])
        return Issue(
            key=key,
            project=self.project.key,
            title=words[0],
            body=(words[1], " ".join(sentences), rng.pick(self.kind.closings)),
            kind=kinds[subject.kind],
            status=status,
            priority=rng.weighted(tuple(zip(priorities, _PRIORITY_WEIGHTS, strict=True))),
            assignee="" if not over and rng.chance(0.1) else rng.pick(self.project.members),
            reporter=rng.pick(self.project.members),
            component=self.area.components[subject.component],
            created=self._ago(age),
            updated=updated,
            labels=tuple(sorted(rng.sample(self.kind.labels, rng.weighted(((0, 2), (1, 4), (2, 3), (3, 1)))))),
            milestone=self._span(rng, over=over),
            estimate=rng.pick((0, *ESTIMATES, *ESTIMATES)),
            due=self._due(rng, over=over),
            resolution=rng.weighted((("completed", 8), ("declined", 1))) if over else "",
            watchers=rng.between(0, 19),
            votes=rng.between(0, 34),
            locked=over and rng.chance(0.15),
            comments=comments,
            work=self._work(rng, age) if status not in statuses[:2] else (),
            files=tuple(rng.sample(self.kind.files, rng.weighted(((0, 5), (1, 3), (2, 2))))),
            details=details,
            subject=f"{self.project.key}-{index}",
        )

    def _details(self, rng: Rng, subject: Subject) -> tuple[tuple[Detail, ...], list[str]]:
        details: list[Detail] = []
        sentences: list[str] = []
        for name in subject.shapes.split(", "):
            shape = self.shapes[name]
            value, other = _two(rng, shape)
            sentence = rng.pick(shape.sentences)
            details.append(Detail(name, value, shape.unit, other if "{w}" in sentence else ""))
            sentences.append(sentence.format(v=value, w=other))
        return tuple(details), sentences

    def _comments(self, rng: Rng, age: int) -> tuple[Comment, ...]:
        count = rng.weighted(((0, 3), (1, 3), (2, 3), (3, 1), (4, 1)))
        days = sorted((rng.between(0, age) for _ in range(count)), reverse=True)
        texts = rng.sample(self.kind.remarks, count)
        return tuple(
            Comment(rng.pick(self.project.members), self._ago(days_ago), text)
            for days_ago, text in zip(days, texts, strict=True)
        )

    def _work(self, rng: Rng, age: int) -> tuple[Work, ...]:
        count = rng.weighted(((0, 3), (1, 3), (2, 2)))
        days = sorted((rng.between(0, age) for _ in range(count)), reverse=True)
        return tuple(Work(rng.pick(self.project.members), self._ago(one), rng.between(1, 7)) for one in days)

    def _span(self, rng: Rng, *, over: bool) -> str:
        weights = (5, 2, 1, 0) if over else (1, 4, 3, 2)
        options = [(one.id, weight) for one, weight in zip(self.spans, weights, strict=True)]
        return rng.weighted([*options, ("", 2)])

    def _due(self, rng: Rng, *, over: bool) -> str:
        if rng.chance(0.2):
            return ""
        days = rng.between(-60, -1) if over else rng.between(-9, 58)
        return (self.today + timedelta(days=days)).isoformat()

    def _related(self, made: list[Issue]) -> list[Issue]:
        return [self._linked(one, made) for one in made]

    def _linked(self, one: Issue, made: list[Issue]) -> Issue:
        rng = self.rng.fork(one.key, "links")
        other = rng.pick(made)
        twin = next((each for each in made if each.subject == one.subject and each.created < one.created), None)
        if one.resolution == "declined" and twin is not None and rng.chance(0.5):
            return replace(one, resolution="duplicate", relations=(Relation("duplicates", twin.key),))
        if other.key == one.key or not rng.chance(0.22):
            return one
        kind = "relates" if one.resolution else rng.pick(("blocks", "relates"))
        return replace(one, relations=(Relation(kind, other.key),))

    def _ago(self, days: int) -> str:
        return (self.today - timedelta(days=days)).isoformat()


def _two(rng: Rng, shape: Shape) -> tuple[str, str]:
    value, other = filled(rng, shape.value), filled(rng, shape.value)
    while other == value:
        other = filled(rng, shape.value)
    return value, other
