"""The family of news and documentation sites."""

from __future__ import annotations

from webgym.sites.families.news.errands.compare import CompareArticles, CompareYears
from webgym.sites.families.news.errands.fill import Submit
from webgym.sites.families.news.errands.lists import TellCheapest, TellListing
from webgym.sites.families.news.errands.marks import Follow, Keep, Like, Vote
from webgym.sites.families.news.errands.seek import FilterSearch, OpenPage
from webgym.sites.families.news.errands.tables import CompareBoard, TellBoard
from webgym.sites.families.news.errands.tell import TellAuthor, TellDetails, TellLatest
from webgym.sites.families.news.state import EVENTS, start
from webgym.sites.families.news.tasks.easy import EASY
from webgym.sites.families.news.tasks.hard import HARD
from webgym.sites.families.news.tasks.medium import MEDIUM
from webgym.sites.families.news.world import draw_world
from webgym.sites.family import Family

FAMILY = Family(
    name="news",
    title="News and documentation",
    structures=("broadsheet", "manual", "stream", "reader", "portal", "wiki"),
    brand_endings=("Almanac", "Bulletin", "Chronicle", "Companion", "Digest", "Journal", "Observer", "Pages", "Record"),
    world=draw_world,
    start=start,
    events=EVENTS,
    errands=(
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
