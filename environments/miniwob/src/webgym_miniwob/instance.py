"""What the server knows of one attempt: its seed, and what its page has reported."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace

import msgspec


class Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page tells: its utterance when its episode begins, the reward when it ends."""

    utterance: str | None = None
    reward: float | None = None
    """MiniWoB's raw reward, from -1 to 1, which does not decay with time."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an attempt has come."""

    loads: int = 0
    """How often its page was loaded."""
    utterance: str = ""
    done: bool = False
    reward: float = 0.0
    reason: str = ""


@dataclass(slots=True)
class Instance:
    """One attempt at a task with a seed."""

    name: str
    seed: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    progress: Progress = Progress()
    nonce: str = ""
    """What reports of the latest load carry. Whoever knows the address alone cannot report."""

    @property
    def page(self) -> str:
        """The path of its page."""
        return f"miniwob/{self.name}.html"

    def load(self) -> str:
        """Begin the episode anew, unless it is over, and return the nonce for its reports."""
        self.nonce = secrets.token_urlsafe(24)
        self.progress = replace(self.progress, loads=self.progress.loads + 1)
        return self.nonce

    def reset(self) -> None:
        """Forget everything; the page that is open now cannot report any more."""
        self.nonce = ""
        self.progress = Progress()

    def report(self, nonce: str, said: Report) -> bool:
        """Take a report. Returns whether it is of the latest load; the first reward counts."""
        if not self.nonce or not secrets.compare_digest(nonce.encode(), self.nonce.encode()):
            return False
        if said.utterance is not None:
            self.progress = replace(self.progress, utterance=said.utterance)
        if said.reward is not None and not self.progress.done:
            self.progress = replace(self.progress, done=True, reward=said.reward, reason=said.reason)
        return True
