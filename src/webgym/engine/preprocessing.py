"""Prompts to token ids and patches, outside the engine's thread."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from webgym.engine.lru import Lru
from webgym.engine.pixels import Patches, read_settings
from webgym.engine.render import Renderer, read_renderer
from webgym.engine.sequence import PromptImage
from webgym.engine.shape import read_shape
from webgym.engine.wire import SampleOrder


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """A request, ready for the engine."""

    ask: SampleOrder
    ids: list[int]
    pictures: tuple[PromptImage, ...]


class PicturesLackingError(Exception):
    """Images of a prompt were not sent, or have been evicted since."""


class Preprocessor:
    """Tokenizes prompts and preprocesses images for one checkpoint. Used by one thread."""

    def __init__(self, folder: Path, picture_bytes: int) -> None:
        shape = read_shape(folder)
        self._merge = shape.vision_config.spatial_merge_size
        self._reader = read_settings(folder)
        self.renderer: Renderer = read_renderer(folder, shape.image_token_id)
        self._pictures: Lru[Patches] = Lru(picture_bytes)

    def prepare(self, ask: SampleOrder) -> PreparedRequest:
        """Preprocess the images of a request and render its messages.

        Raises:
            PolicyRejected: It can never be served.
            PicturesLackingError: Its images have to be sent again.
        """
        sent = {address: self._reader.read(data) for address, data in ask.pictures.items()}
        for address, patches in sent.items():
            self._pictures.put(address, patches)
        shown: list[PromptImage] = []
        for picture in ask.prompt.pictures:
            patches = sent.get(picture.address) or self._pictures.get(picture.address)
            if patches is None:
                raise PicturesLackingError
            shown.append(PromptImage(picture.address, patches))
        ids = self.renderer.ids(ask.prompt, [image.patches.grid.tokens(self._merge) for image in shown])
        return PreparedRequest(ask, ids, tuple(shown))
