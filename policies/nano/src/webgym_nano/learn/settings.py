"""Settings of training on lessons. Plain data: importing this needs no torch."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Count = Annotated[int, Field(ge=1)]
Number = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, lt=1)]


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RowSettings(_Settings):
    """A row: one image with segments that do not attend to each other. All have one size, for torch.compile."""

    tokens: Count = 640
    """Tokens of a row, including the image. A segment that does not fit is left out, never truncated."""
    replies: Count = 224
    """Maximum number of reply tokens among them."""
    questions: Count = 16
    """Maximum number of questions, besides the decision."""
    odds: dict[str, Number] = {"where": 1.2, "what": 1.0, "value": 1.5, "text": 1.6, "task": 2.5}
    """Sampling weight of each kind of question."""
    wander: bool = True
    """Whether location tokens in the input are jittered within the box, as widely as the soft targets: what follows a
    location must not depend on one cell."""


class ShelfSettings(_Settings):
    """Settings of the lesson buffer."""

    lessons: Count = 60_000
    """Number of newest lessons to keep; an image takes 430 KB."""
    tokens: Count = 3200
    """Maximum tokens of all segments of a lesson; segments beyond are left out."""
    questions: Count = 37
    """Maximum questions per lesson."""
    letters: Count = 320
    """Maximum letters per lesson, of the text lines on its image."""
    held_out: Share = 0.04
    """Share of websites held out of training."""
    held_lessons: Count = 1500
    first: Count = 1500
    """Lessons to wait for before the first step."""
    patience: Number = 900.0
    """Seconds to wait for them."""
    readers: Count = 4
    """Threads that decode images."""


class LossSettings(_Settings):
    """Loss weights."""

    policy: Number = 3.0
    """Weight of a decision's token, against 1 for a token of a question's reply."""
    answer: Number = 1.5
    """Further factor if the decision is an answer, which ends an attempt."""
    place: Number = 0.7
    """Weight of a location token in a question's reply."""
    soft: Number = 0.12
    """Standard deviation of a location's soft target, as a fraction of the box's side; 0: hard targets."""
    pointer: Number = 0.6
    """Weight of the pointer loss: from the token before a location to the image tokens it lies in."""
    letters: Number = 0.5
    """Weight of the letter loss: letters predicted from patches, where text lines are known to be."""


class OptimizerSettings(_Settings):
    """Muon for the matrices of the layers, AdamW for everything else."""

    lr: Number = 1e-3
    muon_lr: Number = 2e-3
    decay: Number = 0.05
    warmup: Count = 200
    """Steps of linear warmup."""
    floor: Number = 0.02
    """Final value of the cosine schedule, as a fraction of the learning rate."""
    clip: Number = 1.0
    """Maximum gradient norm."""
    average: Share = 0.998
    """Decay of the weight average that is published, after its warmup."""


class LearnSettings(_Settings):
    """All settings of a run."""

    rows: RowSettings = RowSettings()
    shelf: ShelfSettings = ShelfSettings()
    loss: LossSettings = LossSettings()
    optimizer: OptimizerSettings = OptimizerSettings()
    batch: Count = 128
    """Rows per step."""
    recolour: bool = True
    """Whether to augment colours, brightness and contrast of images."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    compile: bool = True
    """Whether to use torch.compile on a GPU: takes a minute, then runs several times as fast."""
    seed: int = 0
    publish_s: Number = 15.0
    """Seconds between two published versions."""
    publish_from: Share = 0.2
    """Share of the budget after which the first one is published: earlier weights act too badly to teach anything."""
    keep: Count = 4
    """Published versions to keep."""
    checkpoint_s: Number = 60.0
    measure_s: Number = 60.0
    measured: Count = 400
    """Held-out lessons measured while learning; at the end, all are."""
    log_s: Number = 5.0

    @model_validator(mode="after")
    def _sizes(self) -> LearnSettings:
        if self.rows.replies > self.rows.tokens:
            raise ValueError("a row cannot have more reply tokens than tokens in total")
        return self
