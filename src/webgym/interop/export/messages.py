"""JSON Lines of OpenAI chat messages: one line per step, with the reply as the last message."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webgym.interop.export.pictures import Pictures
from webgym.interop.export.samples import ExportedStep, samples
from webgym.interop.export.selection import Selection
from webgym.records.prompt import Completion, Part, Picture

FILE = "messages.jsonl"


def export_messages(selection: Selection, out: Path, pictures: Pictures) -> int:
    """Write all samples. Return the number of lines."""
    count = 0
    with (out / FILE).open("wb") as file:
        for sample in samples(selection, pictures):
            file.write(msgspec.json.encode(_line(sample)) + b"\n")
            count += 1
    return count


def _line(sample: ExportedStep) -> dict[str, object]:
    def content(part: Part) -> dict[str, object]:
        if isinstance(part, Picture):
            return {"type": "image_url", "image_url": {"url": sample.references[part.address]}}
        return {"type": "text", "text": part.text}

    messages: list[dict[str, object]] = [
        {"role": message.role, "content": [content(part) for part in message.parts]}
        for message in sample.prompt.messages
    ]
    line: dict[str, object] = {"messages": [*messages, _reply(sample.reply)], **sample.about()}
    if sample.prompt.tools:
        line["tools"] = [msgspec.Raw(tool.encode()) for tool in sample.prompt.tools]
    return line


def _reply(reply: Completion) -> dict[str, object]:
    message: dict[str, object] = {"role": "assistant", "content": reply.text}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.calls:
        message["tool_calls"] = [
            {"id": f"call_{number}", "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for number, call in enumerate(reply.calls)
        ]
    return message
