"""Observations, actions and policies that the agent's tests share."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from hypothesis import strategies as st

from webgym.records.action import (
    Action,
    Answer,
    AnswerDialog,
    Back,
    Click,
    CloseTab,
    Drag,
    Forward,
    Hover,
    MarkRef,
    Navigate,
    NewTab,
    Point,
    Press,
    Reload,
    Scroll,
    Select,
    SwitchTab,
    TypeText,
    Wait,
)
from webgym.records.observation import (
    Blob,
    Box,
    Capture,
    Effect,
    Mark,
    Observation,
    PageChange,
    Viewport,
    address_of,
)
from webgym.records.prompt import Completion, Prompt
from webgym.records.task import FactGroup, Task

VIEWPORT = Viewport(1280, 768)
MARKS = (
    Mark(1, "link", "Home", Box(20, 10, 80, 30)),
    Mark(2, "searchbox", "Search", Box(400, 10, 480, 40), value="socks", states=("focused",)),
    Mark(3, "button", "Go", Box(900, 10, 60, 40)),
    Mark(4, "combobox", "Sort by", Box(1000, 100, 200, 30), value="Price"),
)
TASK = Task(
    task_id="shop-1",
    instruction="Which wool hat is the cheapest?",
    website="http://shop.localhost/",
    rubric=(FactGroup(1, "the hat", ("names the Moor hat",)),),
)


def capture(
    sequence: int = 1,
    *,
    effect: Effect | None = None,
    title: str = "Shop",
    marks: bool = False,
    shot: bytes | None = None,
    **more: object,
) -> Capture:
    """A look at a page whose picture is a few bytes of its own."""
    data = f"picture {sequence}".encode() if shot is None else shot
    labelled = f"labelled {sequence}".encode()
    blobs = {address_of(data): data} | ({address_of(labelled): labelled} if marks else {})
    seen = Observation(
        sequence=sequence,
        url=f"http://shop.localhost/{sequence}",
        title=title,
        viewport=VIEWPORT,
        screenshot=Blob(address_of(data), "image/jpeg", len(data)),
        labelled=Blob(address_of(labelled), "image/jpeg", len(labelled)) if marks else None,
        marks=MARKS if marks else None,
        effect=effect if effect is not None or sequence == 1 else PageChange(("content",)),
    )
    return Capture(msgspec.structs.replace(seen, **more), blobs)


SEEN = capture().observation
SEEN_WITH_MARKS = capture(marks=True).observation

HERE, THERE = Point(640, 30), Point(930, 30)
ACTIONS: tuple[Action, ...] = (
    Click(HERE),
    Click(HERE, count=2),
    Click(HERE, "right"),
    Click(HERE, "middle"),
    Hover(HERE),
    Drag(HERE, THERE),
    TypeText("wool hats", HERE, submit=True),
    TypeText('say "hi"\nto </tool_call> <think>', HERE),
    TypeText("more", mode="append"),
    Press(("Enter",)),
    Press(("Control", "a")),
    Scroll(dy=576),
    Scroll(dy=-300, target=HERE),
    Scroll(dx=400),
    Select(Point(1100, 115), ("Name",)),
    Back(),
    Forward(),
    Reload(),
    Navigate("https://example.com/?q=1&r=é"),
    NewTab(),
    NewTab("https://example.com/"),
    SwitchTab(2),
    CloseTab(),
    CloseTab(3),
    AnswerDialog(accept=True, text="Ada"),
    AnswerDialog(accept=False),
    Wait(2.0),
    Answer('The Moor hat, 12.50 €\n"cheapest"'),
)
"""One of everything that all dialects can say, in places where there is a mark."""


def at_marks(action: Action) -> Action:
    """The same action on the marks that are there."""
    spots = {HERE: MarkRef(2), THERE: MarkRef(3), Point(1100, 115): MarkRef(4)}
    match action:
        case Drag(start, end):
            return Drag(spots[start], spots[end])
        case Click() | Hover() | Select() | TypeText() | Scroll() if action.target is not None:
            return msgspec.structs.replace(action, target=spots[action.target])
        case _:
            return action


class ScriptedPolicy:
    """Gives these replies, one after the other, and keeps what it was asked."""

    def __init__(self, *replies: str | Completion) -> None:
        self.replies = [Completion(reply) if isinstance(reply, str) else reply for reply in replies]
        self.prompts: list[Prompt] = []
        self.pictures: list[dict[str, bytes]] = []
        self.affinities: set[str] = set()

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        self.prompts.append(prompt)
        self.pictures.append(dict(pictures))
        self.affinities.add(affinity)
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


texts = st.text(max_size=40)
points = st.builds(Point, st.integers(0, 1279), st.integers(0, 767))
keys = st.sampled_from(["Enter", "Tab", "Escape", "a", "+", " ", "ArrowDown", '"', "é"])
maybe_points = st.none() | points
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Click, points, st.sampled_from(["left", "right", "middle"])),
    st.builds(Click, points, count=st.just(2)),
    st.builds(Hover, points),
    st.builds(Drag, points, points),
    st.builds(TypeText, texts, maybe_points, st.sampled_from(["replace", "append"]), st.booleans()),
    st.builds(Press, st.lists(keys, min_size=1, max_size=3).map(tuple)),
    st.builds(lambda d, t: Scroll(dy=d, target=t), st.integers(-5000, 5000).filter(bool), maybe_points),
    st.builds(lambda d, t: Scroll(dx=d, target=t), st.integers(-5000, 5000).filter(bool), maybe_points),
    st.builds(Select, points, st.lists(texts, min_size=1, max_size=3).map(tuple)),
    st.sampled_from([Back(), Forward(), Reload(), NewTab(), CloseTab()]),
    st.builds(Navigate, texts),
    st.builds(NewTab, texts),
    st.builds(SwitchTab, st.integers(0, 99)),
    st.builds(CloseTab, st.integers(0, 99)),
    st.builds(AnswerDialog, st.booleans(), texts),
    st.builds(Wait, st.integers(0, 15).map(float)),
    st.builds(Answer, texts),
)
