"""How nano is shown the web, wherever it acts: the same in lessons, in rollouts and in evaluations."""

from __future__ import annotations

import msgspec

from webgym.agent.settings import AgentSettings
from webgym.agent.vlm import look_for
from webgym.nano.config import NanoConfig
from webgym.records.observation import Viewport

VIEWPORT = Viewport(NanoConfig().width, NanoConfig().height)
SETTINGS = AgentSettings(
    dialect="nano",
    prompt="nano-1",
    rounds=0,
    max_images=1,
    max_prompt_tokens=4000,
    past_steps=6,
    screenshot="jpeg",
    quality=90,
)
"""One picture, the task, the last six steps. Text of 12 pixels suffers from stronger compression."""
LOOK = msgspec.structs.replace(look_for(SETTINGS), elements=True, lines=True)
"""What lessons are made of besides."""
MOST_FACTS = 3
"""Of a task that nano is given."""
