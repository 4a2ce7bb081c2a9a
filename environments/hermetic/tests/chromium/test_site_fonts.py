"""Text sits in the same place whatever fonts the machine has: the sites use their own only."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from playwright.async_api import Browser, async_playwright

from webgym.browser.server.chromium.executable import find_executable
from webgym_hermetic.catalogue import site
from webgym_hermetic.registry import FAMILIES
from webgym_hermetic.serve import SitesServer, serve_sites

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

SITES = [site(family, number) for family in FAMILIES for number in (0, 7)]
FONTS = Path(str(files("webgym_hermetic.kit"))) / "static" / "fonts"
ONE_FOLDER = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>{folder}</dir><cachedir>{folder}/cache</cachedir></fontconfig>"""
BOXES = """() => {
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const r of range.getClientRects()) {
      if (r.width > 0) boxes.push([node.textContent.trim().slice(0, 40), r.x, r.y, r.width, r.height].join(" "));
    }
  }
  return boxes;
}"""


@asynccontextmanager
async def chromium(environment: dict[str, str]) -> AsyncGenerator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_executable(""), args=["--no-sandbox"], env={**os.environ, **environment}
        )
        try:
            yield browser
        finally:
            await browser.close()


async def text_boxes(browser: Browser, server: SitesServer) -> dict[str, list[str]]:
    """Every line of text of each site's home page and of the first pages it links to."""
    found: dict[str, list[str]] = {}
    for one in SITES:
        page = await browser.new_page(viewport={"width": 1000, "height": 700})
        await page.goto(server.url(one.name), wait_until="networkidle")
        links = await page.evaluate("[...new Set([...document.links].map((a) => a.pathname))].sort().slice(0, 1)")
        for path in ["/", *links]:
            await page.goto(server.url(one.name, path), wait_until="networkidle")
            await page.evaluate("document.fonts.ready")
            found[f"{one.name} {path}"] = await page.evaluate(BOXES)
        await page.close()
    return found


def keep_one_odd_font(folder: Path) -> None:
    """The browser does not start without any. This one has a name that nobody asks for, and letters of one width."""
    font = TTFont(next(FONTS.glob("*mono*.woff2")))
    font.flavor = None
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6, 16):
            record.string = "Oddity"
    font.save(folder / "oddity.ttf")


@pytest.mark.full
@pytest.mark.timeout(300)
async def test_text_boxes_are_equal_with_and_without_system_fonts(tmp_path: Path):
    keep_one_odd_font(tmp_path)
    config = tmp_path / "fonts.conf"
    config.write_text(ONE_FOLDER.format(folder=tmp_path))
    async with serve_sites(SITES, token="t") as server:
        async with chromium({}) as usual:
            with_fonts = await text_boxes(usual, server)
        async with chromium({"FONTCONFIG_FILE": str(config)}) as bare:
            without = await text_boxes(bare, server)
    assert sum(map(len, with_fonts.values())) > 800
    for page, boxes in with_fonts.items():
        assert boxes == without[page], page
