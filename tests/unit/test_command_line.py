"""What the command line offers beside its commands: completion, help of switches, lines where there is no terminal."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
import typer.main
from rich.console import Console
from tests.child_environment import child_environment
from tests.unit.store.making import META

from webgym.cli.completions import config_names, run_names, study_names
from webgym.cli.main import app
from webgym.cli.progress import AttemptsProgress
from webgym.cli.switches import without_types
from webgym.cli.told_once import tell_about_sandbox
from webgym.concurrency import background
from webgym.monitor.board import Board
from webgym.run.expected import rehearsal_told
from webgym.store.meta import save_meta
from webgym.train.settings import TrainerSettings


def completed(*words: str, cwd: Path) -> list[str]:
    """What bash is told for the last word, as the installed completion asks for it."""
    typed = ["webgym", *words]
    asked = {"_WEBGYM_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(typed), "COMP_CWORD": str(len(words))}
    entry = [sys.executable, "-c", "import sys; sys.argv[0] = 'webgym'; from webgym.cli.main import main; main()"]
    done = subprocess.run(
        entry, check=False, cwd=cwd, capture_output=True, text=True, timeout=60, env=child_environment(**asked)
    )
    return done.stdout.split()


def run_in(folder: Path) -> None:
    folder.mkdir(parents=True)
    save_meta(folder, META)


def test_a_shell_completes_commands_configurations_and_runs(tmp_path: Path):
    run_in(tmp_path / "runs" / "eval-mine")
    assert completed("ev", cwd=tmp_path) == ["eval"]
    assert "train-nano" in completed("train", "--config", "train-n", cwd=tmp_path)
    assert completed("runs", "show", "eval", cwd=tmp_path) == ["eval-mine"]


def test_completion_can_be_installed():
    shown = typer.testing.CliRunner().invoke(app, ["--help"], env={"COLUMNS": "120"})
    assert "--install-completion" in shown.output


def test_names_are_of_configurations_studies_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert run_names("") == []
    for number, name in enumerate(("first", "second", "other")):
        run_in(tmp_path / "runs" / name)
        os.utime(tmp_path / "runs" / name, (number, number))
    (tmp_path / "runs" / "no-run").mkdir()
    run_in(tmp_path / "kept" / "third")
    assert [name for name, _ in run_names("")] == ["other", "second", "first"]
    assert [name for name, _ in run_names("se")] == ["second"]
    assert [name for name, _ in run_names("kept/")] == ["kept/third"]
    assert dict(config_names("train-nano"))["train-nano"]
    assert not [name for name, _ in config_names("") if name.startswith("study-")]
    assert {name for name, _ in study_names("study-nano-a")} == {"study-nano-async"}


def test_help_names_no_type_after_a_switch(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "120")
    command = without_types(typer.main.get_command(app))
    for words in (["eval", "--help"], ["runs", "list", "--help"], ["--help"]):
        with pytest.raises(SystemExit):
            command(words, prog_name="webgym")
        shown = capsys.readouterr().out
        assert "--help" in shown
        assert "bool" not in shown.lower()
    with pytest.raises(SystemExit):
        command(["eval", "--help"], prog_name="webgym")
    assert "path" in capsys.readouterr().out.lower()  # other options keep theirs


@pytest.mark.anyio
async def test_where_there_is_no_terminal_a_line_tells_now_and_then_how_far_a_run_is():
    out = io.StringIO()
    with AttemptsProgress(Console(file=out, width=400), silence=0.01) as progress, anyio.fail_after(30):
        async with background() as tasks:
            tasks.start_soon(progress.break_silence)
            while "starting" not in out.getvalue():
                await anyio.sleep(0.005)
            progress.on_start(Board(), 8, 3)
            while "3 of 8 attempts ended" not in out.getvalue():
                await anyio.sleep(0.005)


def test_the_sandbox_is_told_of_once_on_a_machine_and_only_to_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("WEBGYM_HOME", str(tmp_path / "state"))

    def told(user: int) -> str:
        monkeypatch.setattr(os, "geteuid", lambda: user)
        said = io.StringIO()
        tell_about_sandbox(Console(file=said, width=200))
        return said.getvalue()

    assert told(1000) == ""
    assert "without its sandbox" in told(0)
    assert told(0) == ""


def test_several_trainer_processes_on_a_cpu_say_what_they_do():
    told = rehearsal_told(TrainerSettings(processes=4, device="cpu"))
    assert told.startswith("trainer.processes=4 on a CPU: 4 processes")
    assert "rehearses training on several GPUs" in told
    assert not rehearsal_told(TrainerSettings(processes=1, device="cpu"))
    assert not rehearsal_told(TrainerSettings(processes=4, device="cuda"))
