"""Makes AReaL's requests from our settings. Needs AReaL."""

from __future__ import annotations

from typing import Any

from webgym_areal.package import areal
from webgym_areal.policy import MakeRequest
from webgym_areal.settings import ArealSettings


def request_maker(settings: ArealSettings) -> MakeRequest:
    """Return a maker of requests that sample from the full distribution at the given temperature, as training assumes.

    Raises:
        ConfigError: AReaL is not installed.
    """
    structs, arguments = areal("api.io_struct"), areal("api.cli_args")
    wanted = arguments.GenerationHyperparameters(
        n_samples=1,
        max_new_tokens=settings.max_new_tokens,
        max_tokens=settings.max_tokens,
        temperature=settings.temperature,
        top_p=1.0,
        skip_special_tokens=False,
    )

    def make(*, rid: str, input_ids: list[int], image_data: list[str], messages: list[Any] | None) -> Any:
        return structs.ModelRequest(
            rid=rid, input_ids=input_ids, gconfig=wanted.new(), image_data=image_data, vision_msg_vllm=messages
        )

    return make
