"""What a reader did on a site, and how each event changes it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from webgym.errors import SiteStateError
from webgym.records.base import Record
from webgym.rng import Rng
from webgym_hermetic.families.news.comments import comments
from webgym_hermetic.families.news.forms import problems, sample_value
from webgym_hermetic.families.news.records import World
from webgym_hermetic.family import Apply, Event

_MOST = 300


class Saved(Record, frozen=True):
    """An article in one of the reader's lists."""

    slug: str
    list: str


class Submission(Record, frozen=True):
    """A form as it was sent."""

    id: str
    form: str
    target: str
    """What it is about: an article's slug, or `slug/comment`; else empty."""
    values: dict[str, str]


class State(Record, frozen=True):
    """How a session left the site."""

    saved: tuple[Saved, ...] = ()
    followed: tuple[str, ...] = ()
    """`tag:roads`, `author:jane-doe`, `section:transport`."""
    likes: tuple[str, ...] = ()
    """`slug/comment`."""
    votes: dict[str, str] = {}
    submissions: tuple[Submission, ...] = ()
    """Oldest first."""
    drafts: dict[str, dict[str, str]] = {}
    """What was filled in so far of forms with several steps, by form."""

    def latest(self, form: str, target: str = "") -> Mapping[str, str] | None:
        """What was last sent with a form, if anything."""
        for one in reversed(self.submissions):
            if one.form == form and one.target == target:
                return one.values
        return None

    def list_of(self, slug: str) -> str:
        """The list that an article is in, or nothing."""
        return next((one.list for one in self.saved if one.slug == slug), "")


def start(world: World) -> State:
    """A reader who has been here before: some settings, a few saved articles."""
    rng = Rng(world.seed, "start")
    kept = [form for form in world.forms.values() if form.keeps]
    submissions = tuple(
        Submission(f"s{number}", form.name, "", _first_values(world, form.name, rng.fork(form.name)))
        for number, form in enumerate(kept)
    )
    saved = tuple(
        Saved(article.slug, rng.pick(world.labels.lists)[0])
        for article in rng.sample(world.articles[5:], rng.between(2, 4))
    )
    tags = tuple(f"tag:{tag_id(tag)}" for tag in rng.sample(world.tags(), 2))
    return State(saved=saved, followed=tags, submissions=submissions)


def tag_id(tag: str) -> str:
    return tag.replace(" ", "-")


def following(world: World) -> tuple[tuple[str, str], ...]:
    """Everything that can be followed, with its name."""
    return (
        *((f"section:{one.id}", one.title) for one in world.sections),
        *((f"tag:{tag_id(tag)}", tag) for tag in world.tags()),
        *((f"author:{one.id}", one.name) for one in world.authors),
    )


def target_exists(world: World, form: str, target: str) -> bool:
    """Whether a form can be about this."""
    slug, _, comment = target.partition("/")
    match form:
        case "comment" | "feedback":
            return target in world.by_slug
        case "reply":
            known = {one.id for one in comments(world, slug)} if slug in world.by_slug else set[str]()
            return comment in known
        case _:
            return not target and form in world.forms


def _first_values(world: World, form: str, rng: Rng) -> dict[str, str]:
    values: dict[str, str] = {}
    for field in world.forms[form].fields:
        match field.kind:
            case "toggle":
                values[field.name] = "on" if rng.chance(0.3) else ""
            case "choice":
                values[field.name] = rng.pick(field.options)[0]
            case _:
                values[field.name] = sample_value(field)
    return values


def _save(world: World, state: State, event: Event) -> State:
    slug, chosen = _text(event, "slug"), _text(event, "list")
    if slug not in world.by_slug or chosen not in ("", *(one for one, _ in world.labels.lists)):
        raise SiteStateError(f"nothing to save: {event.args}")
    rest = tuple(one for one in state.saved if one.slug != slug)
    return msgspec.structs.replace(state, saved=(*rest, Saved(slug, chosen)) if chosen else rest)


def _follow(world: World, state: State, event: Event) -> State:
    topic, on = _text(event, "topic"), bool(event.args["on"])
    if topic not in dict(following(world)):
        raise SiteStateError(f"nobody can follow {topic}")
    rest = tuple(one for one in state.followed if one != topic)
    return msgspec.structs.replace(state, followed=(*rest, topic) if on else rest)


def _like(world: World, state: State, event: Event) -> State:
    target, on = _text(event, "target"), bool(event.args["on"])
    if not target_exists(world, "reply", target):
        raise SiteStateError(f"there is no comment {target}")
    rest = tuple(one for one in state.likes if one != target)
    return msgspec.structs.replace(state, likes=(*rest, target) if on else rest)


def _vote(world: World, state: State, event: Event) -> State:
    poll, option = _text(event, "poll"), _text(event, "option")
    if option not in dict(world.poll(poll).options):
        raise SiteStateError(f"{poll} has no option {option}")
    return msgspec.structs.replace(state, votes={**state.votes, poll: option})


def _submit(world: World, state: State, event: Event) -> State:
    form, target, values = _text(event, "form"), _text(event, "target"), _values(event)
    if not target_exists(world, form, target) or problems(world.forms[form], values):
        raise SiteStateError(f"this cannot be sent: {event.args}")
    if len(state.submissions) >= _MOST:
        raise SiteStateError("too many forms were sent")
    sent = Submission(f"s{len(state.submissions)}", form, target, values)
    drafts = {name: draft for name, draft in state.drafts.items() if name != form}
    return msgspec.structs.replace(state, submissions=(*state.submissions, sent), drafts=drafts)


def _draft(world: World, state: State, event: Event) -> State:
    form = _text(event, "form")
    values = {name: value for name, value in _values(event).items() if world.forms[form].field(name)}
    return msgspec.structs.replace(state, drafts={**state.drafts, form: {**state.drafts.get(form, {}), **values}})


def sent(form: str, target: str, values: Mapping[str, str], name: str = "submit") -> Event:
    """The event of a form that was filled in."""
    return Event(name, {"form": form, "target": target, "names": list(values), "values": list(values.values())})


def _values(event: Event) -> dict[str, str]:
    names, values = event.args["names"], event.args["values"]
    if not isinstance(names, list) or not isinstance(values, list):
        raise SiteStateError("names and values are lists")
    return {str(name): str(value) for name, value in zip(names, values, strict=True)}


def _text(event: Event, name: str) -> str:
    return str(event.args[name])


EVENTS: dict[str, Apply] = {
    "save": _save,
    "follow": _follow,
    "like": _like,
    "vote": _vote,
    "submit": _submit,
    "draft": _draft,
}
