"""One real server for all checks: it takes the better part of a minute to start."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
import torch
from safetensors.torch import load_file, save_file
from tests.unit.engine.tiny import TINY, tiny_model
from tests.vllm.serving import SERVERS, SERVING

from webgym.inference.opening import open_replicas
from webgym.records.sample import PolicyVersion
from webgym_nano.folder import write_folder

SMALL = msgspec.structs.replace(TINY, size=128, inner=192)
"""Heads of 32: vLLM computes no smaller ones on a processor."""


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session")
def folders(tmp_path_factory) -> list[Path]:
    """Two versions of a tiny Qwen3-VL: random weights, large enough that tokens depend on everything."""
    return [untied(tmp_path_factory.mktemp("models") / f"v{seed}", seed) for seed in (1, 2)]


@pytest.fixture(scope="session")
def tied_folders(tmp_path_factory) -> list[Path]:
    """Likewise, of one whose output layer is the embedding, as in the smaller published models."""
    return [tied(tmp_path_factory.mktemp("models") / f"tied-{seed}", seed) for seed in (3, 4)]


def tied(folder: Path, seed: int) -> Path:
    write_folder(folder, tiny_model(seed, SMALL), SMALL, dtype=torch.float32)
    return folder


def untied(folder: Path, seed: int) -> Path:
    tied(folder, seed)
    tensors = load_file(folder / "model.safetensors")
    embedding = tensors["model.language_model.embed_tokens.weight"]
    chance = torch.Generator().manual_seed(seed)
    tensors["lm_head.weight"] = torch.randn(embedding.shape, generator=chance) * embedding.std()
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    config = msgspec.json.decode((folder / "config.json").read_bytes())
    config["tie_word_embeddings"] = config["text_config"]["tie_word_embeddings"] = False
    (folder / "config.json").write_bytes(msgspec.json.encode(config))
    return folder


@pytest.fixture(scope="session")
async def replicas(folders, tmp_path_factory, anyio_backend):
    logs = Path(os.environ.get("WEBGYM_VLLM_LOGS") or tmp_path_factory.mktemp("logs"))
    async with open_replicas(SERVING, SERVERS, PolicyVersion(1, str(folders[0])), logs=logs, say=print) as started:
        yield started
