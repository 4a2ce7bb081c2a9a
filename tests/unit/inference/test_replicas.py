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

    async def version(self, call) -> str:
        return self.label


@pytest.fixture
def policy(tmp_path) -> PolicyVersion:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"")
    return PolicyVersion(1, str(tmp_path))


def replicas_of(server: Server, policy: PolicyVersion, *, started: bool) -> Replicas:
    orders = SimpleNamespace(to=lambda url, seconds: None)
    found = Replicas(server, ServersConfig(refresh_seconds=20), orders, PolicyVersion(0, policy.path))
    serves = anyio.Event()
    serves.set()
    found.add("http://a", SimpleNamespace(serves=serves, url="http://a", restarts=0, log="a.log") if started else None)
    return found


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
