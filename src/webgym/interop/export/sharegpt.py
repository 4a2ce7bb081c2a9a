"""LLaMA-Factory's ShareGPT layout: conversations with an `<image>` placeholder for each of the sample's images."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from webgym.interop.export.pictures import Pictures
from webgym.interop.export.samples import ExportedStep, samples
from webgym.interop.export.selection import Selection
from webgym.records.prompt import Completion, Message, Picture

FILE = "conversations.jsonl"
DATASET_FILE = "dataset_info.json"
AMBIGUOUS = "steps whose reply holds a placeholder such as <image>"
_PLACEHOLDER = re.compile(r"<(image|video|audio)>")
_SPEAKERS = {"user": "human", "assistant": "gpt"}


def export_sharegpt(selection: Selection, out: Path, pictures: Pictures) -> int:
    """Write the data and LLaMA-Factory's dataset description. Return the number of samples."""
    count = 0
    with (out / FILE).open("wb") as file:
        for sample in samples(selection, pictures):
            # Replies are training targets and stay unmodified, but a placeholder in one would count as an image.
            if _PLACEHOLDER.search(reply_text(sample.reply)):
                selection.left_out[AMBIGUOUS] += 1
                continue
            file.write(msgspec.json.encode(_line(sample)) + b"\n")
            count += 1
    columns = {"messages": "conversations", "system": "system", "tools": "tools", "images": "images"}
    info = {selection.run.name: {"file_name": FILE, "formatting": "sharegpt", "columns": columns}}
    (out / DATASET_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(info), indent=2) + b"\n")
    return count


def reply_text(reply: Completion) -> str:
    """Return the complete output of the model, with reasoning and tool calls in the tags of Qwen models."""
    thoughts = f"<think>\n{reply.reasoning}\n</think>\n\n" if reply.reasoning else ""
    calls = [f'{{"name": {_json(call.name)}, "arguments": {call.arguments}}}' for call in reply.calls]
    return "\n".join([thoughts + reply.text, *(f"<tool_call>\n{call}\n</tool_call>" for call in calls)]).lstrip("\n")


def _line(sample: ExportedStep) -> dict[str, object]:
    system = [message for message in sample.prompt.messages if message.role == "system"]
    talk = [message for message in sample.prompt.messages if message.role != "system"]
    return {
        "conversations": [*_turns(talk), {"from": "gpt", "value": reply_text(sample.reply)}],
        "system": "\n\n".join(_escaped(message.text) for message in system),
        "tools": f"[{', '.join(sample.prompt.tools)}]" if sample.prompt.tools else "",
        "images": [sample.references[picture.address] for picture in sample.prompt.pictures],
        **sample.about(),
    }


def _turns(talk: list[Message]) -> list[dict[str, str]]:
    """Merge messages into alternating turns that begin and end with the human."""
    turns: list[dict[str, str]] = []
    for message in talk:
        speaker, value = _SPEAKERS[message.role], _value(message)
        if not turns and speaker == "gpt":
            turns.append({"from": "human", "value": ""})
        if turns and turns[-1]["from"] == speaker:
            turns[-1] = {"from": speaker, "value": f"{turns[-1]['value']}\n{value}"}
        else:
            turns.append({"from": speaker, "value": value})
    if not turns or turns[-1]["from"] == "gpt":
        turns.append({"from": "human", "value": ""})
    return turns


def _value(message: Message) -> str:
    return "".join("<image>" if isinstance(part, Picture) else _escaped(part.text) for part in message.parts)


def _escaped(text: str) -> str:
    """Escape text that looks like a placeholder, as pages may contain."""
    return _PLACEHOLDER.sub(r"<\1 >", text)


def _json(text: str) -> str:
    return msgspec.json.encode(text).decode()
