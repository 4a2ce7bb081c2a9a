"""What people might want to say on a forum: texts for replies, messages and threads."""

from __future__ import annotations

from webgym.rng import Rng
from webgym.sites.families.forum.records import World

_REPLIES = (
    "Thanks, I will try that on {day} and report back.",
    "Could you post a picture of it by {day}?",
    "I paid ${n} for mine, so that is fair.",
    "Same problem here for {n} days now.",
    "Has anybody tried it with {thing}?",
    "I measured again and got {n}, no idea why.",
    "Where did you buy yours, if not in {town}?",
    "Great thread, I learned {n} new things.",
    "It worked for me after {n} attempts.",
    "I would like to hear from people in {town}.",
    "Adding this to my list for {day}.",
    "My neighbour in {town} does the same.",
)
_SUBJECTS = (
    "Question about {thing}",
    "Meeting in {town}",
    "Your offer",
    "Thanks for your help",
    "Lift on {day}",
    "Spare parts",
    "About {thing}",
    "Group order for {town}",
    "Your last post",
    "Borrowing tools",
)
_MESSAGES = (
    "Are you free on {day}?",
    "I can bring {n} of them to {town}.",
    "Would ${n} be all right for you?",
    "Could we meet in {town} on {day}?",
    "Please keep {n} for me.",
    "I have a question about {thing}.",
    "My train gets to {town} at {n} past nine.",
)
_TITLES = (
    "Where to get {thing} near {town}?",
    "Is ${n} too much for {thing}?",
    "Looking for advice on {thing}",
    "New in {town} and full of questions",
    "What to do with {n} spare boxes?",
    "Anybody in {town} on {day}?",
    "First steps with {thing}",
    "Swap: {n} magazines in {town}",
)
_BODIES = (
    "I have been thinking about it since {day} and cannot decide.",
    "My budget is ${n} and I live near {town}.",
    "Any help is welcome.",
    "I searched first and found nothing newer than {n} months.",
    "Please answer before {day}.",
    "Experience with {thing} would be a bonus.",
)
_NOTES = (
    "This is post number {n} of this kind",
    "Same text as on {day}",
    "Please check the link",
    "Reported once already on {day}",
    "Third time in {n} days",
)
_NAMES = ("Robin", "Alex", "Sam", "Jo", "Charlie", "Kim", "Nico", "Toni", "Pat", "Lou")
_SIGNATURES = ("Slow but steady", "Ask me about {thing}", "Greetings from {town}", "Member number {n}", "Back on {day}")
_OPTIONS = (
    "Yes",
    "No",
    "Maybe",
    "Only at weekends",
    "Every day",
    "Never tried",
    "Too expensive",
    "In summer",
    "Ask me later",
    "Once a year",
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Wisher:
    """Draws texts that fit one forum."""

    def __init__(self, rng: Rng, world: World) -> None:
        self._rng = rng
        self._things = [thing for topic in world.bank.topics if topic.slug in world.board_of for thing in topic.things]
        self._towns = sorted({member.location for member in world.members})

    def _of(self, texts: tuple[str, ...]) -> str:
        rng = self._rng
        return rng.pick(texts).format(
            day=rng.pick(_DAYS), n=rng.between(3, 58), thing=rng.pick(self._things), town=rng.pick(self._towns)
        )

    def reply(self) -> str:
        return self._of(_REPLIES)

    def subject(self) -> str:
        return self._of(_SUBJECTS)

    def message(self) -> str:
        return self._of(_MESSAGES)

    def title(self) -> str:
        return self._of(_TITLES)

    def body(self) -> str:
        return self._of(_BODIES)

    def note(self) -> str:
        return self._of(_NOTES)

    def town(self) -> str:
        return self._rng.pick(self._towns)

    def name(self) -> str:
        return f"{self._rng.pick(_NAMES)} {self._rng.pick('ABDEFGHKLMNPRSTW')}."

    def signature(self) -> str:
        return self._of(_SIGNATURES)

    def options(self, count: int) -> tuple[str, ...]:
        return tuple(self._rng.sample(_OPTIONS, count))
