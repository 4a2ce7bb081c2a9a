"""Lessons from real pages: what they teach is what is there."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from pathlib import Path

import anyio.lowlevel
import msgspec
import pytest
from PIL import Image
from tests.small_nano import SMALL
from webgym_hermetic.catalogue import site
from webgym_hermetic.tasks.generate import tasks_of

from webgym.agent.dialects.nano import NANO, cell_of
from webgym.engine.render import read_renderer
from webgym.records.action import Answer, Point, Scroll
from webgym.records.decision import Decision, MalformedReply, Turn
from webgym.records.lesson import Lesson
from webgym.records.observation import Capture, Observation
from webgym.records.prompt import Completion, Prompt
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Success
from webgym.rng import Rng
from webgym.run.config import TasksConfig
from webgym.run.tasks import tasks_for
from webgym.stages import Agent, AttemptSetup
from webgym_nano.characters import vocabulary
from webgym_nano.folder import write_folder
from webgym_nano.lessons.agent_settings import VIEWPORT
from webgym_nano.lessons.collect import CollectConfig, collect
from webgym_nano.lessons.lessons import Lead, LessonAgent
from webgym_nano.lessons.shards import oldest_first
from webgym_nano.lessons.stage import open_stage
from webgym_nano.lessons.suite import UNSEEN, Suite, SuiteConfig, make_suite
from webgym_nano.model import new_model

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

SITES = (site("shop", 0), site("travel", 1))
EPISODES = 3
"""On each."""
STEPS = 10


class Guesser:
    """A policy that clicks about, scrolls, and sometimes talks nonsense."""

    def __init__(self) -> None:
        self._rng = Rng("guesser")
        self.prompts: list[Prompt] = []

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        await anyio.lowlevel.checkpoint()
        assert len(pictures) == 1
        self.prompts.append(prompt)
        place = f"<{self._rng.below(112):03d}><{self._rng.below(80):03d}>"
        return Completion(self._rng.pick((f"somewhere>c{place}", ">d", ">aNo idea", "what?", f"x>c{place}more")))


class Watched:
    """A lesson's agent, its lessons paired with what it saw and did."""

    def __init__(self, setup: AttemptSetup, lead: Lead, seen: list[tuple[Observation, Turn, Lesson]]) -> None:
        self._given: list[Lesson] = []
        self._inner = LessonAgent(setup, lead, self._given.append)
        self._seen = seen
        self.look = self._inner.look

    async def decide(self, capture: Capture) -> Turn:
        turn = await self._inner.decide(capture)
        if self._given:
            self._seen.append((capture.observation, turn, self._given.pop()))
        return turn


def easy_tasks() -> list[Task]:
    return [task for one in SITES for task in [task for task in tasks_of(one, 30) if task.difficulty <= 2][:EPISODES]]


async def watched(lead: Lead) -> tuple[list[tuple[Observation, Turn, Lesson]], int]:
    """All steps of a few episodes on two sites, and how many of them succeeded."""
    seen: list[tuple[Observation, Turn, Lesson]] = []
    tasks = easy_tasks()

    def make(setup: AttemptSetup) -> Agent:
        return Watched(setup, lead, seen)

    solved = 0
    async with open_stage(make, tasks, sessions=3, nodes=1, per_family=8, steps=STEPS) as pool:
        for task in tasks:
            await pool.submit([Attempt(task.task_id, task, seed=1)])
        left = len(tasks)
        async for finished in pool.finished():
            solved += isinstance(finished.endings[0].outcome, Success)
            left -= 1
            if not left:
                break
    return seen, solved


def target_of(choice: Decision | MalformedReply) -> Point | None:
    target = getattr(choice.action, "target", None) if isinstance(choice, Decision) else None
    return target if isinstance(target, Point) else None


def words_in(seen: Observation, box: tuple[int, int, int, int]) -> str:
    """What stands there."""
    left, top, right, bottom = box
    inside = [
        line.text
        for line in seen.lines or ()
        if line.shown
        and left - 2 <= line.box.x + line.box.width / 2 <= right + 2
        and top - 2 <= line.box.y + line.box.height / 2 <= bottom + 2
    ]
    return " ".join(inside)


@pytest.fixture(scope="module")
async def strayed(anyio_backend) -> tuple[list[tuple[Observation, Turn, Lesson]], int]:
    """Led by the oracle, which strays now and then."""
    return await watched(Lead(strays=0.15, steps=STEPS))


