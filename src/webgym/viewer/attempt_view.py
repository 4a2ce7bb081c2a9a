"""An attempt as sent to the page: everything to look at, without token arrays, page dumps and file contents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from webgym.records.action import Action, Upload
from webgym.records.base import Record
from webgym.records.decision import Decision, MalformedReply, Turn
from webgym.records.label import Label
from webgym.records.observation import Dialog, Effect, Observation, ScrollExtent, Tab, Timings, Viewport
from webgym.records.prompt import Completion, ToolCall, unpack_logprobs
from webgym.records.trajectory import Attempt, Ending, FailedTry, Outcome, Step, StepTimes, outcome_kind
from webgym.viewer.aim import NOWHERE, Aim, aim
from webgym.viewer.judge_view import JudgeView, judges_of
from webgym.viewer.rates import UNFINISHED
from webgym.viewer.rubric import FactGroupView, LabelView, labels_of, rubric_of


class ObservationView(Record, frozen=True, omit_defaults=False):
    """One observation."""

    url: str
    title: str
    viewport: Viewport
    scroll: ScrollExtent
    screenshot: str
    """Address of the image; empty if there is none."""
    labelled: str
    tabs: tuple[Tab, ...]
    dialog: Dialog | None
    downloads: tuple[str, ...]
    settled: bool
    marks: int


class ReplyView(Record, frozen=True, omit_defaults=False):
    """A completion of the model."""

    text: str
    reasoning: str
    calls: tuple[ToolCall, ...]
    finish: str
    model: str
    server: str
    version: int | None
    prompt_tokens: int
    sampled_tokens: int
    seconds: float
    cost: float
    mean_logprob: float | None
    """Mean logprob of the sampled tokens, if they are stored."""


class PromptSize(Record, frozen=True, omit_defaults=False):
    """Size of a prompt; the prompt itself is fetched on demand."""

    messages: int
    pictures: int
    dialect: str
    version: str


class StepView(Record, frozen=True, omit_defaults=False):
    """One step: observation, decision and effect."""

    number: int
    seen: ObservationView
    action: dict[str, Any] | None
    """None if the reply contained no valid action."""
    aim: Aim
    sentence: str
    thought: str
    memory: str
    call: str
    problem: str
    """What is wrong with a reply without a valid action."""
    message: str
    reply: ReplyView | None
    prompt: PromptSize | None
    effect: Effect | None
    times: StepTimes
    browser: Timings
    """Time the browser session spent on the observation."""


class EndingView(Record, frozen=True, omit_defaults=False):
    """How an attempt ended."""

    outcome: Outcome
    answer: str | None
    last: ObservationView | None
    failed_tries: tuple[FailedTry, ...]
    notes: tuple[str, ...]
    began: float
    ended: float
    queued: float


class AttemptView(Record, frozen=True, omit_defaults=False):
    """A whole attempt."""

    attempt_id: str
    task_id: str
    instruction: str
    website: str
    level: str
    difficulty: int
    group: str
    member: int
    seed: int
    kind: str
    """Kind of the outcome."""
    rubric: tuple[FactGroupView, ...]
    judges: tuple[JudgeView, ...]
    """Verdicts of all judges, first the one that counts."""
    labels: tuple[LabelView, ...]
    """Labels of the whole attempt, oldest first."""
    steps: tuple[StepView, ...]
    ending: EndingView | None


def attempt_view(
    attempt: Attempt, steps: Sequence[Step], ending: Ending | None, labels: Sequence[Label] = ()
) -> AttemptView:
    """Return the view of an attempt, finished or not. `labels` are all labels of its run, oldest first."""
    task = attempt.task
    said = labels_of(label for label in labels if label.attempt_id == attempt.attempt_id)
    after: list[Observation | None] = [*(step.observation for step in steps[1:]), ending.last if ending else None]
    return AttemptView(
        attempt.attempt_id,
        task.task_id,
        task.instruction,
        task.website,
        task.level,
        task.difficulty,
        attempt.group,
        attempt.member,
        attempt.seed,
        outcome_kind(ending.outcome) if ending else UNFINISHED,
        rubric_of(task, ending.verdict if ending else None, said),
        judges_of(ending, len(steps)),
        said.get(None, ()),
        tuple(_step(step, then) for step, then in zip(steps, after, strict=True)) if steps else (),
        _ending(ending) if ending else None,
    )


def _step(step: Step, then: Observation | None) -> StepView:
    choice = step.turn.choice
    decided = choice if isinstance(choice, Decision) else None
    wrong = choice if isinstance(choice, MalformedReply) else None
    return StepView(
        number=step.number,
        seen=_seen(step.observation),
        action=_action(decided.action) if decided else None,
        aim=aim(decided.action, decided.box, step.observation) if decided else NOWHERE,
        sentence=decided.sentence if decided else "",
        thought=choice.thought,
        memory=choice.memory,
        call=decided.call if decided else "",
        problem=wrong.problem if wrong else "",
        message=wrong.message if wrong else "",
        reply=_reply(step.turn.completion),
        prompt=_prompt_size(step.turn),
        effect=then.effect if then else None,
        times=step.times,
        browser=step.observation.timings,
    )


def _seen(observation: Observation) -> ObservationView:
    return ObservationView(
        observation.url,
        observation.title,
        observation.viewport,
        observation.scroll,
        observation.screenshot.address if observation.screenshot else "",
        observation.labelled.address if observation.labelled else "",
        observation.tabs,
        observation.dialog,
        tuple(f"{download.name} ({download.state})" for download in observation.downloads),
        observation.settled,
        len(observation.marks or ()),
    )


def _action(action: Action) -> dict[str, Any]:
    if isinstance(action, Upload):
        names = [f"{file.name} ({len(file.data)} bytes)" for file in action.files]
        return {"kind": "upload", "target": msgspec.to_builtins(action.target), "files": names}
    return msgspec.to_builtins(action)


def _reply(completion: Completion | None) -> ReplyView | None:
    if completion is None:
        return None
    logprobs = unpack_logprobs(completion.tokens.logprobs) if completion.tokens else ()
    return ReplyView(
        completion.text,
        completion.reasoning,
        completion.calls,
        completion.finish,
        completion.model,
        completion.server,
        completion.version,
        completion.prompt_tokens,
        completion.sampled_tokens,
        completion.seconds,
        completion.cost,
        sum(logprobs) / len(logprobs) if logprobs else None,
    )


def _prompt_size(turn: Turn) -> PromptSize | None:
    prompt = turn.prompt
    if prompt is None:
        return None
    return PromptSize(len(prompt.messages), len(prompt.pictures), prompt.dialect, prompt.version)


def _ending(ending: Ending) -> EndingView:
    return EndingView(
        ending.outcome,
        ending.answer,
        _seen(ending.last) if ending.last else None,
        ending.failed_tries,
        ending.notes,
        ending.began,
        ending.ended,
        ending.queued,
    )
