"""Single goals drawn from what is on a forum."""

from __future__ import annotations

from typing import get_args

from webgym.rng import Rng
from webgym_hermetic.families.forum.goals.base import ForumGoal
from webgym_hermetic.families.forum.goals.compare import (
    CompareOffers,
    FindMember,
    FindThread,
    MemberOrder,
    ThreadOrder,
    ranked,
)
from webgym_hermetic.families.forum.goals.figures import CountReplies, ReadCause, ReadFigure, WhoAnswered
from webgym_hermetic.families.forum.goals.forms import AnswerInvitation, ChangeSettings, StartThread
from webgym_hermetic.families.forum.goals.lookups import (
    MeetupField,
    ProfileField,
    ReadLetter,
    ReadMeetup,
    ReadPoll,
    ReadProfile,
    ReadRule,
)
from webgym_hermetic.families.forum.goals.react import AcceptAnswer, FollowMembers, KeepThreads, VoteFor, VoteInPoll
from webgym_hermetic.families.forum.goals.write import AnswerLetter, ReplyToThread, ReportPost, SendMessage
from webgym_hermetic.families.forum.house import MOST_GUESTS
from webgym_hermetic.families.forum.listing import Row, matching
from webgym_hermetic.families.forum.people import member_words
from webgym_hermetic.families.forum.records import Member, Post, Thread, World
from webgym_hermetic.families.forum.state import ANSWERS, OPTIONS, REASONS, SECTIONS, start
from webgym_hermetic.families.forum.wishes import Wisher


def _thread(rng: Rng, world: World, *kinds: str, posts: int = 1) -> Thread:
    fitting = [one for one in world.threads if len(one.posts) >= posts and (not kinds or one.kind in kinds)]
    return rng.pick(fitting)


def _open_thread(rng: Rng, world: World, posts: int = 1) -> Thread:
    fitting = [
        one for one in world.threads if not one.locked and len(one.posts) >= posts and one.author != world.me.handle
    ]
    return rng.pick(fitting)


def _answers(world: World, thread: Thread) -> list[Post]:
    """Replies by others, each the only one of its author."""
    authors = [post.author for post in thread.posts]
    return [post for post in thread.posts[1:] if authors.count(post.author) == 1 and post.author != world.me.handle]


def _other(rng: Rng, world: World) -> Member:
    return rng.pick(world.members[1:])


def figure(rng: Rng, world: World) -> ForumGoal | None:
    thread = _thread(rng, world, "figure", "sale", "project")
    posts = [post for post in thread.posts if post.figures]
    if not posts:
        return None
    post = rng.pick(posts)
    return ReadFigure(post.id, rng.below(len(post.figures)))


def cause(rng: Rng, world: World) -> ForumGoal | None:
    thread = _thread(rng, world, "trouble", posts=3)
    if thread.accepted and rng.chance(0.5):
        return ReadCause(thread.accepted, accepted=True)
    posts = [post for post in thread.posts if post.cause]
    return ReadCause(rng.pick(posts).id) if posts else None


def replies(rng: Rng, world: World) -> ForumGoal | None:
    return CountReplies(_thread(rng, world, posts=4).id)


def answered(rng: Rng, world: World) -> ForumGoal | None:
    solved = [one for one in world.threads if one.accepted]
    return WhoAnswered(rng.pick(solved).id) if solved else None


def profile(rng: Rng, world: World) -> ForumGoal | None:
    field: ProfileField = rng.pick(get_args(ProfileField))
    return ReadProfile(_other(rng, world).handle, field)


def rule(rng: Rng, world: World) -> ForumGoal | None:
    return ReadRule(rng.pick(world.rules).id)


def meetup(rng: Rng, world: World) -> ForumGoal | None:
    one, field = rng.pick(world.meetups), rng.pick(get_args(MeetupField))
    return None if field == "fee" and one.fee == 0 else ReadMeetup(one.id, field)


def letter(rng: Rng, world: World) -> ForumGoal | None:
    talk = rng.pick(world.conversations)
    return ReadLetter(talk.id, rng.pick([index for index, one in enumerate(talk.letters) if one.figures]))


def poll_result(rng: Rng, world: World) -> ForumGoal | None:
    thread = _thread(rng, world, "poll")
    return ReadPoll(thread.id, rng.pick(thread.poll.options) if thread.poll and rng.chance(0.6) else "")


def best_thread(rng: Rng, world: World) -> ForumGoal | None:
    order: ThreadOrder = rng.pick(get_args(ThreadOrder))
    board = rng.pick(("", *world.board_of))
    within = [one for one in world.threads if not board or one.board == board]
    tags = sorted({tag for one in within for tag in one.tags if sum(tag in other.tags for other in within) > 2})
    tag = rng.pick(tags) if tags and rng.chance(0.7) else ""
    return _clear(FindThread(board, order, tag, open=rng.chance(0.5)), ranked(world, board, order, tag))


def _clear(goal: FindThread, found: list[Row]) -> FindThread | None:
    """Only if there is something to compare and the first place is not shared."""
    if len(found) < 3:
        return None
    one, two = found[0], found[1]
    margin = {"top": one.votes - two.votes, "replies": one.replies - two.replies}.get(goal.order, 2)
    return goal if margin > (goal.order == "replies") else None


