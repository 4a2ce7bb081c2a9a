"""Discussion forums."""

from __future__ import annotations

from webgym_hermetic.families.forum.goals import GOALS
from webgym_hermetic.families.forum.state import EVENTS, start
from webgym_hermetic.families.forum.tasks import TEMPLATES
from webgym_hermetic.families.forum.world import world
from webgym_hermetic.family import Family

FAMILY = Family(
    name="forum",
    title="Discussion forums",
    structures=("classic", "feed", "qanda", "chatter", "magazine"),
    brand_endings=("Forum", "Boards", "Talk", "Commons", "Circle", "Community"),
    world=world,
    start=start,
    events=EVENTS,
    goals=GOALS,
    templates=TEMPLATES,
)
