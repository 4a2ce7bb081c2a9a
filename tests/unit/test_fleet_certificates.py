"""Certificates are looked at before a fleet starts: its processes would fail over them again and again."""

from __future__ import annotations

from pathlib import Path

import pytest
import trustme

from webgym.browser.config import GatewayConfig, TlsConfig
from webgym.browser.server.supervise import run_fleet
from webgym.browser.tokens import FleetTokens
from webgym.errors import ConfigError

pytestmark = pytest.mark.anyio


@pytest.fixture
def files(tmp_path: Path) -> Path:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    for name in ("one", "two"):
        issued = authority.issue_cert("127.0.0.1")
        issued.cert_chain_pems[0].write_to_path(tmp_path / f"{name}.pem")
        issued.private_key_pem.write_to_path(tmp_path / f"{name}.key")
    (tmp_path / "note.txt").write_text("no certificate")
    return tmp_path


@pytest.mark.parametrize(
    ("certificate", "key", "authority", "told"),
    [
        ("none.pem", "", "", "does not exist"),
        ("note.txt", "", "", "note.txt"),
        ("one.pem", "", "", "one.pem"),  # its key is in another file
        ("one.pem", "two.key", "", "two.key"),
        ("", "one.key", "", "certificate"),
        ("one.pem", "one.key", "note.txt", "note.txt"),
    ],
)
async def test_certificates_that_cannot_be_used_are_told_before_anything_starts(
    files: Path, certificate: str, key: str, authority: str, told: str
):
    given = {"certificate": certificate, "key": key, "authority": authority}
    tls = TlsConfig(**{name: str(files / file) for name, file in given.items() if file})
    with pytest.raises(ConfigError, match=told):
        async with run_fleet(GatewayConfig(port=0, tls=tls), [], tokens=FleetTokens("client", "join")):
            pass


async def test_certificates_that_can_be_used_are(files: Path):
    paths = {"certificate": "one.pem", "key": "one.key", "authority": "ca.pem"}
    tls = TlsConfig(**{name: str(files / file) for name, file in paths.items()})
    async with run_fleet(GatewayConfig(port=0, tls=tls), [], tokens=FleetTokens("client", "join")):
        pass
