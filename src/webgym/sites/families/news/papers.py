"""Kinds of news sites: their sections, what is written in them, and what they are called."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.sites.families.news.records import Section


class Paper(Record, frozen=True):
    """A kind of news site."""

    name: str
    taglines: tuple[str, ...]
    sections: tuple[tuple[Section, tuple[str, ...]], ...]
    """Each with the kinds of stories in it."""
    boards: tuple[str, ...]
    roles: tuple[str, ...]
    event_kinds: tuple[str, ...]
    """For talks, markets, outings and joining in, in this order."""
    advert_kinds: tuple[str, ...]
    """For things, rooms, work and services, in this order."""


def _section(title: str, icon: str, blurb: str, stories: str) -> tuple[Section, tuple[str, ...]]:
    name = title.lower().replace(" & ", "-").replace(" ", "-")
    return Section(name, title, icon, blurb), tuple(stories.split())


PAPERS = (
    Paper(
        "local",
        ("Independent news from {town} and the valley", "The paper of {town}, six days a week"),
        (
            _section("City Hall", "landmark", "Council, money and planning", "budget housing library flood"),
            _section("Transport", "bus", "Roads, buses and trains", "bridge busline recycling"),
            _section("Schools", "graduation-cap", "Classrooms and exams", "results library"),
            _section("Business", "briefcase", "Companies and jobs nearby", "plant newboss chain strike"),
            _section("Sport", "trophy", "Teams, races and results", "match run stage comeback"),
            _section("People", "users", "Neighbours and good deeds", "volunteer fair bakery"),
            _section("Going Out", "ticket", "Stages, tables and fairs", "theatre festival review exhibition"),
        ),
        ("weather", "scores"),
        ("City reporter", "Transport reporter", "Senior reporter", "Sports writer", "Culture writer", "News editor"),
        ("Talk", "Fair", "Outing", "Family"),
        ("For sale", "Housing", "Jobs", "Services"),
    ),
    Paper(
        "science",
        ("Research, explained with care", "What we know, and how we know it"),
        (
            _section("Space", "rocket", "Missions and telescopes", "probe telescope"),
            _section("Health", "activity", "Medicine and the body", "trial study"),
            _section("Climate", "cloud-rain", "Ice, air and water", "icecore flood recycling"),
            _section("Nature", "leaf", "Living things", "newspecies birdcount"),
            _section("Fossils", "history", "The deep past", "fossil icecore"),
            _section("Energy", "zap", "Power and storage", "battery plant"),
            _section("Technology", "cpu", "Tools and their makers", "funding battery takeover"),
        ),
        ("launches", "weather"),
        ("Science writer", "Space correspondent", "Health editor", "Staff writer", "Climate reporter", "Contributor"),
        ("Lecture", "Market", "Excursion", "Workshop"),
        ("Equipment", "Rooms", "Positions", "Tutoring"),
    ),
    Paper(
        "business",
        ("Markets, companies and the people who run them", "The business day in fifteen minutes"),
        (
            _section("Companies", "building-2", "Results, deals and plans", "earnings takeover chain newboss"),
            _section("Economy", "chart-line", "Jobs, wages and trade", "strike paysurvey plant"),
            _section("Property", "home", "Prices, rents and towers", "prices housing hotel"),
            _section("Startups", "rocket", "New firms and their money", "funding takeover"),
            _section("Careers", "briefcase", "Pay and bosses", "paysurvey newboss"),
            _section("Energy", "zap", "Power and industry", "battery plant flood"),
        ),
        ("markets", "prices"),
        ("Markets reporter", "Companies editor", "Senior writer", "Property writer", "Economics editor", "Columnist"),
        ("Briefing", "Fair", "Tour", "Course"),
        ("Goods", "Offices", "Positions", "Services"),
    ),
    Paper(
        "sports",
        ("Every match, every race, every day", "The home of regional sport"),
        (
            _section("Football", "target", "Rounds, goals and transfers", "match transfer stadium comeback"),
            _section("Cycling", "bike", "Tours and classics", "stage"),
            _section("Running", "footprints", "Road, trail and track", "run"),
            _section("Basketball", "circle-dot", "Night games and streaks", "hoops"),
            _section("Swimming", "waves", "Records and lanes", "swim"),
            _section("Tennis", "circle", "Opens and finals", "tennis"),
            _section("Transfers", "repeat", "Who goes where", "transfer comeback"),
        ),
        ("scores", "standings"),
        ("Football writer", "Cycling correspondent", "Sports reporter", "Chief sports writer", "Statistician"),
        ("Talk", "Market", "Outing", "Training"),
        ("Equipment", "Rooms", "Jobs", "Coaching"),
    ),
    Paper(
        "city",
        ("What to do in {town} this week", "The city guide, written by people who live here"),
        (
            _section("Eat & Drink", "utensils", "Tables worth booking", "review bakery award"),
            _section("Stage", "ticket", "Plays and concerts", "theatre festival"),
            _section("Art", "image", "Museums and galleries", "exhibition night"),
            _section("Outdoors", "mountain", "Walks and parks", "walk run"),
            _section("Shops", "shopping-bag", "Small shops, good things", "bookshop chain"),
            _section("Neighbourhoods", "map-pin", "Streets and people", "volunteer fair housing budget"),
            _section("Stay", "bed", "Hotels and rooms", "hotel"),
        ),
        ("cinema", "weather"),
        ("Food critic", "Arts editor", "City writer", "Theatre critic", "Walking columnist", "Listings editor"),
        ("Talk", "Market", "Tour", "Family"),
        ("For sale", "Rooms", "Jobs", "Lessons"),
    ),
    Paper(
        "food",
        ("Recipes and reports for people who cook", "A magazine for hungry readers"),
        (
            _section("Recipes", "restaurant", "Tested in our kitchen", "recipe"),
            _section("Restaurants", "utensils", "Where to eat", "review award hotel"),
            _section("Baking", "flame", "Bread and cake", "bakery recipe"),
            _section("Wine", "award", "Bottles, blind", "tasting"),
            _section("Producers", "leaf", "Farms and dairies", "producer harvest"),
            _section("Kitchen", "shopping-basket", "Gear and courses", "gear cookcourse"),
        ),
        ("prices", "weather"),
        ("Food editor", "Baker at large", "Restaurant critic", "Wine writer", "Test kitchen", "Farm reporter"),
        ("Talk", "Market", "Tour", "Course"),
        ("Kitchen gear", "Rooms", "Jobs", "Courses"),
    ),
)
