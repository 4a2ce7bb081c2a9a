"""Online shops."""

from __future__ import annotations

from webgym.sites.families.shop.errands import ERRANDS
from webgym.sites.families.shop.events import EVENTS
from webgym.sites.families.shop.state import start
from webgym.sites.families.shop.tasks import TEMPLATES
from webgym.sites.families.shop.world import build
from webgym.sites.family import Family

FAMILY = Family(
    name="shop",
    title="Online shops",
    structures=("classic", "aisle", "boutique", "catalog", "market"),
    brand_endings=("Goods", "Supply", "Store", "Mercantile", "Trading", "Outlet", "Emporium", "Depot"),
    world=build,
    start=start,
    events=EVENTS,
    errands=ERRANDS,
    templates=TEMPLATES,
)
