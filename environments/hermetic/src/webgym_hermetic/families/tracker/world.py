"""Generates the world of an issue tracker: people, projects, milestones, issues, releases, handbook."""

from __future__ import annotations

import re
from datetime import date, timedelta

import msgspec

from webgym.rng import Rng
from webgym_hermetic.families.tracker.issues import draw_issues
from webgym_hermetic.families.tracker.records import (
    DIGESTS,
    LANDINGS,
    SWITCHES,
    Article,
    Filter,
    Issue,
    Milestone,
    Person,
    Project,
    Release,
    Saying,
    Settings,
    Term,
    World,
)
from webgym_hermetic.families.tracker.teams.base import TEAMS, Sheet, Team, common, team
from webgym_hermetic.families.tracker.words import filled, number_of, slug
from webgym_hermetic.site import Site


def build(site: Site) -> World:
    """Everything in the tracker of a site."""
    rng = Rng(site.seed, "tracker")
    name = TEAMS[site.number % len(TEAMS)] if rng.chance(0.5) else rng.pick(TEAMS)
    kind = team(name)
    today = date(2026, 1, 12) + timedelta(days=rng.below(300))
    people = _people(rng.fork("people"), kind, today)
    projects = _projects(rng.fork("projects"), kind, people)
    milestones = tuple(
        one for project in projects for one in _milestones(rng.fork("milestones", project.key), kind, project, today)
    )
    statuses, priorities, kinds = _terms(kind.statuses), _terms(kind.priorities), _terms(kind.kinds)
    labels = tuple(sorted(rng.fork("labels").sample(kind.labels, 8)))
    issues = draw_issues(rng.fork("issues"), msgspec.structs.replace(kind, labels=labels), projects, milestones, today)
    busy = [one.assignee for one in issues if one.assignee and not one.resolution]
    me = rng.fork("me").pick([one for one in people if busy.count(one.id) >= 4] or people)
    return World(
        seed=site.seed,
        team=name,
        tagline=kind.tagline,
        today=today.isoformat(),
        me=me.id,
        statuses=statuses,
        priorities=priorities,
        kinds=kinds,
        labels=labels,
        zones=common().zones,
        people=people,
        projects=projects,
        milestones=milestones,
        issues=issues,
        releases=tuple(
            one
            for project in projects
            for one in _releases(rng.fork("releases", project.key), kind, project, issues, today)
        ),
        articles=_articles(rng.fork("articles"), kind, people, today),
        filters=_filters(rng.fork("filters"), projects, me, statuses, priorities),
        settings=_settings(rng.fork("settings"), projects),
        milestone_word=kind.milestone.replace(" {n}", ""),
        release_word=kind.release.replace(" {v}", ""),
    )


def _terms(names: tuple[str, ...]) -> tuple[Term, ...]:
    return tuple(Term(slug(name), name) for name in names)


def _people(rng: Rng, kind: Team, today: date) -> tuple[Person, ...]:
    words = common()
    firsts, lasts = list(words.first), list(words.last)
    names: list[str] = []
    for first, last in zip(rng.shuffled(firsts), rng.shuffled(lasts), strict=True):
        names.append(f"{first} {last}")
    names = names[: rng.between(13, 21)]
    twin = names[1].split()[1]
    names.append(f"{next(one for one in firsts if all(not name.startswith(f'{one} ') for name in names))} {twin}")
    names = rng.shuffled(names)
    extensions = rng.sample(range(2100, 2999), len(names))
    return tuple(
        Person(
            id=slug(name),
            name=name,
            role=kind.roles[index] if index < len(kind.roles) else rng.pick(kind.roles),
            place=rng.pick(kind.places),
            extension=str(extension),
            joined=(today - timedelta(days=rng.between(40, 2400))).isoformat(),
            about=rng.pick(words.abouts),
        )
        for index, (name, extension) in enumerate(zip(names, extensions, strict=True))
    )


