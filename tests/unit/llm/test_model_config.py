"""What can be configured, what is refused, and what is then said about logprobs."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from webgym.llm.config import ModelConfig, Prices
from webgym.llm.sampling import fields_of, sampling_of


def config(**changes) -> ModelConfig:
    return ModelConfig(**({"servers": ("http://gpu1:8000/v1",), "model": "m"} | changes))


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("http://gpu1:8000", "http://gpu1:8000/v1"),
        ("http://gpu1:8000/", "http://gpu1:8000/v1"),
        ("http://gpu1:8000/v1/", "http://gpu1:8000/v1"),
        ("https://api.example/v1/chat/completions", "https://api.example/v1"),
        ("https://api.example/v1beta/openai/", "https://api.example/v1beta/openai"),
        ("http://[::1]:8000", "http://[::1]:8000/v1"),
    ],
)
def test_a_server_is_named_by_any_of_its_usual_urls(given: str, meant: str):
    assert config(servers=(given,)).servers == (meant,)


@pytest.mark.parametrize(
    "changes",
    [
        {"servers": ()},
        {"servers": ("gpu1:8000",)},
        {"servers": ("ftp://gpu1",)},
        {"servers": ("http://me:sesame@gpu1/v1",)},
        {"servers": ("http://gpu1/v1?key=sesame",)},
        {"servers": ("http://gpu1", "http://gpu1/v1")},
        {"api_key_env": "sk-sesame"},
        {"temprature": "sesame"},
        {"temperature": -1},
        {"top_p": 0},
        {"extra_body": {"temperature": 0.3}},
        {"extra_body": {"stream": True}},
        {"budget": 5.0},
        {"version_from": ("X-Sesame",)},
    ],
    ids=str,
)
def test_what_cannot_work_is_refused_without_repeating_it(changes):
    with pytest.raises(ValidationError) as caught:
        config(**changes)
    assert "sesame" not in str(caught.value).lower().replace("x-sesame", "")


def test_a_budget_is_fine_with_prices():
    assert config(budget=5.0, prices=Prices(prompt=1.0, sampled=2.0)).budget == 5.0


def test_hosted_servers_are_sent_only_what_was_configured():
    assert fields_of(config()) == {"max_tokens": 2048}
    chosen = config(temperature=0.5, top_k=7, max_tokens_field="max_completion_tokens", extra_body={"seed": 3})
    assert fields_of(chosen) == {"max_completion_tokens": 2048, "temperature": 0.5, "top_k": 7, "seed": 3}


@pytest.mark.parametrize(
    ("changes", "exact"),
    [
        ({"api": "openai"}, False),
        ({"api": "vllm"}, True),
        ({"api": "vllm", "temperature": 0.7}, False),
        ({"api": "vllm", "temperature": 0.7, "logprobs": "processed"}, True),
        ({"api": "vllm", "temperature": 0.0, "logprobs": "processed"}, False),
        ({"api": "vllm", "top_p": 0.9}, False),
        ({"api": "vllm", "top_p": 0.9, "logprobs": "processed"}, True),
        ({"api": "vllm", "top_k": 20}, False),
        ({"api": "vllm", "extra_body": {"seed": 1}}, True),
        ({"api": "vllm", "extra_body": {"repetition_penalty": 1.1}}, False),
        ({"api": "vllm", "extra_body": {"repetition_penalty": 1.1}, "logprobs": "processed"}, True),
        ({"api": "sglang"}, True),
        ({"api": "sglang", "temperature": 0.7}, True),
        ({"api": "sglang", "temperature": 0.7, "logprobs": "raw"}, False),
        ({"api": "sglang", "top_p": 0.9}, False),
    ],
    ids=str,
)
def test_logprobs_are_claimed_only_of_the_distribution_that_was_sampled_from(changes, exact: bool):
    assert sampling_of(config(**changes)).exact_logprobs is exact
