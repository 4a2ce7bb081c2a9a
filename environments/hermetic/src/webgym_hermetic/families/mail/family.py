"""The family of web mail sites."""

from __future__ import annotations

from webgym_hermetic.families.mail.goals import GOALS
from webgym_hermetic.families.mail.state import EVENTS, start
from webgym_hermetic.families.mail.tasks import TEMPLATES
from webgym_hermetic.families.mail.world import draw_world
from webgym_hermetic.family import Family

FAMILY = Family(
    name="mail",
    title="Web mail",
    structures=("classic", "panes", "cards", "dense", "timeline"),
    brand_endings=("Mail", "Inbox", "Mailbox", "Letterbox"),
    world=draw_world,
    start=start,
    events=EVENTS,
    goals=GOALS,
    templates=TEMPLATES,
)
