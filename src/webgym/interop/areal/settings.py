"""What a rollout worker has to know to run our attempts. Plain data: it travels to the worker as JSON."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from webgym.train.recipe import GroupSource

Count = Annotated[int, Field(ge=1)]


class ArealSettings(BaseModel):
    """Of the workflow. Frozen; unknown keys are refused, so that a misspelt option cannot be ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    """Folder of the checkpoint, or its name on the hub: its tokenizer, chat template and way to cut pictures up."""
    run: str = ""
    """A file with a run's configuration, as `webgym rollout` takes it: browsers, agent, judge, limits. Empty: the
    defaults."""
    overrides: tuple[str, ...] = ()
    """Of that file: `limits.easy=10`."""
    source: GroupSource = GroupSource()
    """How many attempts are a group, and what is learned from them."""
    server: Literal["sglang", "vllm"] = "sglang"
    """What AReaL samples from: each has a way of its own to be shown pictures."""
    temperature: Annotated[float, Field(gt=0)] = 1.0
    max_new_tokens: Count = 4096
    max_tokens: Count = 16_384
    """Of a prompt and its reply."""
    reply_seconds: Annotated[float, Field(gt=0)] = 900.0
    """For one reply, pauses for new weights included."""
    store: str = "runs/areal"
    """Where each rollout worker keeps its attempts, in a folder of its own."""
    host: str = ""
    """Under which trainers reach this machine's pictures; empty: AReaL's own idea of its address."""
    pictures: Literal["reference", "tensor"] = "reference"
    """How pictures come to the trainer: as references, which the actor of `actor.py` resolves, or as patches of
    floats, which any actor takes, and which are about a hundred times larger."""
    tells_oldest: bool = False
    """Whether trajectories say how old their oldest token is: the feeder asks for that, and takes it out again."""
    stage: str = ""
    """`module:function`, which makes a `Stage`: other sessions, scenes or judges than a run's. Empty: as `run` says."""
