"""News and documentation sites: worlds, events, pages and goals."""

from __future__ import annotations

import re

import msgspec
import pytest

from webgym.errors import SiteStateError
from webgym.rng import Rng
from webgym_hermetic import render
from webgym_hermetic.catalogue import site
from webgym_hermetic.families.news import stories
from webgym_hermetic.families.news.bank import flavour
from webgym_hermetic.families.news.bank import stories as story_bank
from webgym_hermetic.families.news.details import details, says, wrong
from webgym_hermetic.families.news.family import FAMILY
from webgym_hermetic.families.news.find import query_for, search
from webgym_hermetic.families.news.forms import problems, sample_value
from webgym_hermetic.families.news.goals.fill import Submit, other_value
from webgym_hermetic.families.news.papers import papers
from webgym_hermetic.families.news.state import sent
from webgym_hermetic.families.news.world import draw_world
from webgym_hermetic.family import Data, Event, Go, Missing, Page, Visit
from webgym_hermetic.goal import End
from webgym_hermetic.tasks.generate import task_of
from webgym_hermetic.worlds import world_of

SITES = {one.structure: one for one in reversed([site("news", number) for number in range(8)])}
NEWS, DOCS = SITES["broadsheet"], SITES["manual"]


def _visit(one, path, query=None, form=None, state=None):
    world = world_of(one)
    return Visit(one, world, state or FAMILY.start(world), path, query or {}, form or {})


def _get(one, path, query=None, state=None):
    visit = _visit(one, path, query, state=state)
    reply = FAMILY.respond("GET", visit)
    assert isinstance(reply, Page), path
    return render.page(visit, reply, notice="", shift=False).decode()


def _post(one, path, form, state=None, query=None):
    return FAMILY.respond("POST", _visit(one, path, query, form, state))


def _after(one, reply, state=None):
    assert isinstance(reply, Go)
    world = world_of(one)
    now = state or FAMILY.start(world)
    for event in reply.events:
        now = FAMILY.apply(world, now, event)
    return now


def _paths(one):
    world = world_of(one)
    article = world.articles[0]
    return (
        "/", "/saved", "/archive", "/authors", "/topics", "/plans", "/events", "/classifieds", "/polls", "/newsletters",
        "/account", "/letters", "/subscribe", "/events/new", "/classifieds/new", "/help", "/corrections", "/search",
        f"/section/{world.sections[0].id}", f"/author/{world.authors[0].id}", f"/archive/{article.stamp[:7]}",
        f"/tag/{article.tags[0].replace(' ', '-')}", world.href(article.slug), f"{world.href(article.slug)}/comments",
        f"/events/{world.events[0].id}", f"/classifieds/{world.adverts[0].id}", f"/poll/{world.polls[0].id}",
        *(board.path for board in world.boards),
    )  # fmt: skip


def test_every_structure_has_sites():
    assert set(SITES) == set(FAMILY.structures)


@pytest.mark.parametrize("structure", FAMILY.structures)
def test_a_world_is_the_same_each_time_it_is_drawn(structure):
    one, other = draw_world(SITES[structure]), draw_world(SITES[structure])
    assert msgspec.json.encode(one.articles) == msgspec.json.encode(other.articles)
    assert one == other


@pytest.mark.parametrize("structure", FAMILY.structures)
def test_a_world_is_rich_and_its_titles_are_unique(structure):
    world = world_of(SITES[structure])
    assert 80 <= len(world.articles) <= 160
    assert len({one.title for one in world.articles}) == len(world.articles)
    assert len(world.events) >= 15
    assert len(world.adverts) >= 15
    assert world.articles == tuple(sorted(world.articles, key=lambda one: one.stamp, reverse=True))


def test_no_pattern_is_left_unfilled():
    for one in SITES.values():
        world = world_of(one)
        for article in world.articles:
            texts = [article.title, article.standfirst, *(detail.ask for detail in details(world, article))]
            if world.kind == "news":
                texts += stories.paragraphs(article, world.seed)
            assert not [text for text in texts if re.search(r"[{}]", text)]


