"""AReaL's engine as a policy: exact tokens, a version for each, and no reply made of two halves."""

from __future__ import annotations

import base64
from pathlib import Path

import anyio
import pytest
from integrations.areal.tests.real.playing import MODEL, Asked, Reply, ScriptedEngine, picture, settings

from webgym.engine.render import read_renderer
from webgym.engine.shape import read_shape
from webgym.errors import PolicyRejected, PolicyUnavailable
from webgym.records.observation import address_of
from webgym.records.prompt import Message, Picture, Prompt, Text, unpack_ids
from webgym_areal.pictures import read_cutter
from webgym_areal.policy import ArealPolicy, Manner

pytestmark = pytest.mark.anyio

SHAPE = read_shape(Path(MODEL))
MANNER = Manner(read_renderer(Path(MODEL), SHAPE.image_token_id), read_cutter(Path(MODEL)))
SHOWN = {address_of(data): data for data in (picture("one"), picture("two", 64, 64))}
PROMPT = Prompt((Message("user", (Text("Which?"), *(Picture(address, 96, 64) for address in SHOWN))),))


def policy(engine, **changes) -> ArealPolicy:
    return ArealPolicy(engine, MANNER, settings(**changes), Asked)


class Interrupted(ScriptedEngine):
    """Whose weights change in the middle of the first replies."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    async def agenerate(self, req) -> Reply:
        said = await super().agenerate(req)
        if len(self.asked) <= self.times:
            said.output_versions[-1] += 1
        return said


async def test_a_reply_has_the_prompts_own_ids_and_a_version_for_each_token():
    engine = ScriptedEngine(version=6)
    said = await policy(engine).sample(PROMPT, SHOWN, affinity="g/0")
    [asked] = engine.asked
    assert said.tokens is not None
    assert list(unpack_ids(said.tokens.prompt)) == asked.input_ids
    grids = [MANNER.cutter.grid(data) for data in SHOWN.values()]
    assert asked.input_ids.count(SHAPE.image_token_id) == sum(MANNER.cutter.tokens(grid) for grid in grids)
    assert said.text == "yes"
    assert set(unpack_ids(said.tokens.versions)) == {6}
    assert len(said.tokens.versions) == len(said.tokens.sampled) == len(said.tokens.logprobs)


async def test_pictures_are_sent_as_they_were_taken_and_prompts_of_an_attempt_to_the_same_server():
    engine = ScriptedEngine()
    await policy(engine).sample(PROMPT, SHOWN, affinity="g/0")
    assert [base64.b64decode(one) for one in engine.asked[0].image_data] == list(SHOWN.values())
    assert engine.asked[0].rid == "g/0"
    assert engine.asked[0].messages is None


async def test_vllm_is_given_messages_anew_for_every_request():
    engine = Interrupted(1)
    await policy(engine, server="vllm").sample(PROMPT, SHOWN, affinity="g/0")
    first, second = (one.messages[0] for one in engine.asked)
    assert first == second
    assert first is not second
    assert [part["type"] for part in first[0]["content"]] == ["text", "image_url", "image_url"]


async def test_a_reply_that_new_weights_cut_in_two_is_asked_for_again_where_it_cannot_be_gone_on_with():
    engine = Interrupted(2)
    asking = policy(engine, server="vllm")
    said = await asking.sample(PROMPT, SHOWN, affinity="g/0")
    assert len(engine.asked) == 3
    assert asking.asked_again() == 2
    assert asking.asked_again() == 0
    assert set(unpack_ids(said.tokens.versions)) == {0}


async def test_a_reply_of_two_versions_is_kept_where_the_server_went_on_with_it():
    engine = Interrupted(9)
    said = await policy(engine, server="sglang").sample(PROMPT, SHOWN, affinity="g/0")
    assert len(engine.asked) == 1
    assert set(unpack_ids(said.tokens.versions)) == {0, 1}


async def test_asking_again_has_an_end():
    with pytest.raises(PolicyUnavailable, match="interrupted the reply 3 times"):
        await policy(Interrupted(9), server="vllm").sample(PROMPT, SHOWN, affinity="g/0")


async def test_a_prompt_that_leaves_no_room_is_rejected_before_anything_is_sent():
    engine = ScriptedEngine()
    with pytest.raises(PolicyRejected, match="leaves none of max_tokens"):
        await policy(engine, max_tokens=16).sample(PROMPT, SHOWN, affinity="g/0")
    assert engine.asked == []


async def test_whatever_the_engine_raises_is_an_unavailable_policy():
    with pytest.raises(PolicyUnavailable, match="ConnectionError: the server is gone"):
        await policy(ScriptedEngine(breaks={0})).sample(PROMPT, SHOWN, affinity="g/0")


async def test_a_reply_has_a_deadline():
    with anyio.fail_after(20), pytest.raises(PolicyUnavailable, match="no reply in 0 s"):
        await policy(ScriptedEngine(seconds=60.0), reply_seconds=0.05).sample(PROMPT, SHOWN, affinity="g/0")


async def test_an_engine_that_was_asked_something_else_is_not_believed():
    class Deaf(ScriptedEngine):
        async def agenerate(self, req) -> Reply:
            said = await super().agenerate(req)
            said.input_tokens = said.input_tokens[1:]
            return said

    with pytest.raises(PolicyUnavailable, match="a different prompt"):
        await policy(Deaf()).sample(PROMPT, SHOWN, affinity="g/0")


async def test_tools_beside_the_messages_are_refused_for_vllm():
    import msgspec

    with pytest.raises(PolicyRejected, match="no tools"):
        await policy(ScriptedEngine(), server="vllm").sample(
            msgspec.structs.replace(PROMPT, tools=("{}",)), SHOWN, affinity="g/0"
        )
