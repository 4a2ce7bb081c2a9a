"""Weights of a training run are shown the web as they were in training, wherever they are named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest
from tests.unit.store.making import META

from webgym.cli.attempt import _policy_settings  # pyright: ignore[reportPrivateUsage]
from webgym.errors import ConfigError, WebGymError
from webgym.run.carried_manner import manner_of
from webgym.run.config import RunConfig
from webgym.run.load import config_from_as, load_config, load_config_as, load_with_notes, to_toml
from webgym.run.models import find_policy, folder_here
from webgym.run.train_config import TrainConfig
from webgym.store.meta import RunKind, load_meta, save_meta
from webgym.store.weights_manner import MANNER_FILE, load_manner, save_manner
from webgym_nano.manner import manner
from webgym_nano.shipped import checkpoint

SETTINGS = ("policy.model=nano", "limits.easy=17", "evaluate.limits.easy=19", "policy.temperature=0.7")

SPELLED_OUT = ("agent.dialect=nano", "agent.prompt=nano-1", "browser.width=448", "browser.height=320")


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    return saved(tmp_path / "runs" / "one", "train")


def saved(run: Path, kind: RunKind) -> Path:
    weights = run / "policies" / "v00020"
    weights.mkdir(parents=True)
    config = to_toml(load_config_as(TrainConfig, overrides=SETTINGS))
    save_meta(run, msgspec.structs.replace(META, config=config, kind=kind))
    return weights


def test_an_evaluation_of_them_needs_no_other_setting(trained: Path):
    found = load_config(overrides=[f"policy.model='{trained}'"])
    nano = load_config(overrides=["policy.model=nano"])
    assert found.agent == nano.agent
    assert (found.browser.width, found.browser.height) == (nano.browser.width, nano.browser.height)
    assert (found.policy.max_tokens, found.policy.length) == (nano.policy.max_tokens, nano.policy.length)
    assert found.limits.easy == 19
    assert found.policy.temperature == load_config().policy.temperature


def test_what_is_said_counts_for_more(trained: Path):
    found = load_config(overrides=[f"policy.model='{trained}'", "agent.past_steps=2", "limits.easy=5"])
    assert (found.agent.past_steps, found.agent.dialect, found.limits.easy) == (2, "nano", 5)


def test_training_goes_on_from_them_with_the_limits_of_both(trained: Path):
    found = load_config_as(TrainConfig, overrides=[f"policy.model='{trained}'"])
    assert (found.limits.easy, found.evaluate.limits.easy) == (17, 19)


def test_other_folders_bring_no_settings_and_that_is_told_once_in_a_line(tmp_path: Path):
    plain = load_config()
    (tmp_path / "policies" / "mine").mkdir(parents=True)
    for folder in (tmp_path / "policies" / "mine", tmp_path, saved(tmp_path / "two", "eval")):
        found = load_with_notes(RunConfig, overrides=[f"policy.model='{folder}'"])
        assert found.config.agent == plain.agent
        [note] = found.notes
        assert str(folder) in note
        assert "dialect qwen3-vl, the prompt complete-2 and a viewport of 1280x768" in note
        assert "agent.dialect" in note
        assert "browser.width" in note
        assert not load_with_notes(RunConfig, overrides=[f"policy.model='{folder}'", *SPELLED_OUT]).notes
        assert not load_with_notes(RunConfig, overrides=[f"policy.model='{folder}'", "agent.use=oracle"]).notes


def test_weights_that_were_copied_elsewhere_carry_their_settings(trained: Path, tmp_path: Path):
    config = config_from_as(TrainConfig, load_meta(trained.parent.parent).config)
    copied = tmp_path / "elsewhere"
    copied.mkdir()
    save_manner(copied, manner_of(config))
    found = load_with_notes(RunConfig, overrides=[f"policy.model='{copied}'"])
    here = load_config(overrides=[f"policy.model='{trained}'"])
    assert found.config.model_copy(update={"policy": here.policy}) == here
    assert (found.config.policy.max_tokens, found.config.policy.length) == (96, 1024)
    assert not found.notes
    on = load_config_as(TrainConfig, overrides=[f"policy.model='{copied}'"])
    assert (on.limits.easy, on.evaluate.limits.easy, on.agent.dialect) == (17, 19, "nano")


def test_an_explicit_setting_wins_over_what_weights_carry_and_the_conflict_is_told(tmp_path: Path):
    save_manner(tmp_path, manner())
    given = [f"policy.model='{tmp_path}'", "agent.dialect=qwen3-vl", "browser.width=448", "browser.height=768"]
    found = load_with_notes(RunConfig, overrides=[*given, "limits.easy=5"])
    assert (found.config.agent.dialect, found.config.agent.prompt, found.config.limits.easy) == (
        "qwen3-vl",
        "nano-1",
        5,
    )
    [note] = found.notes
    assert "agent.dialect=nano, browser.height=320, according to" in note
    assert note.endswith("this run sets agent.dialect=qwen3-vl, browser.height=768")


def test_nanos_own_weights_say_what_its_name_does(tmp_path: Path):
    named, found = (load_config(overrides=[f"policy.model='{name}'"]) for name in ("nano", checkpoint()))
    assert found.model_copy(update={"policy": named.policy}) == named
    assert found.policy.length == named.policy.length
    stored = load_manner(checkpoint())
    assert stored is not None
    assert stored.settings == manner()


def test_weights_that_nobody_described_are_known_by_nanos_tokens_and_pictures(tmp_path: Path):
    for file in ("config.json", "tokenizer.json", "tokenizer_config.json", "preprocessor_config.json"):
        shutil.copyfile(checkpoint() / file, tmp_path / file)
    found = load_with_notes(RunConfig, overrides=[f"policy.model='{tmp_path}'"])
    nano = load_config(overrides=["policy.model=nano"])
    assert (found.config.agent, found.config.limits, found.config.browser) == (nano.agent, nano.limits, nano.browser)
    [note] = found.notes
    assert "448x320, because its tokenizer and picture size are nano's" in note
    tokens = json.loads((tmp_path / "tokenizer.json").read_text("utf-8"))
    tokens["model"]["vocab"]["and"] = 600
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokens), "utf-8")
    assert load_config(overrides=[f"policy.model='{tmp_path}'"]).agent.dialect == "qwen3-vl"


@pytest.mark.parametrize(
    ("files", "dialect"),
    [
        ({"config.json": {"model_type": "qwen2_5_vl"}}, "qwen2.5-vl"),
        ({"config.json": {"model_type": "qwen3_vl"}}, "qwen3-vl"),
        (
            {
                "config.json": {"model_type": "qwen3_vl"},
                "tokenizer_config.json": {"chat_template": r"{{- '<|im_start|>assistant\n<think>\n' }}"},
            },
            "qwen3-vl-thinking",
        ),
        ({"config.json": ["no", "object"], "tokenizer.json": 1}, "qwen3-vl"),
    ],
)
def test_the_family_of_a_model_is_known_by_its_config_and_template(
    tmp_path: Path, files: dict[str, object], dialect: str
):
    for name, content in files.items():
        (tmp_path / name).write_text(json.dumps(content), "utf-8")
    assert load_config(overrides=[f"policy.model='{tmp_path}'"]).agent.dialect == dialect


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\xff", "cannot be read"),
        (b'{"version": 1}', "cannot be read"),
        (b'{"version": 9, "webgym": "7.0", "settings": {}}', "written by a newer WebGym, 7.0"),
        (b'{"version": 1, "webgym": "0", "settings": {"agent": {"rounds": -3}}}', "agent.rounds: .*greater than"),
        (b'{"version": 1, "webgym": "0", "settings": {"browser": {"width": "wide"}}}', "browser.width: .*integer"),
    ],
)
def test_a_file_that_says_nothing_usable_is_told_by_its_name(tmp_path: Path, content: bytes, told: str):
    (tmp_path / MANNER_FILE).write_bytes(content)
    with pytest.raises(WebGymError, match=rf"{MANNER_FILE}.*{told}"):
        load_config(overrides=[f"policy.model='{tmp_path}'"])


def test_foreign_weights_bring_only_settings_of_weights(tmp_path: Path):
    more = {"browser": {"url": "http://elsewhere:7000", "width": 448}, "judge": {"use": "os:system"}}
    save_manner(tmp_path, manner() | more | {"agent": {"policy": "os:system", "unknown": 1}})
    found = load_config(overrides=[f"policy.model='{tmp_path}'"])
    assert (found.browser.url, found.browser.width, found.judge.use, found.agent.policy) == ("", 448, "exact", "auto")


@pytest.mark.parametrize(
    ("name", "value"), [("use", "their.agent:make"), ("dialect", "their.words:D"), ("prompt", "/their/prompts")]
)
def test_code_that_foreign_weights_name_has_to_be_chosen(trained: Path, tmp_path: Path, name: str, value: str):
    settings = manner() | {"agent": {**manner()["agent"], name: value}}
    save_manner(tmp_path, settings)
    with pytest.raises(ConfigError, match=rf"need agent.{name}={value}, which is not part of WebGym: set agent.{name}"):
        load_config(overrides=[f"policy.model='{tmp_path}'"])
    chosen = load_config(overrides=[f"policy.model='{tmp_path}'", f"agent.{name}='{value}'"])
    assert getattr(chosen.agent, name) == value
    # In the run that trained them, it is the user's own.
    own = load_meta(trained.parent.parent)
    config = load_config_as(TrainConfig, overrides=[*SETTINGS, f"agent.{name}='{value}'"])
    save_meta(trained.parent.parent, msgspec.structs.replace(own, config=to_toml(config)))
    save_manner(trained, settings)
    assert getattr(load_config(overrides=[f"policy.model='{trained}'"]).agent, name) == value


def test_a_try_takes_a_folder_for_its_policy(trained: Path):
    assert _policy_settings(str(trained), "") == [f"policy.model='{trained}'", "policy.temperature=0"]


def in_the_cache(hub: Path, name: str, carries: bool) -> None:
    """Put a model of the hub where downloads are kept."""
    kept = hub / f"models--{name.replace('/', '--')}"
    folder = kept / "snapshots" / "abc"
    folder.mkdir(parents=True)
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text("abc")
    for file in ("config.json", "model.safetensors"):
        (folder / file).symlink_to(checkpoint() / file)
    if carries:
        save_manner(folder, manner())


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of downloads."""
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def test_a_model_of_the_hub_that_was_downloaded_brings_its_settings(hub: Path):
    in_the_cache(hub, "our/nano", carries=True)
    in_the_cache(hub, "their/base", carries=False)
    found = load_with_notes(RunConfig, overrides=["policy.model=our/nano"])
    assert (found.config.agent.dialect, found.config.browser.width, found.notes) == ("nano", 448, ())
    base = load_with_notes(RunConfig, overrides=["policy.model=their/base"])
    assert (base.config.agent.dialect, base.notes) == ("qwen3-vl", ())
    assert load_config(overrides=["policy.model=not/here"]).agent.dialect == "qwen3-vl"


def test_a_run_that_downloads_weights_with_settings_it_did_not_know_does_not_go_on_without(
    hub: Path, monkeypatch: pytest.MonkeyPatch
):
    def download(name: str) -> Path:
        in_the_cache(hub, name, carries=True)
        return hub / "models--our--nano" / "snapshots" / "abc"

    monkeypatch.setattr("webgym.train.checkpoint_files._fetched", download)
    with pytest.raises(ConfigError, match=r"webgym\.json .* give the same command again"):
        find_policy("our/nano")
    monkeypatch.setattr("webgym.train.checkpoint_files._fetched", folder_here)
    assert find_policy("our/nano").is_dir()
