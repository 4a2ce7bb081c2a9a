"""Attempts without a browser and without weights, for tests with AReaL and without it."""

from __future__ import annotations

import io
import random
from collections.abc import AsyncGenerator, Collection, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
from PIL import Image
from tokenizers import Tokenizer
from webgym_nano import shipped

from webgym.records.action import Action, Answer, Click, Point
from webgym.records.decision import Decision, Turn
from webgym.records.observation import Blob, Capture, Observation, PageChange, Viewport, address_of
from webgym.records.prompt import Message, Picture, Prompt, Text
from webgym.records.session import Look, SessionSpec
from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.records.verdict import FactVerdict, Verdict
from webgym.rollout.gates import Gates
from webgym.rollout.limits import Limits
from webgym.rollout.play import Tools
from webgym.rollout.pool import Roll
from webgym.rollout.roll import roll
from webgym.stages import Policy
from webgym.testing.rollouts import EventList, FakeEpisodes, FakeJudge, MemoryRecorder
from webgym_areal.settings import ArealSettings
from webgym_areal.stage import Keeping, Stage

WIDTH, HEIGHT = 96, 64
MODEL = str(shipped.checkpoint())


def picture(seed: object, width: int = WIDTH, height: int = HEIGHT) -> bytes:
    """Noise, always the same for the same seed."""
    noise = random.Random(f"picture {seed}").randbytes(3 * width * height)
    out = io.BytesIO()
    Image.frombytes("RGB", (width, height), noise).save(out, "PNG")
    return out.getvalue()


class PictureSession:
    """A page that looks different after each action."""

    def __init__(self, spec: SessionSpec) -> None:
        self._name = spec.labels.get("attempt", spec.start_url)
        self._count = 0
        self._shown: dict[str, bytes] = {}

    async def step(self, action: Action | None, look: Look) -> Capture:
        self._count += 1
        data = picture((self._name, self._count))
        shot = Blob(address_of(data), "image/png", len(data))
        self._shown[shot.address] = data
        effect = None if action is None else PageChange()
        seen = Observation(self._count, "http://fake.example/", viewport=Viewport(WIDTH, HEIGHT), screenshot=shot)
        return Capture(Observation(**{**_fields(seen), "effect": effect}), {shot.address: data})

    async def blob(self, address: str) -> bytes:
        return self._shown[address]


def _fields(seen: Observation) -> dict[str, Any]:
    return {name: getattr(seen, name) for name in seen.__struct_fields__}


class PictureBrowser:
    def open(self, spec: SessionSpec) -> AbstractAsyncContextManager[PictureSession]:
        return self._open(spec)

    @asynccontextmanager
    async def _open(self, spec: SessionSpec) -> AsyncGenerator[PictureSession]:
        yield PictureSession(spec)


class AskingAgent:
    """Shows the policy its last two screenshots, and answers with what it says in the end."""

    def __init__(self, attempt: Attempt, policy: Policy) -> None:
        self._attempt = attempt
        self._policy = policy
        self._seen: dict[str, bytes] = {}
        self._left = 1 + attempt.member % 3

    async def decide(self, capture: Capture) -> Turn:
        self._seen |= capture.blobs
        shown = list(self._seen)[-2:]
        parts = (Text(self._attempt.task.instruction), *(Picture(one, WIDTH, HEIGHT) for one in shown))
        prompt = Prompt((Message("user", parts),))
        said = await self._policy.sample(
            prompt, {one: self._seen[one] for one in shown}, affinity=self._attempt.attempt_id
        )
        self._left -= 1
        action = Click(Point(3, 3)) if self._left else Answer(said.text)
        return Turn(Decision(action), prompt, said)


@asynccontextmanager
async def fake_stage(settings: ArealSettings, first: Task) -> AsyncGenerator[Stage]:
    """Named by `stage` of the settings; an answer that says yes is right."""
    del settings, first
    kept = MemoryRecorder()
    keeping = Keeping(kept)
    events = EventList()

    def rolls(policy: Policy) -> Roll:
        episodes = FakeEpisodes(
            lambda attempt: AskingAgent(attempt, policy), FakeJudge(lambda answer: "yes" in answer.lower())
        )
        tools = Tools(PictureBrowser(), Gates(events), keeping, events, Limits())

        async def one(attempt: Attempt):
            return await roll(attempt, episodes, tools, tries=1)

        return one

    yield Stage(rolls, keeping, kept.blobs.get, slots=64)


@dataclass
class Reply:
    """As AReaL's `ModelResponse`."""

    input_tokens: list[int]
    output_tokens: list[int]
    output_logprobs: list[float]
    output_versions: list[int]
    stop_reason: str = "stop"


@dataclass
class Asked:
    """As AReaL's `ModelRequest`."""

    rid: str
    input_ids: list[int]
    image_data: list[str]
    messages: list[Any] | None


@dataclass
class ScriptedEngine:
    """Says yes to these members of a group and no to the others, and breaks for some."""

    yes: Collection[int] = (0, 3)
    breaks: Collection[int] = ()
    version: int = 0
    seconds: float = 0.0
    asked: list[Any] = field(default_factory=list)
    words: Tokenizer = field(default_factory=lambda: Tokenizer.from_file(f"{MODEL}/tokenizer.json"))

    def get_version(self) -> int:
        return self.version

    def set_version(self, version: int) -> None:
        self.version = version

    async def agenerate(self, req: Any) -> Reply:
        self.asked.append(req)
        await anyio.sleep(self.seconds)
        member = int(req.rid.rsplit("/", 1)[1])
        if member in self.breaks:
            raise ConnectionError("the server is gone")
        said = self.words.encode("yes" if member in self.yes else "no", add_special_tokens=False).ids
        logprobs = [-0.25 * (place + 1) for place in range(len(said))]
        return Reply(list(req.input_ids), said, logprobs, [self.version] * len(said))


def settings(**changes: Any) -> ArealSettings:
    """For nano, on the fake stage."""
    told: dict[str, Any] = {
        "model": MODEL,
        "stage": "integrations.areal.tests.real.playing:fake_stage",
        "host": "127.0.0.1",
    }
    source = {"members": 4, **changes.pop("source", {})}
    return ArealSettings.model_validate({**told, "source": source, "max_tokens": 512, "max_new_tokens": 64, **changes})


def addresses(entries: Iterable[dict[str, Any]]) -> list[list[str]]:
    """Of the pictures of each row, without where they are kept."""
    return [[text.rpartition("/")[2] for text in one["references"]] for one in entries]


class FirstJudge:
    """Finds that the first member of every group succeeded, and nobody else."""

    exact = True

    async def judge(self, attempt: Attempt, steps: Any, last: Any, answer: str) -> Verdict:
        return Verdict((FactVerdict(1, 0, attempt.member == 0),))
