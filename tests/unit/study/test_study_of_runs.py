"""Training runs set against each other: what rose, over tasks and over seeds."""

from __future__ import annotations

import io
import json
from pathlib import Path

import msgspec
import pytest
import typer
from rich.console import Console
from tests.unit.store.making import META, attempt, ending, step
from tests.unit.study.made import curve, learned
from typer.testing import CliRunner

from webgym.cli.main import app
from webgym.cli.study.show import show as command
from webgym.cli.study.teller import Teller
from webgym.curves.file import append
from webgym.errors import ConfigError, StoreError
from webgym.records.curve import Iteration
from webgym.records.trajectory import Cancellation, Failure, Infrastructure, Outcome, Success
from webgym.run.training.about import keep_planned
from webgym.run.training.folders import Folders
from webgym.store.meta import save_meta
from webgym.store.read import Run, open_run
from webgym.store.write import open_writer
from webgym.study import runs as reading
from webgym.study.compare import study
from webgym.study.outcome import arms_in, conclude
from webgym.study.progress import RunProgress, load_result

pytestmark = pytest.mark.anyio

WON, LOST, BROKEN = Success(), Failure("no"), Infrastructure("timeout")


async def begun(folder: Path, planned: int | None) -> None:
    """A run; if nothing is known to be planned, its settings cannot be read either."""
    async with open_writer(folder, META if planned is None else msgspec.structs.replace(META, config="")):
        pass
    if planned is not None:
        keep_planned(Folders(folder), planned)


async def trained(
    folder: Path,
    before: list[Outcome],
    after: list[Outcome],
    *,
    iteration: int = 8,
    others: tuple[int, ...] = (4,),
    planned: int | None = None,
) -> Path:
    """A run with these evaluations; the `others` ended like the first."""
    await begun(folder, planned)
    for number, outcomes in ((0, before), *((other, before) for other in others), (iteration, after)):
        await evaluate(folder, number, outcomes)
    return folder


async def evaluate(folder: Path, iteration: int, outcomes: list[Outcome], start: int = 0) -> None:
    """Write an evaluation, or the rest of one; tasks of even numbers have one fact, the others two."""
    async with open_writer(Folders(folder).evaluation(iteration), META) as writer:
        over = writer.finished()
        for place, outcome in enumerate(outcomes, start):
            one = attempt(place, facts=1 + place % 2)
            if one.attempt_id in over:
                continue
            await writer.begin(one)
            length = 2 if outcome is WON else 3
            for at in range(length):
                await writer.step(one, *step(at + 1, picture_seed=at))
            await writer.end(one, ending(outcome, steps=length), {})


async def only_trained(folder: Path, entries: list[Iteration], planned: int | None = 8) -> Path:
    """A run whose evaluations were put off."""
    await begun(folder, planned)
    return with_curve(folder, [msgspec.structs.replace(one, evaluation=None) for one in entries if one.iteration])


def with_curve(folder: Path, entries: list[Iteration]) -> Path:
    for one in entries:
        append(Folders(folder).curve, one)
    return folder


async def test_what_rose_is_paired_by_task_and_averaged_over_seeds(tmp_path: Path):
    better = [
        await trained(tmp_path / "a", [LOST] * 8 + [WON] * 2, [WON] * 6 + [LOST] * 4),
        await trained(tmp_path / "b", [LOST] * 8 + [WON] * 2, [WON] * 8 + [LOST, BROKEN]),
    ]
    same = [await trained(tmp_path / "c", [LOST] * 8 + [WON] * 2, [LOST] * 8 + [WON] * 2)]
    found = study({"better": better, "same": same})
    arm, control = found.arms
    assert [(seed.before, seed.after, seed.tasks, seed.iteration) for seed in arm.seeds] == [
        (0.2, 0.6, 10, 8),
        (pytest.approx(1 / 9), pytest.approx(8 / 9), 9, 8),
    ]
    assert arm.rise.n == 10
    # Tasks 0 to 5 rose in both seeds, 6 and 7 in one, 8 and 9 fell; what broke is nobody's failure.
    assert arm.rise.estimate == pytest.approx((6 * 1 + 2 * 0.5 - 2) / 10)
    assert arm.rise_over_seeds.estimate == pytest.approx((0.4 + 7 / 9) / 2)
    assert arm.rise_over_seeds.low < 0.4 < 7 / 9 < arm.rise_over_seeds.high
    assert {kind: rise.n for kind, rise in arm.by_facts.items()} == {"1": 5, "2": 5}
    assert (arm.after.successes.steps, arm.after.failures.steps) == (2, 3)
    assert control.rise.estimate == 0
    assert control.rise.low < 0 < control.rise.high
    against = found.against_first[0]
    assert (against.name, against.than) == ("same", "better")
    assert against.difference.estimate == pytest.approx((-6 * 1 - 2 * 0.5 + 2) / 10)


