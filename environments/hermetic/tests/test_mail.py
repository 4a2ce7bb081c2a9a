"""Web mail: its worlds, what sessions do to them, its pages, its goals."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from webgym.errors import SiteStateError
from webgym.rng import Rng
from webgym_hermetic import render
from webgym_hermetic.catalogue import site
from webgym_hermetic.families.mail import FAMILY
from webgym_hermetic.families.mail.goals import Compose, FindDetail, Mark, NewEvent, Reply
from webgym_hermetic.families.mail.goals.saying import says_time
from webgym_hermetic.families.mail.mailbox import narrowed, rows, searched
from webgym_hermetic.families.mail.records import World
from webgym_hermetic.families.mail.state import State, addresses
from webgym_hermetic.families.mail.world import draw_world
from webgym_hermetic.family import Event, Go, Missing, Page, Visit
from webgym_hermetic.goal import End
from webgym_hermetic.view import View

NUMBERS = range(8)
"""Every structure is among these."""
PATHS = (
    "/folder/inbox", "/folder/drafts", "/folder/sent?filter=files&sort=oldest", "/search", "/search?q=invoice",
    "/thread/t9", "/thread/t9/more", "/compose", "/compose?all=t9", "/compose?draft=d1", "/contacts", "/contacts/c2",
    "/contacts/c2/edit", "/contacts/new", "/calendar?view=day", "/calendar?view=week", "/calendar?view=list",
    "/event/e1", "/event/e1/edit", "/event/new", "/settings", "/settings/rules", "/settings/blocked",
)  # fmt: skip


@cache
def a_world(number: int = 0) -> World:
    return draw_world(site("mail", number))


def visit(world: World, state: State, path: str, number: int = 0, **form: str) -> Visit:
    bare, _, query = path.partition("?")
    pairs = dict(part.split("=") for part in query.split("&")) if query else {}
    return Visit(site("mail", number), world, state, bare, pairs, form)


def after(world: World, *events: Event) -> State:
    state = FAMILY.start(world)
    for event in events:
        state = FAMILY.apply(world, state, event)
    return state


def get(world: World, state: State, path: str, number: int = 0) -> str:
    asked = visit(world, state, path, number)
    reply = FAMILY.respond("GET", asked)
    assert isinstance(reply, Page), path
    return render.page(asked, reply, notice="", shift=False).decode()


def post(world: World, state: State, path: str, **form: str) -> Go | Page:
    reply = FAMILY.respond("POST", visit(world, state, path, **form))
    assert isinstance(reply, Go | Page), path
    return reply


def test_a_world_is_the_same_every_time() -> None:
    assert msgspec.json.encode(a_world()) == msgspec.json.encode(draw_world(site("mail", 0)))


def test_worlds_differ() -> None:
    assert a_world(0).threads[0].subject != a_world(1).threads[0].subject


@pytest.mark.parametrize("number", NUMBERS)
def test_a_mailbox_is_full_and_every_subject_is_its_own(number: int) -> None:
    world = a_world(number)
    subjects = [thread.subject for thread in world.threads]
    assert len(subjects) == len(set(subjects))
    assert 90 <= sum(len(thread.messages) for thread in world.threads) <= 150
    assert 25 <= len(world.people) <= 40
    assert len({person.name for person in world.people}) == len(world.people)
    assert all(message.sent < world.today for thread in world.threads for message in thread.messages)


@pytest.mark.parametrize("number", NUMBERS)
def test_every_mailbox_has_people_with_one_first_name_and_numbers_that_look_alike(number: int) -> None:
    world = a_world(number)
    firsts = [person.name.split()[0] for person in world.people]
    assert len(firsts) - len(set(firsts)) >= 3
    invoices = [thread.subject for thread in world.threads if thread.topic == "invoice"]
    assert any(sorted(one) == sorted(other) for one in invoices for other in invoices if one != other)


@pytest.mark.parametrize("number", NUMBERS)
def test_every_detail_stands_in_its_conversation(number: int) -> None:
    for thread in a_world(number).threads:
        text = " ".join(part for message in thread.messages for part in message.body).replace(",", "")
        for detail in thread.details:
            if detail.kind in ("money", "text", "time"):
                assert detail.value.replace(",", "") in text, (thread.subject, detail)


@pytest.mark.parametrize("number", [0, 1, 2, 3, 7])
def test_every_structure_has_every_page(number: int) -> None:
    world = a_world(number)
    state = FAMILY.start(world)
    for path in PATHS:
        assert get(world, state, path, number) == get(world, state, path, number)


def test_unknown_conversations_folders_and_people_are_missing() -> None:
    world = a_world()
    for path in ("/thread/t999", "/folder/attic", "/label/none", "/contacts/c99", "/event/e99", "/settings/magic"):
        assert isinstance(FAMILY.respond("GET", visit(world, FAMILY.start(world), path)), Missing)


def test_conversations_move_between_folders_and_back() -> None:
    world = a_world()
    thread = next(one for one in world.threads if one.folder == "inbox")
    gone = after(world, Event("mark", {"threads": [thread.id], "folder": "trash"}))
    assert thread.id in [row.id for row in rows(world, gone, "trash")]
    back = FAMILY.apply(world, gone, Event("mark", {"threads": [thread.id], "folder": "inbox"}))
    assert [row.id for row in rows(world, back, "inbox")] == [
        row.id for row in rows(world, FAMILY.start(world), "inbox")
    ]


@pytest.mark.parametrize(
    "event",
    [
        Event("mark", {"threads": ["t999"], "folder": "trash"}),
        Event("mark", {"threads": ["t1"], "folder": "attic"}),
        Event("send", {"to": "nobody", "subject": "a", "body": "b"}),
        Event("settings", {"theme": "plaid"}),
        Event("settings", {"volume": 3}),
        Event("rule", {"field": "from", "text": "x", "action": "label", "label": "none"}),
        Event("occasion", {"occasion": "e999", "cancelled": True}),
        Event("occasion", {"title": "half of an event"}),
        Event("teleport"),
    ],
)
def test_an_event_that_does_not_fit_is_refused(event: Event) -> None:
    world = a_world()
    with pytest.raises(SiteStateError):
        after(world, event)


def test_a_message_needs_recipients_a_subject_and_a_text() -> None:
    world = a_world()
    reply = post(world, FAMILY.start(world), "/compose", to="anna at home", subject="", body="")
    assert isinstance(reply, Page)
    assert set(reply.context["errors"]) == {"to", "subject", "body"}
    assert reply.context["values"]["to"] == "anna at home"


def test_names_of_contacts_stand_for_their_addresses() -> None:
    world = a_world()
    one, other = world.people[:2]
    reply = post(world, FAMILY.start(world), "/compose", to=f"{one.name}, {other.email}", subject="Hi", body="Hello")
    assert isinstance(reply, Go)
    letter = after(world, *reply.events).letters[-1]
    assert letter.message.to == (one.email, other.email)


def test_what_was_sent_is_in_the_sent_folder_and_can_be_opened() -> None:
    world = a_world()
    args = {"to": world.people[0].email, "subject": "Short note", "body": "One line."}
    state = after(world, Event("send", {**args}))
    assert rows(world, state, "sent")[0].subject == "Short note"
    assert "One line." in get(world, state, f"/thread/{state.letters[0].id}")


def test_a_draft_that_was_sent_is_no_draft_any_more() -> None:
    world = a_world()
    draft = world.drafts[0]
    args = {"to": world.people[0].email, "subject": draft.subject, "body": draft.body, "draft": draft.id}
    assert draft not in after(world, Event("send", {**args})).drafts


def test_a_vacation_must_not_end_before_it_begins() -> None:
    world = a_world()
    form = {"vacation_subject": "Away", "vacation_text": "Away", "vacation": "on"}
    days = {"vacation_from": "2026-05-09", "vacation_to": "2026-05-01"}
    reply = post(world, FAMILY.start(world), "/settings/vacation", **form, **days)
    assert isinstance(reply, Page)
    assert set(reply.context["errors"]) == {"vacation_to"}


def test_events_take_times_as_people_write_them() -> None:
    world = a_world()
    form = {
        "title": "Tea",
        "date": world.today,
        "minutes": "30",
        "reminder": "5",
        "calendar": "Work",
        "start": "2:30 pm",
    }
    reply = post(world, FAMILY.start(world), "/event/new", **form)
    assert isinstance(reply, Go)
    assert after(world, *reply.events).occasions[-1].start == "14:30"


def test_search_finds_words_senders_and_dates() -> None:
    world = a_world()
    state = FAMILY.start(world)
    thread = next(one for one in world.threads if one.topic == "invoice")
    assert thread.id in [row.id for row in searched(world, state, {"q": thread.subject})]
    day = thread.last.sent[:10]
    found = searched(world, state, {"from": thread.other.name, "after": day, "before": day, "files": "on"})
    assert thread.id in [row.id for row in found]
    assert all(row.at[:10] == day for row in found)


def test_lists_are_filtered_and_sorted() -> None:
    world = a_world()
    inbox = rows(world, FAMILY.start(world), "inbox")
    unread = narrowed(inbox, {"filter": "unread", "sort": "oldest"})
    assert unread
    assert all(row.flags.unread for row in unread)
    assert [row.at for row in unread] == sorted(row.at for row in unread)


def test_addresses_are_read_with_and_without_names() -> None:
    assert addresses("Anna <a@b.com>; c@d.org") == ("a@b.com", "c@d.org")
    assert addresses("not an address") is None
    assert addresses("") == ()


def test_times_are_understood_in_both_notations() -> None:
    assert says_time("It starts at 2:30 PM.", "14:30")
    assert says_time("At 14:30", "14:30")
    assert says_time("2 p.m.", "14:00")
    assert not says_time("14:30 or 15:30", "14:30", ["15:30"])
    assert not says_time("2:30 am", "14:30")


@pytest.mark.parametrize("template", FAMILY.templates, ids=lambda template: template.name)
def test_every_template_gives_tasks_that_nobody_has_done_yet(template) -> None:
    world = a_world(3)
    nothing = End(world, FAMILY.start(world), (), "")
    made = [goals for draw in range(12) if (goals := template.make(Rng("test", template.name, draw), world))]
    assert made
    for goals in made:
        assert sum(len(goal.facts(world)) for goal in goals) in template.facts
        for goal in goals:
            assert len(set(goal.clauses(world))) >= 4
            for fact in goal.facts(world):
                assert not goal.holds(fact.name, nothing)
                assert goal.spoil(fact.name, world) != goal


def test_a_mailbox_without_drafts_gives_no_task_about_one() -> None:
    world = msgspec.structs.replace(a_world(), drafts=())
    template = next(one for one in FAMILY.templates if one.name == "finish_draft")
    assert template.make(Rng("test"), a_world()) is not None
    assert template.make(Rng("test"), world) is None


def test_an_answer_is_right_alone_and_wrong_beside_a_rival() -> None:
    world = a_world()
    thread = next(one for one in world.threads if one.topic == "invoice")
    goal = FindDetail(thread.id, "due amount")
    state = FAMILY.start(world)
    assert goal.holds("answer", End(world, state, (), goal.answer(world)))
    assert not goal.holds("answer", End(world, state, (), goal.spoil("answer", world).answer(world)))
    both = f"{goal.answer(world)} or {goal.spoil('answer', world).answer(world)}"
    assert not goal.holds("answer", End(world, state, (), both))


def test_each_fact_of_a_message_is_judged_by_itself() -> None:
    world = a_world()
    to, other = world.people[0].email, world.people[1].email
    goal = Compose(to=to, subject="Keys", body="At the desk.", priority="high")
    args = {"to": other, "subject": "keys", "body": "At the desk", "priority": "high"}
    end = End(world, after(world, Event("send", {**args})), (), "")
    assert {fact.name: goal.holds(fact.name, end) for fact in goal.facts(world)} == {
        "to": False,
        "subject": True,
        "body": True,
        "priority": True,
    }


def test_the_latest_message_counts() -> None:
    world = a_world()
    to = world.people[0].email
    goal = Compose(to=to, subject="Keys", body="At the desk.")
    wrong = Event("send", {"to": to, "subject": "Keys", "body": "Lost."})
    right = Event("send", {"to": to, "subject": "Keys", "body": "At the desk."})
    assert goal.holds("body", End(world, after(world, wrong, right), (), ""))
    assert not goal.holds("body", End(world, after(world, right, wrong), (), ""))


def test_a_reply_to_one_is_no_reply_to_all() -> None:
    world = a_world()
    group = next(one for one in world.threads if one.topic == "meeting" and one.folder == "inbox")
    goal = Reply(group.id, "Fine.", everyone=True)
    form = {"reply": "Fine."}
    reply = post(world, FAMILY.start(world), f"/thread/{group.id}/reply", **form)
    assert isinstance(reply, Go)
    end = End(world, after(world, *reply.events), (), "")
    assert goal.holds("text", end)
    assert not goal.holds("to", end)


def test_a_cancelled_event_does_not_count_as_made() -> None:
    world = a_world()
    goal = NewEvent(title="Tea", date=world.today, start="15:00")
    made = {"title": "Tea", "date": world.today, "start": "15:00", "minutes": 60, "location": ""}
    state = after(world, Event("occasion", {**made}))
    assert goal.holds("title", End(world, state, (), ""))
    off = FAMILY.apply(world, state, Event("occasion", {"occasion": state.occasions[-1].id, "cancelled": True}))
    assert not goal.holds("title", End(world, off, (), ""))


def test_an_oracle_that_is_done_wants_nothing() -> None:
    world = a_world()
    thread = next(one for one in world.threads if one.folder == "inbox")
    state = after(world, Event("mark", {"threads": [thread.id], "folder": "archive"}))
    view = View(site("mail", 0), world, state, (), "http://x.localhost/folder/inbox", ())
    assert Mark((thread.id,), "archive").next(view) is None
