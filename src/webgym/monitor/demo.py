"""A simulated run, to demonstrate the monitor."""

from __future__ import annotations

import io
import time

import anyio
import anyio.lowlevel

from webgym.monitor.board import Board
from webgym.monitor.simulated import PICTURES, SimulationPlan, picture_address, simulated_run

_HUES = ("#e8f1f8", "#f6efe6", "#eaf5ec", "#f3ecf6", "#f8f6e4", "#ecebf5")


async def play(board: Board, plan: SimulationPlan) -> None:
    """Play the simulated run on the board in real time."""
    start = time.monotonic()
    for number, (at, event) in enumerate(simulated_run(plan)):
        ahead = start + at - time.monotonic()
        if ahead > 0.01:
            await anyio.sleep(ahead)
        elif number % 200 == 0:
            await anyio.lowlevel.checkpoint()
        board.apply(event)


class SimulatedPictures:
    """Generated screenshots, recognisable as simulated."""

    def __init__(self) -> None:
        self._numbers = {picture_address(number): number for number in range(PICTURES)}
        self._drawn: dict[int, bytes] = {}

    def read(self, address: str) -> bytes | None:
        number = self._numbers.get(address)
        if number is None:
            return None
        if number not in self._drawn:
            self._drawn[number] = _draw(number)
        return self._drawn[number]


def _draw(number: int) -> bytes:
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415 - only the demo needs it

    image = Image.new("RGB", (1280, 768), "white")
    draw = ImageDraw.Draw(image)
    font, small = ImageFont.load_default(34), ImageFont.load_default(22)
    draw.rectangle((0, 0, 1280, 72), fill="#33424f")
    draw.text((32, 16), "Simulated page", fill="white", font=font)
    draw.rounded_rectangle((760, 16, 1240, 56), 8, fill="white")
    for row in range(3):
        for column in range(4):
            left, top = 32 + column * 308, 108 + row * 220
            draw.rounded_rectangle((left, top, left + 284, top + 196), 12, fill=_HUES[(row + column + number) % 6])
            draw.text((left + 16, top + 150), f"Item {number}.{row * 4 + column + 1}", fill="#33424f", font=small)
    data = io.BytesIO()
    image.save(data, "JPEG", quality=80)
    return data.getvalue()
