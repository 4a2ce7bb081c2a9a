"""Batches on disk say which schema they are of."""

from __future__ import annotations

import msgspec
import pytest
from tests.unit.train import tiny

from webgym.errors import StoreError
from webgym.records.sample import BATCH_VERSION, Batch
from webgym.train.batch_file import read_batch, write_batch

BATCH = Batch(tuple(tiny.samples()), 7)


def test_a_batch_comes_back_as_it_was_with_its_schema_beside_the_version_of_the_policy(tmp_path):
    write_batch(tmp_path / "batch", BATCH)
    assert read_batch(tmp_path / "batch") == BATCH
    found = msgspec.msgpack.decode((tmp_path / "batch").read_bytes())
    assert found["version_of"] == BATCH_VERSION
    assert found["batch"]["version"] == 7


def test_a_batch_of_a_newer_schema_is_refused_whatever_else_is_in_it(tmp_path):
    newer = {"version_of": BATCH_VERSION + 1, "batch": "nobody here knows"}
    (tmp_path / "batch").write_bytes(msgspec.msgpack.encode(newer))
    with pytest.raises(StoreError, match=f"is of version {BATCH_VERSION + 1}; this WebGym reads up to {BATCH_VERSION}"):
        read_batch(tmp_path / "batch")


def test_a_batch_without_a_schema_is_refused_and_says_so(tmp_path):
    (tmp_path / "batch").write_bytes(msgspec.msgpack.encode(BATCH))
    with pytest.raises(StoreError, match="has no format version"):
        read_batch(tmp_path / "batch")


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x93\x01\x02\x03"])
def test_what_is_no_batch_is_refused(tmp_path, data):
    (tmp_path / "batch").write_bytes(data)
    with pytest.raises(StoreError, match="cannot be read"):
        read_batch(tmp_path / "batch")
