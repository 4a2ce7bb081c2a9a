"""`webgym curves`, as a person types it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from tests.unit.store.making import META
from typer.testing import CliRunner

from webgym.cli.main import app
from webgym.errors import StoreError
from webgym.store.meta import META_FILE


def test_a_training_run_is_found_by_its_name(tmp_path: Path):
    folder = tmp_path / "runs" / "learned"
    folder.mkdir(parents=True)
    meta = msgspec.structs.replace(META, name="learned", kind="train", config="")
    (folder / META_FILE).write_bytes(msgspec.json.encode(meta))
    command = [sys.executable, "-m", "webgym", "curves", "learned"]
    environment = {name: value for name, value in os.environ.items() if name != "SSH_CONNECTION"}
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("curves http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130


def test_a_run_that_is_nowhere_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match=r"there is no run 'learned'.*webgym runs list"):
        CliRunner().invoke(app, ["curves", "learned"], catch_exceptions=False)
