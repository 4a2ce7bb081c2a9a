"""The importable formats, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, get_args

from webgym.judge.calibration.imports import agent_reward_bench, cua_verifier_bench, online_mind2web
from webgym.judge.calibration.labelled import LabelledAttempt

Format = Literal["agent-reward-bench", "cua-verifier-bench", "online-mind2web"]
FORMATS: tuple[Format, ...] = get_args(Format)


def read(form: Format, folder: Path, told: Callable[[str], None]) -> Iterator[LabelledAttempt]:
    """Yield every labelled attempt in a folder of this format; `told` receives the reason for each one skipped.

    Raises:
        ConfigError: The folder does not have this format.
    """
    match form:
        case "agent-reward-bench":
            return agent_reward_bench.read(folder, told)
        case "cua-verifier-bench":
            return cua_verifier_bench.read(folder, told)
        case "online-mind2web":
            return online_mind2web.read(folder, told)
