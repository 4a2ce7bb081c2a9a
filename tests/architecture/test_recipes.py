"""The recipes in docker/ and deploy/ name what exists: commands, settings, ports, routes, variables, packages."""

from __future__ import annotations

import ipaddress
import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer.main
from tests.recipes.recipes import (
    COMPOSE,
    KUBERNETES,
    ROOT,
    SLURM,
    Service,
    compose,
    compose_services,
    kubernetes_services,
    manifests,
    services,
    slurm_services,
)
from typer.exceptions import TyperException

from webgym.browser.server import supervise
from webgym.browser.server.proxy import addresses
from webgym.cli.fleet_options import read_fleet
from webgym.cli.main import app
from webgym.run.load import load_config

FILES = [path for folder in ("docker", "deploy") for path in sorted((ROOT / folder).rglob("*")) if path.is_file()]
DOCKERFILE = (ROOT / "docker/Dockerfile").read_text("utf-8")
RUNS = ("eval", "rollout", "train")


def source() -> str:
    folders = [ROOT / "src", *ROOT.glob("*/*/src"), ROOT / "benchmarks/src"]
    return "\n".join(path.read_text("utf-8") for folder in folders for path in folder.rglob("*.py"))


def accept(words: list[str]) -> dict[str, Any]:
    """Have the program parse a command line without carrying it out; return its parameters."""
    command: Any = typer.main.get_command(app)
    context = typer.Context(command)
    while hasattr(command, "commands"):
        _, command, words = command.resolve_command(context, words)
    return command.make_context("webgym", [*words]).params


@pytest.mark.parametrize("service", services(), ids=lambda service: f"{service.name}: {service.words[0]}")
def test_every_command_line_is_accepted_by_the_program_with_its_settings(service: Service):
    given = accept(service.words)
    if service.words[0] in RUNS:
        config = load_config(None, given["overrides"] or [])
        assert config.browser.url
        assert config.browser.sites


def test_a_command_line_that_the_program_does_not_know_is_noticed():
    for words in (["serve", "--wings"], ["fly"], ["serve", "--sessions", "many"], ["sites", "fly"]):
        with pytest.raises(TyperException):
            accept(words)


def test_the_script_for_slurm_starts_a_gateway_sites_nodes_and_a_run():
    started = [service.words for service in slurm_services()]
    assert [words[0] for words in started] == ["serve", "sites", "serve", "status", "eval"]
    assert "--gateway-only" in started[0]
    assert "--join" in started[2]


def port_of(url: str) -> int:
    found = re.search(r":(\d+)(/|$)", url)
    assert found, url
    return int(found[1])


def is_node(service: Service) -> bool:
    return "--join" in service.words


@pytest.mark.parametrize("of", [compose_services, kubernetes_services, slurm_services], ids=lambda of: of.__name__)
def test_nodes_and_runs_look_for_others_where_these_listen(of: Any):
    every = of()
    [gateway] = [service for service in every if "--gateway-only" in service.words]
    [sites] = [service for service in every if service.words[:2] == ["sites", "serve"]]
    nodes = [service for service in every if is_node(service)]
    assert nodes
    for node in nodes:
        assert port_of(node.option("--join")) == int(gateway.option("--port"))
        assert port_of(node.option("--advertise")) == int(node.option("--node-port"))
        assert node.option("--host") == "0.0.0.0"
    for run in (service for service in every if service.words[0] in RUNS):
        config = load_config(None, run.words[1:])
        assert port_of(config.browser.url) == int(gateway.option("--port"))
        assert port_of(config.browser.sites) == int(sites.option("--control-port"))


@pytest.mark.parametrize(
    "file", [ROOT / "docker/fleet.toml", KUBERNETES / "fleet.toml"], ids=lambda file: file.parent.name
)
def test_what_nodes_are_told_of_the_sites_is_read_and_names_their_service_and_port(file: Path):
    _, node = read_fleet(file, {})
    [sites] = [service for service in compose_services() if service.name == "sites"]
    assert node.chromium.egress.hermetic == {"*.localhost:80": f"sites:{sites.option('--port')}"}