def test_every_question_is_answered_in_the_text():
    for one in SITES.values():
        world = world_of(one)
        for article in world.articles if world.kind == "news" else ():
            text = " ".join(stories.paragraphs(article, world.seed)).lower()
            assert not [detail.ask for detail in details(world, article) if detail.shown.lower() not in text], (
                article.slug
            )


def test_every_kind_of_story_can_be_asked_about():
    for paper in papers():
        for column in paper.sections:
            assert not [name for name in column.stories if len(story_bank()[name].asks) < 5]


def test_manuals_give_values_for_both_versions():
    world = world_of(DOCS)
    assert world.versions == flavour(world.flavour).versions
    assert any(row.values[0] != row.values[1] for article in world.articles for row in article.rows)


@pytest.mark.parametrize("structure", FAMILY.structures)
def test_every_page_can_be_drawn_and_is_the_same_twice(structure):
    for path in _paths(SITES[structure]):
        assert _get(SITES[structure], path) == _get(SITES[structure], path)


@pytest.mark.parametrize("structure", FAMILY.structures)
def test_links_on_the_front_page_lead_somewhere(structure):
    one = SITES[structure]
    links = set(re.findall(r'href="(/[^"#]*)"', _get(one, "/"))) - {"/"}
    for link in sorted(each for each in links if not each.startswith("/-/")):
        path, _, query = link.partition("?")
        values = dict(part.split("=") for part in query.split("&")) if query else {}
        assert not isinstance(FAMILY.respond("GET", _visit(one, path, values)), Missing), link


def test_unknown_things_are_missing():
    for path in ("/section/none", "/story/none", "/docs/none", "/author/none", "/tag/none", "/poll/none", "/live/none"):
        assert isinstance(FAMILY.respond("GET", _visit(NEWS, path)), Missing)


def test_an_article_can_be_found_by_a_few_words_of_its_title():
    for one in (NEWS, DOCS):
        world = world_of(one)
        for article in world.articles[::9]:
            assert article in search(world, {"q": query_for(world, article)})[:8]


def test_search_narrows_and_sorts():
    world = world_of(NEWS)
    section = world.sections[1].id
    found = search(world, {"section": section, "sort": "oldest"})
    assert found
    assert {one.section for one in found} == {section}
    assert [one.stamp for one in found] == sorted(one.stamp for one in found)


def test_suggestions_name_articles():
    world = world_of(NEWS)
    word = world.articles[0].title.split()[0]
    reply = FAMILY.respond("GET", _visit(NEWS, "/suggest", {"q": word}))
    assert isinstance(reply, Data)
    assert any(one["label"] == world.articles[0].title for one in reply.value)


def test_a_form_with_mistakes_comes_back_with_messages_and_what_was_written():
    reply = _post(NEWS, "/letters", {"subject": "Hello", "email": "nonsense"})
    assert isinstance(reply, Page)
    visit = _visit(NEWS, "/letters")
    html = render.page(visit, reply, notice="", shift=False).decode()
    assert "This is not an e-mail address." in html
    assert 'value="Hello"' in html


def test_a_form_that_is_right_is_sent_once_and_shown():
    world = world_of(NEWS)
    form = world.forms["letter"]
    values = {field.name: sample_value(field) for field in form.fields}
    state = _after(NEWS, _post(NEWS, "/letters", values))
    assert state.latest("letter") == values
    assert "This is what we received" in _get(NEWS, "/sent/letter", state=state)


def test_a_form_in_steps_is_sent_after_the_last_look():
    world = world_of(NEWS)
    form = world.forms["subscription"]
    state = FAMILY.start(world)
    for number, (_, fields) in enumerate(form.groups, start=1):
        values = {field.name: sample_value(field) for field in fields}
        state = _after(NEWS, _post(NEWS, "/subscribe", values, state, {"step": str(number)}), state)
    assert state.latest("subscription") is None
    state = _after(NEWS, _post(NEWS, "/subscribe", {}, state, {"step": "4"}), state)
    assert state.latest("subscription") is not None
    assert not state.drafts


