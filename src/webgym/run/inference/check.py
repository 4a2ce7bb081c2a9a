"""Check inference servers against transformers: same prompt tokens, same logprobs, a version for every token."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.to_thread
from PIL import Image, ImageDraw

from webgym.errors import PolicyError
from webgym.inference.agreement import LogprobAgreement, agreement
from webgym.inference.replicas import ReplicaState
from webgym.records.base import Record
from webgym.records.observation import address_of
from webgym.records.prompt import Completion, Message, Picture, Prompt, Text, unpack_ids, unpack_logprobs
from webgym.run.inference.plain import Plain
from webgym.run.servers import RunServers
from webgym.stages import Policy

_WORDS = "Find the cheapest wool hat that ships today, then put two of them into the basket".split()
_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Questions:
    """The synthetic prompts that servers are asked."""

    count: int = 8
    width: int = 448
    height: int = 320
    pictures: int = 1
    seed: int = 0

    def one(self, number: int) -> tuple[Prompt, dict[str, bytes]]:
        """Return prompt `number` and its images; deterministic given the seed."""
        chance = random.Random(f"{self.seed}:{number}")  # noqa: S311 - draws pictures
        drawn = [_page(chance, self.width, self.height) for _ in range(self.pictures)]
        named = {address_of(one): one for one in drawn}
        parts = [Picture(address_of(one), self.width, self.height) for one in drawn]
        words = " ".join(chance.choice(_WORDS) for _ in range(12))
        return Prompt((Message("user", (*parts, Text(f"Task: {words}"))),)), named


class ServerCheck(Record, frozen=True, omit_defaults=False):
    """The result of a check."""

    servers: tuple[ReplicaState, ...]
    replies: int
    failed: tuple[str, ...]
    """Error messages of requests without a reply."""
    same_prompts: int
    """Replies whose prompt tokens equal those of transformers' processor."""
    versioned: int
    """Replies with a version for every token."""
    with_logprobs: int
    """Replies with a logprob for every token, under the sampling distribution."""
    agreement: LogprobAgreement | None
    """Agreement of the logprobs; None if there are none to compare."""

    def sound(self, most: float) -> bool:
        """Return whether replies can be trained on: all complete, with a mean difference of at most `most`."""
        complete = self.replies == self.same_prompts == self.with_logprobs and not self.failed
        return complete and self.agreement is not None and self.agreement.mean <= most


async def check_servers(
    servers: RunServers, policy: Policy, plain: Callable[[], Plain], questions: Questions, say: Callable[[str], None]
) -> ServerCheck:
    """Sample replies and recompute their logprobs with transformers."""
    asked = [questions.one(number) for number in range(questions.count)]
    replies, failed = await _ask(policy, asked)
    say(f"{len(replies)} of {len(asked)} prompts got replies; recomputing them with transformers")
    model = await anyio.to_thread.run_sync(plain)
    same = 0
    ours: list[float] = []
    theirs: list[float] = []
    for number, completion in replies.items():
        prompt, pictures = asked[number]
        if completion.tokens is None:
            continue
        expected = await anyio.to_thread.run_sync(model.prompt_ids, prompt, pictures)
        if list(unpack_ids(completion.tokens.prompt)) != expected:
            continue  # logprobs of another prompt are not comparable
        same += 1
        if logprobs := unpack_logprobs(completion.tokens.logprobs):
            ours += logprobs
            theirs += await anyio.to_thread.run_sync(model.logprobs, prompt, pictures, completion.tokens)
    tokens = [completion.tokens for completion in replies.values() if completion.tokens is not None]
    return ServerCheck(
        servers=await servers.replicas.state(),
        replies=len(replies),
        failed=tuple(failed),
        same_prompts=same,
        versioned=sum(bool(token.versions) for token in tokens),
        with_logprobs=sum(bool(token.logprobs) for token in tokens),
        agreement=agreement(ours, theirs) if ours else None,
    )


async def _ask(policy: Policy, asked: list[tuple[Prompt, dict[str, bytes]]]) -> tuple[dict[int, Completion], list[str]]:
    replies: dict[int, Completion] = {}
    failed: list[str] = []
    room = anyio.CapacityLimiter(_AT_ONCE)

    async def ask(number: int, prompt: Prompt, pictures: Mapping[str, bytes]) -> None:
        async with room:
            try:
                replies[number] = await policy.sample(prompt, pictures, affinity=str(number))
            except PolicyError as error:
                failed.append(str(error))

    async with anyio.create_task_group() as tasks:
        for number, (prompt, pictures) in enumerate(asked):
            tasks.start_soon(ask, number, prompt, pictures)
    return dict(sorted(replies.items())), failed


def open_plain(folder: Path, dtype: str, device: str) -> Callable[[], Plain]:
    """Return a function that loads the model when called."""
    return lambda: Plain(folder, dtype=dtype, device=device)


def _page(chance: random.Random, width: int, height: int) -> bytes:
    """Draw random boxes and words on white: closer to a web page than noise."""
    image = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    for _ in range(14):
        left, top = chance.randrange(width), chance.randrange(height)
        colour = (chance.randrange(256), chance.randrange(256), chance.randrange(256))
        draw.rectangle((left, top, left + chance.randrange(8, 160), top + chance.randrange(6, 60)), fill=colour)
        draw.text((left, top), chance.choice(_WORDS), fill="black")
    out = io.BytesIO()
    image.save(out, "JPEG", quality=90)
    return out.getvalue()
