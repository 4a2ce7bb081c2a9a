"""Command lines of servers."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec

from webgym.inference.config import Kind, ServersConfig
from webgym.records.base import Record
from webgym.serving.gpus import VISIBLE

NAME = "policy"
"""By which the servers know the model, whatever its folder is called."""
_PLUGIN = Path(__file__).parent / "plugin"
_OWN: dict[Kind, dict[str, str]] = {
    "vllm": {"VLLM_SERVER_DEV_MODE": "1", "VLLM_NO_USAGE_STATS": "1", "VLLM_HOST_IP": "127.0.0.1"},
    # Its default of 100 MB overflows with screenshots, and pictures go missing.
    "sglang": {"SGLANG_VLM_CACHE_SIZE_MB": "8192"},
}


class Serving(Record, frozen=True):
    """What is served, whichever server does it."""

    kind: Kind
    dtype: str = "auto"
    length: int = 2048
    """Tokens of a prompt and its reply."""
    slots: int = 16
    """Replies that are written at once."""
    threads: int = 0
    """Of a server on a processor; 0: as it likes."""


def command_of(serving: Serving, config: ServersConfig, model: str, port: int) -> tuple[str, ...]:
    """That starts a server on the loopback interface."""
    python = config.python or sys.executable
    match serving.kind:
        case "vllm":
            # The module and not the command `vllm`, which its builds for processors do not have.
            return (python, "-m", "vllm.entrypoints.openai.api_server", *_vllm(serving, config, model, port))
        case "sglang":
            return (python, "-m", "sglang.launch_server", *_sglang(serving, config, model, port))


def _vllm(serving: Serving, config: ServersConfig, model: str, port: int) -> list[str]:
    pictures = msgspec.json.encode({"image": config.images, "video": 0}).decode()
    options = ["--model", model, "--served-model-name", NAME, "--host", "127.0.0.1", "--port", str(port)]
    options += ["--dtype", serving.dtype, "--max-model-len", str(serving.length), "--max-num-seqs", str(serving.slots)]
    options += ["--limit-mm-per-prompt", pictures, "--enable-scale-out"]
    # Of the distribution sampled from; its default ignores the temperature.
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
    """Of the server: ours, what it needs, and what the user configured. `devices`: of CUDA; None: as ours has them."""
    made = dict(os.environ) | {"TMPDIR": str(scratch), "PYTHONUNBUFFERED": "1"} | _OWN[serving.kind]
    if serving.threads:
        made["OMP_NUM_THREADS"] = str(serving.threads)
    if devices is not None:
        made[VISIBLE] = devices
    made |= config.environment
    if config.refresh == "transfer":
        made["PYTHONPATH"] = os.pathsep.join(filter(None, (str(_PLUGIN), made.get("PYTHONPATH"))))
    return made
