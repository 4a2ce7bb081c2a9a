"""Pictures become what transformers' processor makes of them."""

from __future__ import annotations

import io

import pytest
import torch
from PIL import Image
from tests.unit.engine.tiny import claiming, png

from webgym.engine.pixels import read_settings
from webgym.errors import PolicyRejected
from webgym.run.inference.processor import read_processor


@pytest.mark.parametrize("size", [(128, 96), (448, 320), (100, 77), (31, 500), (20, 20), (129, 95)])
def test_pictures_of_any_size_are_cut_as_transformers_does(folder, size):
    data = png(1, *size)
    read = read_settings(folder).read(data)
    made = read_processor(folder).image_processor(images=[Image.open(io.BytesIO(data))], return_tensors="pt")
    assert made["image_grid_thw"].tolist() == [[1, read.grid.rows, read.grid.columns]]
    frames = made["pixel_values"].view(-1, 3, 2, 256)
    assert torch.equal(frames[:, :, 0], frames[:, :, 1])
    mine = (read.pixels.view(-1, 3, 256).float() - 127.5) / 127.5
    assert torch.allclose(mine, frames[:, :, 0], atol=1e-5)


@pytest.mark.parametrize("mode", ["RGBA", "L", "P", "CMYK"])
def test_pictures_of_any_mode_are_read(folder, mode):
    out = io.BytesIO()
    kind = "JPEG" if mode == "CMYK" else "PNG"
    Image.new(mode, (64, 64)).save(out, kind)
    assert read_settings(folder).read(out.getvalue()).grid.patches == 16


@pytest.mark.parametrize("data", [b"", b"no picture", png(1)[:200], claiming(60_000, 60_000)])
def test_what_is_no_picture_is_refused(folder, data):
    with pytest.raises(PolicyRejected, match="cannot be read"):
        read_settings(folder).read(data)
    narrow = io.BytesIO()
    Image.new("RGB", (4000, 2)).save(narrow, "PNG")
    with pytest.raises(PolicyRejected, match="narrow"):
        read_settings(folder).read(narrow.getvalue())
