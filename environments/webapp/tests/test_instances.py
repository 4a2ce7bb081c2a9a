"""Instances: started, lent to one attempt at a time, reset after each, and gone at the end."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import anyio
import pytest
from environments.webapp.tests.todos import FILE, alive, attempt, environment, instance_of, needs, todo
from webgym.errors import CapacityError, ConfigError, JudgeError, TransportError
from webgym.records.verdict import Verdict
from webgym.stages import AttemptTerms, InjectableState, RunningEnvironment, StateHandle

from webgym_webapp import Reset, WebappEnvironment
from webgym_webapp.application import Ready, read_application
from webgym_webapp.ports import reserved_ports

pytestmark = pytest.mark.anyio
TERMS = AttemptTerms()
CLEAN = ["bread", "rice"]


async def add(setup, item: str) -> None:
    await anyio.to_thread.run_sync(
        lambda: instance_of(setup).view.text("/add", method="POST", body=f"item={item}".encode())
    )


async def test_every_attempt_at_once_has_an_instance_that_no_other_attempt_sees():
    env = environment(instances=3)
    async with env.open(needs(env, 3)) as running:
        assert isinstance(running, RunningEnvironment)
        async with (
            running.prepare(attempt(env, member=0), TERMS) as one,
            running.prepare(attempt(env, member=1), TERMS) as two,
        ):
            assert isinstance(one.state, StateHandle)
            assert not isinstance(one.state, InjectableState)
            await add(one, "milk")
            assert (await one.state.read(), await two.state.read()) == ([*CLEAN, "milk"], CLEAN)
            assert one.spec.destinations is not None
            assert one.spec.destinations != two.spec.destinations
            assert {*one.spec.destinations, *two.spec.destinations} < set(running.egress.allow)
            assert one.attempt.task.website == f"http://{one.spec.destinations[0]}/"


@pytest.mark.parametrize("how", ["copy", "http", "restart"])
async def test_an_instance_is_reset_after_an_attempt_that_crashed(how: str):
    reset = Reset(how=how, path="/reset")
    env = environment(instances=1, reset=reset)
    async with env.open(needs(env)) as running:
        try:
            async with running.prepare(attempt(env), TERMS) as setup:
                await add(setup, "milk")
                before = alive(instance_of(setup).port)
                raise ZeroDivisionError
        except ZeroDivisionError:
            pass
        async with running.prepare(attempt(env), TERMS) as setup:
            # A restart keeps the files: it is for applications that have none.
            assert await setup.state.read() == ([*CLEAN, "milk"] if how == "restart" else CLEAN)
            assert (alive(instance_of(setup).port) == before) == (how == "http")


async def test_a_cancelled_attempt_gives_its_instance_back_clean():
    env = environment(instances=1)
    async with env.open(needs(env)) as running:
        with anyio.move_on_after(0.2):
            async with running.prepare(attempt(env), TERMS) as setup:
                await add(setup, "milk")
                await anyio.sleep_forever()
        async with running.prepare(attempt(env), TERMS) as setup:
            assert await setup.state.read() == CLEAN


async def test_a_request_that_does_not_reset_is_followed_by_a_copy():
    def refuses(path: str) -> Reset:
        return Reset(how="http", method="GET", path=path)

    env = environment(instances=1, reset=refuses("/nowhere"))
    async with env.open(needs(env)) as running:
        async with running.prepare(attempt(env), TERMS) as setup:
            await add(setup, "milk")
        async with running.prepare(attempt(env), TERMS) as setup:
            assert await setup.state.read() == CLEAN


async def test_the_state_can_be_reset_within_an_attempt_to_where_that_began():
    env = environment()
    async with env.open(needs(env)) as running, running.prepare(attempt(env, "add-some"), TERMS) as setup:
        await add(setup, "milk")
        await setup.state.reset()
        assert await setup.state.read() == [*CLEAN, "water"]  # water is of the preparation


async def test_the_state_is_a_hash_of_every_file_unless_a_function_reads_it():
    env = environment(state="")
    async with env.open(needs(env)) as running, running.prepare(attempt(env), TERMS) as setup:
        before = await setup.state.read()
        await add(setup, "milk")
        after = await setup.state.read()
        assert list(before) == list(after) == ["list.txt"]
        assert before != after


async def test_an_attempt_waits_for_an_instance_but_not_for_ever():
    env = environment(instances=1, wait_seconds=0.2)
    async with env.open(needs(env)) as running, running.prepare(attempt(env), TERMS):
        with pytest.raises(CapacityError, match=r"none of the 1 instances became free in 0\.2 s"):
            async with running.prepare(attempt(env, member=1), TERMS):
                pass


async def test_more_attempts_than_instances_take_turns():
    env = environment(instances=2)
    seen: list[list[str]] = []

    async def one(running, member: int) -> None:
        async with running.prepare(attempt(env, member=member), TERMS) as setup:
            seen.append(await setup.state.read())
            await add(setup, "milk")

    async with env.open(needs(env, 8)) as running:
        assert len(running.egress.allow) == 2
        async with anyio.create_task_group() as tasks:
            for member in range(6):
                tasks.start_soon(one, running, member)
    assert seen == [CLEAN] * 6


async def test_an_instance_that_dies_in_an_attempt_is_an_infrastructure_error_and_is_there_for_the_next():
    env = environment(instances=1)
    async with env.open(needs(env)) as running:
        async with running.prepare(attempt(env), TERMS) as setup:
            with pytest.raises(OSError, match="closed"):
                instance_of(setup).view.text("/die")
            with pytest.raises(TransportError, match=r"instance 0 of todo died .* code 7; (.*\n)+a to-do"):
                await setup.end.reason(None)
            with pytest.raises(TransportError, match="died during the attempt"):
                await setup.judge.judge(setup.attempt, [], None, "")
        async with running.prepare(attempt(env), TERMS) as setup:
            assert await setup.state.read() == CLEAN


async def test_an_application_that_does_not_start_is_a_configuration_error_with_the_end_of_its_log(tmp_path: Path):
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "list.txt").write_text("broken\n")
    env = environment(folder=str(tmp_path / "files"))
    with pytest.raises(ConfigError, match=r"todo does not start: it ended with code 1; (.*\n)+the list is"):
        async with env.open(needs(env)):
            pass


async def test_an_application_that_never_listens_is_a_configuration_error():
    env = environment(command=("sleep", "60"), ready=Ready(seconds=0.5))
    with pytest.raises(ConfigError, match=r"was not ready after 0\.5 s \(ready.seconds\); its log is empty"):
        async with env.open(needs(env)):
            pass


async def test_a_program_that_does_not_exist_is_named():
    env = environment(command=("no-such-program",))
    with pytest.raises(ConfigError, match="no-such-program"):
        async with env.open(needs(env)):
            pass


async def test_a_line_of_the_log_can_say_that_it_is_ready():
    env = environment(instances=1, ready=Ready(log="a to-do list"))
    async with env.open(needs(env)) as running, running.prepare(attempt(env), TERMS) as setup:
        assert await setup.state.read() == CLEAN


async def test_everything_it_started_is_gone_at_the_end_even_what_left_its_process_group():
    nested = "setsid sleep 61 & exec {python} {home}/todo.py {port}"
    env = environment(instances=1, command=("sh", "-c", nested))
    async with env.open(needs(env)) as running, running.prepare(attempt(env), TERMS) as setup:
        port, folder = instance_of(setup).port, instance_of(setup).view.folder
        assert alive(port)
        assert folder.exists()
        sleeping = of_folder(folder)
        assert len(sleeping) >= 2
    assert not alive(port)
    assert not [one for one in sleeping if Path(f"/proc/{one}").exists()]
    assert not folder.parent.exists()


HOLDING = """
import sys, anyio
from environments.webapp.tests.todos import environment, needs
async def hold():
    env = environment(instances=2)
    async with env.open(needs(env)) as running:
        print(*(one.split(":")[1] for one in running.egress.allow), flush=True)
        await anyio.sleep_forever()
