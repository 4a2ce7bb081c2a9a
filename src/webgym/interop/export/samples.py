"""Prompts with their replies, as samples for fine-tuning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from webgym.interop.export.pictures import Pictures
from webgym.interop.export.selection import Selection
from webgym.records.prompt import Completion, Prompt
from webgym.records.trajectory import Step, Trajectory, outcome_kind, reward

NO_PROMPT = "steps without a prompt"
NO_PICTURE = "steps whose images are no longer stored"


@dataclass(frozen=True, slots=True)
class ExportedStep:
    """One step of an agent that called a model."""

    trajectory: Trajectory
    step: Step
    prompt: Prompt
    reply: Completion
    references: dict[str, str]
    """Reference of every picture in the prompt, by address."""

    def about(self) -> dict[str, object]:
        """Return the sample's metadata: its attempt and the outcome."""
        attempt, outcome = self.trajectory.attempt, self.trajectory.ending.outcome
        return {
            "attempt_id": attempt.attempt_id,
            "task_id": attempt.task.task_id,
            "step": self.step.number,
            "steps": len(self.trajectory.steps),
            "outcome": outcome_kind(outcome),
            "reward": reward(outcome),
        }


def samples(selection: Selection, pictures: Pictures) -> Iterator[ExportedStep]:
    """Yield every step that has a prompt and all its pictures. Count the others as left out."""
    for trajectory in selection:
        for step in trajectory.steps:
            prompt, reply = step.turn.prompt, step.turn.completion
            if prompt is None or reply is None:
                selection.left_out[NO_PROMPT] += 1
                continue
            references = {picture.address: pictures.reference(picture.address) for picture in prompt.pictures}
            found = {address: reference for address, reference in references.items() if reference is not None}
            if len(found) < len(references):
                selection.left_out[NO_PICTURE] += 1
                continue
            yield ExportedStep(trajectory, step, prompt, reply, found)
