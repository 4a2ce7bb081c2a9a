"""Checkpoints are read as transformers writes them, and written as it reads them."""

from __future__ import annotations

import json
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file
from tests.unit.train import tiny
from tokenizers import Tokenizer, models
from transformers import Qwen3VLForConditionalGeneration

from webgym.errors import ModelError, TokenizerMismatch
from webgym.store.weights_manner import load_manner, save_manner
from webgym.train.checkpoint_files import folder_digest, weight_files
from webgym.train.load import published, read_weights
from webgym.train.model import PackedModel


def read(folder) -> PackedModel:
    source = published(str(folder))
    model = PackedModel(source.shape)
    read_weights(model, source.folder)
    return model


@pytest.mark.parametrize("tied", [True, False])
def test_what_is_saved_is_what_was_trained_and_what_transformers_loads(tmp_path, tied):
    folder = tiny.folder(tmp_path / "model", tied=tied)
    save_manner(folder, {"agent": {"dialect": "compact"}})
    trainer = tiny.trainer(folder)
    trainer.step(tiny.batch())
    saved = trainer.save(tmp_path / "out", 1)

    loaded = Qwen3VLForConditionalGeneration.from_pretrained(tmp_path / "out")
    theirs = dict(loaded.named_parameters())
    for name, weight in tiny.weights(trainer.model).items():
        assert torch.equal(theirs[name], weight.bfloat16()), name
    assert torch.equal(loaded.lm_head.weight, trainer.model.output_weight.bfloat16())
    assert saved.digest == folder_digest(tmp_path / "out")
    assert (tmp_path / "out" / "preprocessor_config.json").is_file()
    assert load_manner(tmp_path / "out") == load_manner(folder) is not None
    assert not list(tmp_path.glob(".*"))


def test_a_stale_copy_of_a_tied_output_matrix_is_neither_read_nor_written(tmp_path):
    folder = tiny.folder(tmp_path / "model", tied=True)
    state = load_file(folder / "model.safetensors")
    save_file(state | {"lm_head.weight": torch.full((tiny.VOCABULARY, 48), 7.0)}, folder / "model.safetensors")
    trainer = tiny.trainer(folder)
    assert not (trainer.model.output_weight == 7.0).any()
    trainer.step(tiny.batch())
    trainer.save(tmp_path / "out", 1)
    assert "lm_head.weight" not in load_file(tmp_path / "out" / "model.safetensors")


def test_what_an_older_transformers_reads_in_a_configuration_is_still_there(tmp_path):
    folder = tiny.folder(tmp_path / "model")
    config = json.loads((folder / "config.json").read_text())
    text = config["text_config"]
    rope = text.pop("rope_parameters")
    text |= {"rope_theta": rope.pop("rope_theta"), "rope_scaling": rope, "torch_dtype": "float32"}
    config.pop("dtype", None)
    config |= {"torch_dtype": "float32", "transformers_version": "4.57.0"}
    (folder / "config.json").write_text(json.dumps(config))
    tiny.trainer(folder).save(tmp_path / "out", 0)

    written = json.loads((tmp_path / "out" / "config.json").read_text())
    assert written["torch_dtype"] == written["text_config"]["torch_dtype"] == "bfloat16"
    text["torch_dtype"] = config["torch_dtype"] = "bfloat16"
    assert {**written, "vision_config": {}} == {**config, "vision_config": {}}
    loaded = Qwen3VLForConditionalGeneration.from_pretrained(tmp_path / "out")
    assert loaded.lm_head.weight.dtype == torch.bfloat16


def test_a_saved_model_replaces_the_one_before(tmp_path):
    trainer = tiny.trainer(tiny.folder(tmp_path / "model"))
    first = trainer.save(tmp_path / "out", 0)
    trainer.step(tiny.batch())
    second = trainer.save(tmp_path / "out", 1)
    assert first.digest != second.digest == folder_digest(tmp_path / "out")


def test_weights_in_several_files_are_read(tmp_path):
    model = tiny.published()
    model.save_pretrained(tmp_path, max_shard_size="60KB")
    assert len(weight_files(tmp_path)) > 1
    theirs = model.state_dict()
    for name, weight in read(tmp_path).named_parameters():
        assert torch.equal(weight, theirs[name]), name


def test_missing_files_are_named(tmp_path):
    folder = tiny.folder(tmp_path / "model")
    for name in ("config.json", "model.safetensors"):
        shutil.move(folder / name, tmp_path / name)
        with pytest.raises(ModelError, match=name):
            published(str(folder))
        shutil.move(tmp_path / name, folder / name)
    with pytest.raises(ModelError, match="neither a folder"):
        published(str(tmp_path / "nothing"))
    (folder / "preprocessor_config.json").unlink()
    with pytest.raises(ModelError, match=r"preprocessor_config\.json"):
        tiny.trainer(folder)


def test_a_missing_shard_is_named(tmp_path):
    tiny.published().save_pretrained(tmp_path, max_shard_size="60KB")
    gone = weight_files(tmp_path)[1]
    gone.unlink()
    with pytest.raises(ModelError, match=gone.name):
        published(str(tmp_path))


def test_damaged_weights_are_refused(tmp_path):
    folder = tiny.folder(tmp_path)
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ModelError, match="damaged"):
        read(folder)


def test_weights_of_another_shape_are_refused(tmp_path):
    folder = tiny.folder(tmp_path)
    state = load_file(folder / "model.safetensors")
    name = "model.language_model.norm.weight"
    for change, message in (
        ({name: torch.ones(47)}, "the model needs"),
        ({"extra": torch.ones(1)}, "extra"),
    ):
        save_file(state | change, folder / "model.safetensors")
        with pytest.raises(ModelError, match=message):
            read(folder)
    del state[name]
    save_file(state, folder / "model.safetensors")
    with pytest.raises(ModelError, match=name):
        read(folder)


def test_another_architecture_is_refused(tmp_path):
    folder = tiny.folder(tmp_path)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "qwen2_vl"}))
    with pytest.raises(ModelError):
        published(str(folder))
    (folder / "config.json").write_text("{")
    with pytest.raises(ModelError, match=r"config\.json"):
        published(str(folder))


@pytest.mark.parametrize(
    ("words", "fits"), [(195, True), (tiny.VOCABULARY, True), (tiny.VOCABULARY + 1, False), (50, False)]
)
def test_a_tokenizer_that_does_not_fit_is_refused(tmp_path, words, fits):
    folder = tiny.folder(tmp_path)
    vocabulary = {f"w{number}": number for number in range(words)}
    Tokenizer(models.WordLevel(vocabulary, unk_token="w0")).save(str(folder / "tokenizer.json"))
    if fits:
        published(str(folder))
    else:
        with pytest.raises(TokenizerMismatch, match=r"tokenizer\.json"):
            published(str(folder))
