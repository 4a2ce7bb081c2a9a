"""The Agent Trajectory Interchange Format: one JSON document per attempt.

The observation of a step is what its action led to, so each picture is next to the action that caused it. The first
observation is next to the instruction.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from pathlib import Path
from typing import Any

import msgspec

from webgym.interop.export.pictures import Pictures
from webgym.interop.export.selection import Selection
from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import ActionFailure, Effect, NoChange, Observation, PageChange
from webgym.records.prompt import Completion, unpack_ids, unpack_logprobs
from webgym.records.trajectory import Step, Trajectory, outcome_kind, reward
from webgym.version import __version__

SCHEMA = "ATIF-v1.7"
FOLDER = "trajectories"
NO_PICTURE = "images that are no longer stored"
_LONGEST_NAME = 200


def export_atif(selection: Selection, out: Path, pictures: Pictures) -> int:
    """Write one file per attempt. Return the number of files."""
    (out / FOLDER).mkdir()
    taken: set[str] = set()
    for trajectory in selection:
        document = _Document(selection, pictures).of(trajectory)
        path = out / FOLDER / f"{_file_name(trajectory.attempt.attempt_id, taken)}.json"
        path.write_bytes(msgspec.json.encode(document))
    return len(taken)


def _file_name(attempt_id: str, taken: set[str]) -> str:
    """Derive a unique file name from an attempt id, which is free text."""
    name = re.sub(r"[^A-Za-z0-9._-]", "_", attempt_id).lstrip(".")[:_LONGEST_NAME] or "_"
    # Some file systems are case-insensitive.
    if name.lower() in taken:
        name = f"{name}-{hashlib.sha256(attempt_id.encode()).hexdigest()[:16]}"
    taken.add(name.lower())
    return name


class _Document:
    def __init__(self, selection: Selection, pictures: Pictures) -> None:
        self._selection, self._pictures = selection, pictures

    def of(self, trajectory: Trajectory) -> dict[str, Any]:
        attempt, ending, steps = trajectory.attempt, trajectory.ending, trajectory.steps
        first = steps[0].observation if steps else None
        seen = [step.observation for step in steps[1:]] + [ending.last]
        agent_steps = [self._agent_step(*one) for one in zip(range(2, len(steps) + 2), steps, seen, strict=False)]
        began = dt.datetime.fromtimestamp(ending.began, tz=dt.UTC).isoformat()
        opening = [{"type": "text", "text": attempt.task.instruction}, *self._look(first)]
        replies = [step.turn.completion for step in steps if step.turn.completion]
        return {
            "schema_version": SCHEMA,
            "session_id": self._selection.run.name,
            "trajectory_id": attempt.attempt_id,
            "agent": _agent(replies),
            "steps": [{"step_id": 1, "timestamp": began, "source": "user", "message": opening}, *agent_steps],
            "final_metrics": {
                "total_prompt_tokens": sum(reply.prompt_tokens for reply in replies),
                "total_completion_tokens": sum(reply.sampled_tokens for reply in replies),
                "total_cost_usd": sum(reply.cost for reply in replies),
                "total_steps": len(agent_steps) + 1,
            },
            "extra": {
                "outcome": outcome_kind(ending.outcome),
                "reward": reward(ending.outcome),
                "answer": ending.answer,
                "verdict": msgspec.to_builtins(ending.verdict),
                "task": msgspec.to_builtins(attempt.task),
                "group": attempt.group,
                "member": attempt.member,
            },
        }

    def _agent_step(self, number: int, step: Step, after: Observation | None) -> dict[str, Any]:
        choice, reply = step.turn.choice, step.turn.completion
        message = reply.text if reply else getattr(choice, "sentence", "")
        told: dict[str, Any] = {"step_id": number, "source": "agent", "message": message}
        told["llm_call_count"] = int(reply is not None)
        results: list[dict[str, Any]] = []
        match choice:
            case Decision():
                arguments = msgspec.to_builtins(choice.action)
                name, call_id = arguments.pop("kind"), f"call_{number}"
                told["tool_calls"] = [{"tool_call_id": call_id, "function_name": name, "arguments": arguments}]
                told["extra"] = {"sentence": choice.sentence, "thought": choice.thought, "memory": choice.memory}
                if after is not None:
                    results.append({"source_call_id": call_id, "content": self._seen(after)})
            case MalformedReply():
                told["extra"] = {"problem": choice.problem, "thought": choice.thought, "memory": choice.memory}
                problem = {"type": "text", "text": choice.message}
                results.append({"content": [problem, *(self._seen(after) if after else [])]})
        if results:
            told["observation"] = {"results": results}
        if reply is not None:
            told |= _metrics(reply)
        return told

    def _seen(self, observation: Observation) -> list[dict[str, Any]]:
        text = f"{_effect(observation.effect)}{observation.title} {observation.url}".strip()
        return [{"type": "text", "text": text}, *self._look(observation)]

    def _look(self, observation: Observation | None) -> list[dict[str, Any]]:
        if observation is None or observation.screenshot is None:
            return []
        reference = self._pictures.reference(observation.screenshot.address)
        if reference is None:
            self._selection.left_out[NO_PICTURE] += 1
            return []
        path = reference if self._pictures.carrying == "embed" else f"../{reference}"
        return [{"type": "image", "source": {"media_type": observation.screenshot.media_type, "path": path}}]


def _agent(replies: list[Completion]) -> dict[str, Any]:
    agent: dict[str, Any] = {"name": "webgym", "version": __version__}
    if replies and replies[0].model:
        agent["model_name"] = replies[0].model
    return agent


def _metrics(reply: Completion) -> dict[str, Any]:
    metrics: dict[str, Any] = {
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.sampled_tokens,
        "cost_usd": reply.cost,
        "extra": {"finish": reply.finish, "policy_version": reply.version},
    }
    if reply.tokens is not None:
        tokens = reply.tokens
        metrics |= {
            "prompt_token_ids": list(unpack_ids(tokens.prompt)),
            "completion_token_ids": list(unpack_ids(tokens.sampled)),
            "logprobs": list(unpack_logprobs(tokens.logprobs)),
        }
        sampling = {"temperature": tokens.temperature, "top_p": tokens.top_p, "top_k": tokens.top_k}
        metrics["extra"] |= sampling | {"policy_versions": list(unpack_ids(tokens.versions))}
    told: dict[str, Any] = {"metrics": metrics}
    if reply.reasoning:
        told["reasoning_content"] = reply.reasoning
    if reply.model:
        told["model_name"] = reply.model
    return told


def _effect(effect: Effect | None) -> str:
    match effect:
        case None:
            return ""
        case PageChange(what=what, detail=detail):
            return f"{' '.join(('changed', ', '.join(what))).strip()}{f' ({detail})' if detail else ''}: "
        case NoChange(detail=detail):
            return f"nothing changed{f' ({detail})' if detail else ''}: "
        case ActionFailure(reason=reason, detail=detail):
            return f"failed ({reason}{': ' + detail if detail else ''}): "
