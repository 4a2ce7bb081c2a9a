"""What installing has to tell, on standard error: the output of the command that needed it stays clean."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape


def note(text: str) -> None:
    """Print a line that says what is being installed or was found."""
    Console(highlight=False, soft_wrap=True, emoji=False, stderr=True).print(f"[dim]setup:[/] {escape(text)}")