def test_steps_cannot_be_skipped():
    reply = _post(NEWS, "/subscribe", {}, query={"step": "4"})
    assert isinstance(reply, Go)
    assert not reply.events
    assert reply.to == "/subscribe?step=1"


def test_saving_following_liking_and_voting_can_be_undone():
    world = world_of(DOCS)
    slug, href = world.articles[1].slug, world.href(world.articles[1].slug)
    state = _after(DOCS, _post(DOCS, f"{href}/save", {"list": "work"}))
    assert state.list_of(slug) == "work"
    assert _after(DOCS, _post(DOCS, f"{href}/save", {"list": ""}, state), state).list_of(slug) == ""
    state = _after(DOCS, _post(DOCS, f"{href}/like", {"comment": "c1", "on": "1"}))
    assert state.likes == (f"{slug}/c1",)
    assert not _after(DOCS, _post(DOCS, f"{href}/like", {"comment": "c1", "on": "0"}, state), state).likes
    poll = world.polls[0]
    for option, _ in poll.options[:2]:
        state = _after(DOCS, _post(DOCS, f"/poll/{poll.id}", {"option": option}, state), state)
        assert state.votes[poll.id] == option


def test_events_that_do_not_fit_are_refused():
    world = world_of(NEWS)
    start = FAMILY.start(world)
    bad = (
        Event("save", {"slug": "none", "list": ""}),
        Event("follow", {"topic": "tag:none", "on": True}),
        Event("like", {"target": "none/c1", "on": True}),
        Event("vote", {"poll": world.polls[0].id, "option": "none"}),
        sent("letter", "", {"subject": ""}),
        Event("nothing"),
        Event("submit", {}),
    )
    for event in bad:
        with pytest.raises(SiteStateError):
            FAMILY.apply(world, start, event)


def test_other_values_of_a_field_are_acceptable_and_different():
    for one in (NEWS, DOCS):
        for form in world_of(one).forms.values():
            for field in form.fields:
                value = sample_value(field) or ("on" if field.kind == "toggle" else "something")
                other = other_value(field, value)
                assert other != value
                assert field.name not in problems(form, {field.name: other})


def test_a_detail_is_told_apart_from_its_rivals():
    for one in (NEWS, DOCS):
        world = world_of(one)
        for article in world.articles[::7]:
            for detail in details(world, article):
                assert says(f"It is {detail.value}.", detail)
                assert not says(f"It is {wrong(detail)}.", detail)


@pytest.mark.parametrize("template", FAMILY.templates, ids=lambda template: template.name)
def test_tasks_can_be_drawn_on_every_structure_and_start_undone(template):
    for one in SITES.values():
        world = world_of(one)
        made = [goals for draw in range(5) if (goals := template.make(Rng("test", one.seed, draw), world))]
        assert made, one.structure
        for goals in made:
            facts = [(goal, fact.name) for goal in goals for fact in goal.facts(world)]
            assert len(facts) in template.facts
            nothing = End(world, FAMILY.start(world), (), "")
            assert not any(goal.holds(fact, nothing) for goal, fact in facts)
            for goal in goals:
                clauses = goal.clauses(world)
                assert len(set(clauses)) >= 4
                assert not [text for text in clauses if re.search(r"[{}]|\bNone\b", text)]


def test_a_template_makes_many_different_tasks():
    for one in (NEWS, DOCS):
        for template in FAMILY.templates:
            tasks = {task.instruction for draw in range(16) if (task := task_of(one, template, draw))}
            assert len(tasks) >= 4, template.name


def test_sending_a_spoilt_form_misses_exactly_the_spoilt_fact():
    world = world_of(NEWS)
    form = world.forms["subscription"]
    wanted = Submit(
        "subscription",
        {field.name: sample_value(field) or ("on" if field.kind == "toggle" else "WELCOME10") for field in form.fields},
    )
    for fact in wanted.facts(world):
        spoilt = wanted.spoil(fact.name, world)
        state = FAMILY.apply(world, FAMILY.start(world), sent("subscription", "", spoilt.values))
        end = End(world, state, (), "")
        assert [each.name for each in wanted.facts(world) if not wanted.holds(each.name, end)] == [fact.name]
