"""Runs made for the viewer: every kind of action, outcome and reply, with drawn pages as screenshots."""

from __future__ import annotations

import io
import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from webgym.records.action import (
    Action,
    Answer,
    Back,
    Click,
    Drag,
    Hover,
    MarkRef,
    Navigate,
    Point,
    Press,
    Scroll,
    Select,
    TypeText,
    Wait,
)
from webgym.records.decision import Decision, MalformedReply, Turn
from webgym.records.observation import (
    ActionFailure,
    Blob,
    Box,
    Effect,
    FailedReason,
    Mark,
    NoChange,
    Observation,
    PageChange,
    ScrollExtent,
    Tab,
    Timings,
    address_of,
)
from webgym.records.prompt import Completion, Message, Picture, Prompt, Text, Tokens, pack_ids, pack_logprobs
from webgym.records.task import FactGroup, Task
from webgym.records.trajectory import (
    Attempt,
    Cancellation,
    Ending,
    FailedTry,
    Failure,
    Infrastructure,
    JudgeUnknown,
    Outcome,
    SiteBlock,
    Step,
    StepTimes,
    Success,
    Truncation,
)
from webgym.records.verdict import FactVerdict, Verdict
from webgym.store.meta import RunKind, RunMeta
from webgym.store.write import RunWriter, open_writer

BEGAN = 1_790_000_000.0
META = RunMeta("made", BEGAN)
SITES = ("lumen-outfitters.test", "harbor-post.test", "northline-travel.test")
BUTTON = Box(520.0, 300.0, 240.0, 56.0)
FIELD = Box(420.0, 140.0, 440.0, 44.0)


def drawn_page(title: str, shade: int = 0) -> bytes:
    """A page with a header, a field, a button and some lines, as JPEG."""
    image = Image.new("RGB", (1280, 768), (250, 250, 247))
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, 1280, 72), fill=(28 + shade * 9 % 90, 60, 110))
    pen.text((32, 26), title, fill="white", font_size=22)
    pen.rounded_rectangle((420, 140, 860, 184), 8, outline=(150, 160, 170), width=2, fill="white")
    pen.rounded_rectangle((520, 300, 760, 356), 10, fill=(36, 89, 181))
    pen.text((598, 314), "Continue", fill="white", font_size=22)
    for index in range(6):
        pen.rectangle(
            (120, 430 + index * 48, 1160 - (index * 137 + shade * 61) % 500, 446 + index * 48), fill=(222, 226, 231)
        )
    return encoded(image)


def last_page(title: str) -> bytes:
    """What an attempt leads to."""
    return drawn_page(f"{title}: the end", 7)


def encoded(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=80)
    return out.getvalue()


def blob(data: bytes) -> Blob:
    return Blob(address_of(data), "image/jpeg", len(data))


def task(number: int, site: str = SITES[0], *, instruction: str = "", facts: int = 3) -> Task:
    named = instruction or f"Find item {number} on the shelf of travel mugs and put two of them into the basket"
    half = (facts + 1) // 2
    groups = (
        FactGroup(1, "The right item", tuple(f"Fact {number}.{index} about the item" for index in range(half))),
        FactGroup(2, "The basket", tuple(f"Fact {number}.{index} about the basket" for index in range(half, facts))),
    )
    return Task(f"task-{number:04d}", named, f"http://{site}/", tuple(group for group in groups if group.facts))


def verdict(of: Task, held: int) -> Verdict:
    places = [(group.id, index) for group in of.rubric for index in range(len(group.facts))]
    return Verdict(tuple(FactVerdict(group, fact, order < held) for order, (group, fact) in enumerate(places)))


