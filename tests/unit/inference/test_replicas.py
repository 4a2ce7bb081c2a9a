"""Orders to several servers, some of which get lost."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace

import anyio
import pytest

from webgym.errors import PolicyUnavailable
from webgym.inference import replicas as module
from webgym.inference.config import ServersConfig
from webgym.inference.replicas import Replicas
from webgym.records.sample import PolicyVersion

pytestmark = pytest.mark.anyio


@dataclass
class Server:
    """One server and how it is spoken to; it loses the answers to some orders."""

    loses: list[str] = field(default_factory=list)
    """Orders that are carried out, but not answered; each is lost once."""
    fails: list[str] = field(default_factory=list)
    """Orders that are not carried out; each fails once."""
    orders: list[str] = field(default_factory=list)
    paused: bool = False
    asleep: bool = False
    label: str = "0"

    def _order(self, name: str) -> None:
        self.orders.append(name)
        if name in self.fails:
            self.fails.remove(name)
            raise PolicyUnavailable(f"/{name} answered 500")

    def _answer(self, name: str) -> None:
        if name in self.loses:
            self.loses.remove(name)
            raise PolicyUnavailable(f"/{name} did not get through")

    async def check(self, call, folder) -> None:
        del call, folder

    async def pause(self, call, in_flight) -> None:
        self._order("pause")
        self.paused = True
        self._answer("pause")

    async def load(self, call, folder, version) -> None:
        self._order("load")
        self.label = str(version)
        self._answer("load")

    async def resume(self, call) -> None:
        self._order("resume")
        self.paused = False
        self._answer("resume")

    async def sleep(self, call) -> None:
        self._order("sleep")
        self.asleep = True

    async def wake(self, call) -> None:
        self._order("wake")
        # As SGLang: its scheduler dies of it.
        assert self.asleep, "woken twice"
        self.asleep = False

    async def version(self, call) -> str:
        return self.label


@pytest.fixture
def policy(tmp_path) -> PolicyVersion:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"")
    return PolicyVersion(1, str(tmp_path))


def process() -> SimpleNamespace:
    serves = anyio.Event()
    serves.set()
    return SimpleNamespace(serves=serves, url="http://a", restarts=0, log="a.log")


def replicas_of(
    server: Server, policy: PolicyVersion, *, started: bool, config: ServersConfig = ServersConfig(refresh_seconds=20)
) -> Replicas:
    orders = SimpleNamespace(to=lambda url, seconds: None)
    found = Replicas(server, config, orders, PolicyVersion(0, policy.path))
    found.add("http://a", process() if started else None)
    return found


SLEEPING = ServersConfig(refresh_seconds=20, sleep=True)


@pytest.mark.parametrize("started", [True, False])
@pytest.mark.parametrize(
    "trouble", [{"fails": ["resume"]}, {"loses": ["load"]}, {"loses": ["resume"]}, {"fails": ["load"]}]
)
async def test_a_server_goes_on_sampling_whatever_order_of_a_refresh_got_lost(started, trouble, policy, monkeypatch):
    monkeypatch.setattr(module, "_AGAIN_SECONDS", 0.01)
    server = Server(**trouble)
    await replicas_of(server, policy, started=started).refresh(policy)
    assert (server.label, server.paused) == ("1", False)
    assert server.orders[-1] == "resume"


async def test_a_server_that_has_the_weights_already_does_not_load_them_again(policy):
    server = Server(label="1")
    await replicas_of(server, policy, started=True).refresh(policy)
    assert server.orders == ["resume"]


@pytest.mark.parametrize("started", [True, False])
async def test_a_server_that_is_awake_is_not_woken_again_when_loading_fails(started, policy, monkeypatch):
    monkeypatch.setattr(module, "_AGAIN_SECONDS", 0.01)
    server = Server(fails=["load"])
    replicas = replicas_of(server, policy, started=started, config=SLEEPING)
    await replicas.rest()
    await replicas.refresh(policy)
    assert server.orders == ["pause", "sleep", "pause", "wake", "load", "pause", "load", "resume"]
    await replicas.rest()
    assert server.asleep


async def test_a_server_that_was_started_again_while_it_slept_is_not_woken(policy):
    server = Server()
    replicas = Replicas(server, SLEEPING, SimpleNamespace(to=lambda url, seconds: None), policy)
    running = process()
    replicas.add("http://a", running)
    await replicas.rest()
    running.restarts, server.asleep, server.paused = 1, False, False
    await replicas.refresh(policy)
    assert "wake" not in server.orders
    assert (server.label, server.paused) == ("1", False)
