"""A thread and what can be done with its posts."""

from __future__ import annotations

from dataclasses import dataclass

from webgym_hermetic.families.forum.family import FAMILY
from webgym_hermetic.families.forum.listing import (
    Row,
    accepted,
    arranged,
    filtered,
    grows,
    page_of,
    row,
    rows,
    score,
    url,
)
from webgym_hermetic.families.forum.pages.showing import back_to, choosable, show
from webgym_hermetic.families.forum.reading import ordered
from webgym_hermetic.families.forum.records import Post, Thread, World
from webgym_hermetic.families.forum.state import REASONS, State, posts_of, thread_of
from webgym_hermetic.family import Event, Go, Missing, Reply, Visit

PANES = ("chatter",)
DRAWERS = ("magazine",)
"""Structures with the replies in a drawer, which is open when the address says so."""
_LONGEST_NOTE = 300


@dataclass(frozen=True, slots=True)
class Shown:
    """A post as a page shows it."""

    post: Post
    number: int
    depth: int
    score: int
    vote: int
    quoted: Post | None
    accepted: bool
    mine: bool
    asker: bool


def _shown(visit: Visit, thread: Thread) -> list[Shown]:
    state: State = visit.state
    best = accepted(state, thread)
    posts = posts_of(state, thread)
    by_id = {post.id: post for post in posts}
    return [
        Shown(
            post=post,
            number=int(post.id.partition("-")[2]),
            depth=depth,
            score=score(state, post),
            vote=state.votes.get(post.id, 0),
            quoted=by_id.get(post.quote),
            accepted=post.id == best,
            mine=post.author == visit.world.me.handle,
            asker=post.author == thread.author,
        )
        for post, depth in ordered(visit.site.structure, posts, best)
    ]


@FAMILY.get("/thread/{key}")
def thread(visit: Visit, key: str) -> Reply:
    """The posts of a thread."""
    world: World = visit.world
    found = thread_of(world, visit.state, key)
    if found is None:
        return Missing()
    shown = _shown(visit, found)
    upto = visit.query.get("upto", "")
    page, pages = page_of({"page": upto or visit.query.get("page", "1")}, len(shown), world.page_size)
    first = 0 if upto else (page - 1) * world.page_size
    kept = {"comments": "1"} if visit.site.structure in DRAWERS else {}
    back = url(found.path, {**kept, **({} if page == 1 else {"upto" if grows(visit.site) else "page": page})})
    return show(
        visit,
        "thread.html",
        found.title,
        thread=found,
        row=row(world, visit.state, found),
        board=world.board_of[found.board],
        opening=shown[0],
        posts=shown[first : page * world.page_size],
        page=page,
        pages=pages,
        href=url(found.path, {**kept, "page": "PAGE"}).replace("PAGE", "{page}"),
        here=back,
        bookmarked=found.id in visit.state.bookmarks,
        followed=found.id in visit.state.following,
        own=found.author == world.me.handle,
        poll=_poll(visit, found),
        related=_related(visit, found),
        beside=_beside(visit, found),
        text="",
        error="",
    )


def _poll(visit: Visit, thread: Thread) -> dict[str, object] | None:
    if thread.poll is None:
        return None
    mine = visit.state.polls.get(thread.id, "")
    counts = [votes + (option == mine) for option, votes in zip(thread.poll.options, thread.poll.votes, strict=True)]
    total = sum(counts)
    results = [
        {"option": option, "votes": votes, "share": round(100 * votes / total) if total else 0}
        for option, votes in zip(thread.poll.options, counts, strict=True)
    ]
    return {"mine": mine, "results": results, "total": total, "closes": thread.poll.closes}


