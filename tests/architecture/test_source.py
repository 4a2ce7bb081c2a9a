"""How the source looks."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
EMOJI = re.compile("[\U0001f300-\U0001faff]")


def test_no_file_is_longer_than_four_hundred_lines():
    long = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in SOURCES}
    assert {path: lines for path, lines in long.items() if lines > 400} == {}


def test_every_module_says_what_it_holds():
    silent = [str(path) for path in SOURCES if path.read_text().strip() and not path.read_text().startswith('"""')]
    assert silent == []


def test_there_are_no_emoji_in_the_source():
    assert [str(path) for path in SOURCES if EMOJI.search(path.read_text())] == []


def test_there_is_no_drawer_for_odds_and_ends():
    names = {path.name for path in (ROOT / "src").rglob("*")}
    assert not names & {"utils", "utils.py", "common", "common.py", "helpers", "helpers.py", "misc.py", "core"}
