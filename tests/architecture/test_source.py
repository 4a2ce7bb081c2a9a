"""How the source looks."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = [ROOT / "src", ROOT / "benchmarks/src", *ROOT.glob("*/*/src")]
SOURCES = sorted(path for folder in FOLDERS for path in folder.rglob("*.py"))
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
    names = {path.name for folder in FOLDERS for path in folder.rglob("*")}
    assert not names & {"utils", "utils.py", "common", "common.py", "helpers", "helpers.py", "misc.py", "core"}


def leaving(handler: ast.ExceptHandler) -> list[ast.AST]:
    """What in the handler raises, or ends the program by raising."""

    def leaves(node: ast.AST) -> bool:
        name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        return isinstance(node, ast.Raise) or name.rpartition(".")[2] in ("exit", "Exit", "fail")

    return [node for node in ast.walk(handler) if leaves(node)]


def in_star_handlers(text: str) -> list[str]:
    stars = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.TryStar)]
    return [ast.unparse(node) for star in stars for handler in star.handlers for node in leaving(handler)]


def test_nothing_is_raised_inside_except_star():
    # Python 3.11.2 wraps it in a group: an exit code becomes 1, and a typed error no longer matches.
    assert in_star_handlers("try: f()\nexcept* OSError:\n    sys.exit(2)") == ["sys.exit(2)"]
    assert in_star_handlers("try: f()\nexcept* OSError as e:\n    raise ValueError from e") == [
        "raise ValueError from e"
    ]
    assert {str(path): found for path in SOURCES if (found := in_star_handlers(path.read_text()))} == {}
