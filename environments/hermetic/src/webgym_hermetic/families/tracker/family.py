"""The family of issue trackers."""

from __future__ import annotations

from webgym_hermetic.families.tracker.goals import GOALS
from webgym_hermetic.families.tracker.state import EVENTS, start
from webgym_hermetic.families.tracker.tasks import TEMPLATES
from webgym_hermetic.families.tracker.world import build
from webgym_hermetic.family import Family

FAMILY = Family(
    name="tracker",
    title="Issue trackers",
    structures=("classic", "board", "sidebar", "inbox", "sheet"),
    brand_endings=("Tracker", "Issues", "Backlog", "Tickets", "Worklist", "Kanban"),
    world=build,
    start=start,
    events=EVENTS,
    goals=GOALS,
    templates=TEMPLATES,
)
