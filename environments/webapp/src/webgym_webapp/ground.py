"""What an attempt on an instance has: its judge, its state, and the end that a dead application makes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import anyio.to_thread
from webgym.errors import JudgeError, TransportError, WebGymError
from webgym.records.observation import ActionFailure, FailedReason, Observation
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import Verdict

from webgym_webapp.attempt import WebappAttempt
from webgym_webapp.findings import understood
from webgym_webapp.hooks import Hook
from webgym_webapp.instance import Instance


@dataclass(frozen=True, slots=True)
class InstanceWatch:
    """Ends an attempt whose application has died: it is tried again on another instance."""

    instance: Instance

    async def reason(self, observation: Observation) -> str:
        """Return "": only a dead application ends an attempt.

        Raises:
            TransportError: It is dead.
        """
        del observation
        await self.instance.check_lives()
        return ""


class WebappJudge:
    """Judges by the user's function, which reads the instance."""

    exact = True

    def __init__(self, instance: Instance, about: WebappAttempt, function: Hook) -> None:
        self._instance = instance
        self._about = about
        self._function = function

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        """Ask the user's function.

        Raises:
            TransportError: The application has died, or the session never reached it, neither of which is the
                agent's fault.
            JudgeError: The function failed.
        """
        await self._instance.check_lives()
        self._check_reached(steps[0].observation if steps else last)
        seen = replace(self._about, attempt=attempt, steps=steps, last=last, answer=answer)
        try:
            found = await self._function(seen)
        except WebGymError:
            raise
        except Exception as error:
            await self._instance.check_lives()
            why = f"took longer than {self._function.seconds:g} s" if isinstance(error, TimeoutError) else repr(error)
            raise JudgeError(f"{self._function.where} failed: {why}") from error
        return understood(attempt.task, found, self._function.where)

    def _check_reached(self, first: Observation | None) -> None:
        match first.effect if first else None:
            case ActionFailure(reason=FailedReason.EGRESS_REFUSED | FailedReason.NAVIGATION, detail=detail):
                raise TransportError(f"the session did not reach {self._instance.name}: {detail}")
            case _:
                pass


class WebappState:
    """The state of an instance, as one attempt sees it."""

    def __init__(self, instance: Instance, read: Hook | None, about: WebappAttempt, prepare: Hook | None) -> None:
        self._instance = instance
        self._read = read
        self._about = about
        self._prepare = prepare

    async def read(self) -> Any:
        """Return what the user's function says, or a hash of each of its files."""
        view = self._instance.view
        if self._read is not None:
            return await self._read.prepared(view)
        return await anyio.to_thread.run_sync(hashes, view.folder)

    async def reset(self) -> None:
        """Return to the state that the attempt began with."""
        await self._instance.restore()
        if self._prepare is not None:
            await self._prepare.prepared(self._about, self._instance.view)


def hashes(folder: Path) -> dict[str, str]:
    """Return a hash of each file in a folder, by its path."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
