"""Text of pages in prompts: it holds no control token of any family of models, and nothing that is unseen."""

from __future__ import annotations

import json
import sys
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgym.agent.untrusted import cut, one_line, quoted
from webgym.llm.untrusted import data_line, without_tags, without_tokens

BAR, LOW = "\uff5c", "\u2581"
TOKENS = tuple(
    """
    <|im_start|> <|im_end|> <|endoftext|> <|eot_id|> <|channel|> <|vision_start|> <|image_pad|> <start_of_turn>
    <end_of_turn> <start_of_image> <image_soft_token> <bos> <eos> <pad> <unk> <mask> <s> </s> [INST] [/INST]
    <<SYS>> <</SYS>> [TOOL_CALLS] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] [IMG] [IMG_BREAK] [IMG_END]
    [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [THINK] [PREFIX] <end_of_utterance> <fake_token_around_image> <row_1_col_1>
    <global-img> <image> <video> </image> <%end^of^sentence%> <%begin^of^sentence%> <%User%> <%tool^calls^begin%>
    <unused99> <loc0001> <seg012> <extra_id_0> <0x0A> <reserved_106> <TOKENS_UNUSED_1> [gMASK] <sop> <eop> [MASK]
    [CLS] [SEP] [PAD] [UNK] [unused1] <eoh> <eom> <用户> <AI> <BOS_TOKEN> <|START_OF_TURN_TOKEN|> <fim_prefix>
    <repo_name> <begin_of_box> <minimax:tool_call> >>QUESTION<< <think> </think> <tool_call> </tool_response>
    <tools> <057> <img> </ref> <box>
    """.replace("%", BAR)
    .replace("^", LOW)
    .split()
)
ORDINARY = (
    "a < b and c > d",
    "<b>bold</b>, <h1>, <div class='x'>, <my-element>, <br/>",
    "see [1], x[0], [12], [PDF], [NEW] and [edit]",
    "List<String>, Map<Key, Value>, vector<int>",
    "if (a<b && c>d) x <<= 2; cout << y; z >> 1",
    "I <3 you; 1<2>0; 5 <-> 6; a|b; -> <-",
    "mail <ada@example.com> or <https://example.com/a>",
    "snake_case and [a link](page_one.html)",
    "日本 <- Ωmega -> 25 % naïve “quotes” 👩 €",
)
WHERE = ("", "Title ", "a<", "<<", "[", "x", "\n", "\u200b")


def prompts_of(text: str) -> list[str]:
    """The text as judge and agent are shown it."""
    return [json.loads(data_line({"title": text}))["title"], one_line(text, 400), quoted(text, 400), cut(text, 400)]


@pytest.mark.parametrize("token", TOKENS)
def test_no_control_token_reaches_a_prompt_whole(token: str):
    for before in WHERE:
        for after in WHERE:
            for shown in prompts_of(f"{before}{token}{after}"):
                assert token.lower() not in shown.lower()
    assert token.upper() not in without_tags(token.upper())


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays_as_it_is(text: str):
    line, agent, quotes, kept = prompts_of(text)
    assert (line, agent, quotes, kept) == (text, text, f'"{text}"', text)


PIECES = st.sampled_from(
    [*"<>[]/|_ ", BAR, LOW, "s", "INST", "im", "of", "9", "image", "\u200b", "\u0600", "\U000e0073", *TOKENS]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_nothing_that_is_broken_up_can_be_put_together_again(text: str):
    for shown in prompts_of(text):
        assert without_tags(shown) == shown, "a second pass finds nothing"
        assert not any(token in shown for token in TOKENS)


def test_no_character_that_nobody_sees_is_left():
    kinds = {"Cc", "Cf", "Zl", "Zp"}
    hidden = "".join(
        c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) in kinds and c not in "\n\t"
    )
    assert "\u0600" in hidden
    assert "\ufffb" in hidden
    for start in range(0, len(hidden), 100):
        some = hidden[start : start + 100]
        for shown in prompts_of(f"a{some}b"):
            assert not set(some) & set(shown)
            assert shown.strip('"').startswith("a")


def test_a_models_own_text_keeps_the_tags_of_its_dialect():
    call = '<tool_call>\n{"name": "click"}\n</tool_call>'
    assert without_tokens(call) == call
    assert without_tokens(f"<think>so</think>{call}<|im_end|><s>") == f"<think>so</think>{call}< |im_end|>< s>"


@pytest.mark.parametrize("piece", ["<", "[", "_", "<_", "[a_", "<a", "<<", ">>", "<|", "<日", "<1", "<a1", "\u200b"])
def test_no_text_takes_long(piece: str):
    began = time.perf_counter()
    without_tags(piece * (100_000 // len(piece)) + "x" * 1000)
    assert time.perf_counter() - began < 5
