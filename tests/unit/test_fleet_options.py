"""Where a fleet's settings come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from webgym.cli.fleet_options import _PLACES, read_fleet
from webgym.errors import ConfigError

FILE = """
[gateway]
port = 7500
[node]
max_sessions = 3
[node.chromium]
recycle_after_sessions = 50
[node.chromium.egress]
allow = ["10.0.0.1:80"]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "fleet.toml"
    path.write_text(FILE)
    return path


def test_the_file_sets_what_options_do_not(file: Path):
    gateway, node = read_fleet(file, {})
    assert (gateway.port, node.max_sessions) == (7500, 3)
    assert node.chromium.recycle_after_sessions == 50
    assert node.chromium.egress.allow == ("10.0.0.1:80",)


def test_options_win_over_the_file(file: Path):
    gateway, node = read_fleet(file, {"port": 7600, "sessions": 5, "host": "127.0.0.2", "tls_key": "k.pem"})
    assert (gateway.port, gateway.host, node.host, node.max_sessions) == (7600, "127.0.0.2", "127.0.0.2", 5)
    assert (gateway.tls.key, node.tls.key) == ("k.pem", "k.pem")
    assert node.chromium.recycle_after_sessions == 50


def test_every_option_stands_somewhere_in_the_file():
    for name, places in _PLACES.items():
        value = {"port": 1, "node_port": 1, "queue": 1, "sessions": 1, "sessions_per_worker": 1, "allow": ["a:1"]}
        value |= {"headed": True, "join": "http://x", "advertise": "http://x", "drain": 1}
        gateway, node = read_fleet(None, {name: value.get(name, "x")})
        default_gateway, default_node = read_fleet(None, {})
        changed = (gateway != default_gateway, node != default_node)
        assert changed == (any(p.startswith("gateway.") for p in places), any(p.startswith("node.") for p in places))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[node", "is not TOML"),
        ("[node]\nmax_session = 3", "node.max_session"),
        ("[node]\nmax_sessions = 0", "node.max_sessions"),
        ("[nodes]", "nodes"),
        ("[node]\ngateway = '10.0.0.7:7000'", "node.gateway.*http://"),
        ("[node]\ngateway = 'http://10.0.0.7:port'", "node.gateway.*[Pp]ort"),
        ("[node]\nadvertise = '10.0.0.8'", "node.advertise.*http://"),
    ],
)
def test_a_file_that_makes_no_sense_is_told_where(tmp_path: Path, text: str, told: str):
    path = tmp_path / "fleet.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=told):
        read_fleet(path, {})


def test_a_url_may_end_with_a_slash():
    _, node = read_fleet(None, {"join": "http://10.0.0.7:7000/", "advertise": "http://10.0.0.8:7001/"})
    assert (node.gateway, node.advertise) == ("http://10.0.0.7:7000", "http://10.0.0.8:7001")
    assert read_fleet(None, {})[1].advertise == ""


def test_a_missing_file_is_told(tmp_path: Path):
    with pytest.raises(ConfigError, match="cannot read"):
        read_fleet(tmp_path / "none.toml", {})


def test_a_file_that_is_not_text_is_told(tmp_path: Path):
    path = tmp_path / "fleet.toml"
    path.write_bytes(b"[gateway]\nhost = '\xff\xfe'\n")
    with pytest.raises(ConfigError, match=r"fleet\.toml is not TOML"):
        read_fleet(path, {})


def test_the_example_in_the_docs_is_a_fleet(tmp_path: Path):
    page = (Path(__file__).parents[2] / "docs" / "serving.md").read_text()
    path = tmp_path / "fleet.toml"
    path.write_text(page.split("```toml")[1].split("```")[0])
    _, node = read_fleet(path, {})
    assert (node.max_sessions, node.max_load_per_core) == (32, 4.0)
