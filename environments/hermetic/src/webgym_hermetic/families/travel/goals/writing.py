"""Messages to the company and reviews of hotels."""

from __future__ import annotations

from msgspec.structs import replace

from webgym_hermetic import controls
from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.goals import ways
from webgym_hermetic.families.travel.goals.booking import same_text
from webgym_hermetic.families.travel.state import State, start
from webgym_hermetic.families.travel.world import World
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


class SendMessage(Goal, frozen=True):
    """Write to the company through the contact form."""

    topic: str
    text: str
    ref: str = ""

    def facts(self, world: World) -> tuple[Fact, ...]:
        """Topic, text, and the booking if there is one."""
        del world
        facts = (
            Fact("topic", f"A message was sent under the topic {dict(words.TOPICS)[self.topic]}."),
            Fact("text", f"The message sent says: {self.text}."),
        )
        return (*facts, Fact("ref", f"The message sent names booking {self.ref}.")) if self.ref else facts

    def holds(self, fact: str, end: End) -> bool:
        """Judged by the newest message."""
        return self._holds(fact, end.state)

    def _holds(self, fact: str, state: State) -> bool:
        return bool(state.messages) and same_text(getattr(state.messages[-1], fact), getattr(self, fact))

    def next(self, view: View) -> Intent | None:
        """Fill in the contact form."""
        if all(self._holds(fact.name, view.state) for fact in self.facts(view.world)):
            return None
        if view.path != "/contact":
            return ways.go(view, "/contact")
        return (
            controls.choose(view, "topic", self.topic)
            or controls.write(view, "ref", self.ref)
            or controls.write(view, "text", self.text)
            or view.tap("submit:message")
        )

    def spoil(self, fact: str, world: World) -> SendMessage:
        """Another topic, text or booking."""
        match fact:
            case "topic":
                return replace(self, topic=next(key for key, _ in words.TOPICS if key != self.topic))
            case "text":
                return replace(self, text="Please call me back about this")
            case _:
                return replace(self, ref=next(one.ref for one in start(world).bookings if one.ref != self.ref))

    def clauses(self, world: World) -> tuple[str, ...]:
        """Topic, text and booking."""
        del world
        topic = dict(words.TOPICS)[self.topic]
        about = f" for booking {self.ref}" if self.ref else ""
        return (
            f"use the contact form to send the message \u201c{self.text}\u201d under \u201c{topic}\u201d{about}",
            f"write to customer service{about} with the topic \u201c{topic}\u201d and the text \u201c{self.text}\u201d",
            f"send a message{about} on the contact page; topic \u201c{topic}\u201d, message \u201c{self.text}\u201d",
            f"contact the company{about}: choose \u201c{topic}\u201d and write \u201c{self.text}\u201d",
        )


class WriteReview(Goal, frozen=True):
    """Review a hotel."""

    hotel: str
    score: int
    title: str
    text: str = ""

    def facts(self, world: World) -> tuple[Fact, ...]:
        """Hotel, score, title, and the text if one was given."""
        facts = (
            Fact("hotel", f"A review of {world.hotel[self.hotel].name} is published."),
            Fact("score", f"The review gives {self.score} out of 10."),
            Fact("title", f"The review is titled {self.title}."),
        )
        return (*facts, Fact("text", f"The review says: {self.text}.")) if self.text else facts

    def holds(self, fact: str, end: End) -> bool:
        """Judged by the newest review."""
        return self._holds(fact, end.state)

    def _holds(self, fact: str, state: State) -> bool:
        if not state.reviews:
            return False
        review = state.reviews[-1]
        if fact in ("hotel", "score"):
            return getattr(review, fact) == getattr(self, fact)
        return same_text(getattr(review, fact), getattr(self, fact))

    def next(self, view: View) -> Intent | None:
        """Open the hotel's page, then the form, fill it in."""
        if all(self._holds(fact.name, view.state) for fact in self.facts(view.world)):
            return None
        form = f"/hotel/{self.hotel}/review"
        if view.path == form:
            return (
                controls.choose(view, "score", str(self.score))
                or controls.write(view, "title", self.title)
                or controls.write(view, "text", self.text or "Nothing more to say about it.")
                or view.tap("submit:review")
            )
        if link := view.link(form):
            return link
        return ways.to_hotel(view, self.hotel) or ways.look(view, "review:1")

    def spoil(self, fact: str, world: World) -> WriteReview:
        """Another hotel, score, title or text."""
        match fact:
            case "hotel":
                others = world.hotels_in[world.hotel[self.hotel].city]
                return replace(self, hotel=next(hotel.id for hotel in others if hotel.id != self.hotel))
            case "score":
                return replace(self, score=self.score - 1 if self.score > 1 else 2)
            case "title":
                return replace(self, title="Not bad at all")
            case _:
                return replace(self, text="It was all right for one night")

    def clauses(self, world: World) -> tuple[str, ...]:
        """Hotel, score, title and text."""
        hotel = world.hotel[self.hotel]
        where = f"{hotel.name} in {world.city[hotel.city].name}"
        text = f" and the text \u201c{self.text}\u201d" if self.text else ""
        extra = "" if self.text else "; write a sentence of your own as the text"
        return (
            f"write a review of {where} with a score of {self.score}, the title \u201c{self.title}\u201d{text}{extra}",
            f"review {where}: {self.score} out of 10, title \u201c{self.title}\u201d{text}{extra}",
            f"publish a review for {where}: {self.score} points, with the title \u201c{self.title}\u201d{text}{extra}",
            f"rate {where} {self.score} out of 10 in a review titled \u201c{self.title}\u201d{text}{extra}",
        )