async def test_an_evaluation_that_is_not_over_does_not_count(tmp_path: Path):
    run = await trained(tmp_path / "a", [LOST] * 5, [WON, *[LOST] * 4])
    async with open_writer(Folders(run).evaluation(12), META) as writer:
        for place in range(2):  # the quick ones, of five
            one = attempt(place, facts=1 + place % 2)
            await writer.begin(one)
            await writer.step(one, *step(1, picture_seed=1))
            await writer.end(one, ending(WON, steps=1), {})
    (seed,) = study({"one": [run]}).arms[0].seeds
    assert (seed.iteration, seed.after) == (8, 0.2)


async def test_an_evaluation_that_was_stopped_does_not_count(tmp_path: Path):
    run = await trained(tmp_path / "a", [LOST] * 5, [WON, *[LOST] * 4])
    async with open_writer(Folders(run).evaluation(12), META) as writer:
        for place in range(5):
            one = attempt(place, facts=1 + place % 2)
            await writer.begin(one)
            await writer.step(one, *step(1, picture_seed=1))
            await writer.end(one, ending(WON if place < 2 else Cancellation("stopped from outside"), steps=1), {})
    (seed,) = study({"one": [run]}).arms[0].seeds
    assert (seed.iteration, seed.after) == (8, 0.2)


async def test_a_first_evaluation_that_is_not_over_does_not_count(tmp_path: Path):
    run = with_curve(await trained(tmp_path / "a", [LOST] * 5, [WON] * 5), curve({8: 0.2}))
    for number in (4, 8):
        await evaluate(run, number, [WON] * 6)  # of the sixth task, the first one has nothing
    (seed,) = study({"one": [run]}).arms[0].seeds
    assert (seed.before, seed.after) == (None, None)
    await evaluate(run, 0, [Cancellation("stopped from outside")], start=5)
    (seed,) = study({"one": [run]}).arms[0].seeds
    assert (seed.before, seed.after) == (None, None)


async def test_an_evaluation_in_which_nothing_was_graded_is_passed_over(tmp_path: Path):
    run = await trained(tmp_path / "a", [LOST, WON], [BROKEN, BROKEN])
    (seed,) = study({"one": [run]}).arms[0].seeds
    assert (seed.iteration, seed.tasks, seed.after) == (4, 2, 0.5)


async def test_evaluations_that_graded_no_task_in_common_do_not_keep_a_study_from_its_conclusion(tmp_path: Path):
    await trained(tmp_path / "a-0", [LOST] * 4, [WON] * 3 + [LOST])
    with_curve(await trained(tmp_path / "a-1", [BROKEN, WON], [WON, BROKEN], others=()), curve({8: 0.2}))
    await trained(tmp_path / "a-2", [BROKEN, WON], [WON, BROKEN], others=())
    runs = [RunProgress("a", seed, f"a-{seed}", "done", 8, 8) for seed in range(3)]
    found = conclude("mine", tmp_path, runs)
    assert found.compared is not None
    assert [seed.after for seed in found.compared.arms[0].seeds] == [0.75, None]
    (note,) = found.notes
    assert note.startswith("a-2 is excluded")


@pytest.mark.parametrize("written", [(), ("run.json",), ("run.json", "run.sqlite")])
async def test_an_evaluation_that_was_only_just_created_is_passed_over(tmp_path: Path, written: tuple[str, ...]):
    run = await trained(tmp_path / "a", [LOST] * 4, [WON] * 3 + [LOST])
    new = Folders(run).evaluation(12)
    new.mkdir()
    if "run.json" in written:
        save_meta(new, META)
    if "run.sqlite" in written:
        (new / "run.sqlite").touch()
    (seed,) = study({"one": [run]}).arms[0].seeds
    assert (seed.iteration, seed.after) == (8, 0.75)