async def test_lessons_of_real_pages_are_right(strayed):
    steps, solved = strayed
    assert solved >= 2
    assert len(steps) > 20
    by_kind: dict[str, int] = {}
    for seen, turn, lesson in steps:
        assert Image.open(io.BytesIO(lesson.picture)).size == (VIEWPORT.width, VIEWPORT.height)
        assert len(lesson.questions) >= 6
        if lesson.reply:
            assert turn.prompt is not None
            assert turn.prompt.messages[0].text == lesson.ask
            choice = NANO.parse(Completion(lesson.reply), seen)
            assert isinstance(choice, Decision), lesson.reply
            target = target_of(choice)
            if target is not None:
                assert lesson.box is not None
                left, top, right, bottom = lesson.box
                assert left <= target.x <= right
                assert top <= target.y <= bottom
            if target is not None and not isinstance(choice.action, Scroll):
                reached = [
                    one.point
                    for one in seen.elements or ()
                    if one.point is not None and cell_of(one.point, VIEWPORT) == cell_of(target, VIEWPORT)
                ]
                assert reached, lesson.reply
        for question in lesson.questions:
            by_kind[question.kind] = by_kind.get(question.kind, 0) + 1
            if question.kind == "task":
                assert isinstance(NANO.parse(Completion(question.reply), seen), Decision), question.reply
                continue
            assert question.box is not None
            if question.kind == "text":
                assert question.reply in words_in(seen, question.box)
            elif question.kind == "where":
                place = target_of(NANO.parse(Completion(question.reply), seen))
                assert place is not None
                assert question.box[0] <= place.x <= question.box[2]
                assert question.box[1] <= place.y <= question.box[3]
            elif question.kind == "value" and not re.match("what is in |is .* on", question.ask):
                told = NANO.parse(Completion(question.reply), seen)
                assert isinstance(told, Decision)
                assert isinstance(told.action, Answer)
                assert told.action.text in words_in(seen, question.box)
    assert all(by_kind[kind] >= len(steps) for kind in ("where", "what", "value", "text")), by_kind
    answers = [
        turn.choice.action.text
        for _, turn, _ in steps
        if isinstance(turn.choice, Decision) and isinstance(turn.choice.action, Answer)
    ]
    assert answers


async def test_a_policy_leads_and_its_states_are_taught():
    guesser = Guesser()
    steps, _ = await watched(Lead(policy=guesser, share=0.8, steps=STEPS))
    assert {lesson.by for _, _, lesson in steps} == {"policy"}
    done = [turn.choice.call for _, turn, _ in steps if isinstance(turn.choice, Decision)]
    assert any(call.startswith("somewhere>c") for call in done)
    told = [lesson for _, _, lesson in steps if "\nsomewhere>c" in lesson.ask]
    assert told
    assert all(not lesson.reply.startswith("somewhere") for _, _, lesson in steps)
    assert not any(call == ">aNo idea" for call in done)


async def test_what_a_lesson_asks_is_what_the_engine_renders(strayed, tmp_path: Path):
    write_folder(tmp_path, new_model(SMALL, seed=1), SMALL)
    renderer = read_renderer(tmp_path, vocabulary()["<|image_pad|>"])
    steps, _ = strayed
    asked = [(turn.prompt, lesson.ask) for _, turn, lesson in steps if turn.prompt is not None and lesson.reply]
    assert len(asked) > 10
    for prompt, ask in asked:
        assert prompt is not None
        assert renderer.text(prompt) == f"<|user|><|vision_start|><|image_pad|><|vision_end|>{ask}<|assistant|>"


async def test_lessons_are_collected_into_shards_with_a_policy_that_is_followed(tmp_path: Path):
    write_folder(tmp_path / "versions" / "version-3", new_model(SMALL, seed=1), SMALL)
    config = CollectConfig(
        seconds=60, lessons=30, sessions=3, families=("shop",), sites_per_family=2, tasks_per_site=10, shard=8,
        policy_attempts=1.0, steps=6,
    )  # fmt: skip
    collected = await collect(config, tmp_path / "lessons", tmp_path / "versions")
    read = msgspec.msgpack.Decoder(list[Lesson]).decode
    found = [one for path in oldest_first(tmp_path / "lessons") for one in read(path.read_bytes())]
    assert len(found) == collected.lessons >= 30
    assert collected.version == 3
    assert collected.by["policy"] > 0
    assert {one.site for one in found} <= {site("shop", 0).name, site("shop", 1).name}


async def test_the_suite_can_be_evaluated(tmp_path: Path):
    out = tmp_path / "suite.jsonl"
    config = SuiteConfig(
        families=("tracker",), sites_per_family=7, tasks_per_site=20, each=4, sessions=3, splits=UNSEEN
    )
    suite = await make_suite(config, out)
    assert 0 < suite.tasks < suite.tried == 8
    tasks = tasks_for(TasksConfig(use="file", file=str(out), count=0), 0)
    assert [task.task_id for task in tasks] == [entry.task_id for entry in suite.entries]
    assert {task.split for task in tasks} <= {"validation", "test"}
    assert all(entry.steps <= 8 and entry.verbs[-1] == "answer" for entry in suite.entries)
    assert sum(suite.by_kind.values()) == suite.tasks
    told = msgspec.json.decode((tmp_path / "suite.jsonl.json").read_bytes(), type=Suite)
    assert told == suite
