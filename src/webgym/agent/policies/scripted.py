"""Scripted policies and agents, for demonstrations, tests and baselines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import anyio.lowlevel

from webgym.errors import PolicyRejected
from webgym.records.action import Action, Answer
from webgym.records.decision import Decision, Turn
from webgym.records.observation import Capture
from webgym.records.prompt import Completion, Prompt


class ScriptedPolicy:
    """A policy that gives these replies in order, starting over for each conversation.

    Conversations are identified by their affinity.
    """

    def __init__(self, replies: Sequence[str | Completion], *, repeat: bool = False) -> None:
        self._replies = tuple(replies)
        self._repeat = repeat
        self._said: dict[str, int] = {}

    async def sample(
        self,
        prompt: Prompt,  # noqa: ARG002 - a script ignores the prompt
        pictures: Mapping[str, bytes],  # noqa: ARG002
        *,
        affinity: str = "",
    ) -> Completion:
        """Return the next reply of the script.

        Raises:
            PolicyRejected: No replies are left.
        """
        await anyio.lowlevel.checkpoint()
        said = self._said.get(affinity, 0)
        if said >= len(self._replies) and not (self._repeat and self._replies):
            raise PolicyRejected(f"the script has {len(self._replies)} replies, and one more was asked for")
        self._said[affinity] = said + 1
        reply = self._replies[said % len(self._replies)]
        return reply if isinstance(reply, Completion) else Completion(text=reply, model="scripted")


class ScriptedAgent:
    """An agent that performs these actions in order, whatever it sees, and then answers."""

    def __init__(self, actions: Sequence[Action], *, answer: str = "") -> None:
        self._actions = iter(actions)
        self._answer = answer

    async def decide(self, capture: Capture) -> Turn:  # noqa: ARG002 - a script ignores the page
        """Return the next action of the script, or `Answer` after the last one."""
        await anyio.lowlevel.checkpoint()
        action = next(self._actions, Answer(self._answer))
        return Turn(Decision(action))
