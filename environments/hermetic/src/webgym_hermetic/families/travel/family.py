"""The travel family: its world, its state and its goals."""

from __future__ import annotations

from webgym_hermetic.families.travel.building import build
from webgym_hermetic.families.travel.events import EVENTS
from webgym_hermetic.families.travel.goals import GOALS
from webgym_hermetic.families.travel.state import start
from webgym_hermetic.families.travel.tasks import TEMPLATES
from webgym_hermetic.family import Family

FAMILY = Family(
    name="travel",
    title="Travel booking",
    structures=("portal", "timetable", "atlas", "concierge", "ledger"),
    brand_endings=("Travel", "Voyages", "Journeys", "Getaways", "Escapes", "Trips"),
    world=build,
    start=start,
    events=EVENTS,
    goals=GOALS,
    templates=TEMPLATES,
)
