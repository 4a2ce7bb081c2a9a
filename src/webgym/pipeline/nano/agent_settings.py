"""How nano is shown the web, wherever it acts: the same in lessons, in rollouts and in evaluations."""

from __future__ import annotations

import msgspec

from webgym.agent.settings import AgentSettings
from webgym.agent.vlm import look_for
from webgym.pipeline.runs.nano_defaults import MANNER
from webgym.records.observation import Viewport

VIEWPORT = Viewport(**MANNER["browser"])
SETTINGS = AgentSettings(**MANNER["agent"])
LOOK = msgspec.structs.replace(look_for(SETTINGS), elements=True, lines=True)
"""What lessons are made of besides."""
MOST_FACTS = 3
"""Of a task that nano is given."""
