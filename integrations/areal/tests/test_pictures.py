"""Pictures for AReaL's trainers: as transformers would cut them, by reference, fetched once, and explicit when gone."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Iterable
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
import torch
from integrations.areal.tests.real.playing import MODEL, picture
from PIL import Image

from webgym.errors import PolicyRejected
from webgym.records.observation import address_of
from webgym_areal.materialise import Gallery, materialised
from webgym_areal.picture_server import interface, serving_pictures
from webgym_areal.pictures import read_cutter
from webgym_areal.references import Missing, Reference, WebShelf, reference
from webgym_areal.rows import StepRow
from webgym_areal.tensors import OLDEST, trajectory_of

CUTTER = read_cutter(Path(MODEL))
IMAGE = 5


def pictures(*sizes: tuple[int, int]) -> dict[str, bytes]:
    made = [picture(number, *size) for number, size in enumerate(sizes)]
    return {address_of(data): data for data in made}


def row(name: str, shown: Iterable[str], blobs: dict[str, bytes], reward: float = 1.0, sampled: int = 3) -> StepRow:
    prompt = [1, 2]
    for address in shown:
        prompt += [IMAGE] * CUTTER.tokens(CUTTER.grid(blobs[address])) + [3]
    return StepRow(
        attempt_id=name,
        step=1,
        prompt=array("i", prompt),
        sampled=array("i", range(10, 10 + sampled)),
        logprobs=array("f", [-0.5] * sampled),
        versions=array("i", [4] * sampled),
        pictures=tuple(shown),
        reward=reward,
    )


class MemoryShelf:
    """Counts what it is asked for."""

    def __init__(self, blobs: dict[str, bytes]) -> None:
        self.blobs = blobs
        self.asked: list[str] = []

    def get_many(self, references: Iterable[Reference]) -> dict[Reference, bytes | Missing]:
        wanted = list(references)
        self.asked += [one.address for one in wanted]
        return {one: self.blobs.get(one.address) or Missing("gone") for one in wanted}


def by_reference(rows: list[StepRow], blobs: dict[str, bytes], **options) -> dict:
    grids = {address: CUTTER.grid(data) for address, data in blobs.items()}
    shown = {address: str(Reference("http://:t@host:1", address)) for address in blobs}
    return trajectory_of(rows, IMAGE, grids, shown, **options)


def by_value(rows: list[StepRow], blobs: dict[str, bytes]) -> dict:
    grids = {address: CUTTER.grid(data) for address, data in blobs.items()}
    return trajectory_of(rows, IMAGE, grids, {a: CUTTER.values(CUTTER.read(d)) for a, d in blobs.items()})


@pytest.mark.parametrize("size", [(96, 64), (320, 200), (75, 131)])
def test_patches_are_those_of_transformers(size, tmp_path):
    from transformers import AutoImageProcessor

    data = picture("same", *size)
    (tmp_path / "one.png").write_bytes(data)
    made = AutoImageProcessor.from_pretrained(MODEL)(
        images=[Image.open(tmp_path / "one.png").convert("RGB")], return_tensors="pt"
    )
    grid = CUTTER.grid(data)
    assert made["image_grid_thw"].tolist() == [[1, grid.rows, grid.columns]]
    assert torch.allclose(CUTTER.values(CUTTER.read(data)), made["pixel_values"], atol=1e-5)


def test_what_is_no_picture_is_refused():
    with pytest.raises(PolicyRejected, match="cannot read an image"):
        CUTTER.grid(b"no picture")


def test_rows_are_padded_on_the_right_and_marked_token_by_token():
    blobs = pictures((96, 64), (64, 64))
    first, second = blobs
    rows = [row("a", [first], blobs, 1.5, sampled=2), row("b", [first, second], blobs, -0.5, sampled=4)]
    made = by_reference(rows, blobs, tells_oldest=True)
    length = rows[1].length
    assert made["input_ids"].shape == (2, length)
    assert made["attention_mask"].sum(1).tolist() == [rows[0].length, length]
    assert made["loss_mask"].sum(1).tolist() == [2, 4]
    assert made["loss_mask"][0, len(rows[0].prompt) : rows[0].length].tolist() == [1, 1]
    assert made["versions"][0, len(rows[0].prompt) - 1 :].tolist()[:3] == [-1, 4, 4]
    assert made["rewards"].tolist() == [1.5, -0.5]
    tokens = [CUTTER.tokens(CUTTER.grid(data)) for data in blobs.values()]
    assert made["mm_token_type_ids"].sum(1).tolist() == [tokens[0], sum(tokens)]
    assert [one["image_grid_thw"].shape for one in made["multi_modal_input"]] == [(1, 3), (2, 3)]
    assert made[OLDEST] == 4


def test_a_batch_by_reference_becomes_the_same_tensors_as_one_by_value_and_each_picture_is_fetched_once():
    blobs = pictures((96, 64), (64, 64), (128, 96))
    a, b, c = blobs
    rows = [row("a", [a], blobs), row("b", [a, b], blobs), row("c", [b, c], blobs)]
    shelf = MemoryShelf(blobs)
    gallery = Gallery(CUTTER, shelf)
    for _ in range(2):
        made = materialised(by_reference(rows, blobs), gallery)["multi_modal_input"]
        for ours, theirs in zip(made, by_value(rows, blobs)["multi_modal_input"], strict=True):
            assert torch.equal(ours["pixel_values"], theirs["pixel_values"])
            assert torch.equal(ours["image_grid_thw"], theirs["image_grid_thw"])
    assert sorted(shelf.asked) == sorted(blobs)
    assert gallery.missing == 0


def test_pictures_by_value_pass_through_untouched():
    blobs = pictures((96, 64))
    batch = by_value([row("a", blobs, blobs)], blobs)
    assert materialised(batch, Gallery(CUTTER, MemoryShelf({}))) is batch


def test_a_row_that_lost_a_picture_stays_in_its_place_blank_and_without_a_say():
    blobs = pictures((96, 64), (64, 64))
    kept, lost = blobs
    rows = [row("a", [kept], blobs), row("b", [kept, lost], blobs)]
    batch = by_reference(rows, blobs)
    gallery = Gallery(CUTTER, MemoryShelf({kept: blobs[kept]}))
    made = materialised(batch, gallery)
    assert made["loss_mask"].sum(1).tolist() == [3, 0]
    assert batch["loss_mask"].sum(1).tolist() == [3, 3]
    patches = CUTTER.grid(blobs[kept]).patches
    second = made["multi_modal_input"][1]["pixel_values"]
    assert second.shape == by_value(rows, blobs)["multi_modal_input"][1]["pixel_values"].shape
    assert second[:patches].abs().sum() > 0
    assert second[patches:].abs().sum() == 0
    assert gallery.missing == 1


def test_bytes_that_are_no_picture_cost_their_row_and_nothing_else():
    blobs = pictures((96, 64))
    [address] = blobs
    made = materialised(
        by_reference([row("a", [address], blobs)], blobs), Gallery(CUTTER, MemoryShelf({address: b"?"}))
    )
    assert made["loss_mask"].sum() == 0


def test_references_are_fifty_times_smaller_than_patches_on_a_screenshot():
    blobs = {address_of(data): data for data in [_screenshot()]}
    [address] = blobs
    whole = CUTTER.values(CUTTER.read(blobs[address]))
    assert whole.dtype == torch.float32
    assert whole.nbytes > 50 * (len(blobs[address]) + len(str(Reference("http://:token@host:1", address))))


def _screenshot() -> bytes:
    import io

    page = Image.new("RGB", (1280, 768), "white")
    for number in range(40):
        page.paste(
            (number * 6, 90, 200 - number * 4),
            (40 + number * 20, 30 + number * 15, 300 + number * 20, 38 + number * 15),
        )
    out = io.BytesIO()
    page.save(out, "JPEG", quality=80)
    return out.getvalue()


@pytest.mark.anyio
async def test_a_keeper_gives_its_pictures_to_who_has_a_reference_and_says_what_is_missing():
    blobs = pictures((96, 64), (64, 64))
    read_in: set[int] = set()

    def blob(address: str) -> bytes | None:
        read_in.add(threading.get_ident())
        return blobs.get(address)

    async with serving_pictures(blob, "127.0.0.1") as keeper:
        wanted = [Reference(keeper, address) for address in (*blobs, "sha256:never")]
        found = await anyio.to_thread.run_sync(WebShelf().get_many, [*wanted, *wanted])
        assert [found[one] for one in wanted[:2]] == list(blobs.values())
        assert isinstance(found[wanted[2]], Missing)
        assert threading.get_ident() not in read_in

        stranger = Reference(keeper.replace("http://:", "http://:x"), next(iter(blobs)))
        assert isinstance((await anyio.to_thread.run_sync(WebShelf().get_many, [stranger]))[stranger], Missing)
    gone = await anyio.to_thread.run_sync(WebShelf().get_many, wanted)
    assert all(isinstance(one, Missing) for one in gone.values())


@pytest.mark.anyio
async def test_another_picture_under_the_same_address_is_not_taken():
    async with serving_pictures(lambda _address: b"something else", "127.0.0.1") as keeper:
        one = Reference(keeper, address_of(picture("a")))
        found = await anyio.to_thread.run_sync(WebShelf().get_many, [one])
    assert found == {one: Missing("its server sent a different image")}


def test_a_reference_survives_being_written_down():
    one = Reference("http://:to-ken_1@10.0.0.7:4711", address_of(b"x"))
    assert reference(str(one)) == one


@pytest.mark.parametrize(
    ("host", "listens"), [("127.0.0.1", "127.0.0.1"), ("10.0.0.7", "0.0.0.0"), ("fd00::7", "::"), ("::1", "::1")]
)
def test_a_keeper_listens_on_loopback_for_loopback_only(host, listens):
    assert interface(host) == listens
