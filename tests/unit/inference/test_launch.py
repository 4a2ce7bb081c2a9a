"""How servers are configured and started."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from pydantic import ValidationError

from webgym.errors import ConfigError
from webgym.inference.config import ServersConfig
from webgym.inference.launch import Serving, command_of, environment_of
from webgym.run.load import config_from, load_config, to_toml

SCRATCH = Path("/nowhere")


def options(serving: Serving, config: ServersConfig) -> dict[str, str]:
    words = command_of(serving, config, "MODEL", 8123)
    return {word: following for word, following in zip(words, [*words[1:], ""], strict=True) if word.startswith("-")}


def test_vllm_is_started_to_give_tokens_and_the_logprobs_of_what_was_sampled():
    found = options(Serving("vllm", "bfloat16", 4096, 32), ServersConfig(python="py", images=3))
    assert found["-m"] == "vllm.entrypoints.openai.api_server"
    assert (found["--model"], found["--port"], found["--host"]) == ("MODEL", "8123", "127.0.0.1")
    assert (found["--max-model-len"], found["--max-num-seqs"], found["--dtype"]) == ("4096", "32", "bfloat16")
    assert found["--logprobs-mode"] == "processed_logprobs"
    assert "--enable-scale-out" in found
    assert json.loads(found["--limit-mm-per-prompt"]) == {"image": 3, "video": 0}
    assert environment_of(Serving("vllm"), ServersConfig(), None, SCRATCH)["VLLM_SERVER_DEV_MODE"] == "1"


def test_sglang_is_started_with_room_for_screenshots():
    found = options(Serving("sglang", "bfloat16", 4096, 32), ServersConfig())
    assert (found["-m"], found["--model-path"], found["--context-length"]) == ("sglang.launch_server", "MODEL", "4096")
    assert int(environment_of(Serving("sglang"), ServersConfig(), None, SCRATCH)["SGLANG_VLM_CACHE_SIZE_MB"]) > 100


@pytest.mark.parametrize(("kind", "option"), [("vllm", "--enable-sleep-mode"), ("sglang", "--enable-memory-saver")])
def test_servers_that_are_to_sleep_are_started_so(kind, option):
    assert option in options(Serving(kind), ServersConfig(sleep=True))
    assert option not in options(Serving(kind), ServersConfig())


def test_what_the_user_says_comes_last_and_wins():
    config = ServersConfig(arguments=("--dtype", "float16"), environment={"VLLM_SERVER_DEV_MODE": "0", "MINE": "x"})
    assert options(Serving("vllm"), config)["--dtype"] == "float16"
    made = environment_of(Serving("vllm"), config, None, SCRATCH)
    assert (made["VLLM_SERVER_DEV_MODE"], made["MINE"]) == ("0", "x")


def test_a_server_sees_the_devices_it_was_given():
    assert environment_of(Serving("vllm"), ServersConfig(), "2,3", SCRATCH)["CUDA_VISIBLE_DEVICES"] == "2,3"


def test_the_transfer_backend_is_on_the_servers_path_before_what_the_user_put_there():
    config = ServersConfig(refresh="transfer", environment={"PYTHONPATH": "/theirs"})
    first, second = environment_of(Serving("vllm"), config, None, SCRATCH)["PYTHONPATH"].split(os.pathsep)
    assert second == "/theirs"
    entry = Path(first) / "webgym_weight_transfer-1.0.dist-info" / "entry_points.txt"
    assert "webgym_weight_transfer:register" in entry.read_text()
    assert (Path(first) / "webgym_weight_transfer.py").is_file()
    assert options(Serving("vllm"), config)["--weight-transfer-config"] == '{"backend": "webgym"}'


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://gpu1:8000/v1", "http://gpu1:8000"),
        ("https://host/prefix/v1/", "https://host/prefix"),
    ],
)
def test_a_url_is_kept_as_far_as_all_routes_share_it(given, kept):
    assert ServersConfig(urls=(given,)).urls == (kept,)


@pytest.mark.parametrize(
    "settings",
    [
        {"urls": ("ftp://x",)},
        {"urls": ("http://key@x",)},
        {"urls": ("http://x", "http://x/v1")},
        {"urls": ("http://x",), "replicas": 2},
        {"replicas": 2, "devices": ("0",)},
        {"refresh": "nccl"},
        {"unknown": 1},
    ],
)
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(ValidationError):
        ServersConfig(**settings)


def test_a_run_names_its_servers_and_remembers_them():
    config = load_config(
        None, ["policy.server=vllm", "policy.servers.replicas=2", "policy.servers.python=.v/bin/python"]
    )
    assert (config.policy.server, config.policy.servers.replicas) == ("vllm", 2)
    assert config_from(to_toml(config)) == config
    with pytest.raises(ConfigError, match=r"policy\.server"):
        load_config(None, ["policy.server=ollama"])
