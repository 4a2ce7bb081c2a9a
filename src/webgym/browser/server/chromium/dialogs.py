"""JavaScript dialogs (alert, confirm, prompt): shown to the agent, or answered by policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

import anyio
from playwright.async_api import BrowserContext, Error
from playwright.async_api import Dialog as PageDialog

from webgym.browser.server.chromium.tabs import Spawn
from webgym.records.observation import Dialog

MOST_PER_STEP = 20
"""Limit of automatic answers per step; the next dialog is shown to the agent whatever the policy."""
ANSWER_SECONDS = 5.0
MOST_TEXT = 10_000


class Dialogs:
    """The dialogs of one session. At most one is held open, and it blocks its page."""

    def __init__(
        self,
        context: BrowserContext,
        policy: Literal["ask", "accept", "dismiss"],
        *,
        nudge: Callable[[], None],
        spawn: Spawn,
    ) -> None:
        self._policy = policy
        self._nudge = nudge
        self._spawn = spawn
        self._held: PageDialog | None = None
        self._closed: list[Dialog] = []
        self._answered = 0
        self.opened = 0
        """Number of dialogs so far."""
        context.on("dialog", self._on_dialog)

    @property
    def held(self) -> Dialog | None:
        """The dialog that is waiting for an answer."""
        return None if self._held is None else _record(self._held)

    def begin_step(self) -> None:
        self._answered = 0

    def take_closed(self) -> tuple[Dialog, ...]:
        """Return the dialogs closed without the agent's answer since the previous call."""
        closed, self._closed = tuple(self._closed), []
        return closed

    async def answer(self, *, accept: bool, text: str = "") -> None:
        """Answer the waiting dialog on the agent's behalf."""
        dialog, self._held = self._held, None
        if dialog is not None:
            await _answer(dialog, accept=accept, text=text)

    async def dismiss(self) -> None:
        """Dismiss the waiting dialog, because the agent went on without answering it."""
        dialog, self._held = self._held, None
        if dialog is not None:
            self._closed.append(_record(dialog))
            await _answer(dialog, accept=False)

    def forget(self) -> None:
        """Drop the waiting dialog, because its page is being closed."""
        self._held = None

    def _on_dialog(self, dialog: PageDialog) -> None:
        if dialog.type == "beforeunload":  # the agent asked to leave the page
            self._spawn(lambda: _answer(dialog, accept=True))
            return
        self.opened += 1
        if self._held is None and (self._policy == "ask" or self._answered >= MOST_PER_STEP):
            self._held = dialog
            self._nudge()
            return
        self._answered += 1
        self._closed.append(_record(dialog))
        del self._closed[:-MOST_PER_STEP]
        self._spawn(lambda: _answer(dialog, accept=self._policy == "accept"))


async def _answer(dialog: PageDialog, *, accept: bool, text: str = "") -> None:
    with anyio.move_on_after(ANSWER_SECONDS):
        try:
            if accept:
                await dialog.accept(text or dialog.default_value)
            else:
                await dialog.dismiss()
        except Error:
            return  # the page was closed


def _record(dialog: PageDialog) -> Dialog:
    kind = cast("Literal['alert', 'confirm', 'prompt']", dialog.type)
    return Dialog(type=kind, message=dialog.message[:MOST_TEXT], default_text=dialog.default_value[:MOST_TEXT])
