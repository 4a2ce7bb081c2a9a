"""The built-in engine of a run, as configured."""

from __future__ import annotations

from webgym.engine.policy import EnginePolicy
from webgym.engine.process import EngineProcess
from webgym.engine.request import SamplingParams
from webgym.engine.settings import EngineSettings
from webgym.run.config import PolicyConfig


def engine_settings(config: PolicyConfig) -> EngineSettings:
    """Return the engine settings of a policy."""
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
    """Return a policy that samples from the engine; reproducible for a seed if requests arrive in the same order."""
    sampling = SamplingParams(temperature=temperature, max_tokens=config.max_tokens)
    return EnginePolicy(engine, sampling, seed=seed, deadline=config.reply_seconds)
