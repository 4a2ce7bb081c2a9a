"""Command lines and environments of servers."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec

from webgym.inference.config import Kind, ServersConfig
from webgym.records.base import Record
from webgym.serving.gpus import VISIBLE

NAME = "policy"
"""Served model name, whatever the folder is called."""
_PLUGIN = Path(__file__).parent / "plugin"
_OWN: dict[Kind, dict[str, str]] = {
    "vllm": {"VLLM_SERVER_DEV_MODE": "1", "VLLM_NO_USAGE_STATS": "1", "VLLM_HOST_IP": "127.0.0.1"},
    # The default of 100 MB overflows with screenshots, and images go missing.
    "sglang": {"SGLANG_VLM_CACHE_SIZE_MB": "8192"},
}


class Serving(Record, frozen=True):
    """What to serve, independent of the kind of server."""

    kind: Kind
    dtype: str = "auto"
    length: int = 2048
    """Maximum tokens of a prompt and its reply."""
    slots: int = 16
    """Maximum number of concurrent sequences."""
    threads: int = 0
    """CPU threads of a server; 0: its default."""


def command_of(serving: Serving, config: ServersConfig, model: str, port: int) -> tuple[str, ...]:
    """Return the command that starts a server on the loopback interface."""
    python = config.python or sys.executable
    match serving.kind:
        case "vllm":
            # The module, not the command `vllm`, which CPU builds do not have.
            return (python, "-m", "vllm.entrypoints.openai.api_server", *_vllm(serving, config, model, port))
        case "sglang":
            return (python, "-m", "sglang.launch_server", *_sglang(serving, config, model, port))


def _vllm(serving: Serving, config: ServersConfig, model: str, port: int) -> list[str]:
    pictures = msgspec.json.encode({"image": config.images, "video": 0}).decode()
    options = ["--model", model, "--served-model-name", NAME, "--host", "127.0.0.1", "--port", str(port)]
    options += ["--dtype", serving.dtype, "--max-model-len", str(serving.length), "--max-num-seqs", str(serving.slots)]
    options += ["--limit-mm-per-prompt", pictures, "--enable-scale-out"]
    # Logprobs of the distribution sampled from; the default ignores the temperature.
    options += ["--logprobs-mode", "processed_logprobs"]
    if config.sleep:
        options.append("--enable-sleep-mode")
    if config.refresh == "transfer":
        options += ["--weight-transfer-config", '{"backend": "webgym"}']
    return [*options, *config.arguments]


def _sglang(serving: Serving, config: ServersConfig, model: str, port: int) -> list[str]:
    options = ["--model-path", model, "--served-model-name", NAME, "--host", "127.0.0.1", "--port", str(port)]
    options += ["--dtype", serving.dtype, "--context-length", str(serving.length)]
    options += ["--max-running-requests", str(serving.slots)]
    if config.sleep:
        options.append("--enable-memory-saver")
    return [*options, *config.arguments]


def environment_of(serving: Serving, config: ServersConfig, devices: str | None, scratch: Path) -> dict[str, str]:
    """Return the server's environment: ours, what it needs, and what the user configured. `devices` None: inherited."""
    made = dict(os.environ) | {"TMPDIR": str(scratch), "PYTHONUNBUFFERED": "1"} | _OWN[serving.kind]
    if serving.threads:
        made["OMP_NUM_THREADS"] = str(serving.threads)
    if devices is not None:
        made[VISIBLE] = devices
    made |= config.environment
    if config.refresh == "transfer":
        made["PYTHONPATH"] = os.pathsep.join(filter(None, (str(_PLUGIN), made.get("PYTHONPATH"))))
    return made
