"""Settings of an agent."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from webgym.records.session import MOST_SETTLE_SECONDS

Count = Annotated[int, Field(ge=1)]


class AgentSettings(BaseModel):
    """Settings of prompts and observations. Frozen; unknown keys are rejected."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dialect: str = "qwen3-vl"
    """Name of a dialect, or `package.module:object`."""
    prompt: str = "complete-2"
    """Prompt version, or path of a folder with your own prompt files."""
    rounds: Annotated[int, Field(ge=0)] = 4
    """Previous rounds shown in full, with screenshot and reply; older ones get one line each."""
    max_images: Count = 5
    """Maximum images in a prompt, including the current screenshot."""
    max_prompt_tokens: Count = 24_000
    """Maximum estimated prompt tokens; leave room for the reply and for estimation error. With the run's own policy it
    is also limited to `policy.length` minus `policy.max_tokens`."""
    past_steps: Annotated[int, Field(ge=0)] = 60
    """Maximum lines about older steps; the oldest are omitted."""
    screenshot: Literal["jpeg", "png", "webp"] = "jpeg"
    quality: Annotated[int, Field(ge=1, le=100)] = 80
    """Quality of jpeg and webp screenshots."""
    branches: Annotated[int, Field(ge=0)] = 0
    """Other replies to sample from the same prompt when the agent answers, and to judge in its place: training tells
    from them how good that answer was, apart from the way to it. Evaluations sample none."""
    settle_seconds: Annotated[float, Field(ge=0, le=MOST_SETTLE_SECONDS)] = 5.0
    """Maximum seconds to wait for a page to settle before it is observed."""
