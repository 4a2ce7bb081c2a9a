"""`webgym bench engine`: both sides do the same work, drawn from the seed."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from webgym.errors import ConfigError
from webgym_bench.delays import Delay
from webgym_bench.engine.clients import Clients
from webgym_bench.engine.compare import compare
from webgym_bench.engine.conditions import Conditions
from webgym_bench.engine.work import make_work

BRIEF = Conditions(
    prompts=3, requests=2, words=Delay(20, 0.3), tokens=Delay(4, 0.5), think=Delay(0.01, 0.5), rounds=1, threads=1
)


def addresses(work):
    return {shown.address for client in work for piece in client for shown in piece.pictures}


def test_work_is_the_same_for_the_same_seed_and_other_in_every_round(folder):
    once, again, other = (make_work(BRIEF, folder, number) for number in (0, 0, 1))
    told = [[[(piece.ids, piece.tokens, piece.think) for piece in client] for client in work] for work in (once, again)]
    assert told[0] == told[1]
    pictures = [addresses(work) for work in (once, other)]
    assert len(pictures[0]) == 6
    assert not pictures[0] & pictures[1]


def test_pictures_can_be_shown_again(folder):
    work = make_work(Conditions(prompts=4, requests=4, seen=0.9), folder, 0)
    assert len(addresses(work)) < 8


def test_clients_ask_again_only_after_their_reply(folder):
    work = make_work(Conditions(prompts=2, requests=2, think=Delay()), folder, 0)
    clients = Clients(work)
    first = clients.due()
    assert [one.client for one in first] == [0, 1]
    assert clients.due() == []
    clients.reply(first[0])
    (second,) = clients.due()
    assert second.piece is work[0][1]
    clients.reply(second)
    assert not clients.done
    clients.reply(first[1])
    (last,) = clients.due()
    clients.reply(last)
    assert clients.done
    assert clients.tokens == sum(piece.tokens for client in work for piece in client)


def test_a_comparison_tells_what_was_measured(folder):
    report = compare(replace(BRIEF, folder=str(folder)))
    told = msgspec.json.decode(msgspec.json.encode(report.as_json()))
    assert told["engine"]["tokens"] == told["generate"]["tokens"] > 0
    assert told["engine"]["requests"] == told["generate"]["requests"] == 6
    assert told["ratio"] > 0
    assert told["conditions"]["prompts"] == 3
    assert told["machine"]["torch"]


def test_conditions_that_cannot_be_are_refused():
    with pytest.raises(ConfigError):
        Conditions(seen=2)
    with pytest.raises(ConfigError):
        Conditions(tokens=Delay(300), most_tokens=200)
