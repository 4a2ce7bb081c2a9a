"""What learning from lessons is made of. Plain data: importing this needs no torch."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Count = Annotated[int, Field(ge=1)]
Number = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, lt=1)]


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RowSettings(_Settings):
    """A row: one picture with segments that do not see each other. All rows are of one size, which torch compiles."""

    tokens: Count = 640
    """With those of the picture. A segment that does not fit is left out, never cut."""
    replies: Count = 224
    """Tokens of replies among them."""
    questions: Count = 16
    """At most, besides what to do."""
    odds: dict[str, Number] = {"where": 1.2, "what": 1.0, "value": 1.5, "text": 1.6, "task": 2.5}
    """How often a question of each kind is taken before others."""
    wander: bool = True
    """Whether the model is shown other places of the box than the one its reply names, as often as the loss lets it
    name them: what it says after a place must not hang on one cell."""


class ShelfSettings(_Settings):
    """Lessons in memory."""

    lessons: Count = 60_000
    """The newest; a picture takes 430 KB."""
    tokens: Count = 3200
    """For all segments of a lesson; those beyond are left out."""
    questions: Count = 37
    """Likewise."""
    letters: Count = 320
    """Likewise, of the lines that can be read on it."""
    held_out: Share = 0.04
    """Share of the websites that are never learned from."""
    held_lessons: Count = 1500
    first: Count = 1500
    """Lessons to wait for before the first step."""
    patience: Number = 900.0
    """Seconds to wait for them."""
    readers: Count = 4
    """Threads that decode pictures."""


class LossSettings(_Settings):
    """What counts how much."""

    policy: Number = 3.0
    """A token of what to do, against 1 for a token of a question's reply."""
    answer: Number = 1.5
    """Times this if it is the answer that ends an attempt."""
    place: Number = 0.7
    """A location token of a question's reply."""
    soft: Number = 0.12
    """Spread of a location's target, in parts of the box's side; 0: only the cell that the reply names is right."""
    pointer: Number = 0.6
    """Attention from where a place is about to be said to the part of the picture it is in."""
    letters: Number = 0.5
    """Letters read off the vision tower, where lines of text are known to be."""


class OptimizerSettings(_Settings):
    """Muon for the matrices of the layers, AdamW for everything else."""

    lr: Number = 1e-3
    muon_lr: Number = 2e-3
    decay: Number = 0.05
    warmup: Count = 200
    """Steps."""
    floor: Number = 0.02
    """What the cosine ends at, as a share of the learning rate."""
    clip: Number = 1.0
    """Of the gradient's norm."""
    average: Share = 0.998
    """Weight of the past in the average that is published, once there is some."""


class LearnSettings(_Settings):
    """All of it."""

    rows: RowSettings = RowSettings()
    shelf: ShelfSettings = ShelfSettings()
    loss: LossSettings = LossSettings()
    optimizer: OptimizerSettings = OptimizerSettings()
    batch: Count = 128
    """Rows of a step."""
    recolour: bool = True
    """Whether colours, brightness and contrast of pictures vary."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    compile: bool = True
    """On a GPU, whether torch compiles: takes a minute, then several times as fast."""
    seed: int = 0
    publish_s: Number = 15.0
    """Seconds between two published versions."""
    publish_from: Share = 0.2
    """Share of the budget after which the first one is published: what acts before has nothing to teach."""
    keep: Count = 4
    """Published versions that stay."""
    checkpoint_s: Number = 60.0
    measure_s: Number = 60.0
    measured: Count = 400
    """Held-out lessons measured while learning; at the end, all are."""
    log_s: Number = 5.0

    @model_validator(mode="after")
    def _sizes(self) -> LearnSettings:
        if self.rows.replies > self.rows.tokens:
            raise ValueError("a row cannot hold more tokens of replies than tokens")
        return self