def test_names_in_commands_are_names_of_services():
    composed = set(compose()["services"])
    offered = {one["metadata"]["name"] for one in manifests() if one["kind"] == "Service"}
    for names, every in ((composed, compose_services()), (offered, kubernetes_services())):
        hosts = {host for service in every for word in service.words for host in re.findall(r"http://([\w-]+):", word)}
        assert hosts
        assert hosts <= names


def test_health_is_asked_at_routes_that_exist_and_at_the_ports_that_are_listened_on():
    code = source()
    for service in [*compose_services(), *kubernetes_services()]:
        listens = {service.option(name) for name in ("--port", "--node-port", "--control-port")}
        for url in service.healthy:
            assert str(port_of(url)) in listens, service.name
            assert f'"/{url.split("/", 3)[3]}"' in code
    assert all(
        service.healthy for service in [*compose_services(), *kubernetes_services()] if service.words[0] != "eval"
    )


def test_pods_declare_the_ports_that_they_listen_on():
    for service in kubernetes_services():
        named = {service.option(name) for name in ("--port", "--node-port", "--control-port")} - {""}
        assert {str(port) for port in service.ports} == named


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_variable_that_is_set_is_one_that_the_program_reads(file: Path):
    code = source()
    named = set(re.findall(r"WEBGYM_[A-Z_]+", file.read_text("utf-8")))
    assert not [name for name in named if f'"{name}"' not in code]


@pytest.mark.parametrize("service", [*compose_services(), *kubernetes_services()], ids=lambda service: service.name)
def test_a_node_has_the_memory_and_the_time_that_its_sessions_need(service: Service):
    if is_node(service):
        assert service.megabytes >= 100 * int(service.option("--sessions")) + 512
        assert service.grace_seconds >= float(service.option("--drain")) + supervise._STOP_SECONDS


def test_a_node_has_a_core_for_each_four_sessions():
    [nodes] = [one for one in manifests() if one["kind"] == "Deployment" and one["metadata"]["name"] == "nodes"]
    [container] = nodes["spec"]["template"]["spec"]["containers"]
    sessions = int(container["args"][container["args"].index("--sessions") + 1])
    assert int(container["resources"]["requests"]["cpu"]) * 4 >= sessions


def test_only_the_gateway_and_clients_have_the_client_token_and_only_the_fleet_the_other():
    composed = {name: set(about["environment"]) for name, about in compose()["services"].items()}
    for name, variables in composed.items():
        assert ("WEBGYM_TOKEN" in variables) == (not name.startswith("node-"))
        assert ("WEBGYM_JOIN_TOKEN" in variables) == (name == "gateway" or name.startswith("node-"))
    assert "secret" not in json.dumps([one for one in manifests() if one["kind"] == "Secret"])


def policy(name: str) -> dict[str, Any]:
    [found] = [one for one in manifests() if one["kind"] == "NetworkPolicy" and one["metadata"]["name"] == name]
    return found["spec"]


def blocks() -> list[dict[str, Any]]:
    return [peer["ipBlock"] for rule in policy("nodes")["egress"] for peer in rule["to"] if "ipBlock" in peer]


def lets_through(address: str) -> bool:
    one = ipaddress.ip_address(address)
    allowed = [block for block in blocks() if one in ipaddress.ip_network(block["cidr"])]
    return any(not any(one in ipaddress.ip_network(cut) for cut in block["except"]) for block in allowed)


def test_the_network_lets_nodes_reach_no_address_that_their_proxies_refuse():
    refused = [network for network, _ in (*addresses._KINDS_4, *addresses._KINDS_6)]
    assert len(refused) > 20
    assert not [network for network in refused if lets_through(str(network[0])) or lets_through(str(network[-1]))]


