"""What a rollout worker needs to run attempts. Plain data, sent to the worker as JSON."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from webgym.train.recipe import GroupSource

Count = Annotated[int, Field(ge=1)]


class ArealSettings(BaseModel):
    """Settings of the workflow. Frozen; unknown keys are rejected, so that a misspelt option is not ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    """Checkpoint folder or Hub id, for its tokenizer, chat template and image settings."""
    run: str = ""
    """File with a run's configuration, as for `webgym rollout`: browsers, agent, judge, limits. Empty: the defaults."""
    overrides: tuple[str, ...] = ()
    """Overrides of that file, such as `limits.easy=10`."""
    source: GroupSource = GroupSource()
    """Size of a group, and how its attempts are weighted."""
    server: Literal["sglang", "vllm"] = "sglang"
    """The inference server behind AReaL. Each receives pictures in its own way."""
    temperature: Annotated[float, Field(gt=0)] = 1.0
    max_new_tokens: Count = 4096
    max_tokens: Count = 16_384
    """Longest prompt with its reply."""
    reply_seconds: Annotated[float, Field(gt=0)] = 900.0
    """Time limit of one reply, including pauses for weight updates."""
    store: str = "runs/areal"
    """Folder in which each rollout worker stores its attempts, in a subfolder of its own."""
    host: str = ""
    """Name or address under which trainers reach this machine's pictures. Empty: the address that AReaL determines."""
    pictures: Literal["reference", "tensor"] = "reference"
    """How pictures reach the trainer: as references, which the actor of `actor.py` resolves, or as float patches, which
    any actor accepts and which are about a hundred times larger."""
    tells_oldest: bool = False
    """Whether trajectories carry the version of their oldest token. The feeder needs it, and removes it again."""
    stage: str = ""
    """`module:function` that makes a `Stage`, to replace sessions, environments or judges. Empty: as `run` says."""
