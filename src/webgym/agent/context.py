"""Builds prompts: the task, older steps as one line each, recent rounds in full, and the current page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from webgym.agent import observation_text
from webgym.agent.budget import PromptBudget
from webgym.agent.dialects.dialect import Dialect, Remembers
from webgym.agent.history import PastStep, Round, past_step, picture_of
from webgym.agent.prompts.files import fill, words
from webgym.agent.sentences import sentence_for
from webgym.agent.settings import AgentSettings
from webgym.agent.untrusted import cut, one_line, without_tags
from webgym.errors import ConfigError
from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import Observation, Viewport
from webgym.records.prompt import Message, Part, Picture, Prompt, Text
from webgym.records.task import Task

MOST_MARKS = 200
MOST_MEMORY = 6_000
"""Maximum characters."""
_ADDRESS = 300
_DONE = 200


@dataclass(frozen=True, slots=True)
class HistoryWindow:
    """How much of the history goes into a prompt."""

    rounds: int
    """Rounds shown in full."""
    lines: int
    """Lines about older steps."""
    marks: int = MOST_MARKS
    memory: int = MOST_MEMORY


class Context:
    """The conversation of one attempt, rendered as prompts of bounded size."""

    def __init__(self, task: Task, dialect: Dialect, settings: AgentSettings, budget: PromptBudget) -> None:
        self._task = task
        self._dialect = dialect
        self._settings = settings
        self._budget = budget
        self._words = words(settings.prompt)
        self._marks = dialect.look.marks
        self._systems: dict[Viewport, str] = {}
        self._rounds: list[Round] = []
        self._past: list[PastStep] = []
        self._memory = ""
        self._memory_number = 0
        """Number of the step in which the memory was written."""

    @property
    def pictures(self) -> set[str]:
        """Addresses of the images that later prompts may show again."""
        window = self._rounds[-self._settings.rounds :] if self._settings.rounds else []
        addresses = [entry.picture.address for entry in window if entry.picture is not None]
        # As many as fit into a prompt: the next page may have no screenshot, because a dialog is open.
        return set(addresses[-self._budget.images :])

    def prompt(self, seen: Observation) -> Prompt:
        """Build the prompt for the current page.

        Raises:
            ConfigError: The budget is too small for the task and this page alone.
        """
        tools = self._dialect.tools(self._settings.prompt)
        for shown in self._choices():
            messages = self._messages(seen, shown)
            if self._budget.fits(messages, tools):
                return Prompt(messages, tools, self._dialect.name, self._settings.prompt)
        smallest = self._messages(seen, HistoryWindow(0, 0, 0, 0))
        needed, most = self._budget.needs(smallest, tools), self._settings.max_prompt_tokens
        if needed <= most:
            # Over the policy's limit only by an estimate that errs high: the policy counts exactly.
            return Prompt(smallest, tools, self._dialect.name, self._settings.prompt)
        raise ConfigError(f"the task and the page alone take about {needed} tokens; max_prompt_tokens is {most}")

    def add(self, seen: Observation, choice: Decision | MalformedReply, kept: str) -> None:
        """Add the model's choice on this page to the history."""
        number = self._rounds[-1].number + 1 if self._rounds else len(self._past) + 1
        done = self._done(choice, seen) if isinstance(choice, Decision) else ""
        slim = msgspec.structs.replace(
            seen, marks=None, elements=None, lines=None, accessibility=None, storage_state=None
        )
        picture = picture_of(seen, marks=self._marks)
        if choice.memory:
            self._memory, self._memory_number = choice.memory, number
        led_here, told = _lines(self._led_here(seen)), _lines(self._told(seen))
        self._rounds.append(Round(number, slim, picture, led_here, told, choice, done, kept or self._words.silent))
        # The last round stays even if none is shown: the next prompt describes its effect.
        while len(self._rounds) > max(self._settings.rounds, 1):
            self._past.append(past_step(self._rounds[0], self._rounds[1].seen))
            del self._rounds[0]

    def _done(self, choice: Decision, seen: Observation) -> str:
        """Describe a decision in words, safe for a prompt."""
        if isinstance(self._dialect, Remembers):
            return self._dialect.remember(choice, seen)
        return one_line(choice.sentence or sentence_for(choice.action, seen), _DONE)

    def _choices(self) -> Iterator[HistoryWindow]:
        """Yield ever smaller selections: first with fewer rounds, then with everything else halved."""
        lines = self._settings.past_steps
        for rounds in range(min(len(self._rounds), self._settings.rounds), -1, -1):
            yield HistoryWindow(rounds, lines)
        for part in (2, 4, 8, 16):
            yield HistoryWindow(0, lines // part, MOST_MARKS // part, MOST_MEMORY // part)
        yield HistoryWindow(0, 0, 0, 0)

    def _messages(self, seen: Observation, shown: HistoryWindow) -> tuple[Message, ...]:
        window = self._rounds[len(self._rounds) - shown.rounds :]
        opening = self._opening(seen, shown)
        system = self._system(seen.viewport)
        messages = [Message("system", (Text(system),))] if system else []
        for turn, entry in enumerate(window):
            # The lines about older steps already tell what led to the first round of the window.
            led_here = entry.led_here if turn or entry.number == 1 else ""
            told = _lines([led_here, entry.told])
            messages.append(self._user(entry.picture, told if turn else _blocks([opening, told])))
            messages.append(Message("assistant", (Text(entry.kept),)))
        messages.append(self._now(seen, shown, "" if window else opening))
        return tuple(messages)

    def _now(self, seen: Observation, shown: HistoryWindow, opening: str) -> Message:
        told = self._led_here(seen) + self._told(seen)
        if self._marks and seen.dialog is None:
            told += observation_text.about_marks(self._words, seen, shown.marks)
        return self._user(picture_of(seen, marks=self._marks), _blocks([opening, _lines(told)]))

    def _system(self, viewport: Viewport) -> str:
        if viewport not in self._systems:
            self._systems = {viewport: self._dialect.system(self._settings.prompt, viewport)}
        return self._systems[viewport]

    def _user(self, picture: Picture | None, told: str) -> Message:
        parts: list[Part] = [] if picture is None else [picture]
        if told or not parts:
            parts.append(Text(told or self._words.silent))
        return Message("user", tuple(parts))

    def _opening(self, seen: Observation, shown: HistoryWindow) -> str:
        task = {"task": without_tags(self._task.instruction), "website": one_line(self._task.website, _ADDRESS)}
        return _blocks([fill(self._words.task, task), self._past_lines(seen, shown), self._carried(shown)])

    def _past_lines(self, seen: Observation, shown: HistoryWindow) -> str:
        older = self._rounds[: len(self._rounds) - shown.rounds]
        following = [*(entry.seen for entry in self._rounds[1:]), seen]
        steps = [*self._past, *(past_step(*pair) for pair in zip(older, following, strict=False))]
        left_out = max(0, len(steps) - shown.lines)
        told = [observation_text.about_past(self._words, step) for step in steps[left_out:]]
        if left_out:
            told.insert(0, fill(self._words.past_left_out, {"count": left_out}))
        lines = _lines(told)
        return fill(self._words.past, {"lines": lines}) if lines else ""

    def _carried(self, shown: HistoryWindow) -> str:
        """Return the memory, if the reply that contains it is no longer shown."""
        written = self._rounds and self._memory_number > self._rounds[-1].number - shown.rounds
        if not self._memory or written or not shown.memory:
            return ""
        return fill(self._words.memory, {"memory": cut(self._memory, shown.memory)})

    def _led_here(self, seen: Observation) -> list[str]:
        return observation_text.about_last(self._words, self._rounds[-1] if self._rounds else None, seen)

    def _told(self, seen: Observation) -> list[str]:
        before = self._rounds[-1].seen if self._rounds else None
        again = before is not None and before.sequence == seen.sequence
        said = [] if again else observation_text.about_page(self._words, seen, before)
        if seen.dialog is not None:
            return said + observation_text.about_dialog(self._words, seen, self._dialect)
        return said if picture_of(seen, marks=self._marks) else [*said, self._words.no_picture]


def _lines(said: list[str]) -> str:
    return "\n".join(part for part in said if part)


def _blocks(blocks: list[str]) -> str:
    return "\n\n".join(block for block in blocks if block)