SCRIPT: tuple[tuple[Action | None, str, Effect], ...] = (
    (Click(MarkRef(2)), "Open the list of travel mugs", PageChange(("url", "content"))),
    (
        TypeText("steel mug, 0.5 l", Point(640, 162), submit=True),
        "Search for a steel mug",
        PageChange(("value", "url")),
    ),
    (Scroll(dy=420), "Look further down", PageChange(("scroll",))),
    (None, "", NoChange()),
    (Hover(Point(300, 470)), "Look at the first result", NoChange("nothing reacted")),
    (Drag(Point(240, 460), Point(900, 640)), "Drag the price slider", PageChange(("content",))),
    (
        Select(Point(640, 162), ("Blue",)),
        "Choose the blue one",
        ActionFailure(FailedReason.NO_SUCH_OPTION, "no option Blue"),
    ),
    (Press(("Control", "f")), "Search within the page", NoChange()),
    (Back(), "Go back", PageChange(("url",))),
    (Navigate("http://lumen-outfitters.test/basket"), "Open the basket", PageChange(("url",))),
    (Wait(2.0), "Wait for the basket", NoChange()),
    (Answer("Two blue steel mugs, 38.00 in all"), "Tell the total", NoChange()),
)
"""One of everything that is drawn in its own way."""


class Scribe:
    """Writes attempts step by step, as a rollout does."""

    def __init__(self, writer: RunWriter, began: float = BEGAN) -> None:
        self._writer = writer
        self._clock = itertools.count()
        self._began = began

    async def attempt(
        self,
        attempt: Attempt,
        outcome: Outcome | None,
        script: Sequence[tuple[Action | None, str, Effect]] = SCRIPT[:3],
        *,
        held: int = 0,
        answer: str | None = None,
        failed_tries: tuple[FailedTry, ...] = (),
        title: str = "Lumen Outfitters",
        url: str = "http://lumen-outfitters.test/mugs?page=1",
        picture: bytes | None = None,
        reply: str = "",
        said: Verdict | None = None,
    ) -> None:
        """One attempt; without an outcome it stays unfinished."""
        await self._writer.begin(attempt)
        effect: Effect | None = None
        blobs: dict[str, bytes] = {}
        for number, (action, sentence, then) in enumerate(script, 1):
            data = picture or drawn_page(title, number)
            seen = observation(number, data, effect, title, url)
            blobs[address_of(data)] = data
            turn = _turn(attempt, seen, action, sentence, reply)
            await self._writer.step(attempt, Step(number, seen, turn, _times(number)), {address_of(data): data})
            effect = then
        if outcome is None:
            return
        judged = said or (verdict(attempt.task, held) if isinstance(outcome, Success | Failure | Truncation) else None)
        await self._end(attempt, outcome, len(script), effect, judged, answer, failed_tries, title, url)

    async def _end(self, attempt, outcome, steps, effect, judged, answer, failed_tries, title, url) -> None:
        began = self._began + 7.0 * next(self._clock)
        last = last_page(title)
        ending = Ending(
            outcome,
            answer,
            judged,
            observation(steps + 1, last, effect, title, url),
            steps,
            failed_tries,
            ("the last three pages were alike",) if isinstance(outcome, Truncation) else (),
            began,
            began + 21.5 + steps,
            1.5,
        )
        await self._writer.end(attempt, ending, {address_of(last): last})


def observation(number: int, data: bytes, effect: Effect | None, title: str, url: str) -> Observation:
    return Observation(
        number,
        url,
        title,
        screenshot=blob(data),
        scroll=ScrollExtent(0, 120, 1280, 2400),
        tabs=(Tab(1, url, title, active=True),),
        effect=effect,
        marks=(Mark(1, "textbox", "Search", FIELD), Mark(2, "button", "Continue", BUTTON)),
        timings=Timings(0.01, 0.05, 0.31, 0.06),
    )


def _times(number: int) -> StepTimes:
    return StepTimes(look_queued=0.05, look=0.45, infer_queued=0.12 * number, infer=1.4)


