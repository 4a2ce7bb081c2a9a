"""Files of the Hugging Face hub, on a hub of our own on loopback."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from webgym.cli.failures import ExitCode
from webgym.errors import ConfigError
from webgym.tasks.hub import fetched, is_hub

pytest.importorskip("huggingface_hub")
COMMIT = "0" * 40
LINES = b"".join(
    json.dumps({"website": f"s{n}.com", "instruction": f"Find it {n}.", "criteria": [], "steps": []}).encode() + b"\n"
    for n in range(3)
)


class Hub(BaseHTTPRequestHandler):
    """Serves one file of one data set."""

    def do_HEAD(self) -> None:
        found = self.path.split("?")[0] == "/datasets/some/tasks/resolve/main/data/train.jsonl"
        self.send_response(200 if found else 404)
        self.send_header("ETag", f'"{hashlib.sha256(LINES).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("Content-Length", str(len(LINES) if found else 0))
        if not found:
            self.send_header("X-Error-Code", "EntryNotFound")
        self.end_headers()

    def do_GET(self) -> None:
        self.do_HEAD()
        self.wfile.write(LINES)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def run(hub: str, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    settings = {"HF_ENDPOINT": hub, "HF_HOME": str(home), "HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
    command = [sys.executable, "-m", "webgym", "tasks", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **settings})


def test_a_file_of_the_hub_is_imported(hub: str, tmp_path: Path):
    done = run(
        hub, tmp_path, "import", "insta-v3", "hf://datasets/some/tasks/data/train.jsonl", "--out", str(tmp_path / "x")
    )
    assert done.returncode == 0, done.stderr
    assert "3 tasks on 3 websites" in done.stdout


def test_a_file_that_the_hub_does_not_have_is_told(hub: str, tmp_path: Path):
    done = run(hub, tmp_path, "import", "insta-v3", "hf://datasets/some/tasks/none.jsonl", "--out", str(tmp_path / "x"))
    assert done.returncode == ExitCode.CONFIGURATION
    assert "hf://datasets/some/tasks/none.jsonl cannot be downloaded" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_no_reference_is_refused():
    assert not is_hub("data/train.jsonl")
    with pytest.raises(ConfigError, match="hf://datasets/OWNER/NAME/PATH"):
        fetched("hf://train.jsonl")