async def test_a_run_whose_first_evaluation_was_only_just_created_is_told_without_evaluations(tmp_path: Path):
    run = await only_trained(tmp_path / "a", curve({8: 0.2}))
    Folders(run).evaluation(0).mkdir(parents=True)
    await evaluate(run, 8, [WON])
    (seed,) = study({"one": [run]}).arms[0].seeds
    assert seed.after is None


async def test_a_damaged_evaluation_is_told(tmp_path: Path):
    run = await trained(tmp_path / "a", [LOST] * 4, [WON] * 4)
    (Folders(run).evaluation(8) / "run.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(StoreError, match="00008"):
        study({"one": [run]})


async def test_a_run_that_was_not_evaluated_twice_is_named(tmp_path: Path):
    folder = tmp_path / "young"
    async with open_writer(Folders(folder).evaluation(0), META):
        pass
    with pytest.raises(ConfigError, match=r"young has finished no iteration.*\[0\]"):
        study({"one": [folder]})


async def test_runs_without_evaluations_are_compared_by_what_needs_none(tmp_path: Path):
    rare, often = learned(0.01, {0: 10}), learned(0.03, {1: 5, 2: 5})
    sync = [await only_trained(tmp_path / f"s{n}", curve({4: 0.2}, seconds=20, update=rare), 4) for n in range(2)]
    flow = [await only_trained(tmp_path / f"a{n}", curve({4: 0.2}, seconds=10, update=often), 4) for n in range(2)]
    found = study({"sync": sync, "async": flow})
    first, second = found.arms
    assert [(arm.before, arm.after, arm.rise, arm.rise_over_seeds, arm.by_facts) for arm in found.arms] == [
        (None, None, None, None, {})
    ] * 2
    assert [(seed.run, seed.iteration, seed.tasks, seed.before, seed.after) for seed in first.seeds] == [
        (str(run), None, None, None, None) for run in sync
    ]
    assert first.spent is not None
    assert second.spent is not None
    assert (first.spent.training, second.spent.training) == (80, 40)
    assert second.lag is not None
    assert (second.lag.mean, second.lag.most) == (1.5, 2)
    against = found.against_first[0]
    assert (against.difference, against.seconds_to_level) == (None, None)
    assert against.clip_share is not None
    assert against.clip_share.estimate == pytest.approx(3)
    [note] = [note for note in found.notes if "evaluate.later=false" in note]
    assert all(str(run) in note for run in (*sync, *flow))
    assert f"webgym train --resume {sync[0]} evaluate.later=false" in note
    assert not any("not finished" in note or "different" in note for note in found.notes)


async def test_an_arm_is_rated_by_its_runs_with_evaluations_and_timed_by_all(tmp_path: Path):
    rated = with_curve(
        await trained(tmp_path / "a", [LOST] * 4, [WON] * 3 + [LOST]), curve({0: 0.1, 8: 0.8}, update=learned())
    )
    unrated = await only_trained(tmp_path / "b", curve({8: 0.2}, seconds=20, update=learned()))
    other = with_curve(await trained(tmp_path / "c", [LOST] * 4, [WON] * 2 + [LOST] * 2), curve({0: 0.1, 8: 0.5}))
    found = study({"mixed": [rated, unrated], "whole": [other]})
    mixed = found.arms[0]
    assert [seed.after for seed in mixed.seeds] == [0.75, None]
    assert mixed.rise is not None
    assert mixed.rise.estimate == 0.75
    assert mixed.spent is not None
    assert mixed.spent.training == 120
    assert found.level == pytest.approx(0.5)
    against = found.against_first[0]
    assert against.difference is not None
    assert against.difference.estimate == -0.25
    [note] = [note for note in found.notes if "evaluate.later=false" in note]
    assert str(unrated) in note
    assert str(rated) not in note


async def test_runs_that_are_not_equally_long_are_noted_within_an_arm_and_across_arms(tmp_path: Path):
    short, long = [await only_trained(tmp_path / str(n), curve({n: 0.2}, update=learned())) for n in (3, 8)]
    for arms, told in (
        ({"one": [short, long]}, "one 3 to 8"),
        ({"one": [short], "two": [long]}, "one 3, two 8"),
    ):
        [note] = [note for note in study(arms).notes if "different numbers of iterations" in note]
        assert told in note
    assert not any("different numbers" in note for note in study({"one": [short], "two": [short]}).notes)


async def test_evaluations_after_other_numbers_of_iterations_are_noted_with_their_runs(tmp_path: Path):
    early = with_curve(await trained(tmp_path / "early", [LOST], [WON]), curve({0: 0.1, 8: 0.8}))
    late = with_curve(await trained(tmp_path / "late", [LOST], [WON], iteration=12), curve({0: 0.1, 12: 0.8}))
    [note] = [note for note in study({"one": [early], "two": [late]}).notes if "different iterations" in note]
    assert f"{early} 8" in note
    assert f"{late} 12" in note
    assert not any("evaluation" in note and "iterations" in note for note in study({"one": [early]}).notes)


async def test_an_evaluation_before_the_last_finished_iteration_is_noted(tmp_path: Path):
    behind = with_curve(await trained(tmp_path / "behind", [LOST], [WON]), curve({0: 0.1, 10: 0.8}))
    level = with_curve(await trained(tmp_path / "level", [LOST], [WON]), curve({0: 0.1, 8: 0.8}))
    [note] = [note for note in study({"one": [behind], "two": [level]}).notes if "last finished iteration" in note]
    assert f"{behind} (evaluated after 8 of 10)" in note
    assert str(level) not in note


async def test_the_command_that_makes_evaluations_is_given_for_finished_runs_alone(tmp_path: Path):
    finished = await only_trained(tmp_path / "finished", curve({8: 0.2}, update=learned()))
    young = await only_trained(tmp_path / "young", curve({3: 0.2}, update=learned()))
    unknown = await only_trained(tmp_path / "unknown", curve({5: 0.2}, update=learned()), planned=None)
    notes = study({"one": [finished, young, unknown]}).notes
    [without] = [note for note in notes if note.startswith("success rates are without")]
    assert all(str(run) in without for run in (finished, young, unknown))
    [command] = [note for note in notes if "evaluate.later=false" in note]
    assert f"webgym train --resume {finished} evaluate.later=false" in command
    assert not any(str(run) in command for run in (young, unknown))
    [unfinished] = [note for note in notes if "not finished yet" in note]
    assert unfinished == f"not finished yet: {young} (3 of 8 iterations)"


async def test_no_command_is_given_for_evaluations_that_took_place_but_graded_nothing(tmp_path: Path):
    run = with_curve(
        await trained(tmp_path / "a", [LOST], [BROKEN], others=(), planned=8), curve({0: 0.1, 8: 0.0}, update=learned())
    )
    notes = study({"one": [run]}).notes
    assert any(note.startswith(f"success rates are without {run}") for note in notes)
    assert not any("evaluate.later=false" in note or "not finished" in note for note in notes)


async def test_the_command_tells_what_it_can_of_runs_without_evaluations(tmp_path: Path):
    bare = await only_trained(tmp_path / "b", curve({4: 0.2}, seconds=20, update=learned(0.02, {3: 10})), 4)
    rated = with_curve(
        await trained(tmp_path / "a", [LOST] * 4, [WON] * 3 + [LOST]),
        curve({0: 0.1, 8: 0.8}, update=learned(0.01, {0: 10})),
    )
    shown = CliRunner().invoke(app, ["study", "show", f"rated={rated}", f"bare={bare}"], env={"COLUMNS": "200"})
    assert shown.exit_code == 0, shown.exception
    lines = [" ".join(line.split()) for line in shown.output.splitlines()]
    assert "bare 0 of 1 not told not told not told not told not told" in lines
    assert "bare 80 0 not told 3.00 3 2.00%" in lines
    assert "bare rated not told not told not told 2.00 times" in lines
    assert not any(line.startswith("bare before") for line in lines)
    assert any("evaluate.later=false" in line for line in lines)
    told = json.loads(CliRunner().invoke(app, ["study", "show", f"bare={bare}", "--json"]).output)
    assert told["arms"][0]["rise"] is None
    alone = CliRunner().invoke(app, ["study", "show", f"bare={bare}"], env={"COLUMNS": "200"})
    assert "tokens/step" not in alone.output
    assert "facts" not in alone.output


async def test_a_figure_over_no_task_is_not_told_as_if_it_were_one(tmp_path: Path):
    # Tasks with two facts were graded in no evaluation; the two arms have no graded task in common.
    first = await trained(tmp_path / "a", [LOST, BROKEN, BROKEN], [WON, BROKEN, BROKEN])
    second = await trained(tmp_path / "b", [BROKEN, BROKEN, LOST], [BROKEN, BROKEN, WON])
    arguments = ["study", "show", f"first={first}", f"second={second}"]
    shown = CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})
    assert shown.exit_code == 0, shown.exception
    lines = [" ".join(line.split()) for line in shown.output.splitlines()]
    assert "first 2 not told not told" in lines
    assert "second first not told not told not told not told" in lines
    assert "-100.0 to +100.0" not in shown.output
    told = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).output)
    assert told["against_first"][0]["difference"]["n"] == told["arms"][0]["by_facts"]["2"]["n"] == 0


