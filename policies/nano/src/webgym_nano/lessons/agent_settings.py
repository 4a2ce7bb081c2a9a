"""How pages are presented to nano, the same in lessons, rollouts and evaluations."""

from __future__ import annotations

import msgspec

from webgym.agent.settings import AgentSettings
from webgym.agent.vlm import look_for
from webgym.records.observation import Viewport
from webgym_nano.manner import manner

VIEWPORT = Viewport(**manner()["browser"])
SETTINGS = AgentSettings(**manner()["agent"])
LOOK = msgspec.structs.replace(look_for(SETTINGS), elements=True, lines=True)
"""Adds elements and lines, from which lessons are made."""
MOST_FACTS = 3
"""Maximum facts of a task for nano."""
