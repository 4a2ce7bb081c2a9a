"""Finding something out: about a hotel, a city, a rule, a review or a booking."""

from __future__ import annotations

from msgspec.structs import replace

from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.describing import dollars
from webgym_hermetic.families.travel.goals import ways
from webgym_hermetic.families.travel.goals.phrases import RATE_PHRASES
from webgym_hermetic.families.travel.goals.saying import says
from webgym_hermetic.families.travel.reviews import reviews
from webgym_hermetic.families.travel.world import City, Hotel, World
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View

HOTEL_QUESTIONS = {
    "checkin": "the time from which one can check in at",
    "checkout": "the time until which one has to check out of",
    "breakfast": "what breakfast costs for a guest at",
    "parking": "what parking costs for a night at",
    "deposit": "the deposit on arrival at",
    "opened": "the year of the opening of",
    "floors": "the number of floors of",
    "phone": "the phone number of",
}
CITY_QUESTIONS = {
    "code": "the {stop} code of",
    "month": "the best month to visit",
    "airport": "how many kilometres it is from the {stop} to the centre of",
    "transfer": "how many minutes the transfer takes from the {stop} to the centre of",
    "pass": "what a day pass for local transport costs in",
    "sight": "at what time the main sight opens in",
    "office": "the phone number of the tourist office of",
}


