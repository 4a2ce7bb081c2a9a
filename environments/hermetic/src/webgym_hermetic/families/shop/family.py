"""Online shops."""

from __future__ import annotations

from webgym_hermetic.families.shop.events import EVENTS
from webgym_hermetic.families.shop.goals import GOALS
from webgym_hermetic.families.shop.state import start
from webgym_hermetic.families.shop.tasks import TEMPLATES
from webgym_hermetic.families.shop.world import build
from webgym_hermetic.family import Family

FAMILY = Family(
    name="shop",
    title="Online shops",
    structures=("classic", "aisle", "boutique", "catalog", "market"),
    brand_endings=("Goods", "Supply", "Store", "Mercantile", "Trading", "Outlet", "Emporium", "Depot"),
    world=build,
    start=start,
    events=EVENTS,
    goals=GOALS,
    templates=TEMPLATES,
)
