"""What a command is to write is looked at before any work is done."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner

from webgym.cli.failures import ExitCode
from webgym.cli.main import app, main
from webgym.errors import ConfigError
from webgym_bench.log import write_log

NOWHERE = Path("/proc/webgym/made")
"""Nobody can make a folder there, not even root."""
WRITTEN = {"out", "log", "logs", "page", "state", "health", "rejects", "journal", "book"}
"""Names of what is written, among all parameters of all commands."""
COMMANDS = [
    ["bench flow", "--log"],
    ["bench rollouts", "--log"],
    ["bench sessions", "--log"],
    ["bench settle --url http://127.0.0.1:1/", "--out"],
    ["demo", "--out"],
    ["demo --tour", "--out"],
    ["export RUN --format atif", "--out"],
    ["inference check", "--logs"],
    ["inference serve", "--logs"],
    ["judge calibrate RUN", "--out"],
    ["judge collect", "OUT"],
    ["judge import online-mind2web .", "OUT"],
    ["judge run RUN", "--out"],
    ["nano learn lessons", "OUT"],
    ["nano lessons", "OUT"],
    ["nano suite", "OUT"],
    ["sites check --all", "--log"],
    ["sites gallery", "--out"],
    ["tasks clean SET", "--out"],
    ["tasks clean SET", "--rejects"],
    ["tasks decompose SET", "--journal"],
    ["tasks decompose SET", "--out"],
    ["tasks decompose SET", "--rejects"],
    ["tasks draw SET", "--health"],
    ["tasks draw SET", "--out"],
    ["tasks draw SET", "--state"],
    ["tasks enrich SET", "--journal"],
    ["tasks enrich SET", "--out"],
    ["tasks enrich SET", "--rejects"],
    ["tasks export SET", "--out"],
    ["tasks health", "BOOK"],
    ["tasks import hermetic", "--out"],
    ["tasks import hermetic", "--rejects"],
    ["tasks split SET --test 1", "--out"],
    ["tasks split SET --test 1", "--rejects"],
    ["tasks stats SET", "--page"],
]


def written(command: Any, words: str = "") -> Iterator[tuple[str, str]]:
    """Every command with what it writes, as `COMMANDS` has them."""
    for name, inner in getattr(command, "commands", {}).items():
        yield from written(inner, f"{words} {name}".strip())
    for one in command.params:
        if one.name in WRITTEN:
            yield words, one.opts[0] if one.param_type_name == "option" else one.name.upper()


def test_no_command_is_left_out():
    tried = {(" ".join(word for word in words.split() if word.islower()), what) for words, what in COMMANDS}
    for words, what in written(typer.main.get_command(app)):
        assert any(one.startswith(words) and named == what for one, named in tried), f"{words} {what}"


@pytest.mark.parametrize(("words", "what"), COMMANDS)
def test_a_path_that_nothing_can_be_written_to_is_told_before_any_work(words: str, what: str):
    option = [what] if what.startswith("-") else []
    ran = CliRunner().invoke(app, [*words.split(), *option, str(NOWHERE)])
    assert isinstance(ran.exception, ConfigError), ran.output
    assert str(ran.exception).startswith(f"cannot write {NOWHERE}: cannot create files in /proc (")
    assert str(ran.exception).endswith(f"); choose another {what}")


def test_a_folder_is_no_file_and_a_file_no_folder(tmp_path: Path):
    (tmp_path / "file").write_text("")
    ran = CliRunner().invoke(app, ["bench", "flow", "--log", str(tmp_path)])
    assert str(ran.exception) == f"cannot write {tmp_path}: it is a folder; choose another --log"
    ran = CliRunner().invoke(app, ["sites", "gallery", "--out", str(tmp_path / "file")])
    assert str(ran.exception) == f"cannot write {tmp_path / 'file'}: it is not a folder; choose another --out"


def test_it_is_one_line_and_the_command_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(sys, "argv", ["webgym", "bench", "flow", "--log", str(NOWHERE)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == ExitCode.CONFIGURATION
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: cannot write {NOWHERE}: ")


def test_the_folder_of_a_log_is_made(tmp_path: Path):
    write_log(tmp_path / "new" / "log.jsonl", {}, [])
    assert (tmp_path / "new" / "log.jsonl").exists()
