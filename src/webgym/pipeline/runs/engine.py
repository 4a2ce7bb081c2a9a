"""An engine of a run's own, as configured."""

from __future__ import annotations

from webgym.engine.policy import EnginePolicy
from webgym.engine.process import EngineProcess
from webgym.engine.request import Sampling
from webgym.engine.settings import EngineSettings
from webgym.pipeline.runs.config import PolicyConfig


def engine_settings(config: PolicyConfig) -> EngineSettings:
    """Of the engine that samples."""
    return EngineSettings(
        device=config.device,
        dtype=config.dtype,
        slots=config.slots,
        length=config.length,
        threads=config.threads,
        graphs=config.graphs,
        load_seconds=config.load_seconds,
    )


def sampler(engine: EngineProcess, config: PolicyConfig, temperature: float, seed: int) -> EnginePolicy:
    """Asks the engine; the seed decides what is sampled, as far as requests come in the same order."""
    sampling = Sampling(temperature=temperature, max_tokens=config.max_tokens)
    return EnginePolicy(engine, sampling, seed=seed, deadline=config.reply_seconds)
