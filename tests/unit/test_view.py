"""When the view of a page is small, and when it is whole."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Error

from webgym.browser.server.chromium.switchboard import Line, Switchboard
from webgym.browser.server.chromium.view import View
from webgym.records.observation import Viewport

SMALL, WHOLE = (16, 16), (1000, 700)


class Telling(Line):
    """Writes down which sizes are asked for."""

    def __init__(self, *, fails: bool = False) -> None:
        super().__init__(Switchboard(quiet=True), "A")
        self.sizes: list[tuple[int, int]] = []
        self._fails = fails

    async def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        if self._fails:
            raise Error(f"'{method}' wasn't found")
        if params and method == "Emulation.setVisibleSize":
            self.sizes.append((params["width"], params["height"]))
        return {}


@pytest.fixture
def line() -> Telling:
    return Telling()


@pytest.fixture
def view(line: Telling) -> View:
    return View(line, Viewport(width=1000, height=700))


@pytest.mark.anyio
async def test_it_is_made_small_once_for_each_document(line: Telling, view: View):
    assert [await view.fit(document, whole=False) for document in (1.0, 1.0, 2.0)] == [False] * 3
    assert line.sizes == [SMALL, SMALL]


@pytest.mark.anyio
async def test_it_becomes_whole_when_a_frame_of_another_origin_comes_and_small_when_it_goes(line: Telling, view: View):
    assert [await view.fit(1.0, whole=whole) for whole in (False, True, True, False)] == [False, True, False, False]
    assert line.sizes == [SMALL, WHOLE, SMALL]


@pytest.mark.anyio
async def test_opened_it_is_whole_until_it_is_fitted_again(line: Telling, view: View):
    assert not await view.open()  # it has never been small
    await view.fit(1.0, whole=False)
    assert [await view.open(), await view.open()] == [True, False]
    await view.fit(1.0, whole=False)
    assert line.sizes == [SMALL, WHOLE, SMALL]


@pytest.mark.anyio
async def test_a_browser_that_cannot_resize_views_is_left_as_it_is():
    view = View(Telling(fails=True), Viewport())
    assert not await view.fit(1.0, whole=False)
