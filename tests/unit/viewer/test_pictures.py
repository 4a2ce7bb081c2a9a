"""Pictures on their way to a page."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from tests.unit.viewer.made_runs import drawn_page

from webgym.errors import StoreError
from webgym.viewer.pictures import media_type, thumbnail


def test_a_thumbnail_is_small_and_of_the_same_shape():
    with Image.open(io.BytesIO(thumbnail(drawn_page("Page"), 200))) as small:
        assert small.size == (200, 120)


@pytest.mark.parametrize(("kind", "told"), [("PNG", "image/png"), ("WEBP", "image/webp"), ("JPEG", "image/jpeg")])
def test_a_picture_is_known_by_how_it_begins(kind, told):
    out = io.BytesIO()
    Image.new("RGB", (4, 4)).save(out, kind)
    assert media_type(out.getvalue()) == told


@pytest.mark.parametrize("data", [b"", b"<svg onload='alert(1)'/>", b"<html>", b"GIF89a", b"RIFF\0\0\0\0WAVE"])
def test_nothing_else_is_served_as_a_picture(data):
    with pytest.raises(StoreError):
        media_type(data)


@pytest.mark.parametrize("data", [b"\xff\xd8\xff\xe0 not a jpeg", drawn_page("Page")[:900]])
def test_a_damaged_picture_is_told_apart_from_a_crash(data):
    with pytest.raises(StoreError):
        thumbnail(data, 200)
