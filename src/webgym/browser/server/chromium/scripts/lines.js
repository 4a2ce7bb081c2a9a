// Every line of text that can be read in the viewport: what it says, where it is, what names it.
(() => {
  const MOST = 400;
  const LONGEST = 160;
  const { innerWidth, innerHeight } = window;
  const UNREAD = new Set(["style", "script", "option", "template", "noscript", "title", "textarea"]);
  const clean = (text) => (text ? text.replace(/\s+/g, " ").trim().slice(0, LONGEST) : "");
  const round = (number) => Math.round(number * 10) / 10;
  const words = (element) => clean(element?.innerText);

  const clips = new Map(); // element → what of the viewport its text can show in
  const clipOf = (element) => {
    if (!element || element === document.documentElement) return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    if (clips.has(element)) return clips.get(element);
    const style = getComputedStyle(element);
    const outer = clipOf(/fixed/.test(style.position) ? null : element.parentElement);
    let clip = outer;
    if (style.overflowX !== "visible" || style.overflowY !== "visible") {
      const rect = element.getBoundingClientRect();
      clip = {
        left: Math.max(outer.left, rect.left), top: Math.max(outer.top, rect.top),
        right: Math.min(outer.right, rect.right), bottom: Math.min(outer.bottom, rect.bottom),
      };
    }
    clips.set(element, clip);
    return clip;
  };
  const isWithin = (rect, clip) =>
    rect.left >= clip.left - 1 && rect.right <= clip.right + 1 && rect.top >= clip.top - 2 && rect.bottom <= clip.bottom + 2;

  const isCovered = (parent, x, y) => { // links over whole cards are not in the way, what floats over the page is
    const hit = document.elementFromPoint(x, y);
    if (!hit) return true;
    for (let part = hit; part && !part.contains(parent); part = part.parentElement) {
      if (/fixed|sticky|absolute/.test(getComputedStyle(part).position)) return true;
    }
    return false;
  };

  const SPELT = { uppercase: (text) => text.toUpperCase(), lowercase: (text) => text.toLowerCase() };
  SPELT.capitalize = (text) => text.replace(/(^|\s)(\S)/g, (_, before, first) => before + first.toUpperCase());

  const columnOf = (cell) => words(cell.closest("table")?.tHead?.rows[0]?.cells[cell.cellIndex]);
  const labelOf = (parent) => {
    const term = parent.closest("dd");
    for (let part = term?.previousElementSibling; part; part = part.previousElementSibling) {
      if (part.localName === "dt") return words(part);
    }
    const cell = parent.closest("td");
    const first = cell?.parentElement.cells?.[0];
    if (cell && first !== cell) {
      const row = words(first);
      const column = columnOf(cell);
      if (row) return column && column !== row ? `${column} of ${row}` : first.localName === "th" ? row : "";
    }
    const fact = parent.closest("[data-testid^='fact:']");
    return fact ? clean(fact.dataset.testid.slice(5).replace(/[:_-]+/g, " ")) : "";
  };
  const itemOf = (parent) => {
    const item = parent.closest("article, li, tr, [class*=card], [class*=item], [class*=row]");
    const head = item?.querySelector("h1, h2, h3, h4, a[href]:not(:empty)");
    return head && !head.contains(parent) ? words(head) : "";
  };

  const out = [];
  const range = document.createRange();
  const linesOf = (node, parent) => {
    const clip = clipOf(parent);
    const spell = SPELT[getComputedStyle(parent).textTransform] ?? ((text) => text);
    const lines = [];
    for (const found of node.data.matchAll(/\S+/g)) {
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      const rect = range.getBoundingClientRect();
      if (!rect.width || !isWithin(rect, clip)) continue;
      const line = lines.at(-1);
      if (line && Math.abs(line.top - rect.top) < 4) {
        line.words.push(found[0]);
        line.right = rect.right;
      } else lines.push({ words: [found[0]], left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom });
    }
    for (const { words: said, left, top, right, bottom } of lines) {
      const y = (top + bottom) / 2;
      if (isCovered(parent, left + 2, y) || isCovered(parent, right - 2, y)) continue;
      const box = { x: round(left), y: round(top), width: round(right - left), height: round(bottom - top) };
      out.push({ text: clean(spell(said.join(" "))), box, label: labelOf(parent), item: itemOf(parent) });
    }
  };

  const walker = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && out.length < MOST; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent || UNREAD.has(parent.localName)) continue;
    range.selectNodeContents(node);
    const rect = range.getBoundingClientRect();
    if (!rect.width || rect.bottom < 0 || rect.top > innerHeight || rect.right < 0 || rect.left > innerWidth) continue;
    if (parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) linesOf(node, parent);
  }
  return JSON.stringify(out);
})()
