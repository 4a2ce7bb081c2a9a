"""Runs inside vLLM's workers: loads weights from the safetensors of a folder, with vLLM's own loader."""

# ruff: noqa: INP001 - not a package: its folder is on the path of vLLM
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUntypedBaseClass=false, reportUnknownParameterType=false
# pyright: reportMissingTypeArgument=false, reportMissingModuleSource=false

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from vllm.distributed.weight_transfer.base import (
    WeightTransferEngine,
    WeightTransferInitInfo,
    WeightTransferUpdateInfo,
)
from vllm.model_executor.layers.vocab_parallel_embedding import ParallelLMHead
from vllm.model_executor.model_loader.reload.layerwise import finalize_layerwise_reload, initialize_layerwise_reload
from vllm.platforms import current_platform


@dataclass
class FolderInit(WeightTransferInitInfo):
    """Nothing has to be set up."""


@dataclass
class FolderUpdate(WeightTransferUpdateInfo):
    """Where the weights are."""

    folder: str


class FolderEngine(WeightTransferEngine[FolderInit, FolderUpdate]):
    """Weight transfer from a folder: `/update_weights` takes `{"folder": PATH}`."""

    init_info_cls, update_info_cls = FolderInit, FolderUpdate

    def init_transfer_engine(self, init_info: FolderInit) -> None:
        """Nothing has to be set up."""

    def start_weight_update(self) -> None:
        initialize_layerwise_reload(self.model)

    def receive_weights(self, update_info: FolderUpdate, *_: Any) -> None:
        with torch.device(self.device):
            self.model.load_weights(_tensors(Path(update_info.folder)))

    def update_weights(self, update_info: dict[str, Any]) -> None:
        # The base class synchronizes with an accelerator, which a CPU build does not have.
        self.receive_weights(self.parse_update_info(update_info))

    def finish_weight_update(self) -> None:
        finalize_layerwise_reload(self.model, self.model_config)
        if current_platform.is_cpu():
            # CPU kernels use packed copies of the weights. A tied output layer is not loaded itself, so the reload does
            # not repack it.
            for layer in self.model.modules():
                if isinstance(layer, ParallelLMHead):
                    layer.quant_method.process_weights_after_loading(layer)

    def shutdown(self) -> None:
        """Nothing is held."""


def _tensors(folder: Path) -> Iterator[tuple[str, torch.Tensor]]:
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise FileNotFoundError(f"{folder} holds no safetensors")
    for path in files:
        with safe_open(path, "pt") as tensors:
            for name in tensors.keys():  # noqa: SIM118 - it is no mapping
                yield name, tensors.get_tensor(name)
