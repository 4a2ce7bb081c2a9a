"""Who follows a run: one listener for rollouts, evaluations and training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from webgym.monitor.board import Board
    from webgym.records.curve import Iteration
    from webgym.records.event import Event
    from webgym.records.trajectory import Attempt, Ending
    from webgym.rollout.pool import FinishedGroup


class ProgressListener(Protocol):
    """Receives the progress of a run."""

    def on_message(self, line: str) -> None:
        """Receive a message for the user."""
        ...

    def on_event(self, event: Event) -> None:
        """Receive any event of the run."""
        ...

    def on_start(self, board: Board, planned: int, kept: int) -> None:
        """Receive the start of a rollout or evaluation run, `kept` of whose attempts finished before a restart."""
        ...

    def on_attempt(self, attempt: Attempt, ending: Ending) -> None:
        """Receive a finished attempt of a rollout or evaluation run."""
        ...

    def on_evaluation(self, iteration: int, planned: int, finished: FinishedGroup | None) -> None:
        """Receive the start of an evaluation during training (`finished` is None), or a group that finished in it."""
        ...

    def on_update(self, iteration: Iteration) -> None:
        """Receive an iteration that is finished except for its evaluation, which follows; `on_iteration` has both."""
        ...

    def on_iteration(self, iteration: Iteration) -> None:
        """Receive a finished iteration."""
        ...


class NoProgress:
    """Ignores everything; a base for listeners that want to know some of it."""

    def on_message(self, line: str) -> None:
        """Do nothing."""

    def on_event(self, event: Event) -> None:
        """Do nothing."""

    def on_start(self, board: Board, planned: int, kept: int) -> None:
        """Do nothing."""

    def on_attempt(self, attempt: Attempt, ending: Ending) -> None:
        """Do nothing."""

    def on_evaluation(self, iteration: int, planned: int, finished: FinishedGroup | None) -> None:
        """Do nothing."""

    def on_update(self, iteration: Iteration) -> None:
        """Do nothing."""

    def on_iteration(self, iteration: Iteration) -> None:
        """Do nothing."""
