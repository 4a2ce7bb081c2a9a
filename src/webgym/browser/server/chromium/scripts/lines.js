// All lines of text of the page, in the viewport or scrolled away: text, box, and the label and item they belong to.
({ JSON, Map, Math, NodeFilter, Set, getComputedStyle, innerWidth, innerHeight }) => {
  const MOST = 1500;
  const LONGEST = 160;
  const UNREAD = new Set(["style", "script", "option", "template", "noscript", "title", "textarea"]);
  const clean = (text) => (text ? text.replace(/\s+/g, " ").trim().slice(0, LONGEST) : "");
  const round = (number) => Math.round(number * 10) / 10;
  const words = (element) => clean(element?.innerText);

  const whole = { left: 0, top: -Infinity, right: innerWidth, bottom: Infinity };
  const clips = new Map(); // element → the rectangle to which its text is clipped
  const clipOf = (element) => {
    if (!element || element === document.body || element === document.documentElement) return whole;
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

  const notices = [...document.querySelectorAll("[role=status], [role=alert], [aria-live]")] // often click-through
    .filter((part) => getComputedStyle(part).position === "fixed" && part.checkVisibility({ visibilityProperty: true }));
  const isUnderNotice = (parent, x, y) => notices.some((part) => {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    return !part.contains(parent) && x >= left && x <= right && y >= top - 4 && y <= bottom + 4;
  });
  const isCovered = (parent, x, y) => { // links stretched over cards do not hide text, but positioned overlays do
    if (isUnderNotice(parent, x, y)) return true;
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
    const item = parent.closest("[data-list] > *") ?? parent.closest("article, li, tr, a, [class*=card], [class*=item]");
    const heads = [...(item?.querySelectorAll("h1, h2, h3, h4, strong, b, .strong, .subject, .name, a[href]") ?? [])];
    const head = heads.find((part) => /\p{L}{3}/u.test(part.innerText));
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
      const inView = top >= -2 && bottom <= innerHeight + 2;
      const shown = inView && !isCovered(parent, left + 2, y) && !isCovered(parent, right - 2, y);
      const box = { x: round(left), y: round(top), width: round(right - left), height: round(bottom - top) };
      out.push({ text: clean(spell(said.join(" "))), box, label: labelOf(parent), item: itemOf(parent), shown });
    }
  };

  const walker = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && out.length < MOST; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent || UNREAD.has(parent.localName)) continue;
    range.selectNodeContents(node);
    const rect = range.getBoundingClientRect();
    if (!rect.width || rect.right < 0 || rect.left > innerWidth) continue;
    if (parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) linesOf(node, parent);
  }
  return JSON.stringify(out);
}
