"""Form actions: selecting options and uploading files."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Error, FileChooser, FilePayload
from playwright.async_api import TimeoutError as PlaywrightTimeout

from webgym.browser.server.chromium.actions.places import aim
from webgym.browser.server.chromium.actions.pointer import click_at
from webgym.browser.server.chromium.frame_calls import apply
from webgym.browser.server.chromium.tab import FieldEntry, TabHandle
from webgym.records.action import Select, Upload
from webgym.records.observation import ActionFailure, FailedReason

_CHOOSER_SECONDS = 3.0
"""How long after the click a page may take to open a file chooser."""


async def select(tab: TabHandle, action: Select) -> ActionFailure | None:
    """Choose options of a native `<select>`."""
    at = await aim(tab, action.target)
    if isinstance(at, ActionFailure):
        return at
    found = await apply(tab, at.place, "choose", action.options)
    if found is None:
        return ActionFailure(FailedReason.NOT_EDITABLE, "nothing is there")
    refusal = _refusal(found[0])
    tab.entry = None if refusal else FieldEntry(found[1].frame, chosen=True)
    return refusal


def _refusal(answer: dict[str, Any]) -> ActionFailure | None:
    match answer:
        case {"chosen": _}:
            return None
        case {"tag": tag}:
            return ActionFailure(
                FailedReason.NOT_EDITABLE, f"a <{tag}> is not a <select>; click it and then an option instead"
            )
        case {"unusable": _}:
            return ActionFailure(FailedReason.NOT_EDITABLE, "the <select> is disabled")
        case {"single": _}:
            return ActionFailure(FailedReason.INVALID_VALUE, "exactly one option can be chosen here")
        case _:
            what = "is disabled" if answer["disabled"] else "is not there"
            more = f" and {answer['more']} more" if answer["more"] else ""
            options = ", ".join(map(repr, answer["options"]))
            return ActionFailure(
                FailedReason.NO_SUCH_OPTION, f"{answer['refused']!r} {what}; there are: {options}{more}"
            )


async def upload(tab: TabHandle, action: Upload) -> ActionFailure | None:
    """Click the target and give the files to the chooser that opens."""
    at = await aim(tab, action.target)
    if isinstance(at, ActionFailure):
        return at
    try:
        async with tab.page.expect_file_chooser(timeout=_CHOOSER_SECONDS * 1000) as opened:
            # Interception is enabled without an acknowledgement; a reply from the same page means that it is active.
            await tab.page.evaluate("0")
            await click_at(tab, at)
        chooser = await opened.value
    except PlaywrightTimeout:
        return ActionFailure(FailedReason.NOT_A_FILE_INPUT, "clicking it does not open a file chooser")
    return await _hand_over(chooser, action)


async def _hand_over(chooser: FileChooser, action: Upload) -> ActionFailure | None:
    if len(action.files) > 1 and not chooser.is_multiple():
        return ActionFailure(FailedReason.INVALID_VALUE, "this field accepts only one file")
    files = [FilePayload(name=file.name, mimeType=file.media_type, buffer=file.data) for file in action.files]
    try:
        await chooser.set_files(files)
    except Error as error:
        if chooser.page.is_closed():
            raise
        return ActionFailure(FailedReason.INVALID_VALUE, error.message.splitlines()[0])
    return None
