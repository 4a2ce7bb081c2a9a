"""What opens the control plane of the sites: its token, and nothing else."""

from __future__ import annotations

import pytest
from tests.asgi import asked

from webgym.errors import ConfigError
from webgym.serving.bearer import bears, digest
from webgym_hermetic.catalogue import site
from webgym_hermetic.control.app import control_app
from webgym_hermetic.states import States

pytestmark = pytest.mark.anyio
TOKEN = "control-secret"
SHOP = site("shop", 0)
ROUTES = [
    ("GET", "/v1/status"),
    ("POST", "/v1/states"),
    ("POST", "/v1/states/KEY/fork"),
    ("POST", "/v1/states/KEY/restart"),
    ("GET", f"/v1/states/KEY/sites/{SHOP.name}"),
    ("DELETE", "/v1/states/KEY"),
]
NO_TOKENS = [None, "", "Bearer", "Bearer ", "Bearer    ", f"Basic {TOKEN}", TOKEN, "Bearer wrong", f"Bearer {TOKEN}x"]


@pytest.mark.parametrize("header", NO_TOKENS)
@pytest.mark.parametrize(("method", "path"), ROUTES)
async def test_no_route_opens_to_anything_but_the_token(method: str, path: str, header: str | None):
    states = States()
    key = states.begin(SHOP)
    app = control_app({SHOP.name: SHOP}, states, TOKEN, 1)
    headers = {} if header is None else {"Authorization": header}
    status, _ = await asked(app, method, path.replace("KEY", key), b"{}", headers)
    assert status == 401
    assert len(states) == 1


async def test_the_token_opens_it():
    app = control_app({SHOP.name: SHOP}, States(), TOKEN, 1)
    assert (await asked(app, "GET", "/v1/status", b"", {"Authorization": f"Bearer {TOKEN}"}))[0] == 200


def test_a_control_plane_without_a_token_is_not_served():
    with pytest.raises(ConfigError, match="token"):
        control_app({SHOP.name: SHOP}, States(), "", 1)


def test_an_empty_token_opens_nothing_even_where_it_is_expected():
    assert not bears("Bearer ", digest(""))
    assert not bears(None, digest(""))