async def test_the_command_tells_arms_as_tables_and_as_json(tmp_path: Path):
    run = await trained(tmp_path / "a", [LOST] * 4, [WON] * 3 + [LOST])
    show = typer.Typer()
    show.command()(command)
    shown = CliRunner().invoke(show, [f"1/k={run}"], env={"COLUMNS": "160"})
    assert shown.exit_code == 0, shown.output
    assert "+75.0" in shown.output
    assert "one seed" in shown.output
    named = CliRunner().invoke(show, [f"[half]={run}", f"[/k]={run}"], env={"COLUMNS": "160"})
    assert named.exit_code == 0, named.exception
    assert named.output.count("[half]") >= 3
    assert "[/k]" in named.output
    assert "not told" in shown.output  # these runs have no curves
    told = json.loads(CliRunner().invoke(show, [f"1/k={run}", f"again={run}", "--json"]).output)
    assert [arm["name"] for arm in told["arms"]] == ["1/k", "again"]
    assert told["against_first"][0]["difference"]["estimate"] == 0
    assert told["level"] is None
    assert any("no time to level" in note for note in told["notes"])


@pytest.mark.parametrize("wrong", ["runs/a", "=runs/a", "a=", "a=,"])
def test_an_arm_that_is_not_written_as_one_is_told(wrong: str):
    show = typer.Typer()
    show.command()(command)
    with pytest.raises(ConfigError, match="NAME=RUN"):
        CliRunner().invoke(show, [wrong], catch_exceptions=False)


