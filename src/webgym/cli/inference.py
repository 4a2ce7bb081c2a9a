"""`webgym inference`: start and check inference servers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webgym.cli.failures import ExitCode
from webgym.cli.outputs import new_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from webgym.inference.replicas import ReplicaState
    from webgym.run.config import PolicyConfig
    from webgym.run.inference.check import Questions, ServerCheck

app = typer.Typer(no_args_is_help=True, help="Start and check inference servers (vLLM, SGLang).")

Urls = Annotated[list[str] | None, typer.Argument(help="URLs of running servers. Default: start one.")]
Model = Annotated[str, typer.Option(help="Model to serve: a folder, a Hugging Face name, or nano.")]
Kind = Annotated[str, typer.Option(help="Kind of server: vllm or sglang.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", help="Setting of policy.servers, such as python=.venv-vllm/bin/python; repeatable."),
]
Dtype = Annotated[str, typer.Option(help="Data type to serve in: float32, bfloat16 or auto.")]
Length = Annotated[int, typer.Option(min=64, help="Maximum tokens of a prompt and its reply, for a started server.")]
Slots = Annotated[int, typer.Option(min=1, help="Concurrent replies, for a started server.")]
Logs = Annotated[Path, typer.Option(callback=new_folder, help="Folder for the logs of started servers.")]


@app.command()
def check(
    urls: Urls = None,
    model: Model = "nano",
    kind: Kind = "vllm",
    settings: Settings = None,
    prompts: Annotated[int, typer.Option(min=1, help="Number of prompts to send.")] = 8,
    tokens: Annotated[int, typer.Option(min=1, help="Maximum tokens per reply.")] = 64,
    pictures: Annotated[int, typer.Option(min=0, help="Images per prompt.")] = 1,
    width: Annotated[int, typer.Option(min=32, help="Image width in pixels.")] = 448,
    height: Annotated[int, typer.Option(min=32, help="Image height in pixels.")] = 320,
    temperature: Annotated[float, typer.Option(min=0.01, help="Sampling temperature.")] = 1.0,
    dtype: Dtype = "auto",
    reference: Annotated[
        str, typer.Option(help="Data type of the transformers reference: float32 or bfloat16.")
    ] = "float32",
    device: Annotated[str, typer.Option(help="Device of the transformers reference: cpu or cuda.")] = "cpu",
    most: Annotated[float, typer.Option(min=0, help="Maximum mean absolute difference of logprobs.")] = 0.02,
    length: Length = 4096,
    slots: Slots = 16,
    logs: Logs = Path("runs/servers"),
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Check that servers are fit for training: compare their tokens and logprobs with transformers.

    Sends prompts with images and reports whether prompt tokens match, how far
    logprobs differ between sampler and trainer, and whether every token has a
    policy version. Exits with 5 if something is missing or differs too much.
    """
    from functools import partial

    import anyio
    import msgspec
    from rich.console import Console
    from rich.markup import escape

    from webgym.run.inference.check import Questions

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    config = _policy(urls, model, kind, settings, dtype, length, slots, tokens)
    questions = Questions(prompts, width, height, pictures)
    found = anyio.run(
        _check, config, questions, temperature, (reference, device), logs, partial(console.print, markup=False)
    )
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
    else:
        _print(found)
    if not found.sound(most):
        console.print(f"[bold red]check failed:[/] {escape(_why(found, most))}")
        raise typer.Exit(ExitCode.FAILURES)


@app.command()
def serve(
    model: Model = "nano",
    kind: Kind = "vllm",
    settings: Settings = None,
    dtype: Dtype = "auto",
    length: Length = 4096,
    slots: Slots = 64,
    logs: Logs = Path("runs/servers"),
) -> None:
    """Serve a policy on inference servers until Ctrl-C, as a run would, and print their URLs.

    Runs attach to them with policy.servers.urls, and update their weights while
    training.
    """
    from functools import partial

    import anyio
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    config = _policy(None, model, kind, settings, dtype, length, slots, 256)
    anyio.run(_serve, config, logs, partial(console.print, markup=False))
    console.print("ended")


