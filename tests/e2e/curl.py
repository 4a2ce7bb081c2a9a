"""Sends the requests that the docs send with `curl`, on machines without curl. It knows only the options used there."""

from __future__ import annotations

import argparse
import http.client
import shutil
import sys
from pathlib import Path
from urllib.parse import urlsplit

_FAILED = 22


def path_with(folder: Path, path: str, *, only_stand_in: bool = False) -> str:
    """The search path for a walk-through: with this program as `curl`, unless the machine has the real one."""
    if not only_stand_in and shutil.which("curl"):
        return path
    program = folder / "programs" / "curl"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nimport runpy\nrunpy.run_path({__file__!r}, run_name='__main__')\n")
    program.chmod(0o755)
    return f"{program.parent}:{path}"


def main() -> int:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for flag in ("--silent", "--show-error", "--fail", "--fail-with-body"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--header", action="append", default=[])
    parser.add_argument("--json")
    parser.add_argument("--request")
    parser.add_argument("--output")
    parser.add_argument("url")
    asked = parser.parse_args()
    headers = dict(line.split(": ", 1) for line in asked.header)
    if asked.json is not None:
        headers |= {"Content-Type": "application/json", "Accept": "application/json"}
    parts = urlsplit(asked.url)
    host = "127.0.0.1" if (parts.hostname or "").endswith(".localhost") else parts.hostname  # as curl resolves them
    connection = http.client.HTTPConnection(host or "", parts.port, timeout=60)
    method = asked.request or ("GET" if asked.json is None else "POST")
    target = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    connection.request(method, target, asked.json, {"Host": parts.netloc, **headers})
    reply = connection.getresponse()
    body = reply.read()
    failed = reply.status >= 400 and (asked.fail or asked.fail_with_body)
    if not (failed and asked.fail):
        if asked.output:
            Path(asked.output).write_bytes(body)
        else:
            sys.stdout.buffer.write(body)
    if failed:
        sys.stderr.write(f"curl: ({_FAILED}) The requested URL returned error: {reply.status}\n")
    return _FAILED if failed else 0


if __name__ == "__main__":
    sys.exit(main())
