"""Attempts that were lost before a restart: made again, unless their iteration has its batch already."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.unit.store.making import META, attempt, ending

from webgym.records.sample import PolicyVersion
from webgym.records.trajectory import Infrastructure, Success
from webgym.run.folders import Folders
from webgym.run.synchronous import over
from webgym.store.write import open_writer

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("batched", [False, True])
async def test_lost_attempts_are_made_again_unless_the_batch_of_their_iteration_exists(tmp_path: Path, batched: bool):
    folders = Folders(tmp_path)
    batch = folders.batch(3)
    batch.parent.mkdir(parents=True)
    folders.batch(2).write_bytes(b"of the iteration before")
    if batched:
        batch.write_bytes(b"its samples")
    async with open_writer(tmp_path / "run", META) as writer:
        await writer.end(attempt(1), ending(Success()), {})
        await writer.end(attempt(2), ending(Infrastructure("transport")), {})
        run = SimpleNamespace(writer=writer, folders=folders, policy=PolicyVersion(3, "weights"))
        is_over = over(run)
        assert is_over() == ({"a-00001", "a-00002"} if batched else {"a-00001"})
        await writer.end(attempt(4), ending(Success()), {})
        assert "a-00004" in is_over()
