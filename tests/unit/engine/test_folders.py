"""Checkpoints that are not whole, or not what the engine can serve."""

from __future__ import annotations

import json
import shutil

import pytest

from webgym.engine.engine import Engine
from webgym.engine.preprocessing import Preprocessor
from webgym.engine.settings import EngineSettings
from webgym.engine.shape import read_shape
from webgym.errors import ConfigError

SMALL = EngineSettings(device="cpu", slots=1, length=64)


@pytest.fixture
def copy(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "copy")
    return tmp_path / "copy"


def serve(folder):
    Preprocessor(folder, 0)
    Engine(folder, SMALL)


@pytest.mark.parametrize(
    "name", ["config.json", "model.safetensors", "tokenizer.json", "preprocessor_config.json", "chat_template.jinja"]
)
def test_what_is_missing_is_named(copy, name):
    (copy / name).unlink()
    with pytest.raises(ConfigError, match=name.split(".", maxsplit=1)[0].replace("_", ".")):
        serve(copy)


def edit(folder, name, change):
    path = folder / name
    told = json.loads(path.read_text())
    change(told)
    path.write_text(json.dumps(told))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda told: told.update(model_type="llama"), "llama"),
        (lambda told: told["text_config"]["rope_parameters"].update(rope_type="yarn"), "yarn"),
        (lambda told: told["text_config"].update(hidden_size="wide"), "hidden_size"),
        (lambda told: told["text_config"].update(attention_bias=True), "attention_bias"),
        (lambda told: told.update(tie_word_embeddings=False), "lm_head"),
        (lambda told: told["text_config"].update(num_hidden_layers=7), "lack"),
    ],
)
def test_models_that_it_cannot_serve_are_refused(copy, change, says):
    edit(copy, "config.json", change)
    with pytest.raises(ConfigError, match=says):
        serve(copy)


def test_a_tokenizer_of_another_model_is_refused(copy):
    edit(copy, "config.json", lambda told: told.update(image_token_id=9_999))
    with pytest.raises(ConfigError, match="should be the image placeholder"):
        Preprocessor(copy, 0)


def test_older_checkpoints_tell_their_rope_otherwise(copy, folder):
    def older(told):
        rope = told["text_config"].pop("rope_parameters")
        told["text_config"]["rope_theta"] = rope.pop("rope_theta")
        told["text_config"]["rope_scaling"] = rope

    edit(copy, "config.json", older)
    assert read_shape(copy).text_config.rope == read_shape(folder).text_config.rope
