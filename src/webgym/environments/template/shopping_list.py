"""Shopping lists: an environment with a page, a state and a judge of its own."""

from __future__ import annotations

import html
import secrets
import threading
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar
from urllib.parse import parse_qs

import msgspec

from webgym.environments.spec import attempt_spec
from webgym.records.action import Answer, TypeText
from webgym.records.decision import Decision, Turn
from webgym.records.environment import Egress, TaskSelection, TaskSupport
from webgym.records.observation import Capture, Observation
from webgym.records.task import FactGroup, Task
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import FactVerdict, Verdict
from webgym.stages import AttemptSetup, AttemptTerms, EnvironmentNeeds, RunningEnvironment

GOODS = {"train": ("milk", "bread", "apples", "rice"), "test": ("tea", "salt")}
_PAGE = """<!doctype html><title>Shopping list</title><h1>Shopping list</h1><ul>{items}</ul>
<form method=post><input name=item aria-label="New item" autofocus><button>Add</button></form>"""
_LONGEST_BODY = 10_000


class ShoppingLists:
    """The shopping lists of all attempts, each at an address that nobody can guess."""

    def __init__(self) -> None:
        self.of: dict[str, list[str]] = {}

    def page(self, key: str) -> str:
        return _PAGE.format(items="".join(f"<li>{html.escape(item)}</li>" for item in self.of[key]))


class ShoppingListEnvironment:
    """Tasks to put something on a shopping list."""

    name = "shopping-list"

    def tasks(self, selection: TaskSelection) -> Iterator[Task]:
        """Yield a task for each thing to buy."""
        for thing in GOODS.get(selection.split, ()):
            rubric = (FactGroup(1, "The list", (f"{thing} is on the list", "nothing else is on the list")),)
            # The address is known when an attempt is prepared.
            yield Task(
                f"add-{thing}", f"Put {thing} on the shopping list.", "http://127.0.0.1/", rubric,
                split=selection.split, template="add", exact=thing, site=self.name,
            )  # fmt: skip

    def supports(self, task: Task) -> TaskSupport:
        """Return that there is everything."""
        del task
        return TaskSupport(served=True, exact=True, oracle=True)

    @asynccontextmanager
    async def open(self, needs: EnvironmentNeeds) -> AsyncGenerator[RunningEnvironment]:
        """Serve the lists on a free port of this machine."""
        del needs
        lists = ShoppingLists()
        server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"lists": lists}))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield RunningShoppingLists(lists, f"127.0.0.1:{server.server_port}")
        finally:
            server.shutdown()
            server.server_close()


class RunningShoppingLists:
    """Shopping lists that are served."""

    def __init__(self, lists: ShoppingLists, address: str) -> None:
        self.egress = Egress(allow=(address,))
        self._lists = lists
        self._address = address

    @asynccontextmanager
    async def prepare(self, attempt: Attempt, terms: AttemptTerms) -> AsyncGenerator[AttemptSetup]:
        """Begin an empty list for the attempt."""
        key = secrets.token_urlsafe(12)
        self._lists.of[key] = []
        try:
            task = msgspec.structs.replace(attempt.task, website=f"http://{self._address}/{key}")
            here = msgspec.structs.replace(attempt, task=task)
            state = ListState(self._lists.of, key)
            yield AttemptSetup(
                attempt=here,
                spec=msgspec.structs.replace(attempt_spec(here, terms), destinations=(self._address,)),
                judge=ListJudge(state),
                state=state,
                oracle=lambda: ListOracle(task.exact, state),
            )
        finally:
            del self._lists.of[key]


class ListState:
    """The list of one attempt."""

    def __init__(self, lists: dict[str, list[str]], key: str) -> None:
        self._lists = lists
        self._key = key

    @property
    def items(self) -> tuple[str, ...]:
        return tuple(self._lists[self._key])

    async def read(self) -> tuple[str, ...]:
        """Return what is on the list."""
        return self.items

    async def reset(self) -> None:
        """Empty the list."""
        await self.inject(())

    async def inject(self, state: Sequence[str]) -> None:
        """Put exactly this on the list."""
        self._lists[self._key] = list(state)


class ListJudge:
    """Judges by what is on the list."""

    exact = True

    def __init__(self, state: ListState) -> None:
        self._state = state

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        """Grade the two facts of the rubric."""
        del steps, last, answer
        items, thing = self._state.items, attempt.task.exact
        facts = FactVerdict(1, 0, thing in items), FactVerdict(1, 1, bool(items) and set(items) == {thing})
        return Verdict(facts, judge="exact")


class ListOracle:
    """Puts the thing on the list, then answers."""

    def __init__(self, thing: str, state: ListState) -> None:
        self._thing = thing
        self._state = state

    async def decide(self, capture: Capture) -> Turn:
        """Return the next action."""
        if self._thing in self._state.items:
            return Turn(Decision(Answer("Done.")))
        field = next(element for element in capture.observation.elements or () if element.tag == "input")
        return Turn(Decision(TypeText(self._thing, target=field.point, submit=True)))


class _Handler(BaseHTTPRequestHandler):
    lists: ClassVar[ShoppingLists]

    def do_GET(self) -> None:
        key = self.path.strip("/")
        page = self.lists.page(key).encode() if key in self.lists.of else b""
        self.send_response(HTTPStatus.OK if page else HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def do_POST(self) -> None:
        key = self.path.strip("/")
        body = self.rfile.read(min(_LONGEST_BODY, int(self.headers.get("Content-Length", 0))))
        if key in self.lists.of:
            self.lists.of[key].extend(parse_qs(body.decode()).get("item", ()))
        self.send_response(HTTPStatus.SEE_OTHER)
        self.send_header("Location", f"/{key}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep quiet."""
