"""A file is there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from webgym.files import drafted, hindrance, write_whole


@pytest.mark.parametrize("durable", [False, True])
def test_a_file_is_written_and_replaced_and_nothing_else_is_left(tmp_path: Path, durable: bool):
    path = tmp_path / "figures.json"
    write_whole(path, b"first", durable=durable)
    write_whole(path, "zweite, länger", durable=durable)
    assert path.read_text("utf-8") == "zweite, länger"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_on_disk_has_its_name_only_after_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "figures.json"
    synced: list[bool] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(path.exists()))
    write_whole(path, b"kept", durable=True)
    assert synced == [False]
    write_whole(path, b"kept if nothing crashes")
    assert synced == [False]


def test_a_draft_that_fails_leaves_the_file_as_it_was(tmp_path: Path):
    path = tmp_path / "figures.json"
    write_whole(path, b"whole")

    def fail_halfway() -> None:
        with drafted(path) as draft:
            draft.write_bytes(b"ha")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_halfway()
    assert path.read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [path]


def test_nobody_else_reads_a_private_file_not_even_while_it_is_written(tmp_path: Path):
    path = tmp_path / "token"
    write_whole(path, b"secret", private=True)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_is_gone_is_not_made_again(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "gone" / "figures.json", b"")
    assert not (tmp_path / "gone").exists()


@pytest.mark.parametrize("folder", [False, True])
def test_nothing_hinders_what_can_be_written_and_nothing_is_left_of_having_looked(tmp_path: Path, folder: bool):
    assert hindrance(tmp_path / "new" / "made", folder=folder) == ""
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_can_be_written_again(tmp_path: Path):
    (tmp_path / "file").write_text("")
    assert hindrance(tmp_path / "file") == ""
    assert hindrance(tmp_path, folder=True) == ""
    assert hindrance(Path("/dev/null")) == ""


def test_what_hinders_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("")
    assert hindrance(tmp_path / "file" / "made") == f"cannot create files in {tmp_path / 'file'} (Not a directory)"
    assert hindrance(Path("/proc/webgym/made")).startswith("cannot create files in /proc (")
    assert hindrance(tmp_path) == "it is a folder"
    assert hindrance(tmp_path / "file", folder=True) == "it is not a folder"
    assert hindrance(tmp_path / ("x" * 1000)) == "File name too long"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_what_may_not_be_written_hinders(tmp_path: Path):
    (tmp_path / "file").touch(0o400)
    assert hindrance(tmp_path / "file") == "Permission denied"
    tmp_path.chmod(0o500)
    assert hindrance(tmp_path / "made") == f"cannot create files in {tmp_path} (Permission denied)"
    tmp_path.chmod(0o000)
    assert hindrance(tmp_path / "made" / "more") == "Permission denied"
    tmp_path.chmod(0o700)
