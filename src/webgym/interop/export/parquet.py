"""Parquet in the layout of Hugging Face datasets: one row per step, with its screenshot, and one row per attempt."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from webgym.errors import ConfigError
from webgym.interop.export.pictures import Pictures
from webgym.interop.export.selection import Selection
from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import Blob
from webgym.records.prompt import Tokens, unpack_ids, unpack_logprobs
from webgym.records.trajectory import Step, Trajectory, outcome_kind, reward
from webgym.store.rows import Row, action_kind

NO_PICTURE = "images that are no longer stored"
SHARD_BYTES = 500 * 10**6
_ROWS_AT_ONCE = 64
_CARD = "README.md"
_STEP_COLUMNS = {
    "attempt_id": "string",
    "task_id": "string",
    "instruction": "string",
    "step": "int32",
    "steps": "int32",
    "outcome": "string",
    "reward": "float32",
    "url": "string",
    "title": "string",
    "image": "image",
    "labelled": "image",
    "action_kind": "string",
    "action": "string",
    "sentence": "string",
    "thought": "string",
    "memory": "string",
    "prompt": "string",
    "prompt_images": "strings",
    "response": "string",
    "reasoning": "string",
    "prompt_token_ids": "int32s",
    "sampled_token_ids": "int32s",
    "logprobs": "float32s",
    "policy_versions": "int32s",
}


def export_parquet(selection: Selection, out: Path, pictures: Pictures) -> int:
    """Write both tables and the dataset card. Return the number of steps.

    Raises:
        ConfigError: pyarrow is not installed.
    """
    arrow, parquet = _arrow()
    schema = _schema(arrow, _STEP_COLUMNS)
    rows = (_step_row(selection, pictures, trajectory, step) for trajectory in selection for step in trajectory.steps)
    count = _write_shards(arrow, parquet, schema, rows, out / "steps")
    columns = _attempt_columns()
    chosen = set(selection.chosen)
    attempts = [msgspec.structs.asdict(row) for row in selection.run.rows() if row.attempt_id in chosen]
    _write_shards(arrow, parquet, _schema(arrow, columns), attempts, out / "attempts")
    (out / _CARD).write_text(_card(selection.run.name, columns), encoding="utf-8")
    return count


def _arrow() -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise ConfigError("a Parquet export needs pyarrow: pip install pyarrow") from None


def _schema(arrow: Any, columns: dict[str, str]) -> Any:
    image = arrow.struct([("bytes", arrow.binary()), ("path", arrow.string())])
    types = {
        "string": arrow.string(),
        "strings": arrow.list_(arrow.string()),
        "int32": arrow.int32(),
        "int64": arrow.int64(),
        "float32": arrow.float32(),
        "float64": arrow.float64(),
        "int32s": arrow.list_(arrow.int32()),
        "float32s": arrow.list_(arrow.float32()),
        "image": image,
    }
    features = {name: _feature(kind) for name, kind in columns.items()}
    about = json.dumps({"info": {"features": features}})
    return arrow.schema([(name, types[kind]) for name, kind in columns.items()], metadata={"huggingface": about})


def _feature(kind: str) -> dict[str, Any]:
    if kind == "image":
        return {"_type": "Image"}
    if kind.endswith("s"):
        return {"feature": {"dtype": kind[:-1], "_type": "Value"}, "_type": "Sequence"}
    return {"dtype": kind, "_type": "Value"}


def _write_shards(arrow: Any, parquet: Any, schema: Any, rows: Iterable[dict[str, Any]], folder: Path) -> int:
    """Write files of about `SHARD_BYTES`, named as on the Hub once their number is known. Return the number of rows."""
    folder.mkdir()
    count, drafts, batches = 0, list[Path](), _batches(rows)
    left = True
    while left:
        draft = folder / f"{len(drafts)}.part"
        drafts.append(draft)
        with parquet.ParquetWriter(draft, schema, compression="zstd") as writer:
            left = False
            for batch in batches:
                writer.write_table(arrow.Table.from_pylist(batch, schema=schema))
                count += len(batch)
                if draft.stat().st_size > SHARD_BYTES:
                    left = True
                    break
    for number, draft in enumerate(drafts):
        draft.rename(folder / f"train-{number:05d}-of-{len(drafts):05d}.parquet")
    return count


def _batches(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _ROWS_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _step_row(selection: Selection, pictures: Pictures, trajectory: Trajectory, step: Step) -> dict[str, Any]:
    attempt, outcome, turn = trajectory.attempt, trajectory.ending.outcome, step.turn
    reply, prompt = turn.completion, turn.prompt
    return {
        "attempt_id": attempt.attempt_id,
        "task_id": attempt.task.task_id,
        "instruction": attempt.task.instruction,
        "step": step.number,
        "steps": len(trajectory.steps),
        "outcome": outcome_kind(outcome),
        "reward": reward(outcome),
        "url": step.observation.url,
        "title": step.observation.title,
        "image": _image(selection, pictures, step.observation.screenshot),
        "labelled": _image(selection, pictures, step.observation.labelled),
        "action_kind": action_kind(step),
        **_choice(turn.choice),
        "prompt": None if prompt is None else msgspec.json.encode(prompt).decode(),
        "prompt_images": [] if prompt is None else [picture.address for picture in prompt.pictures],
        "response": None if reply is None else reply.text,
        "reasoning": None if reply is None else reply.reasoning,
        **_tokens(reply.tokens if reply else None),
    }


def _choice(choice: Decision | MalformedReply) -> dict[str, Any]:
    match choice:
        case Decision(action=action, sentence=sentence):
            told = {"action": msgspec.json.encode(action).decode(), "sentence": sentence}
        case MalformedReply(message=message):
            told = {"action": None, "sentence": message}
    return {**told, "thought": choice.thought, "memory": choice.memory}


def _tokens(tokens: Tokens | None) -> dict[str, Any]:
    if tokens is None:
        return {}
    return {
        "prompt_token_ids": list(unpack_ids(tokens.prompt)),
        "sampled_token_ids": list(unpack_ids(tokens.sampled)),
        "logprobs": list(unpack_logprobs(tokens.logprobs)),
        "policy_versions": list(unpack_ids(tokens.versions)),
    }


def _image(selection: Selection, pictures: Pictures, blob: Blob | None) -> dict[str, Any] | None:
    """Return a screenshot in the `Image` layout. Its path is its address, which prompts refer to, or its file."""
    if blob is None:
        return None
    address = blob.address
    data = pictures.bytes(address) if pictures.carrying == "embed" else None
    reference = pictures.reference(address) if pictures.carrying == "files" else address
    if (data is None and pictures.carrying == "embed") or reference is None:
        selection.left_out[NO_PICTURE] += 1
        return None
    return {"bytes": data, "path": reference}


def _attempt_columns() -> dict[str, str]:
    kinds = {
        "difficulty": "int64",
        "member": "int64",
        "steps": "int64",
        "facts_held": "int64",
        "facts": "int64",
        "malformed": "int64",
    }
    kinds |= {"prompt_tokens": "int64", "sampled_tokens": "int64", "failed_tries": "int64"}
    kinds |= dict.fromkeys(("reward", "began", "ended", "queued", "cost"), "float64")
    return {name: kinds.get(name, "string") for name in Row.__struct_fields__}


def _card(name: str, attempt_columns: dict[str, str]) -> str:
    def features(columns: dict[str, str]) -> str:
        return "\n".join(
            f"  - name: {column}\n    {'sequence' if kind.endswith('s') else 'dtype'}: {kind.removesuffix('s')}"
            for column, kind in columns.items()
        )

    return f"""---
pretty_name: {json.dumps(name)}
tags:
- webgym
- web-agents
configs:
- config_name: steps
  default: true
  data_files:
  - split: train
    path: steps/train-*
- config_name: attempts
  data_files:
  - split: train
    path: attempts/train-*
dataset_info:
- config_name: steps
  features:
{features(_STEP_COLUMNS)}
- config_name: attempts
  features:
{features(attempt_columns)}
---

Trajectories of web agents, exported by WebGym: `steps` has one row per step with the screenshot the agent saw,
`attempts` one row per attempt. `prompt` is the prompt as it was sent, as JSON; its pictures are named by address:
each is the `image` of a step of the attempt or, with elements marked by number, the `labelled`. Their `path` is that
address or, if they are files, ends with the hash in it.
"""
