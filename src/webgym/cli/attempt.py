"""`webgym try`: run an agent on a single task."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webgym.cli.run_options import ConfigFile, carry_out, choose, exit_after

if TYPE_CHECKING:
    from rich.console import Console

    from webgym.run.config import EnvironmentConfig
    from webgym.store.read import Run

_BUILT_IN = ("oracle", "random", "noop")
_WHO_ELSE = (
    "nano, a folder with weights, random, noop, the URL of an OpenAI-compatible server, module:function of your own"
)
_LISTENS_SECONDS = 5.0


def attempt(
    what: Annotated[
        str,
        typer.Argument(
            help="With --url, the instruction. Otherwise a task of the environment, or a site: shop-6-012, shop-6."
        ),
    ],
    settings: Annotated[
        list[str] | None, typer.Argument(help="Settings, such as limits.easy=15.", show_default=False)
    ] = None,
    url: Annotated[str, typer.Option(help="URL to start at.")] = "",
    policy: Annotated[str, typer.Option(help=f"Policy to run: oracle (in environments), {_WHO_ELSE}.")] = "oracle",
    model: Annotated[str, typer.Option(help="Model name on the server given as --policy.")] = "",
    config: ConfigFile = None,
) -> None:
    """Run an agent on a single task and print every step.

    `webgym try shop-1` lets the oracle solve the first task of that site;
    `webgym try "find the opening hours" --url https://example.org --policy
    http://127.0.0.1:8000/v1 --model Qwen/Qwen3-VL-8B-Instruct` runs a model.
    """
    from rich.console import Console

    from webgym.errors import ConfigError
    from webgym.run.config import RunConfig
    from webgym.run.load import load_config
    from webgym.store.read import open_run

    _check_listens(policy)
    overrides = [*_policy_settings(policy, model), *(settings or [])]
    env = load_config(config, overrides).env
    base = {"browser": {"sessions": 1}, **_task_settings(what, url, env)}
    chosen = choose("try", RunConfig, config, overrides, base=base)
    if url and chosen.config.agent.use == "oracle":
        raise ConfigError(f"only an environment has an oracle: choose a policy with --policy ({_WHO_ELSE})")
    console = Console(highlight=False, soft_wrap=True)
    ran = carry_out(chosen, console, each_step=True)
    with open_run(chosen.folder) as run:
        _tell(run, console)
    console.print(f"\nlook at it: webgym view {chosen.folder}", markup=False)
    exit_after(ran, chosen.config)


def _task_settings(what: str, url: str, env: EnvironmentConfig) -> dict[str, Any]:
    if url:
        own: dict[str, Any] = {"task_id": "try", "instruction": what, "website": url, "rubric": []}
        return {"tasks": {"use": "given", "given": [own]}, "judge": {"use": "none"}}
    import msgspec

    from webgym.environments.optional import TaskFinder
    from webgym.environments.registry import environment_named
    from webgym.errors import ConfigError

    if " " in what:
        raise ConfigError(f"there is no task {what!r}: a free-text instruction needs --url")
    environment = environment_named(env.use, env.options)
    if not isinstance(environment, TaskFinder):
        return {"tasks": {"task_ids": [what]}}
    return {"tasks": msgspec.to_builtins(environment.find(what))}  # without what is as usual, as of all records


def _policy_settings(policy: str, model: str) -> list[str]:
    if policy in _BUILT_IN:
        return [f"agent.use={policy}"]
    if policy == "nano" or Path(policy).expanduser().is_dir():
        return [f"policy.model='{policy}'", "policy.temperature=0"]
    if policy.startswith(("http://", "https://")):
        return ["agent.use=vlm", f"model.servers=['{policy}']", f"model.model='{model}'"]
    return ["agent.use=vlm", f"agent.policy='{policy}'"]


def _check_listens(policy: str) -> None:
    """Fail at once if no server listens: a run would wait for it to come back."""
    if not policy.startswith(("http://", "https://")):
        return
    import socket
    from urllib.parse import urlsplit

    from webgym.errors import ConfigError

    try:
        parts = urlsplit(policy)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        socket.create_connection((parts.hostname or "", port), _LISTENS_SECONDS).close()
    except (OSError, ValueError) as error:
        raise ConfigError(f"no model server answers at {policy}: start it, or correct --policy ({error})") from error


def _tell(run: Run, console: Console) -> None:
    """Print the answer, the verdict on each fact, and the outcome."""
    trajectory = next(run.trajectories(), None)
    if trajectory is None:  # interrupted before it began
        return
    ending, task = trajectory.ending, trajectory.attempt.task
    facts = [fact for group in task.rubric for fact in group.facts]
    if ending.answer is not None:
        console.print(f"\nanswer: {ending.answer}", markup=False)
    for verdict, fact in zip(ending.verdict.facts if ending.verdict else (), facts, strict=False):
        console.print(f"  {'yes' if verdict.holds else 'NO '}  {fact}", markup=False)
    from webgym.records.trajectory import outcome_kind

    console.print(f"{outcome_kind(ending.outcome)} after {ending.steps} steps", markup=False)
