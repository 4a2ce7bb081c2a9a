"""No reply is paid for twice: not by identical requests at once, not by a later run, not from a file of before."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import anyio
import pytest

from webgym.errors import PolicyUnavailable, StoreError
from webgym.llm.config import ModelConfig
from webgym.llm.paid_reply import MemoryReplyStore, PaidReply
from webgym.llm.paid_requests import PaidRequests, request_key
from webgym.llm.reply_file import REPLIES_VERSION, FileReplyStore
from webgym.records.prompt import Completion, Message, Picture, Prompt, Text, ToolCall
from webgym.records.verdict import VerdictCost

pytestmark = pytest.mark.anyio

MODEL = ModelConfig(servers=("http://a:1/v1",), model="m", max_tokens=100)
WORDS = Prompt((Message("system", (Text("Judge."),)), Message("user", (Text("Is it so?"),))), version="v-1")
SHOWN = Prompt((*WORDS.messages, Message("user", (Text("Look:"), Picture("p1", 2, 2)))), version="v-1")
PICTURES = {"p1": b"picture"}
FORMER_KEYS = {  # computed by the two implementations of version 1
    "attempt": "9ded3358d9e892bae2168d2dddf5c4cbee070835",
    "task": "575e8673c7f0cc2abbc479ce42f1f8dc0dad44ce",
}


class Server:
    """Counts what is paid for. Replies when `open` is set."""

    def __init__(self, completion: Completion | None = None) -> None:
        self.paid = 0
        self.open = anyio.Event()
        self.open.set()
        self._completion = completion

    async def send(self) -> Completion:
        await self.open.wait()
        self.paid += 1
        return self._completion or Completion(f"reply {self.paid}", prompt_tokens=10, sampled_tokens=2, cost=0.5)


def kept(key: str, owner: str = "a", kind: str = "verdict") -> PaidReply:
    return PaidReply(key, owner, kind, "m", "text", "stop", 10, 2, 3, 400, 0.5)


async def test_identical_requests_at_once_are_one():
    server, requests = Server(), PaidRequests(MemoryReplyStore())
    server.open = anyio.Event()
    got: list[tuple[PaidReply, bool]] = []

    async def one(owner: str) -> None:
        got.append(await requests.reply(MODEL, "verdict", owner, SHOWN, PICTURES, server.send))

    async with anyio.create_task_group() as tasks:
        for owner in "abc":
            tasks.start_soon(one, owner)
        await anyio.wait_all_tasks_blocked()
        server.open.set()
    assert server.paid == 1
    assert {reply.text for reply, _ in got} == {"reply 1"}
    assert [fresh for _, fresh in got].count(True) == 1
    reply = got[0][0]
    assert (reply.pictures, reply.picture_bytes, reply.dollars) == (1, 7, 0.5)


async def test_when_a_request_fails_who_waited_for_it_sends_it():
    server, requests = Server(), PaidRequests(MemoryReplyStore())
    begun = anyio.Event()
    texts: list[str] = []

    async def fail() -> Completion:
        begun.set()
        await anyio.wait_all_tasks_blocked()
        raise PolicyUnavailable("down")

    async def first() -> None:
        with pytest.raises(PolicyUnavailable):
            await requests.reply(MODEL, "verdict", "a", WORDS, {}, fail)

    async def second() -> None:
        await begun.wait()
        texts.append((await requests.reply(MODEL, "verdict", "b", WORDS, {}, server.send))[0].text)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(first)
        tasks.start_soon(second)
    assert texts == ["reply 1"]


async def test_a_reply_is_in_the_file_before_anybody_uses_it(tmp_path: Path):
    with closing(FileReplyStore(tmp_path / "replies")) as store:
        reply, _ = await PaidRequests(store).reply(MODEL, "verdict", "a", WORDS, {}, Server().send)
        with closing(FileReplyStore(tmp_path / "replies")) as other:  # as after a kill: nothing was closed
            assert other.find(reply.key) == reply
    server = Server()
    with closing(FileReplyStore(tmp_path / "replies")) as store:
        again = await PaidRequests(store).reply(MODEL, "verdict", "b", WORDS, {}, server.send)
    assert (again, server.paid) == ((reply, False), 0)


async def test_a_longer_limit_asks_again_for_replies_that_were_cut_and_for_no_others():
    store, longer = MemoryReplyStore(), MODEL.model_copy(update={"max_tokens": 200})
    cut, whole = Server(Completion("…", finish="length")), Server(Completion("."))
    requests = PaidRequests(store)
    for model, paid in ((MODEL, 1), (MODEL, 1), (longer, 2)):
        await requests.reply(model, "verdict", "a", WORDS, {}, cut.send)
        await requests.reply(model, "verdict", "a", SHOWN, PICTURES, whole.send)
        assert (cut.paid, whole.paid) == (paid, 1)


async def test_what_a_reply_depends_on_is_in_its_key():
    def key(prompt: Prompt = SHOWN, kind: str = "verdict", **changes: object) -> str:
        return request_key(MODEL.model_copy(update=changes), kind, prompt)

    other = Prompt((*WORDS.messages, Message("user", (Text("Look:"), Picture("p2", 2, 2)))), version="v-1")
    keys = [key(), key(WORDS), key(other), key(kind="whole"), key(model="n"), key(temperature=0.5), key(top_p=0.5)]
    keys += [key(top_k=3), key(extra_body={"a": 1}), key(Prompt(SHOWN.messages, version="v-2"))]
    assert len(set(keys)) == len(keys)
    assert key(servers=("http://b:1/v1",)) == key()


async def test_a_reply_with_tool_calls_is_one_that_calls_a_tool():
    calls = Server(Completion("", calls=(ToolCall("click", "{}"),)))
    reply, _ = await PaidRequests(MemoryReplyStore()).reply(MODEL, "verdict", "a", WORDS, {}, calls.send)
    assert reply.finish == "tool"


# -- the file ---------------------------------------------------------------------------------------------------------


def test_a_file_keeps_the_ledger_also_of_what_is_forgotten(tmp_path: Path):
    with closing(FileReplyStore(tmp_path / "replies")) as store:
        store.keep(kept("k1", kind="relevance"))
        store.was_clear("k1")
        store.keep(kept("k2"))
        store.keep(kept("k2"))
        store.keep(kept("k3", "b", "relevance"))
    with closing(FileReplyStore(tmp_path / "replies")) as store:
        assert store.find("k2") == kept("k2")
        store.forget("a", spare="relevance")
        store.forget("b", spare="relevance")
        assert store.find("k1") == kept("k1", kind="relevance")
        assert store.find("k2") is None
        assert store.find("k3") is None  # it was never of use
        store.keep(kept("k2"))
        assert store.find("k2") is not None
        assert store.spent_on("a") == VerdictCost(3, 0, 30, 6, 9, 1200, 1.5)
        assert store.spent_on("nobody") == VerdictCost()
        assert store.dollars == 2.0
        assert store.by_kind()["verdict"].calls == 2


def test_a_file_that_holds_something_else_or_comes_from_a_newer_version_is_refused(tmp_path: Path):
    (tmp_path / "other").write_bytes(b"something else entirely, and long enough to be read as a header" * 20)
    with pytest.raises(StoreError, match="holds no replies"):
        FileReplyStore(tmp_path / "other")
    with closing(sqlite3.connect(tmp_path / "newer")) as newer:
        newer.execute(f"PRAGMA user_version={REPLIES_VERSION + 1}")
    with pytest.raises(StoreError, match="version"):
        FileReplyStore(tmp_path / "newer")


def test_a_short_memory_forgets_the_oldest():
    store = MemoryReplyStore(most=2)
    for key in ("k1", "k2", "k3"):
        store.keep(kept(key))
    assert store.find("k1") is None
    assert store.find("k3") == kept("k3")


FORMER = {
    "attempt": """