anyio.run(hold)
"""


async def test_no_process_outlives_a_run_that_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # a killed run leaves its files
    async with await anyio.open_process([sys.executable, "-c", HOLDING], stderr=None, cwd=FILE.parents[4]) as run:
        ports = [int(port) for port in (await run.stdout.receive()).split()]
        assert all(alive(port) for port in ports)
        run.kill()
        await run.wait()
    with anyio.fail_after(15):
        while any(alive(port) for port in ports):
            await anyio.sleep(0.1)


def of_folder(folder: Path) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "cwd").readlink() == folder:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


async def test_secrets_of_the_run_are_not_passed_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SECRET", "mine")
    for passed, told in (((), "nobody"), (("SECRET",), "mine")):
        env = environment(instances=1, pass_environment=passed)
        async with env.open(needs(env)) as running, running.prepare(attempt(env), TERMS) as setup:
            folder = instance_of(setup).view.folder
            assert f"secrets of {told}" in folder.with_name("0.log").read_text()


async def test_an_instruction_start_page_headers_and_facts_are_filled_in_for_each_attempt():
    env = environment()
    async with env.open(needs(env)) as running:
        made = []
        for member in range(5):
            async with running.prepare(attempt(env, "add-some", member), TERMS) as setup:
                task = setup.attempt.task
                item = re.fullmatch(r"Put (\w+) on the list\.", task.instruction)[1]
                assert task.rubric[0].facts[0] == f"{item} is on the list."
                assert task.website.endswith("/list")
                assert setup.spec.headers == {"X-Instance": task.website.split("/")[2][10:], "X-Task": "add-some"}
                assert '"first": ["bread", "rice", "water"]' in task.exact
                made.append(item)
        assert len(set(made)) > 1


async def test_a_function_that_fails_is_no_verdict():
    [milk, _] = todo().tasks
    env = environment(tasks=(replaced(milk, verdict="todo_tasks:greeted"),))
    async with env.open(needs(env)) as running, running.prepare(attempt(env), TERMS) as setup:
        with pytest.raises(JudgeError, match=r"verdict of task add-milk = 'todo_tasks:greeted' failed: TypeError"):
            await setup.judge.judge(setup.attempt, [], None, "")


async def test_partial_credit_of_a_function_reaches_the_verdict():
    env = environment(instances=1)
    async with env.open(needs(env)) as running, running.prepare(attempt(env, "remove-all"), TERMS) as setup:
        instance_of(setup).view.text("/remove", method="POST", body=b"item=bread")
        verdict: Verdict = await setup.judge.judge(setup.attempt, [], None, "2")
        assert [one.holds for one in verdict.facts] == [True, False, True]
        assert (verdict.credit, verdict.judge, verdict.success) == (0.25, "exact", False)


async def test_all_instances_start_from_what_a_function_has_filled_one_with():
    env = environment(seed="todo_tasks:seeded")
    async with env.open(needs(env)) as running:
        async with running.prepare(attempt(env), TERMS) as one, running.prepare(attempt(env), TERMS) as two:
            assert await one.state.read() == await two.state.read() == [*CLEAN, "seeded"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ('name = "x"\ncommand = []\ntasks = []', "does not describe an application.*length >= 1"),
        ('name = "x"\ncommand = ["x"]\ncolour = 1', "unknown field `colour`"),
        ('name = "x"\ncommand = ["x"]', "has no tasks"),
        ("name = ", "does not describe an application"),
    ],
)
def test_a_wrong_description_is_a_configuration_error(tmp_path: Path, changed: str, message: str):
    (tmp_path / "app.toml").write_text(changed)
    with pytest.raises(ConfigError, match=message):
        WebappEnvironment(str(tmp_path / "app.toml"))


def test_a_wrong_task_is_a_configuration_error():
    [milk, _] = todo().tasks
    for changes, message in (
        ({"verdict": "todo_tasks:nothing"}, "cannot be imported"),
        ({"facts": ()}, "has no facts"),
        ({"start": "list"}, "has to be a path"),
    ):
        with pytest.raises(ConfigError, match=message):
            environment(tasks=(replaced(milk, **changes),))
    with pytest.raises(ConfigError, match="two tasks 'add-milk'"):
        environment(tasks=(milk, milk))


def test_tasks_are_those_of_the_split_and_supported():
    env = environment()
    supports = [env.supports(task) for task in needs(env).tasks]
    assert len(supports) == 3
    assert all(one.served and one.exact and one.oracle for one in supports)
    assert read_application(FILE).name == needs(env).tasks[0].site


def test_two_runs_on_a_machine_do_not_get_the_same_ports():
    with reserved_ports(50) as ours, reserved_ports(50) as theirs:
        assert len({*ours, *theirs}) == 100
        with pytest.raises(ConfigError, match=f"port {ours[0]} of this machine is in use"):
            with reserved_ports(1, ours[0]):
                pass
    with reserved_ports(1, ours[0]) as again:
        assert again == ours[:1]


def replaced(task, **changes):
    import msgspec

    return msgspec.structs.replace(task, **changes)
