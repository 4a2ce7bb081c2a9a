"""`webgym try`: one attempt, watched step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webgym.cli.run_options import ConfigFile, carry_out, choose

if TYPE_CHECKING:
    from rich.console import Console

    from webgym.store.read import Run

_BUILT_IN = ("oracle", "random", "noop")
_WHO_ELSE = (
    "nano, a folder with weights, random, noop, the URL of an OpenAI-compatible server, module:function of your own"
)
_LISTENS_SECONDS = 5.0


def attempt(
    what: Annotated[
        str, typer.Argument(help="The instruction; or, without --url, a hermetic site or one of its tasks.")
    ],
    settings: Annotated[
        list[str] | None, typer.Argument(help="Settings such as limits.easy=15.", show_default=False)
    ] = None,
    url: Annotated[str, typer.Option(help="Where to start. Without it `what` names a hermetic site or task.")] = "",
    policy: Annotated[str, typer.Option(help=f"Who tries: oracle (hermetic tasks only), {_WHO_ELSE}.")] = "oracle",
    model: Annotated[str, typer.Option(help="The model's name on that server.")] = "",
    config: ConfigFile = None,
) -> None:
    """Let an agent try one thing and watch what it does.

    `webgym try shop-1` lets the oracle solve the first task of that site; `webgym try "find the opening hours" --url
    https://example.org --policy http://127.0.0.1:8000/v1 --model Qwen/Qwen3-VL-8B-Instruct` lets a model try.
    """
    from rich.console import Console

    from webgym.errors import ConfigError
    from webgym.pipeline.runs.config import RunConfig
    from webgym.store.read import open_run

    _check_listens(policy)
    overrides = [*_policy_settings(policy, model), *(settings or [])]
    base = {"browser": {"sessions": 1}, **_task_settings(what, url)}
    chosen = choose("try", RunConfig, config, overrides, base=base)
    if url and chosen.config.agent.use == "oracle":
        raise ConfigError(f"only hermetic tasks have an oracle: say who tries with --policy ({_WHO_ELSE})")
    console = Console(highlight=False, soft_wrap=True)
    carry_out(chosen, console, each_step=True)
    with open_run(chosen.folder) as run:
        _tell(run, console)
    console.print(f"\nlook at it: webgym view {chosen.folder}", markup=False)


def _task_settings(what: str, url: str) -> dict[str, Any]:
    if url:
        own: dict[str, Any] = {"task_id": "try", "instruction": what, "website": url, "rubric": []}
        return {"tasks": {"use": "given", "given": [own]}, "judge": {"use": "none"}}
    from webgym.errors import SiteUnknown
    from webgym.sites.catalogue import site_named
    from webgym.sites.tasks.generate import tasks_of

    name, _, number = what.rpartition("-")
    known = f"{name}-{int(number):03d}" if number.isdecimal() and len(number) == 3 else ""
    try:
        site = site_named(name if known else what)
    except SiteUnknown as error:
        raise SiteUnknown(f"{error}; an instruction needs --url") from error
    task = known or next(iter(tasks_of(site, 1))).task_id
    return {"tasks": {"split": site.split, "families": [site.family], "task_ids": [task]}}


def _policy_settings(policy: str, model: str) -> list[str]:
    if policy in _BUILT_IN:
        return [f"agent.use={policy}"]
    if policy == "nano" or Path(policy).expanduser().is_dir():
        return [f"policy.model='{policy}'", "policy.temperature=0"]
    if policy.startswith(("http://", "https://")):
        return ["agent.use=vlm", f"model.servers=['{policy}']", f"model.model='{model}'"]
    return ["agent.use=vlm", f"agent.policy='{policy}'"]


def _check_listens(policy: str) -> None:
    """A run waits for servers that come back; who tries one thing wants to know at once that none is there."""
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
    """The verdict, fact by fact."""
    trajectory = next(iter(run.trajectories()))
    ending, task = trajectory.ending, trajectory.attempt.task
    facts = [fact for group in task.rubric for fact in group.facts]
    if ending.answer is not None:
        console.print(f"\nanswer: {ending.answer}", markup=False)
    for verdict, fact in zip(ending.verdict.facts if ending.verdict else (), facts, strict=False):
        console.print(f"  {'yes' if verdict.holds else 'NO '}  {fact}", markup=False)
    from webgym.records.trajectory import outcome_kind

    console.print(f"{outcome_kind(ending.outcome)} after {ending.steps} steps", markup=False)
