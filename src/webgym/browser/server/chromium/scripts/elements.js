// All interactive elements and elements with a test id, visible or not: where they are, and where to click them.
({ JSON, Map, Math, Node, Object, Set, getComputedStyle, innerWidth, innerHeight }) => {
  const FOUND = "a[href], button, input:not([type=hidden]), select, textarea, summary, [data-testid]";
  const MOST = 3000;
  const LONGEST = 120;
  const clean = (text) => (text ? text.replace(/\s+/g, " ").trim().slice(0, LONGEST) : "");
  const round = (number) => Math.round(number * 10) / 10;
  const boxOf = (rect) => ({ x: round(rect.x), y: round(rect.y), width: round(rect.width), height: round(rect.height) });
  const isShown = (element, rect = element.getBoundingClientRect()) =>
    rect.width > 0 && rect.height > 0 && element.checkVisibility({ visibilityProperty: true });

  const reaches = (element, hit) =>
    hit !== null && (element.contains(hit) || hit.closest("label")?.control === element);

  const PARTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.5], [0.9, 0.5]];
  const isInView = ({ left, top, right, bottom }) =>
    Math.min(innerWidth, right) - Math.max(0, left) >= 2 && Math.min(innerHeight, bottom) - Math.max(0, top) >= 2;
  const clickable = (element, whole) => {
    if (!isInView(whole)) return null;
    for (const rect of element.getClientRects()) {
      if (!isInView(rect)) continue;
      const left = Math.max(0, rect.left);
      const top = Math.max(0, rect.top);
      const width = Math.min(innerWidth, rect.right) - left;
      const height = Math.min(innerHeight, rect.bottom) - top;
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
    .filter((part) => isCentral(part.getBoundingClientRect())).at(-1); // a modal: it blocks scrolling of the page

  const coverOf = (element, rect) => {
    if (veil && !veil.contains(element)) return veil.dataset.dismiss;
    const x = (Math.max(0, rect.left) + Math.min(innerWidth, rect.right)) / 2;
    const y = (Math.max(0, rect.top) + Math.min(innerHeight, rect.bottom)) / 2;
    const cover = document.elementFromPoint(x, y)?.closest("[data-dismiss]");
    return cover && !cover.contains(element) ? cover.dataset.dismiss : ""; // else its own container scrolled it away
  };

  const viaOf = (element) => {
    for (let part = element.closest("[data-via]"); part; part = part.parentElement?.closest("[data-via]")) {
      if (!isShown(part)) return part.dataset.via;
    }
    return "";
  };

  const scrollers = new Map(); // element → box of the nearest scroll container at or above it, or null
  const scrollerIn = (part) => {
    if (!part || part === document.body) return null;
    if (!scrollers.has(part)) {
      const scrolls = part.scrollHeight > part.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(part).overflowY);
      scrollers.set(part, scrolls ? boxOf(part.getBoundingClientRect()) : scrollerIn(part.parentElement));
    }
    return scrollers.get(part);
  };

  const hrefOf = (element) => {
    if (element.localName !== "a" || !element.hasAttribute("href")) return "";
    return element.origin === location.origin ? element.pathname + element.search : element.href;
  };

  const FIELDS = new Set(["input", "select", "textarea"]);
  const wordsOf = (part) => { // text of a label, without the values of fields inside it
    if (part.nodeType === Node.TEXT_NODE) return part.data;
    return FIELDS.has(part.localName) ? "" : [...part.childNodes].map(wordsOf).join("");
  };
  const textOf = (element, shown) => {
    if (FIELDS.has(element.localName)) {
      const label = [...(element.labels ?? [])].map(wordsOf).join(" ");
      return clean(label) || clean(element.getAttribute("aria-label")) || clean(element.placeholder);
    }
    const text = clean(shown ? element.innerText : element.textContent) || clean(element.getAttribute("aria-label"));
    return text || clean(element.querySelector("img[alt]")?.alt);
  };

  const STATES = ["aria-checked", "aria-selected", "aria-pressed", "aria-expanded"];
  const isOn = (element) =>
    element.checked === true || STATES.some((state) => element.getAttribute(state) === "true");

  const optionsOf = (element) => Object.fromEntries([...element.options].slice(0, MOST).map((one) => [one.value, clean(one.label)]));

  const tell = (element) => {
    const rect = element.getBoundingClientRect();
    const shown = isShown(element, rect);
    const point = shown ? clickable(element, rect) : null;
    const told = {
      key: element.dataset.testid ?? "", tag: element.localName, text: textOf(element, shown),
      box: boxOf(rect), type: typeof element.type === "string" ? element.type : "", href: hrefOf(element),
      value: typeof element.value === "string" ? element.value : "", shown, checked: isOn(element),
      disabled: element.matches(":disabled") || element.getAttribute("aria-disabled") === "true",
    };
    if (element.localName === "select") told.options = optionsOf(element);
    if (point) told.point = point;
    else if (shown) told.cover = coverOf(element, rect);
    else told.via = viaOf(element);
    const scroller = shown && !point ? scrollerIn(element.parentElement) : null;
    if (scroller) told.scroller = scroller;
    return told;
  };

  return JSON.stringify([...document.querySelectorAll(FOUND)].slice(0, MOST).map(tell));
}
