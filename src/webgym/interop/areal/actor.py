"""AReaL's FSDP2 actor, which takes pictures by reference. Needs AReaL, whose workers import it by its name."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

from webgym.interop.areal.materialise import Gallery, materialised
from webgym.interop.areal.package import areal
from webgym.interop.areal.pictures import read_cutter
from webgym.pipeline.runs.models import find_policy

_FSDPPPOActor: Any = areal("engine.fsdp_engine").FSDPPPOActor


class ReferencedActor(_FSDPPPOActor):
    """Fetches the pictures of a batch when it is about to be cut up for the model, each once, and keeps them as bytes.

    Everything else is AReaL's.
    """

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.gallery = Gallery(read_cutter(find_policy(config.path)))

    def _prepare_mb_list(self, input_: dict[str, Any]) -> Any:
        return super()._prepare_mb_list(materialised(input_, self.gallery))