def _related(visit: Visit, thread: Thread) -> list[Thread]:
    others = [one for one in visit.world.threads if one.board == thread.board and one.id != thread.id]
    return others[:: max(1, len(others) // 5)][:5]


def _beside(visit: Visit, thread: Thread) -> list[Row]:
    """What a structure with a list beside the thread shows there."""
    if visit.site.structure not in PANES:
        return []
    found = arranged(filtered(rows(visit.world, visit.state), board=thread.board), "latest")[: visit.world.list_size]
    return (
        found if any(one.thread.id == thread.id for one in found) else [row(visit.world, visit.state, thread), *found]
    )


@FAMILY.get("/thread/{key}/reply")
def reply_form(visit: Visit, key: str) -> Reply:
    """Where a reply is written, with a quote or without."""
    found = thread_of(visit.world, visit.state, key)
    if found is None:
        return Missing()
    return _reply_page(visit, found, visit.query.get("quote", ""), "", "")


@FAMILY.post("/thread/{key}/reply")
def reply(visit: Visit, key: str) -> Reply:
    """Send a reply."""
    found = thread_of(visit.world, visit.state, key)
    if found is None:
        return Missing()
    text, quote = visit.form.get("text", "").strip(), visit.form.get("quote", "")
    if found.locked:
        return _reply_page(visit, found, quote, text, "This thread is locked.")
    if len(text) < 2:
        return _reply_page(visit, found, quote, text, "Please write something before you send it.")
    if quote not in {post.id for post in posts_of(visit.state, found)}:
        quote = ""
    count = len(posts_of(visit.state, found)) + 1
    last = -(-count // visit.world.page_size)
    kept = {"comments": "1"} if visit.site.structure in DRAWERS else {}
    where = url(found.path, {**kept, **({} if last == 1 else {"upto" if grows(visit.site) else "page": last})})
    event = Event("reply", {"thread": found.id, "text": text, "quote": quote})
    return Go(where, (event,), notice="Your reply was posted.")


def _reply_page(visit: Visit, thread: Thread, quote: str, text: str, error: str) -> Reply:
    quoted = next((post for post in posts_of(visit.state, thread) if post.id == quote), None)
    context = {
        "thread": thread,
        "quoted": quoted,
        "text": text,
        "error": error,
        "board": visit.world.board_of[thread.board],
    }
    return show(visit, "reply.html", f"Reply to {thread.title}", **context)


@FAMILY.get("/thread/{key}/report")
def report_form(visit: Visit, key: str) -> Reply:
    """Where a post is reported to the team."""
    return _report_page(visit, key, visit.query.get("post", ""), {})


@FAMILY.post("/thread/{key}/report")
def report(visit: Visit, key: str) -> Reply:
    """Report a post."""
    post, reason = visit.form.get("post", ""), visit.form.get("reason", "")
    note = visit.form.get("note", "").strip()
    errors: dict[str, str] = {}
    if reason not in dict(REASONS):
        errors["reason"] = "Please choose a reason."
    if not note:
        errors["note"] = "Please add a short note for the team."
    elif len(note) > _LONGEST_NOTE:
        errors["note"] = f"At most {_LONGEST_NOTE} characters, please."
    if errors:
        return _report_page(visit, key, post, errors)
    event = Event("report", {"post": post, "reason": reason, "note": note})
    return Go(f"/thread/{key}", (event,), notice="Thank you, the team will look at it.")


def _report_page(visit: Visit, key: str, post: str, errors: dict[str, str]) -> Reply:
    found = thread_of(visit.world, visit.state, key)
    chosen = next((one for one in posts_of(visit.state, found) if one.id == post), None) if found else None
    if found is None or chosen is None:
        return Missing()
    values = {"reason": visit.form.get("reason", ""), "note": visit.form.get("note", "")}
    reasons = choosable(visit, REASONS, "Choose a reason")
    context = {"thread": found, "post": chosen, "errors": errors, "values": values, "reasons": reasons}
    return show(visit, "report.html", "Report a post", board=visit.world.board_of[found.board], **context)


@FAMILY.post("/thread/{key}/vote")
def vote(visit: Visit, key: str) -> Reply:
    """Vote a post up or down; the same vote again takes it back."""
    post, value = visit.form.get("post", ""), 1 if visit.form.get("value") == "1" else -1
    kept = 0 if visit.state.votes.get(post, 0) == value else value
    notice = "Vote removed." if kept == 0 else "Thanks for your vote."
    return Go(back_to(visit, f"/thread/{key}"), (Event("vote", {"post": post, "value": kept}),), notice=notice)


@FAMILY.post("/thread/{key}/accept")
def accept(visit: Visit, key: str) -> Reply:
    """Accept an answer to one's own question, or take that back."""
    post = visit.form.get("post", "")
    kept = "" if visit.state.accepted.get(key) == post else post
    notice = "Answer accepted." if kept else "No answer is accepted any more."
    return Go(back_to(visit, f"/thread/{key}"), (Event("accept", {"thread": key, "post": kept}),), notice=notice)


@FAMILY.post("/thread/{key}/bookmark")
def bookmark(visit: Visit, key: str) -> Reply:
    """Keep a thread in the bookmarks, or take it out."""
    on = key not in visit.state.bookmarks
    notice = "Added to your bookmarks." if on else "Removed from your bookmarks."
    return Go(back_to(visit, f"/thread/{key}"), (Event("bookmark", {"thread": key, "on": on}),), notice=notice)


@FAMILY.post("/thread/{key}/follow")
def follow(visit: Visit, key: str) -> Reply:
    """Be told about new replies, or no longer."""
    on = key not in visit.state.following
    notice = "You follow this thread now." if on else "You no longer follow this thread."
    return Go(back_to(visit, f"/thread/{key}"), (Event("follow", {"thread": key, "on": on}),), notice=notice)


@FAMILY.post("/thread/{key}/poll")
def poll(visit: Visit, key: str) -> Reply:
    """Vote in a poll."""
    option = visit.form.get("option", "")
    if not option:
        return Go(f"/thread/{key}", notice="Choose an option first.")
    return Go(f"/thread/{key}", (Event("poll", {"thread": key, "option": option}),), notice="Your vote counts.")
