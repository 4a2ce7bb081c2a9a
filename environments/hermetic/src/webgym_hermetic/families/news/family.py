"""The family of news and documentation sites."""

from __future__ import annotations

from webgym_hermetic.families.news.goals.compare import CompareArticles, CompareYears
from webgym_hermetic.families.news.goals.fill import Submit
from webgym_hermetic.families.news.goals.lists import TellCheapest, TellListing
from webgym_hermetic.families.news.goals.marks import Follow, Keep, Like, Vote
from webgym_hermetic.families.news.goals.seek import FilterSearch, OpenPage
from webgym_hermetic.families.news.goals.tables import CompareBoard, TellBoard
from webgym_hermetic.families.news.goals.tell import TellAuthor, TellDetails, TellLatest
from webgym_hermetic.families.news.state import EVENTS, start
from webgym_hermetic.families.news.tasks.easy import EASY
from webgym_hermetic.families.news.tasks.hard import HARD
from webgym_hermetic.families.news.tasks.medium import MEDIUM
from webgym_hermetic.families.news.world import draw_world
from webgym_hermetic.family import Family

FAMILY = Family(
    name="news",
    title="News and documentation",
    structures=("broadsheet", "manual", "stream", "reader", "portal", "wiki"),
    brand_endings=("Almanac", "Bulletin", "Chronicle", "Companion", "Digest", "Journal", "Observer", "Pages", "Record"),
    world=draw_world,
    start=start,
    events=EVENTS,
    goals=(
        TellDetails,
        TellAuthor,
        TellLatest,
        TellBoard,
        CompareBoard,
        CompareArticles,
        CompareYears,
        TellListing,
        TellCheapest,
        FilterSearch,
        OpenPage,
        Submit,
        Keep,
        Follow,
        Like,
        Vote,
    ),
    templates=(*EASY, *MEDIUM, *HARD),
)
