"""The page about inference servers says what the code says."""

from __future__ import annotations

import re
from pathlib import Path

from webgym.inference.config import ServersConfig
from webgym.inference.launch import Serving, command_of, environment_of
from webgym.inference.sglang import Sglang
from webgym.inference.vllm import Vllm

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/inference-servers.md").read_text("utf-8")


def settings() -> dict[str, str]:
    rows = PAGE.split("\n## Settings\n", 1)[1].split("\n## ", 1)[0].splitlines()
    cells = [line.strip("|").split("|") for line in rows if line.startswith("| `")]
    return {name: row[1].strip() for row in cells for name in re.findall(r"`(\w+)`", row[0])}


def test_every_setting_of_servers_is_documented_with_its_default():
    documented = settings()
    assert documented.keys() == ServersConfig.model_fields.keys()
    chosen = ServersConfig()
    numbers = {name: float(default) for name, default in documented.items() if default.isdecimal()}
    assert numbers == {name: float(getattr(chosen, name)) for name in numbers}
    assert len(numbers) == 4
    words = {name: default.strip("`") for name, default in documented.items() if default.startswith("`")}
    assert words == {name: getattr(chosen, name) for name in words} == {"refresh": "disk", "in_flight": "recompute"}


def test_the_routes_and_options_shown_are_those_in_use():
    code = "".join((ROOT / f"src/webgym/inference/{name}.py").read_text("utf-8") for name in ("vllm", "sglang"))
    table = PAGE.split("\n| | vLLM | SGLang |\n", 1)[1].split("\n\n", 1)[0]
    routes = set(re.findall(r"`(/[\w/]+)", table))
    assert {Vllm.generate, Sglang.generate} <= routes
    assert len(routes) == 18
    assert not [route for route in routes if f'"{route}"' not in code and f"{route}?" not in code]
    started = " ".join(command_of(Serving("vllm"), ServersConfig(), "m", 1))
    assert all(option in started for option in re.findall(r"`(--[\w -]+)`", table))
    assert environment_of(Serving("vllm"), ServersConfig(), 0, Path())["VLLM_SERVER_DEV_MODE"] == "1"
