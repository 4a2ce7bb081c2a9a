"""Pictures: within their budget, whole after a crash, and collected when nothing refers to them."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from tests.unit.store.making import META, attempt, ending, step

from webgym.errors import BlobGone, StoreError
from webgym.records.observation import address_of
from webgym.records.trajectory import Infrastructure, Step
from webgym.store.garbage_collection import collect
from webgym.store.images import SMALLEST_PACK
from webgym.store.packs import PACK_FOLDER, pack_path
from webgym.store.read import open_run
from webgym.store.write import RunWriter, open_writer

pytestmark = pytest.mark.anyio

BUDGET = 16 * SMALLEST_PACK
SIZE = 20_000
HANDLES = Path("/proc/self/fd")


def packs(folder: Path) -> list[Path]:
    return sorted((folder / PACK_FOLDER).iterdir())


def address(taken: tuple[Step, dict[str, bytes]]) -> str:
    return next(iter(taken[1]))


async def run_attempt(writer: RunWriter, number: int, steps: int = 4, *, over: bool = True, group: str = "") -> None:
    mine = attempt(number, group=group)
    await writer.begin(mine)
    for one in range(1, steps + 1):
        await writer.step(mine, *step(one, picture_seed=1000 * number + one, size=SIZE))
    if over:
        await writer.end(mine, ending(steps=steps, ended=float(number)), {})


def shown(number: int, one: int) -> str:
    return address(step(one, picture_seed=1000 * number + one, size=SIZE))


async def test_over_the_budget_the_pictures_of_the_oldest_attempts_go_and_their_text_stays(tmp_path: Path):
    async with open_writer(tmp_path, META, image_budget_bytes=BUDGET) as writer:
        await run_attempt(writer, 0, over=False)
        for number in range(1, 60):
            await run_attempt(writer, number)
            held = sum(file.stat().st_size for file in packs(tmp_path))
            assert held <= BUDGET + 2 * SMALLEST_PACK
        assert writer.blob(shown(1, 1)) is None
    with open_run(tmp_path) as run:
        with pytest.raises(BlobGone, match="dropped to keep the run's image budget"):
            run.blob(shown(1, 1))
        assert len(run.trajectory("a-00001").steps) == 4
        assert all(run.blob(shown(59, one)) for one in range(1, 5))
        assert all(run.blob(shown(0, one)) for one in range(1, 5)), "an attempt under way loses nothing"
        there = [number for number in range(1, 60) if _is_there(run.blob, shown(number, 1))]
        assert there == list(range(there[0], 60)), "the oldest went first"
        assert len(there) > 5


async def test_pictures_of_groups_that_are_needed_stay_whatever_the_budget(tmp_path: Path):
    needed = {"g3", "g4"}
    async with open_writer(tmp_path, META, image_budget_bytes=BUDGET) as writer:
        writer.keep(needed.__contains__)
        for number in range(1, 40):
            await run_attempt(writer, number, group=f"g{number}")
        assert writer.blob(shown(2, 1)) is None
        assert all(writer.blob(shown(number, one)) for number in (3, 4) for one in range(1, 5))
        needed.clear()
        for number in range(40, 80):
            await run_attempt(writer, number, group=f"g{number}")
        assert writer.blob(shown(3, 1)) is None
    with open_run(tmp_path) as run:
        assert run.lacking([shown(3, 1), shown(79, 1), "sha256:never"]) == {shown(3, 1), "sha256:never"}


async def test_a_picture_that_a_newer_attempt_uses_too_stays(tmp_path: Path):
    async with open_writer(tmp_path, META, image_budget_bytes=BUDGET) as writer:
        same = step(1, picture_seed=5, size=SIZE)
        for number in range(1, 60):
            await writer.begin(attempt(number))
            await writer.step(attempt(number), *same)
            await writer.step(attempt(number), *step(2, picture_seed=1000 + number, size=2 * SIZE))
            await writer.end(attempt(number), ending(ended=float(number)), {})
    with open_run(tmp_path) as run:
        assert run.blob(address(same)) == same[1][address(same)]


async def test_a_picture_that_an_attempt_only_names_stays_as_long_as_that_attempt(tmp_path: Path):
    taken, blobs = step(1, picture_seed=5, size=SIZE)
    async with open_writer(tmp_path, META) as writer:
        for number, given in ((1, blobs), (2, {})):
            await writer.begin(attempt(number))
            await writer.step(attempt(number), taken, given)
            await writer.end(attempt(number), ending(Infrastructure("transport")), {})
        await writer.begin(attempt(1))  # tried again: its pictures are nobody's but the other's
    assert collect(tmp_path).images == 0
    with open_run(tmp_path) as run:
        assert run.blob(address((taken, blobs))) == blobs[address((taken, blobs))]


async def test_a_dropped_picture_that_is_seen_again_is_there_again(tmp_path: Path):
    async with open_writer(tmp_path, META, image_budget_bytes=BUDGET) as writer:
        for number in range(1, 60):
            await run_attempt(writer, number)
        assert writer.blob(shown(1, 1)) is None
        await writer.begin(attempt(99))
        await writer.step(attempt(99), *step(1, picture_seed=1001, size=SIZE))
        await writer.end(attempt(99), ending(ended=99.0), {})
        assert writer.blob(shown(1, 1)) is not None


async def test_what_was_written_but_never_committed_is_cut_off(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        await run_attempt(writer, 1)
    (pack,) = packs(tmp_path)
    whole = pack.read_bytes()
    pack.write_bytes(whole + b"WGP1 half a record")
    pack_path(tmp_path, 7).write_bytes(b"a pack that no index knows")
    async with open_writer(tmp_path) as writer:
        assert pack.read_bytes() == whole
        assert packs(tmp_path) == [pack]
        await run_attempt(writer, 2)
        assert all(writer.blob(shown(number, 1)) for number in (1, 2))


async def test_a_tail_that_never_reached_the_disk_is_told_and_the_rest_is_kept(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        await run_attempt(writer, 1)
    (pack,) = packs(tmp_path)
    pack.write_bytes(pack.read_bytes()[: -SIZE // 2])
    async with open_writer(tmp_path) as writer:
        assert [writer.blob(shown(1, one)) is not None for one in (1, 2, 3, 4)] == [True, True, True, False]
        await run_attempt(writer, 2)
    with open_run(tmp_path) as run:
        with pytest.raises(BlobGone, match="its file was missing or damaged"):
            run.blob(shown(1, 4))
        assert all(run.blob(shown(2, one)) for one in (1, 2, 3, 4))
        assert len(run.trajectory("a-00001").steps) == 4


async def test_a_damaged_picture_is_never_given_out(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        await run_attempt(writer, 1)
    (pack,) = packs(tmp_path)
    data = bytearray(pack.read_bytes())
    data[SIZE // 2] ^= 1
    pack.write_bytes(data)
    with open_run(tmp_path) as run:
        with pytest.raises(StoreError, match="damaged at byte 0"):
            run.blob(shown(1, 1))
        assert run.blob(shown(1, 2))
        with pytest.raises(StoreError, match="never stored"):
            run.blob(address_of(b"something else"))


async def test_collecting_rewrites_packs_without_what_void_tries_left(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        for number in range(1, 6):
            await run_attempt(writer, number, over=False)
            await run_attempt(writer, number + 100)
        for number in range(1, 6):
            await writer.begin(attempt(number))
            await writer.end(attempt(number), ending(), {})
    with open_run(tmp_path) as reading:
        collected = collect(tmp_path)
        assert reading.blob(shown(101, 1)), "a reader follows pictures to their new place"
    assert (collected.images, collected.dropped) == (20, 0)
    assert collected.bytes_before - collected.bytes_after > 15 * SIZE
    assert sum(file.stat().st_size for file in packs(tmp_path)) < 21 * SIZE
    with open_run(tmp_path) as run:
        for number in range(101, 106):
            assert len(run.trajectory(f"a-{number:05d}").steps) == 4
            assert all(run.blob(shown(number, one)) for one in range(1, 5))
    again = collect(tmp_path)
    assert (again.images, again.texts) == (0, 0)
    assert again.bytes_before == again.bytes_after


async def test_collecting_forgets_texts_that_no_prompt_names(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        await run_attempt(writer, 1, steps=4)
        await run_attempt(writer, 2, steps=9, over=False)
        await writer.begin(attempt(2))
        await writer.end(attempt(2), ending(), {})
    assert collect(tmp_path).texts == 5
    with open_run(tmp_path) as run:
        assert run.steps("a-00001")[3] == step(4, picture_seed=1004, size=SIZE)[0]


async def test_collecting_can_lower_the_budget(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        for number in range(1, 21):
            await run_attempt(writer, number)
    collected = collect(tmp_path, 20 * SIZE)
    assert collected.dropped >= 60
    assert sum(file.stat().st_size for file in packs(tmp_path)) <= 20 * SIZE
    with open_run(tmp_path) as run:
        assert run.blob(shown(20, 4))


async def test_a_run_that_is_being_written_is_not_collected(tmp_path: Path):
    async with open_writer(tmp_path, META):
        with pytest.raises(StoreError, match="being written by process"):
            collect(tmp_path)


async def test_a_crash_before_an_old_pack_is_deleted_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with open_writer(tmp_path, META) as writer:
        await run_attempt(writer, 1, over=False)
        await run_attempt(writer, 2)
        await writer.begin(attempt(1))

    def crash(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "unlink", crash)
    with pytest.raises(KeyboardInterrupt):
        collect(tmp_path)
    monkeypatch.undo()
    assert len(packs(tmp_path)) == 2
    async with open_writer(tmp_path) as writer:
        assert len(packs(tmp_path)) == 1
        assert all(writer.blob(shown(2, one)) for one in (1, 2, 3, 4))


def _is_there(blob: object, at: str) -> bool:
    try:
        return bool(blob(at))  # type: ignore[operator]
    except BlobGone:
        return False


def _deleted_packs_held_open() -> list[str]:
    found: list[str] = []
    for handle in HANDLES.iterdir():
        with contextlib.suppress(FileNotFoundError):
            found.append(str(handle.readlink()))
    return [one for one in found if ".pack" in one and one.endswith("(deleted)")]


@pytest.mark.skipif(not HANDLES.is_dir(), reason="needs Linux's list of open files")
async def test_a_pack_that_was_given_up_is_not_kept_on_the_disk_by_those_who_read_it(tmp_path: Path):
    async with open_writer(tmp_path, META, image_budget_bytes=BUDGET) as writer:
        with open_run(tmp_path) as run:
            for number in range(1, 60):
                await run_attempt(writer, number)
                assert writer.blob(shown(number, 1)) == run.blob(shown(number, 1))
            assert writer.blob(shown(1, 1)) is None
            assert _deleted_packs_held_open() == []


async def test_pictures_whose_pack_is_missing_are_told_as_such(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        await run_attempt(writer, 1)
        for pack in packs(tmp_path):
            pack.unlink()
        assert writer.blob(shown(1, 1)) is None
    with open_run(tmp_path) as run, pytest.raises(StoreError, match=r"cannot be read.*000001\.pack"):
        run.blob(shown(1, 1))
