"""What the files of docker/ and deploy/ say, for tests of them."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "docker/compose.yaml"
SLURM = ROOT / "deploy/slurm/fleet.sbatch"
KUBERNETES = ROOT / "deploy/kubernetes"
TOKENS = {"WEBGYM_TOKEN": "client-secret", "WEBGYM_JOIN_TOKEN": "join-secret"}


@dataclass(frozen=True)
class Service:
    """A container that runs `webgym`, of whichever recipe."""

    name: str
    words: list[str]
    """The command line, without the program."""
    healthy: tuple[str, ...] = ()
    """The URLs at which its health is asked."""
    megabytes: float = 0.0
    """The memory it is promised."""
    grace_seconds: float = 0.0
    """How long it may take to stop."""
    ports: frozenset[int] = frozenset()

    def option(self, name: str) -> str:
        """The value of an option; empty if it is not given."""
        return self.words[self.words.index(name) + 1] if name in self.words else ""


def compose() -> dict[str, Any]:
    return yaml.safe_load(COMPOSE.read_text("utf-8"))


def compose_services() -> list[Service]:
    return [
        Service(
            name,
            shlex.split(about["command"]),
            tuple(about["healthcheck"].get("test", ())[2:]),
            float(about.get("mem_limit", "0m").removesuffix("m")),
            float(about.get("stop_grace_period", "10s").removesuffix("s")),
        )
        for name, about in compose()["services"].items()
    ]


def manifests() -> list[dict[str, Any]]:
    files = sorted(KUBERNETES.glob("*.yaml"))
    return [one for file in files for one in yaml.safe_load_all(file.read_text("utf-8"))]


def kubernetes_services() -> list[Service]:
    return [
        _of_pod(one["metadata"]["name"], one["spec"]["template"]["spec"])
        for one in manifests()
        if one["kind"] in ("Deployment", "Job")
    ]


def _of_pod(name: str, pod: dict[str, Any]) -> Service:
    [container] = pod["containers"]
    probes = [container[f"{kind}Probe"] for kind in ("startup", "readiness", "liveness") if f"{kind}Probe" in container]
    return Service(
        name,
        container["args"],
        tuple(url for probe in probes for url in probe["exec"]["command"][1:]),
        _megabytes(container["resources"]["requests"]["memory"]),
        float(pod.get("terminationGracePeriodSeconds", 30)),
        frozenset(port["containerPort"] for port in container.get("ports", ())),
    )


def _megabytes(quantity: str) -> float:
    number, unit = re.fullmatch(r"(\d+)(Gi|Mi|M)", quantity).groups()  # pyright: ignore[reportOptionalMemberAccess]
    return float(number) * {"Gi": 2**30, "Mi": 2**20, "M": 10**6}[unit] / 10**6


def slurm_services() -> list[Service]:
    """Its command lines, with the script's own defaults in place of variables."""
    text = SLURM.read_text("utf-8").replace("\\\n", " ")
    known = {
        "gateway": "http://first:7000", "first": "first", "host": "first", "folder": "/job", "sessions": "16",
        **dict(re.findall(r"(\w+_port|drain)=\$\{\w+:-(\d+)\}", text)),
        "@": "eval agent.use=oracle tasks.count=20",
    }  # fmt: skip
    lines = re.findall(r'"\$webgym" ([^>|&\n]+)', text)
    filled = [re.sub(r'"?\$\{?([\w@]+)\}?"?', lambda found: known[found[1]], line.split(" 2")[0]) for line in lines]
    return [Service(f"line {number}", shlex.split(line.replace('"', ""))) for number, line in enumerate(filled)]


def services() -> list[Service]:
    """Those of every recipe."""
    return [*compose_services(), *kubernetes_services(), *slurm_services()]