def best_member(rng: Rng, world: World) -> ForumGoal | None:
    order: MemberOrder = rng.pick(get_args(MemberOrder))
    words = (*sorted({one.location for one in world.members}), *world.bank.words, *sorted(member_words().first_names))
    word = rng.pick(words)
    return FindMember(word, order) if len(matching(world.members, word)) > 1 else None


def offers(rng: Rng, world: World) -> ForumGoal | None:
    sales = [one for one in world.threads if one.kind == "sale"]
    chosen = rng.sample(sales, rng.between(2, 3))
    prices = [int(one.posts[0].figures[0].value) for one in chosen]
    if prices.count(min(prices)) > 1:
        return None
    return CompareOffers(tuple(one.id for one in chosen))


def reply(rng: Rng, world: World) -> ForumGoal | None:
    return ReplyToThread(_open_thread(rng, world).id, Wisher(rng, world).reply())


def quoting(rng: Rng, world: World) -> ForumGoal | None:
    thread = _open_thread(rng, world, posts=3)
    posts = _answers(world, thread)
    return ReplyToThread(thread.id, Wisher(rng, world).reply(), rng.pick(posts).id) if posts else None


def message(rng: Rng, world: World) -> ForumGoal | None:
    wisher = Wisher(rng, world)
    return SendMessage(_other(rng, world).handle, wisher.subject(), wisher.message())


def answer_letter(rng: Rng, world: World) -> ForumGoal | None:
    return AnswerLetter(rng.pick(world.conversations).id, Wisher(rng, world).message())


def report(rng: Rng, world: World) -> ForumGoal | None:
    posts = _answers(world, _thread(rng, world, posts=3))
    return ReportPost(rng.pick(posts).id, rng.pick(REASONS)[0], Wisher(rng, world).note()) if posts else None


def votes(rng: Rng, world: World, low: int = 1, high: int = 3) -> ForumGoal | None:
    thread = _open_thread(rng, world, posts=3)
    posts = _answers(world, thread)
    if len(posts) < low:
        return None
    chosen = rng.sample(posts, rng.between(low, high))
    return VoteFor(thread.id, tuple(post.id for post in chosen), 1 if rng.chance(0.8) else -1)


def keep(rng: Rng, world: World, low: int = 1, high: int = 2) -> ForumGoal | None:
    state, how = start(world), "bookmark" if rng.chance(0.6) else "follow"
    kept = state.bookmarks if how == "bookmark" else state.following
    free = [one for one in world.threads if one.id not in kept]
    return KeepThreads(tuple(one.id for one in rng.sample(free, rng.between(low, high))), how)


def befriend(rng: Rng, world: World, low: int = 1, high: int = 2) -> ForumGoal | None:
    friends = start(world).friends
    free = [one for one in world.members[1:] if one.handle not in friends]
    return FollowMembers(tuple(one.handle for one in rng.sample(free, rng.between(low, high))))


def accept(rng: Rng, world: World) -> ForumGoal | None:
    own = [one for one in world.threads if one.author == world.me.handle]
    posts = _answers(world, rng.pick(own))
    return AcceptAnswer(rng.pick(posts).id) if len(posts) > 1 else None


def poll_vote(rng: Rng, world: World) -> ForumGoal | None:
    thread = _thread(rng, world, "poll")
    return VoteInPoll(thread.id, rng.pick(thread.poll.options)) if thread.poll and not thread.locked else None


def invitation(rng: Rng, world: World) -> ForumGoal | None:
    return AnswerInvitation(
        rng.pick(world.meetups).id, rng.pick(ANSWERS)[0], rng.between(1, MOST_GUESTS), rng.pick(world.bank.bring)
    )


def new_thread(rng: Rng, world: World, *, poll: bool = False) -> ForumGoal | None:
    wisher = Wisher(rng, world)
    title = wisher.title()
    if len(title) < world.least_title:
        return None
    tags = tuple(rng.sample(world.tags, rng.between(1, world.most_tags)))
    options = wisher.options(rng.between(2, 3)) if poll else ()
    return StartThread(rng.pick(world.boards).slug, title, wisher.body(), tags, options, follow=rng.chance(0.5))


def settings(rng: Rng, world: World, low: int = 1, high: int = 2) -> ForumGoal | None:
    section = rng.pick([name for name, keys in SECTIONS.items() if len(keys) >= low])
    wisher, now = Wisher(rng, world), start(world).settings
    values: dict[str, str | bool] = {}
    for name in rng.sample(SECTIONS[section], rng.between(low, min(high, len(SECTIONS[section])))):
        old = getattr(now, name)
        if isinstance(old, bool):
            values[name] = not old
        elif name in OPTIONS:
            values[name] = rng.pick([key for key, _ in OPTIONS[name] if key != old])
        else:
            values[name] = {"display_name": wisher.name, "location": wisher.town, "signature": wisher.signature}[name]()
    return ChangeSettings(section, values)
