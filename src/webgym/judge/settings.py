"""Settings of the rubric judge. Plain data: importing this module is cheap."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from webgym.llm.config import ModelConfig
from webgym.llm.structured import Structured

Count = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(gt=0)]
REPLY_TOKENS = 8192
"""Room for a reply on many facts with reasons. A truncated reply is no verdict, and long attempts would suffer most."""


class JudgeSettings(BaseModel):
    """Settings of the rubric judge. Unknown keys are rejected, so that a typo cannot be silently ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: ModelConfig | None = None
    """The model that gives verdicts. All models default to temperature 0 and `max_tokens` 8192."""
    keyframe_model: ModelConfig | None = None
    """The model that rates screenshots for relevance; None: `model`."""
    blocked_model: ModelConfig | None = None
    """The model that decides whether the website refused to serve; None: asked as part of the other requests."""
    structured: Structured = "schema"
    """How servers are made to reply in JSON: by an enforced schema, as free-form JSON, or by the prompt alone. Replies
    are validated alike in all cases."""
    all_shown: Annotated[int, Field(ge=0)] = 6
    """Up to this many screenshots, all are shown in full and a single request suffices."""
    top: Count = 3
    """Otherwise: maximum keyframes per fact."""
    most_shown: Count = 24
    """Maximum keyframes in total; the last screenshot is always included."""
    most_small: Count = 64
    """Maximum downscaled screenshots per relevance request; longer attempts take several."""
    small_side: Annotated[int, Field(ge=64)] = 640
    """Longer side of a downscaled screenshot in pixels."""
    small_quality: Annotated[int, Field(ge=1, le=95)] = 70
    other_sites: bool = False
    """Accept screenshots of websites other than the task's as evidence."""
    thoughts: bool = False
    """Show the agent's thoughts to the judge. They can mislead it."""
    blocked: bool = True
    """Ask whether the website refused to serve the agent, also for attempts without an answer."""
    rounds: Count = 2
    """Maximum replies to request until one is usable."""
    seconds: Seconds = 600.0
    """Time limit of one verdict, including all requests and retries."""
    budget: Annotated[float, Field(gt=0)] | None = None
    """US dollars for all models of the judge together. A request that could exceed it is not sent."""
    shares_servers: bool = False
    """Allow the judge to use the policy's servers with another model, as with hosted models behind one URL."""

    @field_validator("model", "keyframe_model", "blocked_model")
    @classmethod
    def _roomy(cls, model: ModelConfig | None) -> ModelConfig | None:
        if model is None or "max_tokens" in model.model_fields_set:
            return model
        return model.model_copy(update={"max_tokens": REPLY_TOKENS})

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        models = [model for model in (self.model, self.keyframe_model, self.blocked_model) if model is not None]
        if self.budget is not None and not all(model.prices.prompt and model.prices.sampled for model in models):
            raise ValueError("`budget` requires `prices` for every model, in dollars per million tokens")
        if len(models) > 1 and any(model.budget is not None for model in models):
            raise ValueError("all models of a judge share the judge's `budget`: remove `budget` from the models")
        return self

    @property
    def most_dollars(self) -> float | None:
        """The smaller of the judge's budget and that of its only model; None if neither is set."""
        given = (self.budget, None if self.model is None else self.model.budget)
        return min((limit for limit in given if limit is not None), default=None)
