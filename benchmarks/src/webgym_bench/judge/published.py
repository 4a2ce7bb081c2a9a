"""The published judging pipeline: its requests, in its order, with the screenshots it sends in each.

For T screenshots and R facts it makes T - 1 requests for keypoints (the last screenshot always is one), one request for
whether the website blocked the agent, one for criterion B, up to R for criterion A, sequentially until one fails, and
one for the reference answer if there is one. Criteria A and B and the reference resend all keypoints each time, at most
the last 48. The wording is ours; what is asked, with which inputs, and how replies are used is as published.

Left out, in its favour: retries after errors (up to 3 per keypoint request), and that it sends PNG.
"""

from __future__ import annotations

from collections.abc import Sequence

import anyio

from webgym.llm.client import Client
from webgym.records.observation import Blob
from webgym.records.prompt import Message, Part, Picture, Prompt, Text
from webgym.records.trajectory import Trajectory
from webgym.rng import Rng

MOST_FOR_BLOCKED = 20
MOST_FOR_VERDICT = 48
KEYPOINT = "Does this screenshot matter for any of the facts? Reply YES or NO."
BLOCKED = "Did the website block the agent on any of these screenshots? Reply YES or NO."
_END = "End with a line Verdict: SUCCESS or Verdict: NOT SUCCESS."
CRITERION_B = f"Is everything that the final answer claims shown on these screenshots? {_END}"
CRITERION_A = f"Do these screenshots show that the fact to check holds? {_END}"
REFERENCE_FACT = "The answer matches the reference answer: "


class PublishedPipeline:
    """Judges attempts; safe to call concurrently."""

    def __init__(self, client: Client, pictures: dict[str, bytes]) -> None:
        self._client = client
        self._pictures = pictures

    async def judge(self, trajectory: Trajectory) -> bool:
        """Return whether the attempt earns the reward."""
        shots = [step.observation.screenshot for step in trajectory.steps if step.observation.screenshot]
        keypoints = await self._keypoints(trajectory, shots)
        await self._blocked(trajectory, shots)
        if not await self._success(self._criterion_b(trajectory), keypoints):
            return False
        for fact in _facts(trajectory):
            if not await self._success(self._criterion_a(trajectory, fact), keypoints):
                return False
        if reference := trajectory.attempt.task.reference:
            return await self._success(self._criterion_a(trajectory, f"{REFERENCE_FACT}{reference}"), keypoints)
        return True

    async def _keypoints(self, trajectory: Trajectory, shots: Sequence[Blob]) -> list[Blob]:
        chosen: dict[int, bool] = {len(shots) - 1: True}

        async def ask(index: int) -> None:
            said = await self._ask(f"{_about(trajectory)}\n{KEYPOINT}", [shots[index]])
            chosen[index] = "YES" in said

        async with anyio.create_task_group() as tasks:
            for index in range(len(shots) - 1):
                tasks.start_soon(ask, index)
        return [shot for index, shot in enumerate(shots) if chosen[index]]

    async def _blocked(self, trajectory: Trajectory, shots: Sequence[Blob]) -> None:
        """Ask whether the website blocked the agent. The reply does not affect the reward."""
        some = Rng("blocked", trajectory.attempt.attempt_id).shuffled(range(len(shots)))[:MOST_FOR_BLOCKED]
        told = f"Task: {trajectory.attempt.task.instruction}\n{_actions(trajectory)}\n{BLOCKED}"
        await self._ask(told, [shots[index] for index in sorted(some)])

    async def _success(self, question: str, keypoints: Sequence[Blob]) -> bool:
        said = await self._ask(question, keypoints[-MOST_FOR_VERDICT:])
        verdict = said.partition("Verdict:")[2].partition("\n")[0]
        # As in the original, anything but NOT SUCCESS counts as success.
        return "NOT SUCCESS" not in (verdict or said)

    def _criterion_b(self, trajectory: Trajectory) -> str:
        answer = trajectory.ending.answer or ""
        return f"Task: {trajectory.attempt.task.instruction}\nFinal answer: {answer}\n{CRITERION_B}"

    def _criterion_a(self, trajectory: Trajectory, fact: str) -> str:
        return f"{_about(trajectory)}\n{_actions(trajectory)}\nFact to check: {fact}\n{CRITERION_A}"

    async def _ask(self, words: str, shots: Sequence[Blob]) -> str:
        parts: list[Part] = [Text(words), *(Picture(shot.address, 1280, 768) for shot in shots)]
        pictures = {shot.address: self._pictures[shot.address] for shot in shots}
        return (await self._client.complete(Prompt((Message("user", tuple(parts)),)), pictures)).text


def _facts(trajectory: Trajectory) -> list[str]:
    return [fact for group in trajectory.attempt.task.rubric for fact in group.facts]


def _about(trajectory: Trajectory) -> str:
    facts = "\n".join(f"- {fact}" for fact in _facts(trajectory))
    return f"Task: {trajectory.attempt.task.instruction}\nFacts:\n{facts}"


def _actions(trajectory: Trajectory) -> str:
    return f"Actions: {len(trajectory.steps)} steps"
