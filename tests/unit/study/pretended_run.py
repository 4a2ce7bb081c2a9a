"""Stands in for a run of a study: says what it was given, and does what its arm is called.

python pretended_run.py CORES train … name="ARM-SEED" store.root="FOLDER" …
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path

from tests.unit.study.made import curve

from webgym.curves.file import append

NAMES = [word.partition("=")[2].strip('"') for word in sys.argv if word.startswith(("name=", "store.root="))]
FOLDER = Path(NAMES[1]) / NAMES[0] if len(NAMES) == 2 else Path(sys.argv[sys.argv.index("--resume") + 1])


def note(what: str) -> None:
    with (FOLDER.parent / "order.jsonl").open("a") as file:
        file.write(json.dumps([what, FOLDER.name, sys.argv[1], os.getpid()]) + "\n")


def learn() -> None:
    for one in curve({0: 0.2, 2: 0.4}):
        append(FOLDER / "curve.jsonl", one)


note("begin")
FOLDER.mkdir(exist_ok=True)
asked = threading.Event()
signal.signal(signal.SIGINT, lambda *_: asked.set())
if FOLDER.name.startswith("broken"):
    print("the first line")
    print("it broke here", file=sys.stderr)
    sys.exit(3)
if FOLDER.name.startswith("patient"):
    print("waiting", flush=True)
    note("wait")
    asked.wait(60)
    note("end")
    sys.exit(130)
if not FOLDER.name.startswith("lazy"):
    learn()
note("end")
