"""Bounds what each page may send through the pipe that all sessions of a Chromium share.

A page that floods the pipe (with errors, frames, addresses) delays the replies that its neighbours wait for. So every
event of a page, and of the workers and frames inside it, is charged to the page and to its session. A page that spends
more than any honest one needs is ended; its session goes on with a blank tab.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

FREE = 10_000.0
"""What may be spent at once: 10,000 events, or 20 MB of them. The browser converts
them all in one thread, and does little else meanwhile: for half a second to a second."""
FREE_PER_SECOND = 2_000.0
PLAYWRIGHTS_COST = 4.0
"""Of an event that Playwright processes; any other costs 1."""
COSTS = {
    b"Page.windowOpen": 400.0,
    b"Page.downloadWillBegin": 40.0,
    b"Runtime.exceptionThrown": 8.0,
    b"Runtime.consoleAPICalled": 8.0,
}
"""Of events that tell of more work than themselves: a page to create, a file to write, a stack to describe."""
WITH_REQUESTS = 5.0
"""A browser that reports the requests of its pages allows them this many times as much."""
BYTES_PER_UNIT = 2048
SESSIONS_SHARE = 2.0
"""A session may spend this many times as much as a page, however many tabs it has."""


@dataclass(eq=False, slots=True)
class Allowance:
    """A leaky bucket."""

    free: float
    per_second: float
    clock: Callable[[], float] = time.monotonic
    spent: float = 0.0
    _leaked: float = field(init=False)

    def __post_init__(self) -> None:
        self._leaked = self.clock()

    @property
    def exceeded(self) -> bool:
        return self.spent > self.free

    def spend(self, units: float) -> bool:
        """Charge this much; return whether it is within the allowance."""
        self.spent += units
        if not self.exceeded:
            return True
        now = self.clock()
        self.spent = max(units, self.spent - (now - self._leaked) * self.per_second)
        self._leaked = now
        return not self.exceeded


@dataclass(eq=False, slots=True)
class Account:
    """What a page has spent, together with the workers and frames inside it."""

    target: str
    context: str
    """Browser context id of its session."""
    page: Allowance
    session: Allowance
    opener: str = ""
    """Target of the page that opened it."""
    sessions: int = 0
    """Number of CDP sessions charged to it."""
    ended: bool = False
    """Whether it is being ended because it spent too much."""

    def spend(self, size: int, cost: float = 1.0) -> bool:
        """Charge an event of this size; return whether page and session are within their allowances."""
        units = cost + size / BYTES_PER_UNIT
        within = self.page.spend(units)
        return self.session.spend(units) and within

    def end(self) -> None:
        """Charge nothing more, and leave the session room for the page that replaces this one."""
        self.ended = True
        self.session.spent = min(self.session.spent, self.session.free - self.page.free)


class _Target(msgspec.Struct):
    targetId: str  # noqa: N815 (CDP's names)
    type: str
    browserContextId: str = ""  # noqa: N815
    openerId: str = ""  # noqa: N815


class _Attachment(msgspec.Struct):
    sessionId: str  # noqa: N815
    targetInfo: _Target | None = None  # noqa: N815


class _AttachmentEvent(msgspec.Struct):
    params: _Attachment


_decoder = msgspec.json.Decoder(_AttachmentEvent)
_PAGE = "page"
WORKERS = frozenset({"worker", "shared_worker", "service_worker"})


class Accounts:
    """The accounts of all pages of a Chromium, by the CDP sessions attached to them and to what is inside them."""

    def __init__(self, *, quiet: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._share = 1.0 if quiet else WITH_REQUESTS
        self._by_session: dict[str, Account] = {}
        self._by_target: dict[str, Account] = {}
        self._of_contexts: dict[str, Allowance] = {}
        self._workers: set[str] = set()

    def get(self, session: str) -> Account | None:
        return self._by_session.get(session)

    def is_worker(self, session: str) -> bool:
        return session in self._workers

    def attached(self, message: bytes, session: str) -> str:
        """Register what `Target.attachedToTarget`, received on `session`, announces.

        Returns the session attached to it if it is a worker, or nothing.
        """
        told = _decoder.decode(message).params
        target = told.targetInfo
        if target is None:
            return ""
        if target.type in WORKERS:
            self._workers.add(told.sessionId)
        outer = None if target.type == _PAGE else self._by_session.get(session)
        account = outer or self._by_target.get(target.targetId)
        if account is None:
            context = target.browserContextId
            shared = self._of_contexts.setdefault(context, self._allowance(self._share * SESSIONS_SHARE))
            account = Account(target.targetId, context, self._allowance(self._share), shared, target.openerId)
            self._by_target[target.targetId] = account
        account.sessions += 1
        self._by_session[told.sessionId] = account
        return told.sessionId if told.sessionId in self._workers else ""

    def _allowance(self, share: float) -> Allowance:
        return Allowance(share * FREE, share * FREE_PER_SECOND, self._clock)

    def detached(self, message: bytes) -> None:
        """Forget the session that `Target.detachedFromTarget` names, and its account if it was the last."""
        session = _decoder.decode(message).params.sessionId
        self._workers.discard(session)
        account = self._by_session.pop(session, None)
        if account is None:
            return
        account.sessions -= 1
        if account.sessions:
            return
        self._by_target.pop(account.target, None)
        if all(other.context != account.context for other in self._by_target.values()):
            self._of_contexts.pop(account.context, None)

    def opened_by(self, account: Account) -> list[Account]:
        """Return the accounts of the windows that a page has opened."""
        return [opened for opened in self._by_target.values() if opened.opener == account.target and not opened.ended]

    def heaviest(self, context: str) -> Account | None:
        """Return the account of a session that has spent most."""
        running = [account for account in self._by_target.values() if account.context == context and not account.ended]
        return max(running, key=lambda one: one.page.spent, default=None)