def test_the_network_cuts_off_no_address_that_the_proxies_let_through():
    cut = [ipaddress.ip_network(network) for block in blocks() for network in block["except"]]
    sixtofour = ipaddress.ip_network("2002::/16")  # an IPv4 address inside it may be private
    assert not [
        one for one in cut if one != sixtofour and addresses.kind_of(one[1 if one.num_addresses > 1 else 0]) is None
    ]
    assert lets_through("93.184.215.14")
    assert lets_through("2606:2800:21f:cb07:6820:80da:af6b:8b2c")


def test_the_network_opens_the_ports_that_are_listened_on():
    ports = {
        name: {port["port"] for rule in policy(name)["ingress"] for port in rule["ports"]}
        for name in ("gateway", "nodes", "sites")
    }
    assert ports == {service.name: set(service.ports) for service in kubernetes_services() if service.ports}


def test_images_are_built_from_files_that_are_there_and_may_be_copied():
    copied = [
        word for line in re.findall(r"^COPY ((?!--from).+)$", DOCKERFILE, re.MULTILINE) for word in line.split()[:-1]
    ]
    files = [word for word in copied if not word.startswith("--") and word != "."]
    assert len(files) > 6
    assert not [file for file in files if not (ROOT / file).is_file()]
    ignore = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert ignore[ignore.index("*")] == "*"
    allowed = [line.removeprefix("!") for line in ignore if line.startswith("!")]
    assert not [file for file in files if not any(file == one or file.startswith(f"{one}/") for one in allowed)]
    assert not [one for one in allowed if not (ROOT / one).exists()]


def test_images_contain_what_the_lock_pins():
    lock = {line.partition("==")[0].lower() for line in (ROOT / "requirements.lock").read_text("utf-8").splitlines()}
    calls = re.findall(r"requirements\.py /opt/wanted ([^>]+)", DOCKERFILE.replace("\\\n", " "))
    assert len(calls) == 2
    for call in calls:
        command = [sys.executable, str(ROOT / "docker/requirements.py"), str(ROOT), *shlex.split(call)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        names = {re.split(r"[<>=\[]", requirement)[0].lower() for requirement in said}
        assert "playwright" in names
        assert ("torch" in names) == ("train" in call)
        assert names <= lock


def test_our_own_packages_are_those_that_are_not_taken_from_an_index():
    code = (ROOT / "docker/requirements.py").read_text("utf-8")
    names = re.findall(r'"(webgym[\w-]*)"', code)
    projects = [ROOT / "pyproject.toml", *ROOT.glob("*/*/pyproject.toml")]
    known = {tomllib.loads(project.read_text("utf-8"))["project"]["name"] for project in projects}
    assert set(names) <= known
    for path in re.findall(r"/src/([\w/]+)", DOCKERFILE):
        assert tomllib.loads((ROOT / path / "pyproject.toml").read_text("utf-8"))["project"]["name"] in names


def test_images_are_named_without_the_host_of_a_registry():
    named = [*re.findall(r"^(?:ARG \w*BASE=|FROM )(\S+)", DOCKERFILE, re.MULTILINE)]
    named += re.findall(r"image: (\S+)", "\n".join(file.read_text("utf-8") for file in FILES))
    assert len(named) > 6
    assert not [name for name in named if "." in name.partition("/")[0] and "/" in name]


def test_files_with_tokens_are_not_committed():
    ignored = (ROOT / ".gitignore").read_text("utf-8").split()
    assert {".env", "tokens.env"} <= set(ignored)
    page = (ROOT / "docs/many-machines.md").read_text("utf-8")
    assert {Path(name).name for name in re.findall(r"> (\S+env)\)?$", page, re.MULTILINE)} == {".env", "tokens.env"}


def test_scripts_can_be_started():
    for file in (SLURM, ROOT / "docker/healthy", ROOT / "tests/recipes/run"):
        assert file.stat().st_mode & 0o111
    assert COMPOSE.is_file()
