"""Replies are read without trusting them."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webgym.llm.config import ModelConfig
from webgym.llm.failures import TryFailed
from webgym.llm.reply import read_reply, version_of
from webgym.records.prompt import Completion, ToolCall, unpack_ids, unpack_logprobs

VLLM = ModelConfig(servers=("http://gpu1",), model="m", api="vllm")
SGLANG = VLLM.model_copy(update={"api": "sglang"})


def body(message=None, *, finish="stop", choice=None, **more) -> dict:
    first = {"index": 0, "message": message or {"content": "hi"}, "finish_reason": finish} | (choice or {})
    return {"choices": [first], "usage": {"prompt_tokens": 3, "completion_tokens": 2}} | more


def read(given: dict, config: ModelConfig = VLLM, headers=None) -> Completion:
    return read_reply(config, headers or {}, json.dumps(given).encode()).completion


@pytest.mark.parametrize(
    ("said", "message", "meant"),
    [
        ("stop", {"content": "x"}, "stop"),
        (None, {"content": "x"}, "stop"),
        ("eos", {"content": "x"}, "stop"),
        ("length", {"content": "x"}, "length"),
        ("tool_calls", {"content": None, "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}, "tool"),
        ("stop", {"content": None, "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}, "tool"),
        ("content_filter", {"content": ""}, "refused"),
        ("stop", {"content": None, "refusal": "I will not"}, "refused"),
    ],
)
def test_ways_to_finish(said, message, meant):
    assert read(body(message, finish=said)).finish == meant


def test_thoughts_come_under_either_name():
    assert read(body({"content": "x", "reasoning": "a"})).reasoning == "a"
    assert read(body({"content": "x", "reasoning_content": "b"})).reasoning == "b"


def test_arguments_of_calls_stay_as_they_were_written_and_objects_become_json():
    calls = [{"function": {"name": "f", "arguments": a}} for a in ('{"x": 1', {"x": 1}, None)]
    got = read(body({"content": None, "tool_calls": calls})).calls
    assert got == (ToolCall("f", '{"x": 1'), ToolCall("f", '{"x":1}'), ToolCall("f", ""))


def test_a_refusal_is_the_text_where_there_is_no_other():
    assert read(body({"content": None, "refusal": "I will not"})).text == "I will not"


def test_content_in_parts_is_joined():
    assert read(body({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]})).text == "ab"


def test_a_reply_that_the_server_broke_off_is_none():
    with pytest.raises(TryFailed) as caught:
        read(body(finish="abort"))
    assert caught.value.trouble == "aborted"


def test_usage_that_is_missing_is_not_made_up():
    given = body()
    del given["usage"]
    reply = read_reply(VLLM, {}, json.dumps(given).encode())
    assert reply.usage is None
    assert (reply.completion.prompt_tokens, reply.completion.sampled_tokens) == (0, 0)


LOGPROBS = {"content": [{"token": "h", "logprob": -0.5}, {"token": "i", "logprob": -0.25}]}


def tokens(choice: dict, config: ModelConfig = VLLM, **more):
    return read(body(choice=choice, **more), config).tokens


def test_vllms_shape():
    got = tokens({"token_ids": [5, 6], "logprobs": LOGPROBS}, prompt_token_ids=[1, 2])
    assert got is not None
    assert (list(unpack_ids(got.prompt)), list(unpack_ids(got.sampled))) == ([1, 2], [5, 6])
    assert list(unpack_logprobs(got.logprobs)) == [-0.5, -0.25]
    assert got.versions == b""


def test_sglangs_shape():
    triples = [[-0.5, 5, None], [-0.25, 6, "i"]]
    choice = {"prompt_token_ids": [1, 2], "meta_info": {"id": "x", "output_token_logprobs": triples}}
    got = tokens(choice, SGLANG, metadata={"weight_version": "step-12"})
    assert got is not None
    assert (list(unpack_ids(got.prompt)), list(unpack_ids(got.sampled))) == ([1, 2], [5, 6])
    assert list(unpack_logprobs(got.logprobs)) == [-0.5, -0.25]
    assert list(unpack_ids(got.versions)) == [12, 12]


def test_ids_written_in_place_of_the_tokens():
    content = [{"token": "token_id:5", "logprob": -0.5}, {"token": "token_id:6", "logprob": -0.25}]
    got = tokens({"logprobs": {"content": content}}, prompt_token_ids=[1])
    assert got is not None
    assert list(unpack_ids(got.sampled)) == [5, 6]


@pytest.mark.parametrize(
    "logprobs",
    [
        None,
        {"content": None},
        {"content": LOGPROBS["content"][:1]},
        {"content": [{"token": "h", "logprob": -9999.0}, {"token": "i", "logprob": -0.25}]},
    ],
)
def test_logprobs_that_are_not_one_for_each_token_are_left_out_and_the_ids_kept(logprobs):
    got = tokens({"token_ids": [5, 6], "logprobs": logprobs}, prompt_token_ids=[1, 2])
    assert got is not None
    assert (list(unpack_ids(got.sampled)), got.logprobs) == ([5, 6], b"")


def test_logprobs_of_another_distribution_are_left_out_and_what_was_asked_for_is_kept():
    cooler = VLLM.model_copy(update={"temperature": 0.5})
    got = tokens({"token_ids": [5, 6], "logprobs": LOGPROBS}, cooler, prompt_token_ids=[1, 2])
    assert got is not None
    assert (got.logprobs, got.temperature) == (b"", 0.5)


def test_without_ids_of_prompt_and_reply_there_are_no_tokens():
    assert tokens({"token_ids": [5, 6], "logprobs": LOGPROBS}) is None
    assert tokens({"logprobs": LOGPROBS}, prompt_token_ids=[1, 2]) is None


@pytest.mark.parametrize("ids", [[-1], [2**31], ["5"], [1.5], "5"])
def test_ids_that_are_none_make_the_reply_garbage(ids):
    with pytest.raises(TryFailed) as caught:
        tokens({"token_ids": ids}, prompt_token_ids=[1])
    assert caught.value.trouble == "garbage"


@pytest.mark.parametrize(
    ("headers", "content", "version"),
    [
        ({"X-Policy-Version": "7"}, {"metadata": {"weight_version": "9"}}, 7),
        ({"X-Policy-Version": "step-7"}, {}, 7),
        ({"X-Policy-Version": "default"}, {"metadata": {"weight_version": "9"}}, 9),
        ({}, {"metadata": {"weight_version": 9}}, 9),
        ({}, {"metadata": {"weight_version": "default"}}, None),
        ({}, {"metadata": None}, None),
        ({}, {"metadata": "9"}, None),
        ({}, {}, None),
        ({"X-Policy-Version": "99999999999"}, {}, None),
    ],
)
def test_the_version_is_the_number_at_the_end_of_the_first_field_that_has_one(headers, content, version):
    assert version_of(VLLM.version_from, headers, json.dumps(content).encode()) == version


def test_the_version_can_be_read_from_a_field_of_ones_own():
    assert version_of(("field:system_fingerprint",), {}, b'{"system_fingerprint": "policy-41"}') == 41


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
choices = st.fixed_dictionaries(
    {"message": st.fixed_dictionaries({}, optional={"content": json_values, "tool_calls": json_values})},
    optional={
        "finish_reason": json_values,
        "token_ids": json_values,
        "logprobs": json_values,
        "meta_info": json_values,
    },
)
bodies = st.fixed_dictionaries(
    {"choices": st.lists(choices, max_size=2) | json_values},
    optional={"usage": json_values, "metadata": json_values, "prompt_token_ids": json_values, "model": json_values},
)


def _reads_or_fails_by_type(content: bytes) -> None:
    try:
        completion = read_reply(SGLANG, {}, content).completion
    except TryFailed:
        pass
    else:
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(completion), type=Completion) == completion


@given(st.binary() | bodies.map(lambda value: json.dumps(value).encode()))
@settings(max_examples=400, deadline=None)
def test_any_bytes_are_a_reply_that_can_be_stored_or_a_typed_failure(content: bytes):
    _reads_or_fails_by_type(content)


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_a_reply_with_a_piece_broken_out_is_a_reply_or_a_typed_failure(data: st.DataObject):
    choice = {"token_ids": [5, 6], "logprobs": LOGPROBS}
    good = json.dumps(body(choice=choice, prompt_token_ids=[1], metadata={"weight_version": "3"})).encode()
    start = data.draw(st.integers(0, len(good)))
    end = data.draw(st.integers(start, len(good)))
    _reads_or_fails_by_type(good[:start] + data.draw(st.binary(max_size=4)) + good[end:])


@pytest.mark.parametrize("text", [r"\ud800", r"\udfff x", "\x00"])
def test_odd_characters_do_not_make_a_reply_that_cannot_be_stored(text: str):
    _reads_or_fails_by_type(b'{"choices": [{"message": {"content": "' + text.encode() + b'"}}]}')
