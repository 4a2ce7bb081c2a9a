// All lines of text of the page as laid out, in the viewport or scrolled away: text, box, and the label and item they
// belong to.
({ JSON, Map, Math, NodeFilter, Set, getComputedStyle, innerWidth, innerHeight, parseFloat }) => {
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

  // What stands side by side on the screen is one line, whatever inline elements it consists of.
  const CONTROL = new Set(["button", "select", "summary"]);
  const GAP = 0.8; // ems: wider gaps are between columns or items, not between words
  const flows = new Map(); // element → the element in whose lines its text is laid out
  const flowOf = (element) => {
    if (flows.has(element)) return flows.get(element);
    const { display, position, float } = getComputedStyle(element);
    const inline = /^(inline|inline-block|contents|ruby.*)$/.test(display) && float === "none" && /static|relative/.test(position);
    const flow = inline && !CONTROL.has(element.localName) && element.parentElement ? flowOf(element.parentElement) : element;
    flows.set(element, flow);
    return flow;
  };
  const isBeside = (line, rect) => {
    const overlap = Math.min(line.bottom, rect.bottom) - Math.max(line.top, rect.top);
    return overlap > Math.min(line.bottom - line.top, rect.bottom - rect.top) / 2;
  };
  const isNear = (line, rect, em) => Math.max(rect.left - line.right, line.left - rect.right) <= GAP * em;

  const range = document.createRange();
  const rectOf = (node, start, end) => {
    range.setStart(node, start);
    range.setEnd(node, end);
    return range.getBoundingClientRect();
  };
  // The rows of a word that is broken between letters, as in languages without spaces.
  const ROW = 1.8; // ems: what is lower than that is one row, of which the rest need not be asked
  const rowsOf = (node, start, text, em) => {
    const whole = rectOf(node, start, start + text.length);
    if (whole.height < ROW * em) return [{ text, rect: whole }];
    const parts = range.getClientRects();
    if (parts.length < 2 || isBeside(parts[0], parts[parts.length - 1])) return [{ text, rect: whole }];
    const rows = [];
    for (let from = start, end = start + text.length; from < end && rows.length < MOST;) {
      const first = rectOf(node, from, from + 1);
      let [last, beyond] = [from + 1, end + 1]; // a row ends somewhere between
      while (beyond - last > 1) {
        const middle = (last + beyond) >> 1;
        if (isBeside(first, rectOf(node, middle - 1, middle))) last = middle;
        else beyond = middle;
      }
      rows.push({ text: text.slice(from - start, last - start), rect: rectOf(node, from, last) });
      from = last;
    }
    return rows;
  };

  const isShown = (element) => {
    if (element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return true;
    const contents = getComputedStyle(element).display === "contents" && element.parentElement; // it has no box of its own
    return Boolean(contents) && isShown(contents);
  };
  const known = new Map(); // element → what its texts have in common; null if they cannot be seen
  const textIn = (parent) => {
    if (known.has(parent)) return known.get(parent);
    const { textTransform, fontSize } = getComputedStyle(parent);
    const found = isShown(parent) ? {
      parent, spell: SPELT[textTransform] ?? ((text) => text), em: parseFloat(fontSize),
      clip: clipOf(parent), flow: flowOf(parent), label: labelOf(parent), item: itemOf(parent),
    } : null;
    known.set(parent, found);
    return found;
  };

  const lines = [];
  let spaced = true; // whether the last text ended, or was followed, by a space
  const place = (node, { parent, spell, em, flow, label, item }, text, rect) => {
    const line = lines.at(-1);
    const near = line && (line.node === node || isNear(line, rect, em));
    if (near && line.flow === flow && line.label === label && isBeside(line, rect)) {
      line.text += (spaced ? " " : "") + spell(text);
      line.left = Math.min(line.left, rect.left);
      line.right = Math.max(line.right, rect.right);
      line.top = Math.min(line.top, rect.top);
      line.bottom = Math.max(line.bottom, rect.bottom);
      line.item = item && line.item;
      line.node = node;
      line.last = { parent, rect };
      return;
    }
    const { left, top, right, bottom } = rect;
    const ends = { first: { parent, rect }, last: { parent, rect } };
    lines.push({ text: spell(text), left, top, right, bottom, node, flow, label, item, ...ends });
  };
  const add = (node, about) => {
    let end = 0;
    for (const found of node.data.matchAll(/\S+/g)) {
      spaced ||= found.index > end;
      end = found.index + found[0].length;
      for (const { text, rect } of rowsOf(node, found.index, found[0], about.em)) {
        if (!rect.width || !isWithin(rect, about.clip)) continue;
        place(node, about, text, rect);
        spaced = false;
      }
    }
    spaced ||= end < node.data.length;
  };
  const isReadable = ({ parent, rect }, x) => !isCovered(parent, x, (rect.top + rect.bottom) / 2);
  const told = ({ text, left, top, right, bottom, label, item, first, last }) => {
    const inView = top >= -2 && bottom <= innerHeight + 2;
    const shown = inView && isReadable(first, first.rect.left + 2) && isReadable(last, last.rect.right - 2);
    const box = { x: round(left), y: round(top), width: round(right - left), height: round(bottom - top) };
    return { text: clean(text), box, label, item, shown };
  };

  const walker = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && lines.length < MOST; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || UNREAD.has(parent.localName)) continue;
    if (!node.data.trim()) {
      spaced = true;
      continue;
    }
    range.selectNodeContents(node);
    const rect = range.getBoundingClientRect();
    if (!rect.width || rect.right < 0 || rect.left > innerWidth) continue;
    const about = textIn(parent);
    if (about) add(node, about);
  }
  return JSON.stringify(lines.slice(0, MOST).map(told));
}
