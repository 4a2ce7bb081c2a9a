"""What is told without a traceback, and with which exit code."""

from __future__ import annotations

import errno
import os
import re
import sys
from pathlib import Path

import pytest
from tests.unit.runs.test_summary import row

from webgym import errors
from webgym.cli.failures import ExitCode, code_of_run, explain
from webgym.cli.main import app, main
from webgym.errors import ConfigError, LossReason, SessionLost, StoreError, TransportError
from webgym.run.summary import summarise

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.ENOSPC])
def test_a_folder_that_the_machine_withholds_is_told_in_one_line(number: int, capsys: pytest.CaptureFixture[str]):
    assert explain(OSError(number, os.strerror(number), "/somewhere/runs")) == ExitCode.INFRASTRUCTURE
    assert capsys.readouterr().err == f"error: cannot use /somewhere/runs: {os.strerror(number)}\n"


def test_a_full_disk_is_told_in_one_line_from_within_tasks_too(capsys: pytest.CaptureFixture[str]):
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/somewhere/log")
    assert explain(ExceptionGroup("", [ExceptionGroup("", [full])])) == ExitCode.INFRASTRUCTURE
    assert capsys.readouterr().err == f"error: cannot use /somewhere/log: {os.strerror(errno.ENOSPC)}\n"


def test_what_was_raised_on_purpose_is_told(capsys: pytest.CaptureFixture[str]):
    assert explain(ExceptionGroup("", [ConfigError("[no] such thing")])) == ExitCode.CONFIGURATION
    assert capsys.readouterr().err == "error: [no] such thing\n"


@pytest.mark.parametrize(
    "error",
    [
        ValueError("a fault"),
        FileNotFoundError(errno.ENOENT, "No such file or directory", "/inner/file"),
        PermissionError("without a file"),
        ExceptionGroup("", [ConfigError("told"), ValueError("a fault beside it")]),
    ],
)
def test_a_fault_of_ours_keeps_its_traceback(error: Exception):
    assert explain(error) is None


def ended_with(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | str | None:
    monkeypatch.setattr(sys, "argv", ["webgym", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


def test_a_command_line_that_is_not_understood_and_a_setting_that_cannot_be_end_differently(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    assert ended_with(monkeypatch, "eval", "--nonsense") == ExitCode.USAGE
    assert ended_with(monkeypatch, "eval", "--print-config", "tasks.cuont=3") == ExitCode.CONFIGURATION
    assert ended_with(monkeypatch, "runs", "show", str(tmp_path)) == ExitCode.CONFIGURATION
    assert ended_with(monkeypatch, "status", "--url", "http://127.0.0.1:9") == ExitCode.INFRASTRUCTURE


def test_every_error_has_a_code_and_what_may_pass_is_infrastructure():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.WebGymError)]
    plain = [kind for kind in kinds if kind is not SessionLost]
    found = {kind.__name__: explain(kind("said")) for kind in plain}
    assert set(found.values()) == {ExitCode.CONFIGURATION, ExitCode.INFRASTRUCTURE}
    assert explain(SessionLost("gone", reason=LossReason.NODE_LOST)) == ExitCode.INFRASTRUCTURE
    assert {name for name in found if "Unavailable" in name or name in {"TransportError", "BrowserFault"}} == {
        name
        for name in ("PolicyUnavailable", "JudgeUnavailable", "TransportError", "BrowserFault")
        if found[name] == ExitCode.INFRASTRUCTURE
    }
    for name in ("ConfigError", "AuthError", "SiteUnknown", "ModelError", "PolicyRejected", "EgressRefused"):
        assert found[name] == ExitCode.CONFIGURATION


def test_a_run_that_cannot_be_written_is_the_machines_doing_and_one_that_is_not_there_the_users():
    full = StoreError("cannot write")
    full.__cause__ = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert explain(full) == ExitCode.INFRASTRUCTURE
    assert explain(StoreError("there is no run")) == ExitCode.CONFIGURATION
    assert explain(TransportError("no fleet answers")) == ExitCode.INFRASTRUCTURE


def code(*outcomes: str | None, complete: bool = True, interrupted: bool = False, judged: bool = True):
    rows = [row(number, outcome) for number, outcome in enumerate(outcomes)]
    return code_of_run(summarise(rows), complete=complete, interrupted=interrupted, judged=judged)


def test_a_run_ends_with_failures_if_too_much_of_it_says_nothing_about_the_agent():
    assert code("success", "failure", "truncated") is None
    assert code("failure", "failure") is None
    assert code(*["failure"] * 19, "infrastructure") is None
    assert code(*["failure"] * 9, "infrastructure") == ExitCode.FAILURES
    assert code(*["failure"] * 9, "judge_unknown") == ExitCode.FAILURES
    assert code("judge_unknown", judged=False) is None
    assert code("infrastructure", judged=False) == ExitCode.FAILURES
    assert code("success", *["blocked"] * 9) is None
    assert code(*["blocked"] * 9) == ExitCode.FAILURES
    assert code("success", None, complete=False) == ExitCode.FAILURES
    assert code("success", None, complete=False, interrupted=True) == ExitCode.INTERRUPTED
    assert code("success", interrupted=True) is None
    assert code() == ExitCode.FAILURES


def test_the_table_in_the_docs_has_every_code():
    page = (ROOT / "docs/troubleshooting.md").read_text("utf-8")
    table = page.split("\n## Exit codes\n")[1].split("\n## ")[0]
    assert [int(one) for one in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)] == [0, *sorted(ExitCode)]


def test_no_command_invents_a_code_of_its_own():
    for file in (ROOT / "src/webgym/cli").rglob("*.py"):
        assert not re.search(r"(typer\.Exit|sys\.exit)\(\d", file.read_text("utf-8")), file
    assert app.info.name == "webgym"
