"""Contrast of what is written on a page, computed as WCAG 2 says, for every text that shows."""

from __future__ import annotations

from playwright.async_api import Page

_LEAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const light = (rgb) => {
    const [r, g, b] = rgb.map((value) => {
      const share = value / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
    return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const style = getComputedStyle(element);
    if (!node.data.trim() || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (parseFloat(style.fontSize) < 1 || element.closest("[disabled], .off, script, style, option")) continue;
    const ground = behind(element);
    const ink = over(rgba(element instanceof SVGElement ? style.fill : style.color), ground);
    const [low, high] = [light(ink), light(ground)].sort((a, b) => a - b);
    found.push([(high + 0.05) / (low + 0.05), node.data.trim().slice(0, 40), element.className]);
  }
  found.sort((a, b) => a[0] - b[0]);
  return found.slice(0, 3);
}"""


async def least_contrast(page: Page) -> float:
    """Return the lowest contrast of any visible text; what is switched off is exempt, as in WCAG."""
    found = await page.evaluate(_LEAST)
    assert found, "the page shows no text"
    print(found)
    return found[0][0]
