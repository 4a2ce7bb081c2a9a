"""An agent's actions on a page, as trusted input events that pages cannot tell from a user's."""

from __future__ import annotations

from typing import assert_never

from webgym.browser.server.chromium.actions.forms import select, upload
from webgym.browser.server.chromium.actions.keyboard import press
from webgym.browser.server.chromium.actions.pointer import click, drag, hover, scroll
from webgym.browser.server.chromium.actions.text import type_text
from webgym.browser.server.chromium.tab import TabHandle
from webgym.records.action import Click, Drag, Hover, Press, Scroll, Select, TypeText, Upload
from webgym.records.observation import ActionFailure

PageAction = Click | Hover | Drag | TypeText | Press | Scroll | Select | Upload


async def perform(tab: TabHandle, action: PageAction) -> ActionFailure | None:
    """Execute an action. The agent's mistakes are returned as `ActionFailure`; other failures are raised."""
    tab.entry = None
    match action:
        case Click():
            return await click(tab, action)
        case Hover():
            return await hover(tab, action)
        case Drag():
            return await drag(tab, action)
        case TypeText():
            return await type_text(tab, action)
        case Press():
            return await press(tab, action)
        case Scroll():
            return await scroll(tab, action)
        case Select():
            return await select(tab, action)
        case Upload():
            return await upload(tab, action)
        case _:
            assert_never(action)
