"""Help, offers and stores."""

from __future__ import annotations

from webgym_hermetic.families.shop.family import FAMILY
from webgym_hermetic.families.shop.records import World
from webgym_hermetic.family import Missing, Page, Reply, Visit


@FAMILY.get("/help")
def help_page(visit: Visit) -> Reply:
    del visit
    return Page("help.html", "Help")


@FAMILY.get("/help/returns")
def returns(visit: Visit) -> Reply:
    del visit
    return Page("help_returns.html", "Returns and refunds")


@FAMILY.get("/help/delivery")
def delivery(visit: Visit) -> Reply:
    del visit
    return Page("help_delivery.html", "Delivery")


@FAMILY.get("/offers")
def offers(visit: Visit) -> Reply:
    world: World = visit.world
    return Page("offers.html", "Offers and codes", {"codes": world.codes})


@FAMILY.get("/stores")
def stores(visit: Visit) -> Reply:
    del visit
    return Page("stores.html", "Our stores")


@FAMILY.get("/stores/{slug}")
def store(visit: Visit, slug: str) -> Reply:
    world: World = visit.world
    here = next((one for one in world.stores if one.slug == slug), None)
    return Page("store.html", f"{here.name} store", {"store": here}) if here else Missing()
