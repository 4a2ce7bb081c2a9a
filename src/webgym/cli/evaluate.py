"""`webgym eval`: how good an agent is, on websites it has never seen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.run_options import (
    AsJson,
    ConfigFile,
    Limit,
    Overrides,
    PrintConfig,
    Resume,
    carry_out,
    choose,
    limited,
)


def evaluate(
    overrides: Overrides = None,
    config: ConfigFile = None,
    limit: Limit = 0,
    resume: Resume = None,
    against: Annotated[
        list[Path] | None, typer.Option(help="Run to compare with, task by task; repeatable.", show_default=False)
    ] = None,
    print_config: PrintConfig = False,
    as_json: AsJson = False,
) -> None:
    """Attempt every task of a test set and say how many succeed, with confidence intervals.

    Without settings: 200 tasks on hermetic websites that no training run may use.
    """
    from rich.console import Console

    from webgym.cli.run_report import print_baselines, print_report, print_settings
    from webgym.cli.runs import print_comparison
    from webgym.pipeline.runs.config import RunConfig

    chosen = choose("eval", RunConfig, config, limited(overrides, limit), resume)
    if print_config:
        print_settings(chosen.config)
        return
    console = Console(stderr=as_json, highlight=False, soft_wrap=True)
    ran = carry_out(chosen, console)
    print_report(chosen.folder, console, as_json=as_json)
    print_baselines([chosen.folder, *(against or [])], chosen.config.tasks.split, console)
    for other in against or []:
        print_comparison(other, chosen.folder, console)
    if not ran.complete:
        raise typer.Exit(1 if not ran.interrupted else 130)
