"""Replies and actions that are written beforehand: for demonstrations, tests and floors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import anyio.lowlevel

from webgym.errors import PolicyRejected
from webgym.records.action import Action, Answer
from webgym.records.decision import Decision, Turn
from webgym.records.observation import Capture
from webgym.records.prompt import Completion, Prompt


class ScriptedPolicy:
    """A policy that says these texts, one after the other, to each conversation from the first.

    Conversations are told apart by their affinity.
    """

    def __init__(self, replies: Sequence[str | Completion], *, repeat: bool = False) -> None:
        self._replies = tuple(replies)
        self._repeat = repeat
        self._said: dict[str, int] = {}

    async def sample(
        self,
        prompt: Prompt,  # noqa: ARG002 - a script does not read what it is asked
        pictures: Mapping[str, bytes],  # noqa: ARG002
        *,
        affinity: str = "",
    ) -> Completion:
        """The next reply of the script.

        Raises:
            PolicyRejected: There is none left.
        """
        await anyio.lowlevel.checkpoint()
        said = self._said.get(affinity, 0)
        if said >= len(self._replies) and not (self._repeat and self._replies):
            raise PolicyRejected(f"the script has {len(self._replies)} replies, and one more was asked for")
        self._said[affinity] = said + 1
        reply = self._replies[said % len(self._replies)]
        return reply if isinstance(reply, Completion) else Completion(text=reply, model="scripted")


class ScriptedAgent:
    """An agent that does these things in turn, whatever it sees, and then answers."""

    def __init__(self, actions: Sequence[Action], *, answer: str = "") -> None:
        self._actions = iter(actions)
        self._answer = answer

    async def decide(self, capture: Capture) -> Turn:  # noqa: ARG002 - nor looks
        """The next action of the script; `Answer` when it is over."""
        await anyio.lowlevel.checkpoint()
        action = next(self._actions, Answer(self._answer))
        return Turn(Decision(action))