CREATE TABLE replies (
  number INTEGER PRIMARY KEY, key TEXT NOT NULL, attempt TEXT NOT NULL, kind TEXT NOT NULL, model TEXT NOT NULL,
  text TEXT NOT NULL, finish TEXT NOT NULL, prompt_tokens INTEGER NOT NULL, sampled_tokens INTEGER NOT NULL,
  pictures INTEGER NOT NULL, picture_bytes INTEGER NOT NULL, dollars REAL NOT NULL,
  clear INTEGER NOT NULL DEFAULT 0, void INTEGER NOT NULL DEFAULT 0, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX replies_by_key ON replies (key) WHERE void = 0;
CREATE INDEX replies_by_attempt ON replies (attempt);
INSERT INTO replies (key, attempt, kind, model, text, finish, prompt_tokens, sampled_tokens, pictures, picture_bytes,
  dollars) VALUES (:key, 'a', 'verdict', 'm', 'paid before', 'stop', 10, 2, 0, 0, 0.5);
""",
    "task": """
CREATE TABLE replies (
  key TEXT PRIMARY KEY, kind TEXT NOT NULL, task TEXT NOT NULL, model TEXT NOT NULL, text TEXT NOT NULL,
  finish TEXT NOT NULL, prompt_tokens INTEGER NOT NULL, sampled_tokens INTEGER NOT NULL, dollars REAL NOT NULL
) WITHOUT ROWID;
INSERT INTO replies VALUES (:key, 'verdict', 'a', 'm', 'paid before', 'stop', 10, 2, 0.5);
""",
}


@pytest.mark.parametrize("owner", FORMER)
async def test_replies_in_a_file_of_version_1_are_found_under_their_keys_of_then(owner: str, tmp_path: Path):
    path = tmp_path / "replies"
    with closing(sqlite3.connect(path)) as former:
        former.executescript(FORMER[owner].replace(":key", repr(FORMER_KEYS[owner])) + "PRAGMA user_version=1;")
    server = Server()
    for _ in range(2):  # converted, then as converted
        with closing(FileReplyStore(path)) as store:
            reply, fresh = await PaidRequests(store).reply(MODEL, "verdict", "b", WORDS, {}, server.send)
            assert (reply.text, reply.owner, fresh, server.paid) == ("paid before", "a", False, 0)
            assert store.spent_on("a") == VerdictCost(1, 0, 10, 2, 0, 0, 0.5)
    with closing(FileReplyStore(path)) as store:
        store.keep(kept("another", "a"))
        assert store.dollars == 1.0
