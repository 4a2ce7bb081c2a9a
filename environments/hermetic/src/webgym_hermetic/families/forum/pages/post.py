"""Private messages."""

from __future__ import annotations

from dataclasses import dataclass

from webgym_hermetic.families.forum.family import FAMILY
from webgym_hermetic.families.forum.pages.showing import show
from webgym_hermetic.families.forum.records import Letter, World
from webgym_hermetic.families.forum.state import State
from webgym_hermetic.family import Event, Go, Missing, Reply, Visit

_LONGEST_SUBJECT = 80


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation as it stands."""

    id: str
    subject: str
    other: str
    letters: tuple[Letter, ...]
    begun: bool
    """By a message of this session."""

    @property
    def path(self) -> str:
        return f"/messages/{self.id}"


def talks(world: World, state: State) -> list[Talk]:
    """All conversations, the one with the latest message first."""
    found = [
        Talk(one.id, one.subject, one.other, (*one.letters, *state.letters.get(one.id, ())), begun=False)
        for one in world.conversations
    ]
    for number, message in enumerate(state.sent, start=1):
        letter = Letter(world.me.handle, message.at, message.text)
        found.append(Talk(f"s{number}", message.subject, message.to, (letter,), begun=True))
    return sorted(found, key=lambda talk: (talk.letters[-1].at, talk.id), reverse=True)


@FAMILY.get("/messages")
def inbox(visit: Visit) -> Reply:
    """All conversations."""
    return show(visit, "messages.html", "Messages", talks=talks(visit.world, visit.state), talk=None)


@FAMILY.get("/messages/new")
def write(visit: Visit) -> Reply:
    """An empty message."""
    return _form(visit, {"to": visit.query.get("to", ""), "subject": "", "text": ""}, {})


@FAMILY.post("/messages/new")
def send(visit: Visit) -> Reply:
    """Send a message to a member."""
    values = {name: visit.form.get(name, "").strip() for name in ("to", "subject", "text")}
    to = values["to"].lower().lstrip("@")
    errors: dict[str, str] = {}
    if not to:
        errors["to"] = "Who is it for?"
    elif to not in visit.world.member_of:
        errors["to"] = f"There is no member called “{to}”."
    elif to == visit.world.me.handle:
        errors["to"] = "You cannot write to yourself."
    if not values["subject"]:
        errors["subject"] = "Give it a subject."
    elif len(values["subject"]) > _LONGEST_SUBJECT:
        errors["subject"] = f"At most {_LONGEST_SUBJECT} characters, please."
    if not values["text"]:
        errors["text"] = "The message is empty."
    if errors:
        return _form(visit, values, errors)
    key = f"s{len(visit.state.sent) + 1}"
    event = Event("send", {"to": to, "subject": values["subject"], "text": values["text"]})
    return Go(f"/messages/{key}", (event,), notice=f"Message sent to {to}.")


@FAMILY.get("/messages/{key}")
def conversation(visit: Visit, key: str) -> Reply:
    """One conversation."""
    return _conversation(visit, key, "", "")


@FAMILY.post("/messages/{key}")
def answer(visit: Visit, key: str) -> Reply:
    """Answer in a conversation."""
    text = visit.form.get("text", "").strip()
    if not text:
        return _conversation(visit, key, "", "Write something first.")
    talk = next((one for one in talks(visit.world, visit.state) if one.id == key), None)
    if talk is None:
        return Missing()
    if talk.begun:
        event = Event("send", {"to": talk.other, "subject": talk.subject, "text": text})
        return Go(f"/messages/s{len(visit.state.sent) + 1}", (event,), notice="Message sent.")
    event = Event("answer", {"conversation": key, "text": text})
    return Go(f"/messages/{key}", (event,), notice="Message sent.")


def _form(visit: Visit, values: dict[str, str], errors: dict[str, str]) -> Reply:
    context = {"values": values, "errors": errors, "talks": talks(visit.world, visit.state)}
    return show(visit, "write.html", "New message", **context)


def _conversation(visit: Visit, key: str, text: str, error: str) -> Reply:
    found = talks(visit.world, visit.state)
    talk = next((one for one in found if one.id == key), None)
    if talk is None:
        return Missing()
    return show(visit, "conversation.html", talk.subject, talk=talk, talks=found, text=text, error=error)
