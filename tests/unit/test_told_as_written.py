"""What users, errors and other machines say is shown as they wrote it, whatever brackets are in it."""

from __future__ import annotations

from pathlib import Path

import anyio
import msgspec
import pytest
from rich.console import Console
from tests.unit.store.making import META, attempt, ending, step

from webgym.browser.wire import FleetStatus, NodeLoad, NodeStatus
from webgym.cli import doctor, status
from webgym.cli.failures import explain
from webgym.cli.judge.compare import print_agreement
from webgym.cli.notes import note
from webgym.cli.run_report import print_baselines, print_report
from webgym.errors import ConfigError
from webgym.records.trajectory import Infrastructure, Success
from webgym.run.judging.agreement import agreement
from webgym.store.write import open_writer

ODD = (
    "no server at http://[fe80::1]:80/v1",
    "cannot read [/tmp/x] here",
    "runs/[old]/x is there already",
    "torch is missing: pip install 'webgym[train]'",
    r"C:\runs\[bold]\x: no such file",
    "no route to fe80:cd:1",
)


@pytest.mark.parametrize("said", ODD)
def test_an_error_is_told_in_its_own_words(said: str, capsys: pytest.CaptureFixture[str]):
    assert explain(ConfigError(said))
    assert capsys.readouterr().err == f"error: {said}\n"


def test_something_unplanned_is_not_hidden_behind_an_error_that_was_planned():
    assert explain(ExceptionGroup("", [ConfigError("a"), ConfigError("b")]))
    assert not explain(ExceptionGroup("", [ConfigError("a"), ExceptionGroup("", [KeyError("b")])]))


@pytest.mark.parametrize("said", ODD)
def test_what_setup_and_doctor_find_is_told_as_it_is(
    said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    note(said)
    assert capsys.readouterr().err == f"setup: {said}\n"
    monkeypatch.setattr(doctor, "_CHECKS", (lambda: doctor.Finding("browser", said, said, needed=False),))
    doctor.doctor()
    assert capsys.readouterr().out == f"note    browser: {said}\n        → {said}\n"


def test_runs_domains_and_reasons_in_brackets_are_in_the_report(tmp_path: Path):
    async def stored() -> None:
        async with open_writer(tmp_path, msgspec.structs.replace(META, name="[old]")) as writer:
            for number, outcome in enumerate((Success(), Infrastructure("[/broken]"))):
                one = attempt(number)
                one = msgspec.structs.replace(one, task=msgspec.structs.replace(one.task, domain="[shops]"))
                await writer.begin(one)
                await writer.step(one, *step(1, picture_seed=number))
                await writer.end(one, ending(outcome, steps=1), {})

    anyio.run(stored)
    console = Console(width=300, highlight=False)
    with console.capture() as captured:
        print_report(tmp_path, console, as_json=False)
        print_baselines([tmp_path, tmp_path], "test", console)
    shown = captured.get()
    for expected in (" [shops] ", "([/broken]) 1 times", " [old] "):
        assert expected in shown


def test_nodes_and_judges_are_named_as_they_are():
    node = NodeStatus("[a]", "http://[fe80::1]:7000", 8, 8, 0, 0.5, NodeLoad())
    console = Console(width=300)
    with console.capture() as captured:
        console.print(status.table_of(FleetStatus((node,), 8)))
        print_agreement(agreement([]), "rubric:m[1m]", "[/b]", console)
    shown = captured.get()
    for expected in ("[a]", "http://[fe80::1]:7000", "rubric:m[1m] ↓   [/b] →"):
        assert expected in shown
