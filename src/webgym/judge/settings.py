"""What can be configured about the rubric judge. Plain data: importing this is cheap."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from webgym.llm.config import ModelConfig
from webgym.llm.structured import Structured

Count = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(gt=0)]
REPLY_TOKENS = 8192
"""Of a reply on many facts, each with its reasons. One that is cut off is no verdict, and cut off are those on long
attempts."""


class JudgeSettings(BaseModel):
    """Frozen; unknown keys are refused, so that a misspelt option cannot be ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: ModelConfig | None = None
    """Who gives verdicts. Unless set otherwise its temperature is 0 and its `max_tokens` 8192; so with the others."""
    keyframe_model: ModelConfig | None = None
    """Who says which screenshots matter; None: `model`."""
    blocked_model: ModelConfig | None = None
    """Who says whether the website refused to serve; None: whoever is shown the screenshots anyway, in that request."""
    structured: Structured = "schema"
    """How servers are told to reply in JSON: by a schema that binds them, as JSON of any form, or only in words. What
    is said is checked the same in all cases."""
    all_shown: Annotated[int, Field(ge=0)] = 6
    """Up to so many screenshots, all are shown in full, and one request is enough."""
    top: Count = 3
    """Otherwise: at most so many for each fact."""
    most_shown: Count = 24
    """At most so many in all; the last one is always among them."""
    most_small: Count = 64
    """Reduced screenshots in one request for keyframes; longer attempts take several."""
    small_side: Annotated[int, Field(ge=64)] = 640
    """Pixels of the longer side of a reduced screenshot."""
    small_quality: Annotated[int, Field(ge=1, le=95)] = 70
    other_sites: bool = False
    """Let screenshots of other websites than the task's count as evidence."""
    thoughts: bool = False
    """Show the judge what the agent thought. It can be talked into things by it."""
    blocked: bool = True
    """Ask whether the website refused to serve the agent; also about attempts that ended without an answer."""
    rounds: Count = 2
    """Replies asked for until one can be used; then there is no verdict."""
    seconds: Seconds = 600.0
    """For one verdict, all its requests and tries included."""
    budget: Annotated[float, Field(gt=0)] | None = None
    """US dollars for all models of the judge together. A request that could go over it is not sent."""
    shares_servers: bool = False
    """The judge may use the servers of the policy, as another model: for hosted models behind one address."""

    @field_validator("model", "keyframe_model", "blocked_model")
    @classmethod
    def _roomy(cls, model: ModelConfig | None) -> ModelConfig | None:
        if model is None or "max_tokens" in model.model_fields_set:
            return model
        return model.model_copy(update={"max_tokens": REPLY_TOKENS})

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        models = [one for one in (self.model, self.keyframe_model, self.blocked_model) if one is not None]
        if self.budget is not None and not all(one.prices.prompt and one.prices.sampled for one in models):
            raise ValueError("a `budget` needs `prices` of every model: dollars for a million tokens")
        if len(models) > 1 and any(one.budget is not None for one in models):
            raise ValueError("the models of a judge share one `budget`, its own: none of them has another")
        return self

    @property
    def most_dollars(self) -> float | None:
        """The least of the judge's budget and that of its only model; None: there is neither."""
        given = (self.budget, None if self.model is None else self.model.budget)
        return min((one for one in given if one is not None), default=None)