def hotel_value(hotel: Hotel, key: str) -> str:
    """The short answer to a question about a hotel."""
    match key:
        case "breakfast" | "parking" | "deposit":
            return str(getattr(hotel, key) // 100)
        case _:
            return str(getattr(hotel, key))


def city_value(city: City, key: str) -> str:
    """The short answer to a question about a city."""
    values = {
        "code": city.code,
        "month": city.best_month,
        "airport": str(city.airport_km),
        "transfer": str(city.transfer_minutes),
        "pass": f"{city.day_pass / 100:.2f}",
        "sight": city.sight_opens,
        "office": city.tourist_phone,
    }
    return values[key]


class TellHotel(Goal, frozen=True):
    """Find something out about a hotel."""

    hotel: str
    key: str
    claim: str = ""

    def facts(self, world: World) -> tuple[Fact, ...]:
        """What the answer says."""
        hotel = world.hotel[self.hotel]
        question = f"{HOTEL_QUESTIONS[self.key]} {hotel.name} in {world.city[hotel.city].name}"
        return (Fact("said", f"The answer gives {question}: {hotel_value(hotel, self.key)}."),)

    def holds(self, fact: str, end: End) -> bool:
        """Whether the answer has it and not what holds for a hotel of nearly the same name."""
        del fact
        hotel = end.world.hotel[self.hotel]
        return says(end.answer, hotel_value(hotel, self.key), self.rivals(end.world))

    def rivals(self, world: World) -> tuple[str, ...]:
        """What other hotels of the city would have answered."""
        others = world.hotels_in[world.hotel[self.hotel].city]
        return tuple(hotel_value(hotel, self.key) for hotel in others if hotel.id != self.hotel)

    def next(self, view: View) -> Intent | None:
        """Open the hotel's page and look where it says so."""
        if view.path == f"/hotel/{self.hotel}":
            return ways.look(view, f"fact:{self.key}")
        if view.visited(f"/hotel/{self.hotel}"):
            return None
        return ways.to_hotel(view, self.hotel)

    def answer(self, world: World) -> str:
        """A short sentence."""
        hotel = world.hotel[self.hotel]
        question = HOTEL_QUESTIONS[self.key]
        return f"{question[0].upper()}{question[1:]} {hotel.name}: {self.claim or hotel_value(hotel, self.key)}."

    def spoil(self, fact: str, world: World) -> TellHotel:
        """The answer gives what holds for another hotel."""
        del fact
        value = hotel_value(world.hotel[self.hotel], self.key)
        return replace(self, claim=next(rival for rival in self.rivals(world) if rival != value))

    def clauses(self, world: World) -> tuple[str, ...]:
        """The question."""
        hotel = world.hotel[self.hotel]
        question = f"{HOTEL_QUESTIONS[self.key]} {hotel.name} in {world.city[hotel.city].name}"
        return (
            f"tell me {question}",
            f"find out {question}",
            f"look up {question} and report it",
            f"check {question} and give it as your answer",
        )


class TellCity(Goal, frozen=True):
    """Find something out in a city's guide."""

    city: str
    key: str
    claim: str = ""

    def _question(self, world: World) -> str:
        return f"{CITY_QUESTIONS[self.key].format(stop=world.mode.stop)} {world.city[self.city].name}"

    def facts(self, world: World) -> tuple[Fact, ...]:
        """What the answer says."""
        value = city_value(world.city[self.city], self.key)
        return (Fact("said", f"The answer gives {self._question(world)}: {value}."),)

    def holds(self, fact: str, end: End) -> bool:
        """Whether the answer has it and not what holds for a city of nearly the same name."""
        del fact
        return says(end.answer, city_value(end.world.city[self.city], self.key), self.rivals(end.world))

    def rivals(self, world: World) -> tuple[str, ...]:
        """What other cities of the same country would have answered."""
        country = world.city[self.city].country
        return tuple(
            city_value(city, self.key) for city in world.cities if city.country == country and city.id != self.city
        )

    def next(self, view: View) -> Intent | None:
        """Open the guide and look where it says so."""
        if view.path == f"/guide/{self.city}":
            return ways.look(view, f"fact:{self.key}")
        return None if view.visited(f"/guide/{self.city}") else ways.to_guide(view, self.city)

    def answer(self, world: World) -> str:
        """A short sentence."""
        question = self._question(world)
        return f"{question[0].upper()}{question[1:]}: {self.claim or city_value(world.city[self.city], self.key)}."

    def spoil(self, fact: str, world: World) -> TellCity:
        """The answer gives what holds for another city."""
        del fact
        value = city_value(world.city[self.city], self.key)
        others = (city_value(city, self.key) for city in world.cities)
        return replace(self, claim=next(other for other in others if other != value))

    def clauses(self, world: World) -> tuple[str, ...]:
        """The question."""
        question = self._question(world)
        return (
            f"tell me {question}, according to the destination guide",
            f"find out from the guides {question}",
            f"look up {question} in the city guide",
            f"read the guide and tell me {question}",
        )


class TellRule(Goal, frozen=True):
    """Find something out in the help centre."""

    page: str
    row: str
    claim: str = ""

    def _row(self, world: World) -> tuple[str, str]:
        row = next(row for row in world.help_page[self.page].rows if row.id == self.row)
        return row.question, row.value

    def facts(self, world: World) -> tuple[Fact, ...]:
        """What the answer says."""
        question, value = self._row(world)
        return (Fact("said", f"The answer says {question}: {value}."),)

    def holds(self, fact: str, end: End) -> bool:
        """Whether the answer has it and none of the other rules of that article."""
        del fact
        return says(end.answer, self._row(end.world)[1], self.rivals(end.world))

    def rivals(self, world: World) -> tuple[str, ...]:
        """The values of the article's other rules."""
        return tuple(row.value for row in world.help_page[self.page].rows if row.id != self.row)

    def next(self, view: View) -> Intent | None:
        """Open the article and look where it says so."""
        if view.path == f"/help/{self.page}":
            return ways.look(view, f"fact:{self.row}")
        return None if view.visited(f"/help/{self.page}") else ways.to_help(view, self.page)

    def answer(self, world: World) -> str:
        """A short sentence."""
        question, value = self._row(world)
        return f"{question[0].upper()}{question[1:]}: {self.claim or value}."

    def spoil(self, fact: str, world: World) -> TellRule:
        """The answer gives another rule of the article."""
        del fact
        value = self._row(world)[1]
        return replace(self, claim=next(rival for rival in self.rivals(world) if rival != value))

    def clauses(self, world: World) -> tuple[str, ...]:
        """The question."""
        question = self._row(world)[0]
        return (
            f"tell me {question}, according to the help centre",
            f"find out in the help pages {question}",
            f"look up {question} in the help centre",
            f"check the site's rules and tell me {question}",
        )


class TellPrice(Goal, frozen=True):
    """Find out what a room costs."""

    hotel: str
    room: str
    rate: str
    claim: str = ""

    def _value(self, world: World) -> int:
        return next(rate.cents for rate in world.hotel[self.hotel].room(self.room).rates if rate.id == self.rate)

    def facts(self, world: World) -> tuple[Fact, ...]:
        """What the answer says."""
        return (Fact("said", f"The answer gives {self._question(world)}: {dollars(self._value(world))}."),)

    def _question(self, world: World) -> str:
        hotel = world.hotel[self.hotel]
        where = f"{hotel.name} in {world.city[hotel.city].name}"
        return f"the price per night of a {words.ROOM_NAMES[self.room]} at {where}, {RATE_PHRASES[self.rate]}"

    def holds(self, fact: str, end: End) -> bool:
        """Whether the answer has the price and no other price of the hotel."""
        del fact
        return says(end.answer, str(self._value(end.world) // 100), self.rivals(end.world))

    def rivals(self, world: World) -> tuple[str, ...]:
        """Every other price of the hotel."""
        return tuple(str(rate.cents // 100) for room in world.hotel[self.hotel].rooms for rate in room.rates)

    def next(self, view: View) -> Intent | None:
        """Open the hotel's page and look at its rooms."""
        if view.path == f"/hotel/{self.hotel}":
            return ways.look(view, f"do:reserve:{self.hotel}:{self.room}:{self.rate}")
        if view.visited(f"/hotel/{self.hotel}"):
            return None
        return ways.to_hotel(view, self.hotel)

    def answer(self, world: World) -> str:
        """A short sentence."""
        return f"It costs ${self.claim or self._value(world) // 100} per night."

    def spoil(self, fact: str, world: World) -> TellPrice:
        """The answer gives another price of the hotel."""
        del fact
        value = str(self._value(world) // 100)
        return replace(self, claim=next(rival for rival in self.rivals(world) if rival != value))

    def clauses(self, world: World) -> tuple[str, ...]:
        """The question."""
        question = self._question(world)
        return (
            f"tell me {question}",
            f"find out {question}",
            f"look up {question} and report the amount",
            f"check {question} and answer with the price",
        )


class TellReview(Goal, frozen=True):
    """Find out what score a guest gave."""

    hotel: str
    review: str
    claim: str = ""

    def _review(self, world: World) -> tuple[str, int]:
        hotel = world.hotel[self.hotel]
        return next((one.author, one.score) for one in reviews(hotel, world.today) if one.id == self.review)

    def facts(self, world: World) -> tuple[Fact, ...]:
        """What the answer says."""
        author, score = self._review(world)
        return (Fact("said", f"The answer says that {author} gave {world.hotel[self.hotel].name} {score} out of 10."),)

    def holds(self, fact: str, end: End) -> bool:
        """Whether the answer has the score and no other guest's."""
        del fact
        return says(end.answer, str(self._review(end.world)[1]), self.rivals(end.world))

    def rivals(self, world: World) -> tuple[str, ...]:
        """Other guests' scores; 10 may be said as the scale."""
        hotel = world.hotel[self.hotel]
        return tuple(str(one.score) for one in reviews(hotel, world.today) if one.id != self.review and one.score != 10)

    def next(self, view: View) -> Intent | None:
        """Open the hotel's page and look at the review, which may come late."""
        if view.path == f"/hotel/{self.hotel}":
            return ways.look(view, f"review:{self.review}")
        return None if view.visited(f"/hotel/{self.hotel}") else ways.to_hotel(view, self.hotel)

    def answer(self, world: World) -> str:
        """A short sentence."""
        author, score = self._review(world)
        return f"{author} gave it {self.claim or score} points."

    def spoil(self, fact: str, world: World) -> TellReview:
        """The answer is one off."""
        del fact
        score = self._review(world)[1]
        return replace(self, claim=str(score - 1))

    def clauses(self, world: World) -> tuple[str, ...]:
        """The question."""
        hotel = world.hotel[self.hotel]
        author = self._review(world)[0]
        where = f"{hotel.name} in {world.city[hotel.city].name}"
        return (
            f"tell me the score that {author} gave {where} in a guest review",
            f"find {author}'s review of {where} and tell me its score",
            f"look through the guest reviews of {where} and report the score given by {author}",
            f"find out how many points {author} gave {where}",
        )
