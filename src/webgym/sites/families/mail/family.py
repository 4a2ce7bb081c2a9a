"""The family of web mail sites."""

from __future__ import annotations

from webgym.sites.families.mail.errands import ERRANDS
from webgym.sites.families.mail.state import EVENTS, start
from webgym.sites.families.mail.tasks import TEMPLATES
from webgym.sites.families.mail.world import draw_world
from webgym.sites.family import Family

FAMILY = Family(
    name="mail",
    title="Web mail",
    structures=("classic", "panes", "cards", "dense", "timeline"),
    brand_endings=("Mail", "Inbox", "Mailbox", "Letterbox"),
    world=draw_world,
    start=start,
    events=EVENTS,
    errands=ERRANDS,
    templates=TEMPLATES,
)