def _turn(attempt: Attempt, seen: Observation, action: Action | None, sentence: str, reply: str) -> Turn:
    shot = seen.screenshot
    prompt = Prompt(
        (
            Message("system", (Text("You use a web browser. Answer with one tool call."),)),
            Message(
                "user", (Text(f"Task: {attempt.task.instruction}"), Picture(shot.address if shot else "", 1280, 768))
            ),
        ),
        dialect="qwen3-vl",
        version="complete-1",
    )
    tokens = Tokens(pack_ids(range(9)), pack_ids(range(4)), pack_logprobs([-0.1, -0.2, -0.3, -0.4]))
    said = reply or f'<think>The page shows the shelf.</think>\n<tool_call>{{"step": {seen.sequence}}}</tool_call>'
    completion = Completion(
        said, model="qwen3-vl-8b", version=12, prompt_tokens=2100, sampled_tokens=64, tokens=tokens, seconds=1.4
    )
    thought = reply or "The page shows the shelf, so the item must be further down."
    if action is None:
        return Turn(MalformedReply("bad_json", "The call is not JSON; write one object.", thought), prompt, completion)
    call = '{"name": "computer_use"}'
    return Turn(Decision(action, None, sentence, thought, call, "2 mugs wanted, blue"), prompt, completion)


async def write_run(folder: Path, name: str, successes: int, *, kind: RunKind = "eval", created: float = BEGAN) -> Path:
    """Sixteen tasks with one attempt each: so many succeed, then come failures and one of every other outcome."""
    meta = RunMeta(
        name,
        created,
        f"webgym eval --name {name}",
        'seed = 3\n[policy]\nmodel = "qwen3-vl-8b"\n',
        3,
        {"webgym": "0.1.0"},
        kind,
    )
    others: list[Outcome] = [
        Truncation("steps"),
        Truncation("loop"),
        SiteBlock("the site asks for a captcha"),
        Infrastructure("session_lost", "the browser died"),
        JudgeUnknown("the judge's reply was cut off"),
        Cancellation("stopped by the user"),
    ]
    async with open_writer(folder, meta) as writer:
        scribe = Scribe(writer)
        for number in range(16):
            attempt = Attempt(f"{number:04d}-0", task(number, SITES[number % 3], facts=(2, 4, 8)[number % 3]))
            await _one_of_sixteen(scribe, attempt, number, successes, others)
    return folder


async def _one_of_sixteen(scribe: Scribe, attempt: Attempt, number: int, successes: int, others: list[Outcome]) -> None:
    facts = attempt.task.difficulty
    if number < successes:
        await scribe.attempt(attempt, Success(), SCRIPT, held=facts, answer="Two blue steel mugs, 38.00 in all")
    elif number < 10:
        await scribe.attempt(attempt, Failure("one fact is missing"), SCRIPT[:5], held=facts - 1, answer="Two mugs")
    else:
        lost = (FailedTry("session_lost", "the node fell silent", 2, 8.0),) if number == 13 else ()
        await scribe.attempt(attempt, others[number - 10], SCRIPT[: number - 8], failed_tries=lost)


async def write_many(folder: Path, count: int, blobs: Mapping[str, bytes] | None = None) -> Path:
    """A run of many attempts without steps."""
    import anyio

    kinds: tuple[Outcome, ...] = (
        Success(),
        Failure("a fact is missing"),
        Failure(),
        Truncation("steps"),
        SiteBlock("captcha"),
    )

    async def one(writer: RunWriter, number: int) -> None:
        attempt = Attempt(f"{number:05d}", task(number, f"site-{number % 97}.test", facts=number % 9 + 1))
        await writer.begin(attempt)
        began = BEGAN + number
        ending = Ending(kinds[number % 5], "38.00", None, None, number % 30, (), (), began, began + 30.0)
        await writer.end(attempt, ending, blobs or {})

    async with open_writer(folder, RunMeta(folder.name, BEGAN)) as writer:
        for start in range(0, count, 1000):
            async with anyio.create_task_group() as tasks:
                for number in range(start, min(count, start + 1000)):
                    tasks.start_soon(one, writer, number)
    return folder
