"""Converts stored steps to history lines."""

from __future__ import annotations

from collections.abc import Sequence

from webgym.monitor.wire import HistoryLine
from webgym.records.decision import Decision, MalformedReply
from webgym.records.trajectory import Step


def with_earlier(lines: Sequence[HistoryLine], steps: Sequence[Step]) -> tuple[HistoryLine, ...]:
    """Prepend the lines of earlier stored steps to these lines."""
    first = lines[0].step if lines else None
    earlier = (line_of(step) for step in steps if first is None or step.number < first)
    return (*earlier, *lines)


def line_of(step: Step) -> HistoryLine:
    """Return a stored step as a history line."""
    match step.turn.choice:
        case Decision() as decision:
            action, sentence = str(decision.action.__struct_config__.tag), decision.sentence
        case MalformedReply() as malformed:
            action, sentence = "malformed", malformed.message
    shot = step.observation.screenshot
    return HistoryLine(step.number, action, sentence, step.observation.url, shot.address if shot else "")
