"""What the monitor of a training run reads: its rollouts, and the current or last evaluation."""

from __future__ import annotations

from pathlib import Path

from webgym.errors import StoreError
from webgym.records.trajectory import Step
from webgym.store.read import Run, open_run
from webgym.store.write import RunWriter


class AttemptArchive:
    """Steps and screenshots of attempts in training and in the current or last evaluation."""

    def __init__(self, training: RunWriter) -> None:
        self.training = training
        self._evaluating: RunWriter | None = None
        self._evaluated: Path | None = None
        """Folder of the last finished evaluation."""
        self._reader: Run | None = None
        """Its reader, opened on first use."""

    def write(self, writer: RunWriter | None) -> None:
        """Set the writer of the evaluation that starts; None when it ends."""
        if writer is None and self._evaluating is not None:
            self.close()
            self._evaluated = self._evaluating.path
        self._evaluating = writer

    def blob(self, address: str) -> bytes | None:
        """Return the bytes at an address, or None if they are not stored."""
        found = self._evaluating.blob(address) if self._evaluating else None
        found = self.training.blob(address) if found is None else found
        if found is None and (run := self._finished()):
            try:
                return run.blob(address)
            except StoreError:
                return None
        return found

    def steps(self, attempt_id: str) -> tuple[Step, ...]:
        """Return the steps of an attempt so far."""
        found = (self._evaluating.steps(attempt_id) if self._evaluating else ()) or self.training.steps(attempt_id)
        if not found and (run := self._finished()):
            try:
                return run.steps(attempt_id)
            except StoreError:
                return ()
        return found

    def close(self) -> None:
        """Close the reader of the last evaluation."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _finished(self) -> Run | None:
        """Return the reader of the last finished evaluation; None if there is none, or it was deleted."""
        if self._reader is None and self._evaluated is not None:
            try:
                self._reader = open_run(self._evaluated)
            except StoreError:
                self._evaluated = None
        return self._reader
