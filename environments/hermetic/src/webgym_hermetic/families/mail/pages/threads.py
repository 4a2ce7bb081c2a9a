"""A conversation and what can be done with it."""

from __future__ import annotations

from webgym_hermetic.families.mail.addressing import answered
from webgym_hermetic.families.mail.family import FAMILY
from webgym_hermetic.families.mail.mailbox import messages, rows, subject
from webgym_hermetic.families.mail.pages.folders import BULK
from webgym_hermetic.families.mail.pages.frame import box, framed
from webgym_hermetic.families.mail.records import FOLDERS
from webgym_hermetic.families.mail.state import flags_of
from webgym_hermetic.family import Event, Go, Missing, Page, Reply, Visit


@FAMILY.get("/thread/{key}")
def thread(visit: Visit, key: str) -> Reply:
    return shown(visit, key)


def shown(visit: Visit, key: str, reply: str = "", error: str = "", *, to_all: bool = False) -> Reply:
    """The page of a conversation, with an answer that is being written."""
    world, state = box(visit)
    given = messages(world, state, key)
    if not given:
        return Missing()
    flags = flags_of(world, state, key)
    title = subject(world, state, key)
    beside = rows(world, state, flags.folder)
    index = next((index for index, row in enumerate(beside) if row.id == key), 0)
    size = world.page_size
    return framed(
        visit,
        "thread.html",
        title,
        f"/folder/{flags.folder}",
        key=key,
        subject=title,
        messages=given,
        flags=flags,
        place=next(name for slug, name, _ in FOLDERS if slug == flags.folder),
        answer_to=answered(world, state, key, everyone=False),
        answer_all=answered(world, state, key, everyone=True),
        sender=next((one for one in given if not one.own), given[0]),
        contacts={one.email: one.id for one in (*world.people, *state.people)},
        blocked=state.blocked,
        beside=beside[index // size * size : (index // size + 1) * size],
        older=beside[index + 1].href if index + 1 < len(beside) else "",
        newer=beside[index - 1].href if index > 0 else "",
        reply=reply,
        error=error,
        to_all=to_all,
        late_href=f"/thread/{key}/more",
    )


@FAMILY.get("/thread/{key}/more")
def more(visit: Visit, key: str) -> Reply:
    """Other conversations with the same person: a part that comes late."""
    world, state = box(visit)
    given = messages(world, state, key)
    if not given:
        return Missing()
    address = next((one for one in given if not one.own), given[0]).address
    others = [row for row in rows(world, state, "everything") if row.address == address and row.id != key]
    return Page("more.html", "", {"others": others[:4]}, part=True)


@FAMILY.post("/thread/{key}/mark")
def mark(visit: Visit, key: str) -> Reply:
    world, state = box(visit)
    if not messages(world, state, key):
        return Missing()
    what = visit.form.get("do", "")
    verb, _, name = what.partition(":")
    here = f"/thread/{key}"
    if verb in ("label", "unlabel") and name in world.labels:
        said = f"Label “{name}” {'added' if verb == 'label' else 'removed'}."
        return Go(here, (Event("mark", {"threads": [key], verb: name}),), said)
    if what == "block":
        return _block(visit, key)
    if what not in BULK:
        return Missing()
    marks, said = BULK[what]
    flags = flags_of(world, state, key)
    back = visit.form.get("back", "")
    if back.startswith(("/folder/", "/label/", "/search")):
        here = back
    elif "folder" in marks and marks["folder"] != flags.folder:
        here = f"/folder/{flags.folder}"
    return Go(here, (Event("mark", {"threads": [key], **marks}),), f"Conversation {said}.")


def _block(visit: Visit, key: str) -> Reply:
    world, state = box(visit)
    sender = next((one for one in messages(world, state, key) if not one.own), None)
    if sender is None:
        return Missing()
    on = sender.address not in state.blocked
    said = f"{sender.address} is {'now' if on else 'no longer'} blocked."
    return Go(f"/thread/{key}", (Event("block", {"address": sender.address, "on": on}),), said)


@FAMILY.post("/thread/{key}/reply")
def reply(visit: Visit, key: str) -> Reply:
    world, state = box(visit)
    text = visit.form.get("reply", "").strip()
    everyone = visit.form.get("reply_all") == "on"
    if not messages(world, state, key):
        return Missing()
    if not text:
        return shown(visit, key, text, "Please write a message first.", to_all=everyone)
    to = ", ".join(answered(world, state, key, everyone=everyone))
    title = subject(world, state, key)
    args = {
        "mode": "all" if everyone else "reply",
        "thread": key,
        "to": to,
        "subject": answer_subject(title),
        "body": text,
    }
    return Go(f"/thread/{key}", (Event("send", {**args}),), "Your reply was sent.")


def answer_subject(title: str) -> str:
    return title if title.lower().startswith("re:") else f"Re: {title}"
