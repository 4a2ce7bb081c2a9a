"""Live websites: nothing to start, no state to set, no judge that knows."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from webgym.environments.spec import attempt_spec
from webgym.errors import ConfigError
from webgym.records.environment import Egress, TaskSelection, TaskSupport
from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.stages import AttemptSetup, AttemptTerms, EnvironmentNeeds, RunningEnvironment


class RunningLive:
    """Attempts on the websites that their tasks name."""

    egress = Egress()

    def prepare(self, attempt: Attempt, terms: AttemptTerms) -> AbstractAsyncContextManager[AttemptSetup]:
        """Prepare a session at the task's website."""
        return self._prepared(attempt, terms)

    @asynccontextmanager
    async def _prepared(self, attempt: Attempt, terms: AttemptTerms) -> AsyncGenerator[AttemptSetup]:
        yield AttemptSetup(attempt, attempt_spec(attempt, terms))


class LiveEnvironment:
    """Websites that somebody else runs, with tasks from a file or a task set."""

    name = "live"

    def tasks(self, selection: TaskSelection) -> Iterable[Task]:
        """Raise `ConfigError`: live websites come without tasks."""
        del selection
        raise ConfigError(
            "env=live has no tasks of its own: set tasks.use=set tasks.file=webgym:test, or tasks.use=file "
            "tasks.file=PATH"
        )

    def supports(self, task: Task) -> TaskSupport:
        """Return that there is nothing."""
        del task
        return TaskSupport()

    def open(self, needs: EnvironmentNeeds) -> AbstractAsyncContextManager[RunningEnvironment]:
        """Open it, which takes nothing."""
        del needs
        return self._opened()

    @asynccontextmanager
    async def _opened(self) -> AsyncGenerator[RunningEnvironment]:
        yield RunningLive()
