"""The latencies that the simulated engine and trainer use, stored like a checkpoint: a folder with a `config.json`."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webgym.records.base import Record
from webgym_bench.flow.conditions import Conditions
from webgym_bench.rollouts.conditions import Conditions as Latencies

IMAGE_TOKEN = 19_999
PICTURE_TOKENS = 960
"""Tokens of a 1280 by 768 screenshot in models that merge 32 by 32 pixels into one token."""
_FILE = "config.json"


class Pace(Record, frozen=True, omit_defaults=False):
    """Latencies in real seconds."""

    latencies: Latencies
    train: float
    """Per trajectory."""
    restart: float
    refresh: float
    image_token_id: int = IMAGE_TOKEN


def pace_of(conditions: Conditions) -> Pace:
    """Scale the modelled latencies to real seconds."""
    return Pace(
        conditions.real(),
        conditions.train_seconds * conditions.scale / conditions.trajectories,
        conditions.restart_seconds * conditions.scale,
        conditions.refresh_seconds * conditions.scale,
    )


def write(folder: Path, pace: Pace) -> None:
    """Write the latencies as the checkpoint of any version."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _FILE).write_bytes(msgspec.json.encode(pace))


def read(folder: Path) -> Pace:
    return msgspec.json.decode((folder / _FILE).read_bytes(), type=Pace)
