"""The text that accompanies each screenshot in a prompt."""

from __future__ import annotations

import msgspec

from webgym.agent.dialects.dialect import Dialect, Inexpressible
from webgym.agent.history import PastStep, Round, effect_of
from webgym.agent.prompts.files import PromptWording, fill
from webgym.agent.untrusted import one_line, quoted, without_tokens
from webgym.records.action import AnswerDialog
from webgym.records.decision import MalformedReply
from webgym.records.observation import (
    ActionFailure,
    Dialog,
    Download,
    Effect,
    NoChange,
    Observation,
    PageChange,
    describe_marks,
)

_TITLE = 80
_DETAIL = 200
_DIALOG = 500
_NAME = 80
_MESSAGE = 600
_MOST_TABS = 12
_MOST_DOWNLOADS = 5


def about_last(words: PromptWording, before: Round | None, seen: Observation) -> list[str]:
    """Describe the effect of the last reply."""
    if before is None:
        # A start page that failed to load is reported as an effect without an action.
        return [_effect(words, seen.effect)] if isinstance(seen.effect, ActionFailure) else []
    match before.choice:
        case MalformedReply(message=message):
            return [fill(words.malformed, {"message": without_tokens(message[:_MESSAGE])})]
        case _:
            return [_effect(words, effect_of(before, seen))]


def about_page(words: PromptWording, seen: Observation, before: Observation | None) -> list[str]:
    """Describe what the screenshot does not show: tabs, closed dialogs, new downloads."""
    old = before.downloads if before else ()
    news = [file for file in seen.downloads if file not in old][-_MOST_DOWNLOADS:]
    return [
        *(fill(words.closed_dialog, _dialog(dialog)) for dialog in seen.closed_dialogs),
        *(_download(words, download) for download in news),
        *([_tabs(words, seen)] if len(seen.tabs) > 1 else []),
        *([] if seen.settled else [_unsettled(words, seen)]),
    ]


def about_dialog(words: PromptWording, seen: Observation, dialect: Dialect) -> list[str]:
    """Describe the open dialog and how to answer it."""
    dialog = seen.dialog
    if dialog is None:
        return []
    said = [fill(words.dialog, _dialog(dialog))]
    if dialog.type == "prompt":
        said.append(fill(words.dialog_prompt, {"suggestion": quoted(dialog.default_text, _TITLE)}))
    try:
        call = dialect.call(AnswerDialog(accept=True), seen)
    except Inexpressible:
        return said
    return [*said, fill(words.dialog_answer, {"call": call})]


def about_marks(words: PromptWording, seen: Observation, most: int) -> list[str]:
    """List the marked elements of a labelled screenshot."""
    if not seen.marks:
        return [words.no_marks]
    short = tuple(
        msgspec.structs.replace(mark, name=one_line(mark.name, _NAME), value=one_line(mark.value, _NAME))
        for mark in seen.marks[:most]
    )
    said = [fill(words.marks, {"marks": describe_marks(short)})] if short else []
    left_out = len(seen.marks) - len(short)
    return [*said, fill(words.marks_left_out, {"count": left_out})] if left_out else said


def about_past(words: PromptWording, step: PastStep) -> str:
    """Describe an older step in one line."""
    page = quoted(step.title, _TITLE) if step.title.strip() else one_line(step.url, _TITLE)
    effect = _short_effect(words, step) if step.done else ""
    done = step.done or words.short_malformed
    line = fill(words.past_line, {"number": step.number, "done": done, "effect": effect, "page": page})
    return " ".join(line.split())


def _effect(words: PromptWording, effect: Effect | None) -> str:
    match effect:
        case PageChange(what, detail):
            named = [words.effects.get(change, change) for change in what]
            return _noted(words, fill(words.changed, {"what": "; ".join(name for name in named if name)}), detail)
        case NoChange(detail):
            return _noted(words, words.unchanged, detail)
        case ActionFailure():
            return fill(words.failed, {"why": _why(effect)})
        case None:
            return ""


def _noted(words: PromptWording, said: str, detail: str) -> str:
    if not (detail and words.entered):
        return said
    return f"{said} {fill(words.entered, {'detail': one_line(detail, _DETAIL)})}".strip()


def _unsettled(words: PromptWording, seen: Observation) -> str:
    if not (seen.pending and words.pending):
        return words.unsettled
    return fill(words.pending, {"what": ", ".join(one_line(what, _NAME) for what in seen.pending)})


def _short_effect(words: PromptWording, step: PastStep) -> str:
    match step.effect:
        case PageChange():
            return words.short_changed
        case NoChange():
            return words.short_unchanged
        case ActionFailure():
            return fill(words.short_failed, {"why": _why(step.effect)})
        case None:
            return words.short_unknown


def _why(failed: ActionFailure) -> str:
    reason = failed.reason.value.replace("_", " ")
    detail = one_line(failed.detail, _DETAIL)
    return f"{reason}: {detail}" if detail else reason


def _dialog(dialog: Dialog) -> dict[str, object]:
    return {"type": dialog.type, "message": quoted(dialog.message, _DIALOG)}


def _download(words: PromptWording, download: Download) -> str:
    state = words.downloads.get(download.state, download.state)
    return fill(words.download, {"name": quoted(download.name, _NAME), "state": state})


def _tabs(words: PromptWording, seen: Observation) -> str:
    told = [
        fill(
            words.active_tab if tab.active else words.tab,
            {"tab": tab.tab, "title": quoted(tab.title or tab.url, _TITLE)},
        )
        for tab in seen.tabs[:_MOST_TABS]
    ]
    return fill(words.tabs, {"tabs": ", ".join(told)})
