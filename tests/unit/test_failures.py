"""What is told without a traceback."""

from __future__ import annotations

import errno
import os

import pytest

from webgym.cli.failures import explain
from webgym.errors import ConfigError


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.ENOSPC])
def test_a_folder_that_the_machine_withholds_is_told_in_one_line(number: int, capsys: pytest.CaptureFixture[str]):
    assert explain(OSError(number, os.strerror(number), "/somewhere/runs"))
    assert capsys.readouterr().err == f"error: cannot use /somewhere/runs: {os.strerror(number)}\n"


def test_a_full_disk_is_told_in_one_line_from_within_tasks_too(capsys: pytest.CaptureFixture[str]):
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/somewhere/log")
    assert explain(ExceptionGroup("", [ExceptionGroup("", [full])]))
    assert capsys.readouterr().err == f"error: cannot use /somewhere/log: {os.strerror(errno.ENOSPC)}\n"


def test_what_was_raised_on_purpose_is_told(capsys: pytest.CaptureFixture[str]):
    assert explain(ExceptionGroup("", [ConfigError("[no] such thing")]))
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
    assert not explain(error)
