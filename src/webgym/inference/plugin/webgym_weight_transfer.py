"""Runs inside vLLM: a backend `webgym` for its weight-transfer routes, which reads a checkpoint from a folder.

On the Python path of servers started with `policy.servers.refresh = "transfer"`; vLLM finds it by the entry point
beside it. The routes are those of its NCCL backend: only the payload of `/update_weights` differs.
"""

# ruff: noqa: INP001 - not a package: its folder is on the path of vLLM
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUntypedBaseClass=false, reportUnknownParameterType=false
# pyright: reportMissingTypeArgument=false, reportMissingModuleSource=false

from __future__ import annotations


def register() -> None:
    """Called by every process of the server."""
    from vllm.distributed.weight_transfer.factory import WeightTransferEngineFactory as Factory  # noqa: PLC0415

    if "webgym" not in Factory._registry:  # noqa: SLF001 - it has no other way to ask
        Factory.register_engine("webgym", "webgym_weight_transfer_engine", "FolderEngine")
