"""What of a server's reply may be believed."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgym.errors import PolicyRejected
from webgym.inference.reply import ServerReply, VersionSpan, checked_reply, collapsed, version_number, versions_of
from webgym.llm.sampling import SamplingDistribution
from webgym.records.prompt import unpack_ids, unpack_logprobs

IMAGE = 7
EXACT = SamplingDistribution(temperature=1.0, top_p=1.0, top_k=0, exact_logprobs=True)


def reply(**changes) -> ServerReply:
    base = {
        "prompt": (1, 5, IMAGE, IMAGE, IMAGE, 6, 2),
        "sampled": (10, 11, 12),
        "logprobs": (-0.1, -0.2, -0.3),
        "spans": (VersionSpan("3", 0, 2), VersionSpan("4", 2, 3)),
        "finish": "stop",
    }
    return ServerReply(**(base | changes))


def test_a_reply_keeps_ids_logprobs_and_the_version_of_every_token():
    found = checked_reply(reply(), [1, 5, IMAGE, 6, 2], IMAGE, EXACT)
    assert list(unpack_ids(found.tokens.prompt)) == [1, 5, IMAGE, IMAGE, IMAGE, 6, 2]
    assert list(unpack_ids(found.tokens.sampled)) == [10, 11, 12]
    assert list(unpack_logprobs(found.tokens.logprobs)) == pytest.approx([-0.1, -0.2, -0.3])
    assert list(unpack_ids(found.tokens.versions)) == [3, 3, 4]
    assert found.version == 4


@pytest.mark.parametrize(
    "logprobs", [(-0.1, -0.2), (), (-0.1, math.nan, -0.3), (-0.1, -9999.0, -0.3), (-0.1, -math.inf, -0.3)]
)
def test_logprobs_that_are_not_all_known_are_none(logprobs):
    assert checked_reply(reply(logprobs=logprobs), [1, 5, IMAGE, 6, 2], IMAGE, EXACT).tokens.logprobs == b""


def test_logprobs_of_another_distribution_are_none():
    other = SamplingDistribution(temperature=0.5, top_p=1.0, top_k=0, exact_logprobs=False)
    assert checked_reply(reply(), [1, 5, IMAGE, 6, 2], IMAGE, other).tokens.logprobs == b""


@pytest.mark.parametrize(
    "spans",
    [
        (),
        (VersionSpan("3", 0, 2),),
        (VersionSpan("3", 1, 3),),
        (VersionSpan("3", 0, 1), VersionSpan("4", 2, 3)),
        (VersionSpan("3", 0, 2), VersionSpan("4", 1, 3)),
        (VersionSpan("3", 0, 4),),
        (VersionSpan("3", 0, 2), VersionSpan("default", 2, 3)),
        (VersionSpan("3", 0, 3), VersionSpan("4", 3, 2)),
    ],
)
def test_versions_that_do_not_cover_every_token_once_are_none(spans):
    assert versions_of(spans, 3) == []


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5)), max_size=6))
def test_spans_that_follow_each_other_give_every_token_its_version(runs):
    spans, expected = [], []
    for version, length in runs:
        spans.append(VersionSpan(str(version), len(expected), len(expected) + length))
        expected += [version] * length
    assert versions_of(spans, len(expected)) == expected


@pytest.mark.parametrize("label", ["default", "", "v3", "-1", "3.0", "99999999999", str(2**31), "3 "])
def test_labels_that_we_did_not_give_are_no_versions(label):
    assert version_number(label) is None


@pytest.mark.parametrize("sent", [[1, 5, IMAGE, 6], [1, 5, IMAGE, 6, 2, 2], [1, 5, 6, 2], [1, 5, IMAGE, 9, 2]])
def test_a_prompt_that_was_read_as_other_tokens_is_refused(sent):
    with pytest.raises(PolicyRejected, match="processed different tokens than it was sent"):
        checked_reply(reply(), sent, IMAGE, EXACT)


@given(st.lists(st.one_of(st.integers(1, 9).filter(lambda one: one != IMAGE), st.just(-1)), max_size=12), st.data())
def test_how_many_tokens_a_picture_takes_is_the_servers_to_say(parts, data):
    """-1 stands for a picture; between two of them there is always something else."""
    apart = [one for before, one in zip([0, *parts], parts, strict=False) if one != -1 or before != -1]
    sent = [IMAGE if one == -1 else one for one in apart]
    read: list[int] = []
    for one in apart:
        read += [IMAGE] * data.draw(st.integers(1, 5)) if one == -1 else [one]
    assert collapsed(read, IMAGE) == sent
