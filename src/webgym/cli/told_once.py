"""What is told once on a machine, rather than by every command."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_SANDBOX = "Chromium runs without its sandbox as root; webgym doctor says so too, and this is not told again"


def tell_about_sandbox(console: Console) -> None:
    """Print, the first time on this machine, that browsers run without their sandbox, if they do because of root."""
    from webgym.browser.tokens import state_folder

    marker = state_folder() / "told-no-sandbox"
    if os.geteuid() != 0 or marker.exists():
        return
    console.print(_SANDBOX, style="dim", markup=False)
    with suppress(OSError):  # told again next time
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.touch()
