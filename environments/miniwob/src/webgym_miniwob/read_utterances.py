"""Reads the utterances of all tasks in a browser: `python -m webgym_miniwob.read_utterances`."""

from __future__ import annotations

import sys

import anyio
from playwright.async_api import Page, async_playwright

from webgym.browser.server.chromium.executable import find_executable
from webgym_miniwob.catalogue import kinds
from webgym_miniwob.pages import installed_pages
from webgym_miniwob.server import PageServer, serving
from webgym_miniwob.utterances import Utterances, write_utterances

SEEDS = 100
_DRAW = """(seeds) => Array.from({ length: seeds }, (_, seed) => {
  Math.seedrandom(seed);
  core.startEpisodeReal();
  return document.getElementById("query").textContent.replace(/\\s+/g, " ").trim();
})"""
"""Draws one instance after the other, which is much faster than to load the page for each."""


async def main() -> None:
    """Read, compare with pages of their own, and write."""
    pages = installed_pages()
    read: dict[str, list[str]] = {}
    async with serving(pages, "127.0.0.1", 0) as server, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_executable())
        page = await browser.new_page(viewport={"width": 1280, "height": 768})
        for name in kinds():
            said = await _drawn(page, server, name)
            for seed in (1, SEEDS - 1):
                alone = await _alone(page, server, name, seed)
                if not alone or alone != said[seed]:
                    print(f"{name} draws on what it drew before", file=sys.stderr)  # noqa: T201
                    said = [await _alone(page, server, name, each) for each in range(SEEDS)]
            read[name] = said
        await browser.close()
    print(write_utterances(Utterances(pages.fingerprint, read)))  # noqa: T201


async def _drawn(page: Page, server: PageServer, name: str) -> list[str]:
    with server.instance(name, 0) as instance:
        await page.goto(server.address(instance))
        return await page.evaluate(_DRAW, SEEDS)


async def _alone(page: Page, server: PageServer, name: str, seed: int) -> str:
    with server.instance(name, seed) as instance:
        await page.goto(server.address(instance))
        return instance.progress.utterance


if __name__ == "__main__":
    anyio.run(main)
