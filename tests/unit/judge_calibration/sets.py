"""Labelled runs for tests: drawn, written to disk, with a scripted model that sees what their pictures show."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import anyio
from anyio.from_thread import start_blocking_portal

from webgym.judge.calibration.labelled import LabelledAttempt, write_labelled
from webgym.llm.config import ModelConfig
from webgym.run.config import JudgeConfig
from webgym.testing.policy_server import PolicyServer
from webgym.testing.vlm import ScriptedVlm, serving_vlm
from webgym.testing.vlm_world import World
from webgym_bench.judge.synthetic_attempts import SyntheticAttempt, sibling, synthetic_attempts


def write_drawn(
    folder: Path, count: int, world: World, *, seed: int = 0, siblings: bool = False
) -> list[SyntheticAttempt]:
    """A labelled run of so many drawn attempts; with siblings, failures beside the successes at the same tasks."""
    made: list[SyntheticAttempt] = []
    for number, one in enumerate(synthetic_attempts(count, world, seed=seed)):
        made.append(one)
        if siblings and one.kind == "done":
            made.append(sibling(number, "denied", world, seed=seed))
    items = [LabelledAttempt(one.trajectory, one.blobs, one.labels) for one in made]
    anyio.run(write_labelled, folder, folder.name, items)
    return made


def judged_by(server: PolicyServer) -> JudgeConfig:
    """The rubric judge with this server's model."""
    return JudgeConfig(use="rubric", model=ModelConfig(servers=(server.url,), model="scripted"))


@contextmanager
def served(vlm: ScriptedVlm) -> Generator[PolicyServer]:
    """A server in a thread of its own, for what has an event loop of its own."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(serving_vlm(vlm)) as server:
        yield server