def _projects(rng: Rng, kind: Team, people: tuple[Person, ...]) -> tuple[Project, ...]:
    chosen = rng.sample(range(len(kind.areas)), rng.between(3, 4))
    projects: list[Project] = []
    for index in sorted(chosen):
        area = kind.areas[index]
        members = rng.sample(people, rng.between(7, 10))
        ids = tuple(one.id for one in members)
        projects.append(Project(area.key, area.name, area.about, area.components, ids[0], ids))
    return tuple(projects)


def _milestones(rng: Rng, kind: Team, project: Project, today: date) -> list[Milestone]:
    number = rng.between(3, 18)
    length = rng.pick((14, 16, 18, 21))
    start = today - timedelta(days=length + rng.between(2, length - 3))
    goals = rng.sample(kind.goals, 4)
    made: list[Milestone] = []
    for index in range(4):
        end = start + timedelta(days=length - 1)
        name = kind.milestone.format(n=number + index)
        made.append(
            Milestone(
                id=f"{project.key.lower()}-{slug(name)}",
                project=project.key,
                name=name,
                goal=goals[index],
                start=start.isoformat(),
                end=end.isoformat(),
                lead=rng.pick(project.members),
            )
        )
        start = end + timedelta(days=rng.between(1, 3))
    return made


def _releases(rng: Rng, kind: Team, project: Project, issues: tuple[Issue, ...], today: date) -> list[Release]:
    done = [one.key for one in issues if one.project == project.key and one.resolution == "completed"]
    day = today - timedelta(days=rng.between(3, 12))
    count = rng.between(3, 4)
    versions = sorted({filled(rng, kind.version) for _ in range(12)}, key=_version_order, reverse=True)
    mixed = rng.shuffled(done)
    made: list[Release] = []
    for index in range(min(count, len(versions))):
        fixed = sorted(mixed[index * 3 : index * 3 + rng.between(2, 3)], key=number_of)
        name = kind.release.format(v=versions[index])
        made.append(
            Release(
                id=f"{project.key.lower()}-{slug(name)}",
                project=project.key,
                name=name,
                date=day.isoformat(),
                manager=rng.pick(project.members),
                summary=rng.pick(kind.goals),
                issues=tuple(fixed),
            )
        )
        day -= timedelta(days=rng.between(9, 40))
    return made


def _version_order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def _articles(rng: Rng, kind: Team, people: tuple[Person, ...], today: date) -> tuple[Article, ...]:
    return tuple(
        _article(rng.fork(sheet.title), sheet, people, today) for sheet in (*common().articles, *kind.articles)
    )


def _article(rng: Rng, sheet: Sheet, people: tuple[Person, ...], today: date) -> Article:
    sayings: list[Saying] = []
    for point in sheet.points:
        value = rng.pick(point.values)
        others = tuple(one for one in point.values if one != value)
        sayings.append(Saying(point.ask, point.sentence.format(v=value), value, others))
    updated = today - timedelta(days=rng.between(5, 400))
    return Article(
        slug=slug(sheet.title),
        title=sheet.title,
        opening=sheet.opening,
        sayings=tuple(sayings),
        owner=rng.pick(people).id,
        updated=updated.isoformat(),
        habits=tuple(rng.sample(common().habits, 2)),
    )


def _filters(
    rng: Rng, projects: tuple[Project, ...], me: Person, statuses: tuple[Term, ...], priorities: tuple[Term, ...]
) -> tuple[Filter, ...]:
    project = rng.pick(projects)
    return (
        Filter("Assigned to me", {"assignee": me.id, "sort": "due"}),
        Filter(
            f"{priorities[0].name} in {project.name}",
            {"project": project.key, "priority": priorities[0].id, "sort": "updated"},
        ),
        Filter(f"{statuses[3].name}, oldest first", {"status": statuses[3].id, "sort": "created"}),
    )


def _settings(rng: Rng, projects: tuple[Project, ...]) -> Settings:
    return Settings(
        project=rng.pick(projects).key,
        zone=slug(rng.pick(common().zones)),
        digest=rng.pick(DIGESTS)[0],
        landing=rng.pick(LANDINGS)[0],
        **{name: rng.chance(0.5) for name, _, _ in SWITCHES},
    )
