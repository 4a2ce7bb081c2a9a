"""How vLLM's build for processors is started here."""

from __future__ import annotations

import os
from pathlib import Path

from webgym.inference.config import ServersConfig
from webgym.inference.launch import Serving

HERE = Path(__file__).parent
PYTHON = os.environ.get("WEBGYM_VLLM", ".venv-vllm") + "/bin/python"
ARGUMENTS = ("--enforce-eager",)
ENVIRONMENT = {
    "PYTHONPATH": str(HERE / "shim"),
    "VLLM_CPU_KVCACHE_SPACE": "1",
    # Or g++ compiles for a quarter of a minute when it is first asked.
    "TORCH_COMPILE_DISABLE": "1",
    "VLLM_LOGGING_LEVEL": "WARNING",
    "HF_HUB_OFFLINE": "1",
}
SERVING = Serving("vllm", dtype="float32", length=1024, slots=8, threads=1)
SERVERS = ServersConfig(
    python=PYTHON, arguments=ARGUMENTS, environment=ENVIRONMENT, images=4, start_seconds=600, refresh="transfer"
)
