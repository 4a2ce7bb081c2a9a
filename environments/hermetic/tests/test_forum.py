"""Forums: their worlds, what sessions do to them, their pages, their goals."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from webgym.errors import SiteStateError
from webgym.rng import Rng
from webgym_hermetic import render
from webgym_hermetic.catalogue import site
from webgym_hermetic.families.forum import FAMILY
from webgym_hermetic.families.forum.goals.base import says_time
from webgym_hermetic.families.forum.goals.compare import FindThread
from webgym_hermetic.families.forum.goals.figures import ReadFigure
from webgym_hermetic.families.forum.goals.forms import ChangeSettings, StartThread
from webgym_hermetic.families.forum.goals.write import ReplyToThread
from webgym_hermetic.families.forum.listing import rows, searched
from webgym_hermetic.families.forum.reading import ordered
from webgym_hermetic.families.forum.records import Thread, World
from webgym_hermetic.families.forum.state import State
from webgym_hermetic.families.forum.world import world as draw_world
from webgym_hermetic.family import Event, Go, Missing, Page, Visit
from webgym_hermetic.goal import End
from webgym_hermetic.tasks.goals import encode
from webgym_hermetic.view import View

NUMBERS = (0, 1, 2, 3, 7)
"""One site of each structure."""


@cache
def a_world(number: int = 0) -> World:
    return draw_world(site("forum", number))


def visit(state: State, path: str, number: int = 0, **form: str) -> Visit:
    bare, _, query = path.partition("?")
    pairs = dict(part.split("=") for part in query.split("&")) if query else {}
    return Visit(site("forum", number), a_world(number), state, bare, pairs, form)


def after(*events: Event, number: int = 0) -> State:
    state = FAMILY.start(a_world(number))
    for event in events:
        state = FAMILY.apply(a_world(number), state, event)
    return state


def get(path: str, number: int = 0, state: State | None = None) -> str:
    asked = visit(state or after(number=number), path, number)
    reply = FAMILY.respond("GET", asked)
    assert isinstance(reply, Page), path
    return render.page(asked, reply, notice="", shift=False).decode()


def post(path: str, state: State | None = None, number: int = 0, **form: str) -> Go | Page:
    reply = FAMILY.respond("POST", visit(state or after(number=number), path, number, **form))
    assert isinstance(reply, Go | Page)
    return reply


def an_open_thread(world: World, posts: int = 4) -> Thread:
    return next(
        one for one in world.threads if not one.locked and len(one.posts) >= posts and one.author != world.me.handle
    )


def paths(world: World) -> tuple[str, ...]:
    thread, polled = an_open_thread(world), next(one for one in world.threads if one.poll)
    return (
        "/", "/latest", "/latest?sort=top&tag=question", f"{world.boards[0].path}?sort=unanswered", "/tags",
        thread.path, polled.path, f"{thread.path}/reply?quote={thread.id}-2",
        f"{thread.path}/report?post={thread.id}-2",
        "/search", f"/search?q={thread.posts[0].text.split()[-1]}", "/new", "/new?step=3", "/members?sort=posts&page=2",
        world.members[4].path, world.me.path, "/messages", world.conversations[0].path, "/messages/new", "/bookmarks",
        "/following", "/notifications", "/settings/profile", "/settings/notifications", "/settings/privacy", "/rules",
        "/rules/posting", "/events", world.meetups[0].path, "/part/trending", "/part/online",
    )  # fmt: skip


def test_a_world_is_a_function_of_its_seed() -> None:
    again = draw_world(site("forum", 3))
    assert msgspec.json.encode(again.threads) == msgspec.json.encode(a_world(3).threads)
    assert again == a_world(3)
    assert a_world(3).threads != a_world(4).threads


@pytest.mark.parametrize("number", range(12))
def test_a_world_has_what_a_forum_has(number: int) -> None:
    world = a_world(number)
    assert 6 <= len(world.boards) <= 9
    assert 80 <= len(world.threads) <= 140
    assert 60 <= len(world.members) <= 100
    assert len({one.title for one in world.threads}) == len(world.threads)
    assert all(1 <= len(one.posts) <= 25 for one in world.threads)
    assert all(post.author in world.member_of for one in world.threads for post in one.posts)
    assert all(one.posts == tuple(sorted(one.posts, key=lambda post: post.at)) for one in world.threads)
    assert {tag for one in world.threads for tag in one.tags} <= set(world.tags)
    assert sum(one.author == world.me.handle for one in world.threads) >= 3
    assert any(one.locked for one in world.threads)


@pytest.mark.parametrize("number", NUMBERS)
def test_every_page_can_be_shown_in_every_structure(number: int) -> None:
    for path in paths(a_world(number)):
        assert "{{" not in get(path, number)


def test_the_same_page_is_the_same_bytes() -> None:
    for path in paths(a_world())[:8]:
        assert get(path) == get(path)


def test_what_does_not_exist_is_missing() -> None:
    for path in (
        "/thread/1",
        "/board/none",
        "/member/nobody",
        "/messages/zzz",
        "/event/0",
        "/settings/other",
        "/rules/x",
    ):
        assert isinstance(FAMILY.respond("GET", visit(after(), path)), Missing)


def test_the_full_title_finds_its_thread_first() -> None:
    world = a_world()
    for thread in world.threads[:30]:
        assert searched(rows(world, after()), thread.title)[0].thread == thread


def test_a_reply_is_the_last_post_of_its_thread() -> None:
    thread = an_open_thread(a_world())
    reply = post(f"{thread.path}/reply", text="Thank you.", quote=f"{thread.id}-2")
    assert isinstance(reply, Go)
    state = after(*reply.events)
    assert state.replies[-1].text == "Thank you."
    assert state.replies[-1].quote == f"{thread.id}-2"
    assert "Thank you." in get(reply.to, state=state)


def test_locked_threads_take_no_replies() -> None:
    locked = next(one for one in a_world().threads if one.locked)
    assert isinstance(post(f"{locked.path}/reply", text="Hello there"), Page)
    with pytest.raises(SiteStateError, match="locked"):
        after(Event("reply", {"thread": locked.id, "text": "Hello"}))


def test_the_same_vote_again_takes_it_back() -> None:
    thread = an_open_thread(a_world())
    form = {"post": f"{thread.id}-2", "value": "1"}
    first = post(f"{thread.path}/vote", **form)
    assert isinstance(first, Go)
    state = after(*first.events)
    assert state.votes == {f"{thread.id}-2": 1}
    second = post(f"{thread.path}/vote", state, **form)
    assert isinstance(second, Go)
    assert after(*first.events, *second.events).votes == {f"{thread.id}-2": 0}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"board": ""}, "Choose the board"),
        ({"title": "Short"}, "at least"),
        ({"body": ""}, "Write what it is about"),
        ({"tags": "question, help, poll, guide, off-topic"}, "Too many tags"),
        ({"tags": "no-such-tag"}, "There is no tag"),
        ({"poll": "on"}, "at least two options"),
    ],
)
def test_a_new_thread_with_something_wrong_comes_back_with_what_is_wrong(changed: dict[str, str], said: str) -> None:
    form = {
        "board": a_world().boards[0].slug,
        "title": "A title that is long enough",
        "body": "Text.",
        "tags": "question",
    }
    reply = post("/new", **{**form, **changed})
    assert isinstance(reply, Page)
    html = render.page(visit(after(), "/new"), reply, notice="", shift=False).decode()
    assert said in html
    assert "A title" in html or "title" in changed


def test_a_new_thread_can_be_written_in_steps() -> None:
    number = next(one for one in NUMBERS if site("forum", one).structure == "qanda")
    board = a_world(number).boards[0].slug
    events: tuple[Event, ...] = ()
    for step, fields in enumerate(({"board": board, "title": "What about this one?"}, {"body": "Text."}, {}), start=1):
        reply = post("/new", after(*events, number=number), number, step=str(step), **fields)
        assert isinstance(reply, Go)
        events = (*events, *reply.events)
    assert after(*events, number=number).threads[0].title == "What about this one?"


@pytest.mark.parametrize(
    "event",
    [
        Event("vote", {"post": "1-1", "value": 1}),
        Event("vote", {"post": "x", "value": 7}),
        Event("befriend", {"member": "nobody", "on": True}),
        Event("rsvp", {"event": "0", "answer": "going", "guests": 1, "bring": ""}),
        Event("settings", {"theme": "pink"}),
        Event("settings", {"colour": "pink"}),
        Event("publish"),
        Event("send", {"to": "nobody", "subject": "a", "text": "b"}),
        Event("fly"),
    ],
)
def test_events_that_do_not_fit_are_refused(event: Event) -> None:
    with pytest.raises(SiteStateError):
        after(event)


def test_the_accepted_answer_comes_first_where_questions_are_answered() -> None:
    thread = next(one for one in a_world().threads if one.accepted and len(one.posts) > 3)
    assert ordered("qanda", thread.posts, thread.accepted)[1][0].id == thread.accepted
    assert [post for post, _ in ordered("classic", thread.posts, thread.accepted)] == list(thread.posts)
    assert {post.id for post, _ in ordered("feed", thread.posts, "")} == {post.id for post in thread.posts}


@pytest.mark.parametrize("number", [0, 3])
def test_every_template_gives_many_tasks_that_are_told_apart(number: int) -> None:
    world, kind = a_world(number), FAMILY
    for template in kind.templates:
        drawn = [template.make(Rng("test", number, template.name, draw), world) for draw in range(24)]
        made = [goals for goals in drawn if goals]
        assert len({encode(goals) for goals in made}) >= 3, template.name
        for goals in made[:3]:
            facts = [fact for goal in goals for fact in goal.facts(world)]
            assert len(facts) in template.facts
            for goal in goals:
                assert len(set(goal.clauses(world))) >= 4
                names = [fact.name for fact in goal.facts(world)]
                assert len(set(names)) == len(names)
                assert all(goal.spoil(name, world) != goal for name in names)


def test_an_answer_with_other_figures_of_the_thread_is_wrong() -> None:
    world = a_world()
    thread = next(one for one in world.threads if one.kind == "figure" and sum(bool(p.figures) for p in one.posts) > 1)
    one, other = [post for post in thread.posts if post.figures][:2]
    goal = ReadFigure(one.id)

    def right(answer: str) -> bool:
        return goal.holds("figure", End(world, after(), (), answer))

    assert right(goal.answer(world))
    assert not right(goal.spoil("figure", world).answer(world))
    assert not right(f"{goal.answer(world)} Somebody else: {other.figures[0].text}.")


def test_a_thread_was_opened_when_its_page_was_shown() -> None:
    world = a_world()
    goal = FindThread("", "top", "", open=True)
    best = max(world.threads, key=lambda one: one.posts[0].votes)
    if goal.holds("title", End(world, after(), (), best.title)):
        assert goal.holds("opened", End(world, after(), ("/", f"{best.path}?page=1"), ""))
    assert not goal.holds("opened", End(world, after(), ("/",), best.title))


def test_the_latest_reply_counts() -> None:
    world = a_world()
    thread = an_open_thread(world)
    goal = ReplyToThread(thread.id, "Thank you all.")
    right = Event("reply", {"thread": thread.id, "text": "Thank you all."})
    wrong = Event("reply", {"thread": thread.id, "text": "Something else."})
    assert goal.holds("text", End(world, after(wrong, right), (), ""))
    assert not goal.holds("text", End(world, after(right, wrong), (), ""))


def test_settings_are_judged_one_by_one() -> None:
    world = a_world()
    goal = ChangeSettings("privacy", {"visibility": "nobody", "show_online": False})
    end = End(world, after(Event("settings", {"visibility": "nobody"})), (), "")
    assert goal.holds("visibility", end)
    assert not goal.holds("show_online", end)


def test_an_oracle_without_a_way_goes_home_and_stops_when_all_is_done() -> None:
    world, number = a_world(), 0
    wanted = StartThread(world.boards[0].slug, "A title that is long enough", "Text.", ("question",))
    empty = View(site("forum", number), world, after(), (), "http://x.localhost/missing", ())
    assert wanted.next(empty) is not None
    reply = post("/new", board=wanted.board, title=wanted.title, body=wanted.body, tags="question")
    assert isinstance(reply, Go)
    done = View(site("forum", number), world, after(*reply.events), (), "http://x.localhost/", ())
    assert wanted.next(done) is None


def test_times_of_day_are_understood_as_people_write_them() -> None:
    assert says_time("It starts at 6:30 pm.", "18:30")
    assert says_time("At 18:30", "18:30")
    assert says_time("9 am", "09:00")
    assert not says_time("At 18:45", "18:30")
