"""`webgym eval`: evaluate an agent on a test set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.completions import run_names
from webgym.cli.run_options import (
    AsJson,
    ConfigFile,
    Limit,
    Overrides,
    PrintConfig,
    Resume,
    carry_out,
    choose,
    exit_after,
    limited,
)


def evaluate(
    overrides: Overrides = None,
    config: ConfigFile = None,
    limit: Limit = 0,
    resume: Resume = None,
    against: Annotated[
        list[Path] | None,
        typer.Option(
            help="Run to compare with, paired by task; repeatable.", show_default=False, autocompletion=run_names
        ),
    ] = None,
    print_config: PrintConfig = False,
    as_json: AsJson = False,
) -> None:
    """Evaluate an agent on a test set, with confidence intervals.

    The default test set is 200 tasks on hermetic websites that training runs
    cannot use.
    """
    from rich.console import Console

    from webgym.cli.run_report import print_baselines, print_report, print_settings
    from webgym.cli.runs import print_comparison
    from webgym.run.config import RunConfig

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
    exit_after(ran, chosen.config)
