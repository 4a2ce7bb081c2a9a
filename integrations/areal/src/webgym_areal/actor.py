"""AReaL's FSDP2 actor with support for pictures by reference. Needs AReaL, whose workers import it by name."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

from webgym.run.models import find_policy
from webgym_areal.materialise import Gallery, materialised
from webgym_areal.package import areal
from webgym_areal.pictures import read_cutter

_FSDPPPOActor: Any = areal("engine.fsdp_engine").FSDPPPOActor


class ReferencedActor(_FSDPPPOActor):
    """Fetches the pictures of a batch just before it is split into micro-batches, each picture once, and caches them.

    Everything else is AReaL's.
    """

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.gallery = Gallery(read_cutter(find_policy(config.path)))

    def _prepare_mb_list(self, input_: dict[str, Any]) -> Any:
        return super()._prepare_mb_list(materialised(input_, self.gallery))