async def _check(
    config: PolicyConfig,
    questions: Questions,
    temperature: float,
    reference: tuple[str, str],
    logs: Path,
    say: Callable[[str], None],
) -> ServerCheck:
    from webgym.records.sample import PolicyVersion
    from webgym.run.inference.check import check_servers, open_plain
    from webgym.run.models import find_policy
    from webgym.run.servers import open_servers

    folder = find_policy(config.model)
    async with open_servers(config, _kind(config), PolicyVersion(0, str(folder)), logs, say) as servers:
        policy = servers.policy(config, temperature)
        return await check_servers(servers, policy, open_plain(folder, *reference), questions, say)


async def _serve(config: PolicyConfig, logs: Path, say: Callable[[str], None]) -> None:
    import signal

    import anyio

    from webgym.records.sample import PolicyVersion
    from webgym.run.models import find_policy
    from webgym.run.servers import open_servers

    folder = find_policy(config.model)
    async with open_servers(config, _kind(config), PolicyVersion(0, str(folder)), logs, say) as servers:
        urls = ", ".join(f'"{url}"' for url in servers.replicas.urls)
        # Not KeyboardInterrupt: what a script starts in the background ignores Ctrl-C, and it may be stopped by either.
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            say(f"policy.server={_kind(config)} policy.servers.urls=[{urls}]")
            async for _ in signals:
                break


def _policy(
    urls: list[str] | None,
    model: str,
    kind: str,
    settings: list[str] | None,
    dtype: str,
    length: int,
    slots: int,
    tokens: int,
) -> PolicyConfig:
    from webgym.run.load import load_config

    overrides = [f"policy.model={model}", f"policy.server={kind}", f"policy.dtype={dtype}"]
    overrides += [f"policy.length={length}", f"policy.slots={slots}", f"policy.max_tokens={tokens}"]
    if urls:
        overrides.append("policy.servers.urls=[" + ", ".join(f'"{url}"' for url in urls) + "]")
    return load_config(None, [*overrides, *(f"policy.servers.{one}" for one in settings or ())]).policy


def _kind(config: PolicyConfig) -> Any:
    from webgym.errors import ConfigError

    if config.server == "engine":
        raise ConfigError("--kind must be vllm or sglang")
    return config.server


def _print(found: ServerCheck) -> None:
    for server in found.servers:
        typer.echo(f"{server.url}  {_state(server)}")
    typer.echo(f"replies with the same prompt tokens as transformers  {found.same_prompts} of {found.replies}")
    typer.echo(f"replies with logprobs of the sampled tokens          {found.with_logprobs} of {found.replies}")
    typer.echo(f"replies with a weights version for every token       {found.versioned} of {found.replies}")
    if (agreed := found.agreement) is not None:
        typer.echo(f"logprobs, sampler against transformers, {agreed.tokens} tokens")
        typer.echo(f"  |difference|  mean {agreed.mean:.2g}  p99 {agreed.p99:.2g}  max {agreed.most:.2g}")
        typer.echo(
            f"  bias {agreed.bias:+.2g}  kl {agreed.kl:.2g}  ratios {agreed.ratio_low:.4f} to {agreed.ratio_high:.4f}"
        )


def _state(server: ReplicaState) -> str:
    return f"serves version {server.version or '?'}" if server.healthy else "does not answer"


def _why(found: ServerCheck, most: float) -> str:
    if found.failed:
        return f"{len(found.failed)} prompts got no reply; first error: {found.failed[0]}"
    if found.same_prompts < found.replies:
        return "prompt tokens differ from transformers: check the server's tokenizer, chat template and image size"
    if found.agreement is None or found.with_logprobs < found.replies:
        return "logprobs are missing, or not those of the sampling distribution: check policy.servers.logprobs"
    return (
        f"mean logprob difference {found.agreement.mean:.3g} exceeds {most:g}: different weights or different kernels"
    )
