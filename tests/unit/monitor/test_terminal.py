"""The board in a terminal, and the command that shows it."""

from __future__ import annotations

import io
import re

import anyio
import pytest
import typer
from rich.console import Console
from tests.unit.monitor.boards import board_and_clock, decide, end, submit
from tests.unit.monitor.watching import watched
from typer.testing import CliRunner

from webgym.cli.monitor import monitor
from webgym.errors import AuthError, TransportError
from webgym.monitor.client import connect_monitor
from webgym.monitor.mirror import Mirror
from webgym.monitor.terminal import screen, watch
from webgym.monitor.wire import BoardFacts
from webgym.records import event as events

HOSTILE = "\x1b]0;owned\x07\x1b[2J[red]evil\r\n"


def shown(board, about=BoardFacts("a run"), width=110) -> str:
    mirror = Mirror()
    mirror.apply(board.snapshot())
    console = Console(width=width, file=io.StringIO(), force_terminal=True, color_system=None)
    console.print(screen(mirror, about, width))
    return console.file.getvalue()


def test_the_screen_has_sums_operations_throughput_and_who_takes_longest():
    board, clock = board_and_clock()
    submit(board, "attempt-1", "attempt-2", "attempt-3")
    board.apply(events.LimitChanged("infer", 40))
    board.apply(events.AttemptBegan("attempt-2"))
    clock.now += 30
    decide(board, "attempt-2", 4)
    board.apply(events.OperationStarted("attempt-2", "infer", 4, 0.25))
    end(board, "attempt-1")
    clock.now += 65
    text = shown(board, BoardFacts("nightly", simulated=True))
    assert "nightly" in text
    assert "simulated" in text
    assert "3 submitted = 1 success + 1 running + 0 queued + 1 waiting" in text
    assert re.search(r"infer\s+1/40", text)
    assert "steps/min" in text
    assert re.search(r"attempt-2\s+shop-1\s+running infer\s+4\s+1:05\s+1:35 ago", text)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(width):
    board, _ = board_and_clock()
    submit(board, *(str(number) for number in range(50)))
    for number, outcome in enumerate(("success", "failure", "truncated", "blocked", "infrastructure", "judge_unknown")):
        end(board, str(number), outcome=outcome)
    assert max(map(len, shown(board, width=width).splitlines())) <= width


def test_what_a_website_or_a_model_wrote_cannot_command_the_terminal():
    board, _ = board_and_clock()
    board.apply(events.AttemptSubmitted(HOSTILE, "t", HOSTILE))
    board.apply(events.AttemptBegan(HOSTILE))
    text = shown(board, BoardFacts(HOSTILE))
    assert "\x1b]" not in text
    assert "\x1b[2J" not in text
    assert "\x07" not in text
    assert "[red]evil" in text


def test_lost_and_hidden_are_told():
    board, _ = board_and_clock(most=1)
    submit(board, "a", "b")
    board.lost = 3
    text = shown(board)
    assert "3 events were lost" in text
    assert "1 open attempts are only counted" in text


@pytest.mark.anyio
async def test_a_run_is_watched_until_it_is_over():
    board, console = board_and_clock()[0], Console(width=100, file=io.StringIO(), force_terminal=True)

    async def look() -> None:
        async with connect_monitor(seen.address, seen.notice.token) as client:
            await watch(client, console)

    async with anyio.create_task_group() as tasks:
        async with watched(board, "nightly") as seen:
            submit(board, "a")
            tasks.start_soon(look)
            with anyio.fail_after(30):
                while "1 submitted" not in console.file.getvalue():
                    await anyio.sleep(0.02)
            end(board, "a", outcome="blocked")
        tasks.cancel_scope.deadline = anyio.current_time() + 30
    assert "1 blocked" in console.file.getvalue()
    assert "over" in console.file.getvalue()


@pytest.mark.anyio
async def test_a_wrong_token_and_a_missing_monitor_are_told_apart():
    async with watched() as seen:
        async with connect_monitor(seen.address, "wrong") as client:
            with pytest.raises(AuthError):
                await client.about()
    async with connect_monitor(seen.address, "any") as client:
        with pytest.raises(TransportError, match="no monitor answers"):
            await client.about()


def command() -> typer.Typer:
    app = typer.Typer()
    app.command()(monitor)
    return app


def test_the_command_shows_a_simulated_run_in_the_terminal_and_says_so():
    done = CliRunner().invoke(command(), ["--demo", "--terminal", "--attempts", "5", "--at-once", "5"])
    assert done.exit_code == 0, done.output
    assert "simulated, not a real run" in done.output
    assert "5 submitted" in done.output


def test_the_command_without_a_live_run_says_what_to_do(tmp_path):
    done = CliRunner().invoke(command(), ["--runs", str(tmp_path)])
    assert "webgym view" in str(done.exception)


@pytest.mark.anyio
async def test_the_command_prints_the_link_of_a_live_run(tmp_path, monkeypatch):
    async with watched(folder=tmp_path / "nightly") as seen:
        monkeypatch.delenv("SSH_CONNECTION", raising=False)
        run = CliRunner().invoke
        plain = await anyio.to_thread.run_sync(run, command(), ["nightly", "--runs", str(tmp_path)])
        monkeypatch.setenv("SSH_CONNECTION", "10.0.0.9 50000 10.0.0.7 2222")
        over_ssh = await anyio.to_thread.run_sync(run, command(), ["--runs", str(tmp_path)])
    assert f"open {seen.server.url}" in plain.output
    assert "ssh" not in plain.output
    assert f"ssh -N -L {seen.server.port}:127.0.0.1:{seen.server.port} -p 2222 " in over_ssh.output
