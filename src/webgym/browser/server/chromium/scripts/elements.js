// Every interactive element and everything with a test id, in sight or not: where it is, and how a click gets there.
(() => {
  const FOUND = "a[href], button, input:not([type=hidden]), select, textarea, summary, [data-testid]";
  const MOST = 3000;
  const { innerWidth, innerHeight } = window;
  const clean = (text) => (text ?? "").replace(/\s+/g, " ").trim().slice(0, 120);
  const round = (number) => Math.round(number * 10) / 10;
  const boxOf = (rect) => ({ x: round(rect.x), y: round(rect.y), width: round(rect.width), height: round(rect.height) });
  const isShown = (element) => {
    const rect = element.getBoundingClientRect();
    return rect.width > 0 && rect.height > 0 && element.checkVisibility({ visibilityProperty: true });
  };

  const reaches = (element, hit) =>
    hit !== null && (element.contains(hit) || hit.closest("label")?.control === element);

  const PARTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.5], [0.9, 0.5]];
  const clickable = (element) => {
    for (const rect of element.getClientRects()) {
      const left = Math.max(0, rect.left);
      const top = Math.max(0, rect.top);
      const width = Math.min(innerWidth, rect.right) - left;
      const height = Math.min(innerHeight, rect.bottom) - top;
      if (width < 2 || height < 2) continue;
      for (const [across, down] of PARTS) {
        const x = Math.floor(left + width * across);
        const y = Math.floor(top + height * down);
        if (reaches(element, document.elementFromPoint(x, y))) return { kind: "point", x, y };
      }
    }
    return null;
  };

  const isCentral = ({ left, top, right, bottom }) =>
    left <= innerWidth / 2 && top <= innerHeight / 2 && right >= innerWidth / 2 && bottom >= innerHeight / 2;
  const veil = [...document.querySelectorAll("[data-dismiss]:popover-open")]
    .filter((part) => isCentral(part.getBoundingClientRect())).at(-1); // keeps the page behind it from scrolling

  const coverOf = (element) => {
    if (veil && !veil.contains(element)) return veil.dataset.dismiss;
    const rect = element.getBoundingClientRect();
    const x = (Math.max(0, rect.left) + Math.min(innerWidth, rect.right)) / 2;
    const y = (Math.max(0, rect.top) + Math.min(innerHeight, rect.bottom)) / 2;
    const cover = document.elementFromPoint(x, y)?.closest("[data-dismiss]");
    return cover && !cover.contains(element) ? cover.dataset.dismiss : ""; // what it is in may have scrolled it away
  };

  const viaOf = (element) => {
    for (let part = element.closest("[data-via]"); part; part = part.parentElement?.closest("[data-via]")) {
      if (!isShown(part)) return part.dataset.via;
    }
    return "";
  };

  const scrollerOf = (element) => {
    for (let part = element.parentElement; part && part !== document.body; part = part.parentElement) {
      if (part.scrollHeight <= part.clientHeight + 1) continue;
      if (/auto|scroll/.test(getComputedStyle(part).overflowY)) return boxOf(part.getBoundingClientRect());
    }
    return null;
  };

  const hrefOf = (element) => {
    if (element.localName !== "a" || !element.hasAttribute("href")) return "";
    return element.origin === location.origin ? element.pathname + element.search : element.href;
  };

  const textOf = (element, shown) => {
    const field = /^(input|select|textarea)$/.test(element.localName);
    if (!field) {
      const text = clean(shown ? element.innerText : element.textContent) || clean(element.getAttribute("aria-label"));
      return text || clean(element.querySelector("img[alt]")?.alt);
    }
    const label = [...(element.labels ?? [])].map((one) => one.textContent).join(" ");
    return clean(label) || clean(element.getAttribute("aria-label")) || clean(element.placeholder);
  };

  const isOn = (element) =>
    element.checked === true || ["checked", "selected", "pressed", "expanded"].some(
      (state) => element.getAttribute(`aria-${state}`) === "true");

  const tell = (element) => {
    const shown = isShown(element);
    const point = shown ? clickable(element) : null;
    const told = {
      key: element.dataset.testid ?? "", tag: element.localName, text: textOf(element, shown),
      box: boxOf(element.getBoundingClientRect()), type: element.type ?? "", href: hrefOf(element),
      value: typeof element.value === "string" ? element.value : "", shown, checked: isOn(element),
      disabled: element.matches(":disabled") || element.getAttribute("aria-disabled") === "true",
    };
    if (point) told.point = point;
    else if (shown) told.cover = coverOf(element);
    else told.via = viaOf(element);
    const scroller = shown && !point ? scrollerOf(element) : null;
    if (scroller) told.scroller = scroller;
    return told;
  };

  return JSON.stringify([...document.querySelectorAll(FOUND)].slice(0, MOST).map(tell));
})()
