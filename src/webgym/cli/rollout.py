"""`webgym rollout`: run an agent on tasks and store the trajectories."""

from __future__ import annotations

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


def rollout(
    overrides: Overrides = None,
    config: ConfigFile = None,
    limit: Limit = 0,
    resume: Resume = None,
    print_config: PrintConfig = False,
    as_json: AsJson = False,
) -> None:
    """Run an agent on tasks and store every trajectory.

    Settings come from --config and from arguments such as `tasks.count=50 agent.use=oracle`.
    """
    from rich.console import Console

    from webgym.cli.run_report import print_report, print_settings
    from webgym.run.config import RolloutConfig

    chosen = choose("rollout", RolloutConfig, config, limited(overrides, limit), resume)
    if print_config:
        print_settings(chosen.config)
        return
    console = Console(stderr=as_json, highlight=False, soft_wrap=True)
    ran = carry_out(chosen, console)
    print_report(chosen.folder, console, as_json=as_json)
    exit_after(ran, chosen.config)
