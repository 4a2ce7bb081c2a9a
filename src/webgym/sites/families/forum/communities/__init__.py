"""The kinds of community there are."""

from __future__ import annotations

from webgym.sites.families.forum.communities.astronomy import ASTRONOMY
from webgym.sites.families.forum.communities.bank import Bank, Duel, Measure, Topic, Trouble
from webgym.sites.families.forum.communities.boardgames import BOARDGAMES
from webgym.sites.families.forum.communities.brewing import BREWING
from webgym.sites.families.forum.communities.cooking import COOKING
from webgym.sites.families.forum.communities.cycling import CYCLING
from webgym.sites.families.forum.communities.gardening import GARDENING
from webgym.sites.families.forum.communities.neighbourhood import NEIGHBOURHOOD
from webgym.sites.families.forum.communities.parenting import PARENTING
from webgym.sites.families.forum.communities.photography import PHOTOGRAPHY
from webgym.sites.families.forum.communities.printing import PRINTING
from webgym.sites.families.forum.communities.retro import RETRO
from webgym.sites.families.forum.communities.woodworking import WOODWORKING

BANKS = (
    GARDENING, CYCLING, BREWING, PHOTOGRAPHY, RETRO, PARENTING,
    NEIGHBOURHOOD, WOODWORKING, ASTRONOMY, BOARDGAMES, COOKING, PRINTING,
)  # fmt: skip

__all__ = ["BANKS", "Bank", "Duel", "Measure", "Topic", "Trouble"]