async def test_an_arm_that_is_named_twice_is_told(tmp_path: Path):
    run = await trained(tmp_path / "a", [LOST], [WON])
    show = typer.Typer()
    show.command()(command)
    with pytest.raises(ConfigError, match="given twice"):
        CliRunner().invoke(show, [f"x={run}", f"x={run}"], catch_exceptions=False)


async def test_a_study_is_concluded_with_the_runs_that_can_be_compared(tmp_path: Path):
    await trained(tmp_path / "a-0", [LOST] * 4, [WON] * 3 + [LOST])
    (tmp_path / "b-0").mkdir()
    runs = [
        RunProgress("a", 0, "a-0", "done", 8, 8),
        RunProgress("b", 0, "b-0", "failed", 0, 8),
        RunProgress("a", 1, "a-1", "waiting", 0, 8),
    ]
    found = conclude("mine", tmp_path, runs)
    assert found.compared is not None
    assert [(arm.name, len(arm.seeds)) for arm in found.compared.arms] == [("a", 1)]
    assert not found.complete
    assert [note.split(" is excluded: ")[0] for note in found.notes] == ["b-0", "a-1"]
    assert load_result(tmp_path) == found
    shown = CliRunner().invoke(app, ["study", "show", str(tmp_path)], env={"COLUMNS": "160"})
    assert shown.exit_code == 0, shown.exception
    assert "+75.0" in shown.output


