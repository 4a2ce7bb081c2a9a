"""What can be configured about an agent."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(ge=1)]


class AgentSettings(BaseModel):
    """How a model is shown what happens. Frozen; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dialect: str = "qwen3-vl"
    """A name, or `package.module:object`."""
    prompt: str = "complete-1"
    """A version, or the path of a folder with files of your own."""
    rounds: Annotated[int, Field(ge=0)] = 4
    """Rounds shown in full, screenshot and reply, before the current one; older ones get a line each."""
    max_images: Count = 5
    """In one prompt, the current one included."""
    max_prompt_tokens: Count = 24_000
    """As estimated: leave room for the reply, and for the estimate. A policy of the run's own also bounds it, by
    `policy.length` less `policy.max_tokens`."""
    past_steps: Annotated[int, Field(ge=0)] = 60
    """Lines about older steps; the oldest are left out."""
    screenshot: Literal["jpeg", "png", "webp"] = "jpeg"
    quality: Annotated[int, Field(ge=1, le=100)] = 80
    """Of jpeg and webp."""
    settle_seconds: Annotated[float, Field(ge=0)] = 5.0
    """Longest wait for a page to come to rest before it is looked at."""
