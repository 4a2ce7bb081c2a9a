"""What shells complete: names of shipped configurations and of runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def config_names(incomplete: str) -> list[tuple[str, str]]:
    """Return the shipped configurations of runs that begin like this, each with its description."""
    return [found for found in _configs(incomplete) if not found[0].startswith("study-")]


def study_names(incomplete: str) -> list[tuple[str, str]]:
    """Return the shipped studies that begin like this, each with its description."""
    return [found for found in _configs(incomplete) if found[0].startswith("study-")]


def run_names(incomplete: str) -> list[tuple[str, str]]:
    """Return the runs that begin like this, newest first: names in `runs/`, or folders if a folder is being typed."""
    from webgym.store.meta import META_FILE
    from webgym.store.read import RUNS

    place = Path(incomplete[: incomplete.rfind("/") + 1]) if "/" in incomplete else RUNS
    prefix = f"{place}/" if "/" in incomplete else ""
    found = [meta.parent for meta in place.glob(f"*/{META_FILE}")]
    names = [f"{prefix}{folder.name}" for folder in sorted(found, key=lambda one: -one.stat().st_mtime)]
    return [(name, "") for name in names if name.startswith(incomplete)]


def _configs(incomplete: str) -> Iterator[tuple[str, str]]:
    from webgym.run.shipped_configs import first_comment, shipped_configs

    for name, file in sorted(shipped_configs().items()):
        if name.startswith(incomplete):
            yield name, first_comment(file)