async def test_a_run_begun_by_an_earlier_command_is_compared_though_this_one_did_not_start_it(tmp_path: Path):
    await only_trained(tmp_path / "a-0", curve({8: 0.2}, update=learned()))
    await only_trained(tmp_path / "b-0", curve({3: 0.2}, update=learned()))
    (tmp_path / "a-1").mkdir()
    runs = [
        RunProgress("a", 0, "a-0", "done", 8, 8),
        RunProgress("b", 0, "b-0", "waiting", 3, 8),
        RunProgress("a", 1, "a-1", "waiting", 0, 8),
        RunProgress("b", 1, "b-1", "waiting", 0, 8),
    ]
    found = conclude("mine", tmp_path, runs)
    assert found.compared is not None
    assert [(arm.name, len(arm.seeds)) for arm in found.compared.arms] == [("a", 1), ("b", 1)]
    young, new = found.notes
    assert young.startswith("a-1 is excluded")
    assert "finished no iteration" in young
    assert new == "b-1 is excluded: it has not started"


async def test_the_first_arm_is_what_others_are_compared_with_even_if_its_first_run_cannot_be(tmp_path: Path):
    for name in ("b-0", "a-1"):
        await only_trained(tmp_path / name, curve({8: 0.2}, update=learned()))
    runs = [
        RunProgress("a", 0, "a-0", "failed", 0, 8),
        RunProgress("b", 0, "b-0", "done", 8, 8),
        RunProgress("a", 1, "a-1", "done", 8, 8),
    ]
    found = conclude("mine", tmp_path, runs)
    assert found.compared is not None
    assert [(one.name, one.than) for one in found.compared.against_first] == [("b", "a")]
    assert list(arms_in(tmp_path)) == ["a", "b"]


async def test_a_conclusion_reads_every_evaluation_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    run = await trained(tmp_path / "a-0", [LOST] * 4, [WON] * 4)
    opened: list[Path] = []

    def counted(folder: Path) -> Run:
        opened.append(folder)
        return open_run(folder)

    monkeypatch.setattr(reading, "open_run", counted)
    conclude("mine", tmp_path, [RunProgress("a", 0, "a-0", "done", 8, 8)])
    assert opened == [Folders(run).evaluation(0), Folders(run).evaluation(8)]


async def test_a_study_whose_evaluations_were_put_off_is_concluded_without_them(tmp_path: Path):
    await only_trained(tmp_path / "a-0", curve({8: 0.2}, update=learned(0.01, {0: 10})))
    await only_trained(tmp_path / "b-0", curve({8: 0.2}, update=learned(0.02, {1: 10})))
    found = conclude(
        "mine", tmp_path, [RunProgress("a", 0, "a-0", "done", 8, 8), RunProgress("b", 0, "b-0", "done", 8, 8)]
    )
    assert found.compared is not None
    assert [arm.lag and arm.lag.mean for arm in found.compared.arms] == [0, 1]
    assert found.notes == ()
    assert any("evaluate.later=false" in note for note in found.compared.notes)
    assert load_result(tmp_path) == found
    assert list(arms_in(tmp_path)) == ["a", "b"]


def test_a_study_of_which_nothing_can_be_compared_yet_says_so(tmp_path: Path):
    found = conclude("mine", tmp_path, [RunProgress("a", 0, "a-0", "stopped", 0, 8)])
    assert found.compared is None
    with pytest.raises(StoreError, match="finished an iteration yet"):
        arms_in(tmp_path)


def test_where_there_is_no_terminal_runs_and_evaluations_get_lines():
    said = io.StringIO()
    with Teller(Console(file=said, width=120)) as teller:
        teller.changed((RunProgress("a", 0, "a-0", "running", 0, 8),))
        teller.say("a-0: starting")
        teller.changed((RunProgress("a", 0, "a-0", "running", 0, 8, before=0.2),))
        teller.changed((RunProgress("a", 0, "a-0", "running", 3, 8, before=0.2),))
        teller.changed((RunProgress("a", 0, "a-0", "running", 4, 8, before=0.2, success=0.35, evaluated=4),))
    assert said.getvalue().splitlines() == [
        "a-0: starting",
        "a-0: iteration 0 of 8, unseen websites 20.0%",
        "a-0: iteration 4 of 8, unseen websites 20.0% → 35.0%",
    ]


def test_a_terminal_gets_a_table_of_all_runs():
    said = io.StringIO()
    with Teller(Console(file=said, width=120, force_terminal=True, color_system=None)) as teller:
        teller.changed((RunProgress("a", 0, "a-0", "running", 4, 8, before=0.2, success=0.35, evaluated=4),))
    assert " a    0     running  4 of 8     20.0% → 35.0%" in said.getvalue()
