"""Issue trackers: their worlds, what sessions do to them, their pages, their goals."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from webgym.errors import SiteStateError
from webgym.rng import Rng
from webgym_hermetic import render
from webgym_hermetic.catalogue import site
from webgym_hermetic.families.tracker import FAMILY
from webgym_hermetic.families.tracker.goals import ChangeIssue, CreateIssue, TellAboutIssue
from webgym_hermetic.families.tracker.goals.asking import Asked, sound
from webgym_hermetic.families.tracker.listing import found, relevance, says
from webgym_hermetic.families.tracker.records import World
from webgym_hermetic.families.tracker.state import State, issue_of, issues_of, start
from webgym_hermetic.families.tracker.teams.base import TEAMS, team
from webgym_hermetic.families.tracker.world import build
from webgym_hermetic.family import Data, Event, Go, Missing, Page, Visit
from webgym_hermetic.goal import End
from webgym_hermetic.view import View

NUMBERS = range(8)
"""Every structure is among these."""


@cache
def a_world(number: int = 0) -> World:
    return build(site("tracker", number))


def visit(number: int, state: State, path: str, **form: str) -> Visit:
    bare, _, query = path.partition("?")
    pairs = dict(part.split("=") for part in query.split("&")) if query else {}
    return Visit(site("tracker", number), a_world(number), state, bare, pairs, form)


def get(number: int, path: str, state: State | None = None) -> str:
    asked = visit(number, state or start(a_world(number)), path)
    reply = FAMILY.respond("GET", asked)
    assert isinstance(reply, Page), path
    return render.page(asked, reply, notice="", shift=False).decode()


def post(path: str, state: State | None = None, **form: str) -> Go | Page | Missing | Data:
    return FAMILY.respond("POST", visit(0, state or start(a_world()), path, **form))


def after(*events: Event, number: int = 0) -> State:
    state = start(a_world(number))
    for event in events:
        state = FAMILY.apply(a_world(number), state, event)
    return state


def an_open_key(number: int = 0) -> str:
    world = a_world(number)
    return next(one.key for one in world.issues if one.status != world.over)


def test_the_same_seed_makes_the_same_world():
    assert msgspec.json.encode(build(site("tracker", 3))) == msgspec.json.encode(build(site("tracker", 3)))
    assert a_world(0).issues != a_world(8).issues


@pytest.mark.parametrize("number", NUMBERS)
def test_a_world_is_large_and_consistent(number: int):
    world = a_world(number)
    assert 110 <= len(world.issues) <= 200
    assert 12 <= len(world.people) <= 25
    assert len({one.title.lower() for one in world.issues}) == len(world.issues)
    assert len({one.key for one in world.issues}) == len(world.issues)
    for one in world.issues:
        assert one.component in world.project[one.project].components
        assert not one.milestone or world.milestone[one.milestone].project == one.project
        assert all(link.key in world.issue for link in one.relations)
        assert all(detail.value in " ".join(one.body) for detail in one.details)
    assert len(msgspec.json.encode(world)) < 500_000


@pytest.mark.parametrize("name", TEAMS)
def test_the_material_of_every_team_fits_together(name: str):
    kind = team(name)
    shapes = {one.name for one in kind.shapes}
    for area in kind.areas:
        for subject in area.subjects:
            assert set(subject.shapes.split(", ")) <= shapes
            assert subject.kind < len(kind.kinds)
            assert subject.component < len(area.components)
            values = {slot: options[0] for slot, options in kind.slots.items()}
            assert "{" not in subject.title.format(**values) + subject.opening.format(**values)


@pytest.mark.parametrize("number", NUMBERS)
def test_every_page_can_be_shown(number: int):
    world = a_world(number)
    key, project = world.issues[4].key, world.projects[1].key
    paths = (
        "/", "/issues", f"/issues?project={project}&status=open&sort=due&page=2", "/board", f"/board?project={project}",
        f"/issue/{key}", f"/issue/{key}/history", "/activity", "/new", f"/new?project={project}", "/search?q=the",
        "/projects", f"/p/{project}", "/milestones", "/milestones/new", f"/milestone/{world.milestones[0].id}",
        "/releases", f"/release/{world.releases[0].id}", "/people", f"/people/{world.me}", "/reports",
        f"/reports?project={project}", "/handbook", "/handbook/expenses", "/settings", "/filters",
    )  # fmt: skip
    for path in paths:
        assert len(get(number, path)) > 100
        assert get(number, path) == get(number, path)
    assert world.issue[key].title.split("'")[0] in get(number, f"/issue/{key}")


def test_what_is_not_there_is_missing():
    for path in ("/issue/NOPE-1", "/p/NOPE", "/people/nobody", "/milestone/none", "/release/none", "/handbook/none"):
        assert isinstance(FAMILY.respond("GET", visit(0, start(a_world()), path)), Missing)


def test_filters_and_order_are_those_of_the_query():
    world = a_world()
    query = {"project": world.projects[0].key, "status": "open", "sort": "due"}
    rows = found(world, world.issues, query)
    assert rows
    assert all(one.project == query["project"] and one.status != world.over for one in rows)
    dues = [one.due or "9999" for one in rows]
    assert dues == sorted(dues)


def test_a_search_finds_the_key_first_and_then_the_exact_title():
    world = a_world()
    one = world.issues[9]
    for text in (one.key.lower(), one.title):
        hits = sorted((each for each in world.issues if says(each, text)), key=lambda each: relevance(each, text))
        assert hits[0].key == one.key
    reply = FAMILY.respond("GET", visit(0, start(world), f"/suggest?q={one.key}"))
    assert isinstance(reply, Data)
    assert reply.value[0]["href"] == f"/issue/{one.key}"


def test_an_edit_is_kept_and_closing_and_reopening_are_inverse():
    world, key = a_world(), an_open_key()
    edited = after(Event("edit", {"key": key, "priority": world.priorities[0].id, "labels": [world.labels[0]]}))
    issue = issue_of(world, edited, key)
    assert issue is not None
    assert (issue.priority, issue.labels) == (world.priorities[0].id, (world.labels[0],))
    closed = after(Event("close", {"key": key, "resolution": "declined", "original": ""}))
    issue = issue_of(world, closed, key)
    assert issue is not None
    assert (issue.status, issue.resolution) == (world.over, "declined")
    opened = issue_of(world, FAMILY.apply(world, closed, Event("reopen", {"key": key})), key)
    assert opened is not None
    assert opened.resolution == ""


def test_a_created_issue_gets_the_next_key_and_is_listed():
    world = a_world()
    project = world.projects[0]
    form = {
        "project": project.key,
        "title": "A new thing",
        "kind": world.kinds[1].id,
        "priority": world.priorities[0].id,
    }
    reply = post("/new", **form)
    assert isinstance(reply, Go)
    state = after(*reply.events)
    key = state.created[-1]
    assert reply.to == f"/issue/{key}"
    assert issues_of(world, state)[-1].title == "A new thing"
    assert "A new thing" in get(0, f"/issue/{key}", state)


@pytest.mark.parametrize(
    ("path", "form", "words"),
    [
        ("/new", {"project": "", "title": "x"}, "Choose a project"),
        ("/milestones/new", {"name": ""}, "A milestone needs a name"),
        ("/filters", {"name": "", "status": "open"}, "Give the filter a name"),
    ],
)
def test_a_bad_form_comes_back_with_what_is_wrong(path: str, form: dict[str, str], words: str):
    asked = visit(0, start(a_world()), path, **form)
    reply = FAMILY.respond("POST", asked)
    assert isinstance(reply, Page)
    assert words in render.page(asked, reply, notice="", shift=False).decode()


def test_a_milestone_of_another_project_is_refused():
    world = a_world()
    first, second = world.projects[:2]
    span = next(one for one in world.milestones if one.project == second.key)
    kind, priority = world.kinds[0].id, world.priorities[0].id
    reply = post("/new", project=first.key, title="x", kind=kind, priority=priority, milestone=span.id)
    assert isinstance(reply, Page)
    assert "milestone" in reply.context["errors"]


def test_a_locked_issue_stays_as_it_is():
    world = a_world()
    locked = next(one for one in world.issues if one.locked)
    reply = post(f"/issue/{locked.key}/comment", text="Hello")
    assert isinstance(reply, Go)
    assert not reply.events
    with pytest.raises(SiteStateError):
        after(Event("comment", {"key": locked.key, "text": "Hello"}))


def test_events_that_do_not_fit_are_refused():
    key = an_open_key()
    for event in (
        Event("edit", {"key": key, "status": "flying"}),
        Event("edit", {"key": key, "title": "no"}),
        Event("log", {"key": key, "hours": 99, "date": "2026-01-01", "note": ""}),
        Event("link", {"key": key, "relation": "blocks", "other": key}),
        Event("dance", {}),
    ):
        with pytest.raises(SiteStateError):
            after(event)


@pytest.mark.parametrize("number", [0, 5, 7])
def test_every_template_makes_tasks_whose_parts_can_each_be_spoiled(number: int):
    world = a_world(number)
    for template in FAMILY.templates:
        made = [goals for draw in range(12) if (goals := template.make(Rng(template.name, draw), world)) is not None]
        assert made, template.name
        for goals in made:
            facts = [fact for goal in goals for fact in goal.facts(world)]
            assert len(facts) in template.facts, template.name
            for goal in goals:
                assert len(set(goal.clauses(world))) >= 4
                names = [fact.name for fact in goal.facts(world)]
                assert len(set(names)) == len(names)
                assert all(goal.spoil(name, world) != goal for name in names)


def test_a_goal_is_done_when_its_state_is_reached():
    world, key = a_world(), an_open_key()
    goal = ChangeIssue(key, {"estimate": "40", f"+{world.labels[0]}": ""}, {"estimate": "1"})
    done = after(Event("edit", {"key": key, "estimate": 40, "labels": [world.labels[0]]}))
    view = View(site("tracker", 0), world, done, (), "http://x.localhost/", ())
    assert goal.next(view) is None
    assert all(goal.holds(fact.name, End(world, done, (), "")) for fact in goal.facts(world))


def test_only_the_newest_issue_counts_as_created():
    world = a_world()
    args = {"project": world.projects[0].key, "body": "", "assignee": "", "component": "", "milestone": "", "due": ""}
    rest = {"kind": world.kinds[0].id, "priority": world.priorities[0].id, "estimate": 0, "labels": []}
    goal = CreateIssue({"title": "One"}, {"title": "Two"}, {"project": world.projects[0].key})
    one = Event("create", {**args, **rest, "title": "One"})
    two = Event("create", {**args, **rest, "title": "Two"})
    assert goal.holds("title", End(world, after(two, one), (), ""))
    assert not goal.holds("title", End(world, after(one, two), (), ""))


def test_answers_that_cannot_be_told_apart_are_not_asked_together():
    world = a_world()
    key = world.issues[0].key
    votes = TellAboutIssue((Asked("the number of votes", "8", "9", "number"),), key)
    hours = TellAboutIssue((Asked("the estimate in hours", "8", "12", "number"),), key)
    other = TellAboutIssue((Asked("the estimate in hours", "6", "12", "number"),), key)
    assert not sound([votes, hours], world)
    assert sound([votes, other], world)
