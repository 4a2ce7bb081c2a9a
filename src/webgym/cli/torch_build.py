"""Installs PyTorch's build for the CPU where there is no GPU: the one of PyPI brings gigabytes of CUDA on x86-64.

Needs nothing but Python, because `make` runs this file before anything is installed, as `torch_build.py REQUIREMENT`
followed by options of pip.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

CPU_INDEX = "https://download.pytorch.org/whl/cpu"
CHOICE = "WEBGYM_TORCH"
"""If set to `cpu` or `cuda`, this build is installed, whatever this machine has."""
SIZES = "PyTorch for the CPU takes 0.2 GB to download and 0.8 GB on disk; with CUDA, 2.7 GB and 5 GB"
_DRIVER = Path("/proc/driver/nvidia")
_ANSWER_SECONDS = 5.0


def wants_cuda() -> bool:
    """Return whether PyTorch should be able to use a GPU: as the user says, else if an NVIDIA driver is here."""
    choice = os.environ.get(CHOICE)
    return choice == "cuda" if choice else _DRIVER.exists() or shutil.which("nvidia-smi") is not None


def install_cpu_build(requirement: str, *options: str) -> None:
    """Install PyTorch without CUDA, unless CUDA is wanted or PyTorch's own index cannot be reached.

    In these cases nothing is installed, so that pip takes PyTorch from where it takes everything else.
    """
    if wants_cuda():
        _say(f"{SIZES}. Taken: the one with CUDA, for the GPU of this machine ({CHOICE}=cpu takes the other)")
        return
    _say(f"{SIZES}. Taken: the one for the CPU, without an NVIDIA GPU ({CHOICE}=cuda takes the other)")
    if not _answers(CPU_INDEX):
        _say(f"{CPU_INDEX} does not answer: pip takes the PyTorch that it finds, on x86-64 usually with CUDA")
        return
    # Only PyTorch itself: this index has old versions of what it depends on.
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--index-url", CPU_INDEX, requirement, *options]
    if subprocess.run(command, check=False).returncode != 0:
        _say("that did not work: pip takes the PyTorch that it finds, on x86-64 usually with CUDA")


def _answers(index: str) -> bool:
    try:
        with urllib.request.urlopen(f"{index}/torch/", timeout=_ANSWER_SECONDS):  # noqa: S310 - a constant
            return True
    except OSError:  # includes `urllib.error.URLError`
        return False


def _say(text: str) -> None:
    print(f"setup: {text}", file=sys.stderr)


if __name__ == "__main__":
    install_cpu_build(sys.argv[1], *sys.argv[2:])
