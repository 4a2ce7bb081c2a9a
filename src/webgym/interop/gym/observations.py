"""Converts captures to elements of the observation space."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from webgym.errors import BrowserFault
from webgym.interop.gym import spaces as layout
from webgym.records.observation import ActionFailure, Capture, Dialog, Effect, NoChange, PageChange, Viewport

Frame = NDArray[np.uint8]


def observation_of(capture: Capture, instruction: str, viewport: Viewport, before: Frame | None) -> dict[str, Any]:
    """Build an observation from a capture. Arrays are never shared between calls.

    No screenshot can be taken while a dialog is open, so the frame `before` is repeated.
    """
    seen = capture.observation
    frame = before.copy() if before is not None else _black(viewport)
    if seen.screenshot is not None:
        frame = decoded(capture.blobs[seen.screenshot.address], viewport)
    return {
        "screenshot": frame,
        "instruction": instruction[: layout.LONGEST_INSTRUCTION],
        "url": seen.url[: layout.LONGEST_URL],
        "title": seen.title[: layout.LONGEST_LINE],
        "effect": _effect(seen.effect)[: layout.LONGEST_LINE],
        "dialog": _dialog(seen.dialog)[: layout.LONGEST_LINE],
    }


def decoded(data: bytes, viewport: Viewport) -> Frame:
    """Decode a screenshot to an array of shape (height, width, 3).

    Raises:
        BrowserFault: It is not an image of the viewport's size.
    """
    try:
        with Image.open(io.BytesIO(data)) as picture:
            pixels = np.array(picture.convert("RGB"), dtype=np.uint8)
    except OSError as error:
        raise BrowserFault(f"a screenshot cannot be read: {error}") from error
    if pixels.shape != (viewport.height, viewport.width, 3):
        raise BrowserFault(f"a screenshot of {viewport} has the shape {pixels.shape}")
    return pixels


def _black(viewport: Viewport) -> Frame:
    return np.zeros((viewport.height, viewport.width, 3), dtype=np.uint8)


def _effect(effect: Effect | None) -> str:
    match effect:
        case None:
            return ""
        case PageChange(what=what, detail=detail):
            changed = f"changed: {', '.join(what)}" if what else "changed"
            return f"{changed}; {detail}" if detail else changed
        case NoChange(detail=detail):
            return f"unchanged: {detail}" if detail else "unchanged"
        case ActionFailure(reason=reason, detail=detail):
            return f"failed: {reason}: {detail}" if detail else f"failed: {reason}"


def _dialog(dialog: Dialog | None) -> str:
    return "" if dialog is None else f"{dialog.type}: {dialog.message}"
