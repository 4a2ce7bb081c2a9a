// hub.nameOf(element): what an element says or is called; where nothing does, what stands beside it or what its author
// called it in the markup.
{
  const apply = Reflect.apply;
  const attribute = Element.prototype.getAttribute;
  const matches = Element.prototype.matches;
  const styleOf = window.getComputedStyle;
  const MOST = 120;
  const MOST_LABEL = 40; // longer texts beside a field are not its label
  const get = (element, name) => apply(attribute, element, [name]);
  hub.clean = (text, limit) => String(text ?? "").replace(/\s+/g, " ").trim().slice(0, limit);
  const { clean } = hub;

  const slotted = (element) =>
    [...element.querySelectorAll("slot")].flatMap((slot) => slot.assignedNodes({ flatten: true }));
  const textOf = (element) => {
    const parts = [element, ...slotted(element), ...(hub.shadowOf(element)?.children ?? [])];
    for (const part of parts) {
      const text = clean(part.innerText ?? part.textContent, MOST);
      if (text) return text;
    }
    return "";
  };

  const pictured = (element) => {
    const inside = element.querySelector("img[alt], [aria-label], svg title");
    return inside ? (get(inside, "alt") ?? get(inside, "aria-label") ?? inside.textContent) : "";
  };

  const byIds = (element, name) => {
    const ids = get(element, name);
    const textOfId = (id) => element.getRootNode().getElementById?.(id)?.textContent ?? "";
    return ids ? ids.split(/\s+/).map(textOfId).join(" ") : "";
  };

  const TOLD = ["title", "data-tooltip", "data-title", "data-original-title", "data-bs-original-title", "data-tip",
    "data-hint", "data-label", "data-name", "data-content", "aria-description"];
  const TELLING = TOLD.map((name) => `[${name}]`).join(",");
  const toldBy = (element) => {
    const telling = apply(matches, element, [TELLING]) ? element : element.querySelector(TELLING);
    return (telling && TOLD.map((name) => get(telling, name)).find((text) => clean(text, MOST))) ?? "";
  };

  // --- what stands beside a field: mostly its label, though not marked up as one ---
  const OTHERS = "input:not([type=hidden]), select, textarea, button, [contenteditable]";
  const MOST_STEPS = 8; // siblings
  const MOST_UP = 3; // ancestors
  const beside = (element, next) => {
    let node = element[next];
    for (let step = 0; node && step < MOST_STEPS; step += 1, node = node[next]) {
      const isElement = node.nodeType === Node.ELEMENT_NODE;
      if (isElement && (apply(matches, node, [OTHERS]) || node.querySelector(OTHERS))) return ""; // it belongs to that
      const text = isElement ? (node.checkVisibility() ? (node.innerText ?? node.textContent) : "") : node.data;
      if (node.nodeType !== Node.COMMENT_NODE && clean(text, MOST)) return clean(text, MOST);
    }
    return "";
  };
  const nearby = (element) => {
    const ticked = element.type === "checkbox" || element.type === "radio";
    for (let part = element, up = 0; part && up <= MOST_UP && part.localName !== "body"; part = part.parentElement, up += 1) {
      const before = beside(part, "previousSibling");
      const after = ticked ? beside(part, "nextSibling") : "";
      const text = after || before;
      if (text) return text.length <= MOST_LABEL ? text.replace(/[\s:*]+$/, "") : "";
    }
    return "";
  };

  // --- what the author called it: words of its icon, its picture, its id, its class, its address ---
  const PLAIN = new Set(("active bi btn button btns class clickable clearfix click col container content control controls"
    + " corner default div draggable element fa fab far fas fal field flex form full glyphicon group handle helper"
    + " hidden ico icon icons img image inner input item js large lg link list material md mdi none outer panel ri row sm"
    + " small solid span state svg symbol symbols ti ui unselected unstyled visible widget wrap wrapper xs").split(" "));
  const LONGEST_WORD = 20;
  const MOST_WORDS = 3; // the last ones: the first are often the application's own
  const GENERATED = /\p{L}\d|\d\p{L}/u;
  const wordsOf = (token) => GENERATED.test(token) ? "" : token.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase()
    .split(/[^\p{L}]+/u).filter((word) => word.length > 1 && word.length <= LONGEST_WORD && !PLAIN.has(word))
    .slice(-MOST_WORDS).join(" ");
  const ICONS = /^(fa|fas|far|fal|fab|icons?|ico|bi|mdi|glyphicon|lucide|feather|ti|ri|codicon|octicon|anticon)-/;
  const MOST_CLASSES = 3; // more are mostly for layout and looks
  const stem = (url) => /^data:/i.test(url) ? "" : (url.split(/[?#]/)[0].split("/").at(-1) ?? "").replace(/\.\w+$/, "");
  const classesOf = (element) => (get(element, "class") ?? "").split(/\s+/);
  const icon = (element) => [
    ...classesOf(element).filter((name) => ICONS.test(name)),
    element.localName === "use" ? (get(element, "href") ?? get(element, "xlink:href") ?? "").split("#")[1] : "",
    element.localName === "img" || element.localName === "image" ? stem(get(element, "src") ?? "") : "",
  ];
  const identity = (element) => {
    const classes = classesOf(element);
    return [get(element, "id"), ...(classes.length <= MOST_CLASSES ? classes : [])];
  };
  const PICTURES = "i, img, svg, use, span";
  const called = (element) => {
    const parts = [element, ...[...element.querySelectorAll(PICTURES)].slice(0, MOST_STEPS)];
    for (const tokensOf of [icon, identity]) {
      for (const part of parts) {
        const words = tokensOf(part).map((token) => wordsOf(token ?? "")).find(Boolean);
        if (words) return words;
      }
    }
    return wordsOf(stem(get(element, "href") ?? ""));
  };

  const DRAWN = new Set(["canvas", "circle", "ellipse", "image", "img", "line", "path", "polygon", "polyline", "rect", "svg",
    "video"]);
  const drawn = (element) => (DRAWN.has(element.localName) ? element.localName : "");
  const handled = (element) => {
    const { cursor } = apply(styleOf, window, [element]);
    return /-resize$/.test(cursor) ? "resize" : /^(move|grab|grabbing|all-scroll)$/.test(cursor) ? "move" : "";
  };

  // --- where it is: the heading or the text before it ---
  const HEADS = "h1, h2, h3, h4, h5, h6, legend, caption, th, strong, b";
  const surrounding = (element) => {
    for (let part = element, up = 0; part && up <= 2 * MOST_UP && part.localName !== "body"; part = hub.parentOf(part), up += 1) {
      const name = up ? get(part, "aria-label") || part.querySelector?.(HEADS)?.innerText : "";
      const text = clean(name, MOST) || beside(part, "previousSibling") || beside(part, "nextSibling");
      if (text) return `near ${text.length <= MOST_LABEL ? text : `${text.slice(0, MOST_LABEL).replace(/\s+\S*$/, "")}…`}`;
    }
    return "";
  };

  const BUTTONS = new Set(["button", "submit", "reset", "image"]);
  hub.nameOf = (element) => {
    const tag = element.localName;
    const field = tag === "input" || tag === "select" || tag === "textarea";
    const button = field && BUTTONS.has(element.type);
    const sources = [
      () => byIds(element, "aria-labelledby"),
      () => get(element, "aria-label"),
      () => (element.labels?.length ? [...element.labels].map((label) => label.innerText).join(" ") : ""),
      () => (button ? element.value || get(element, "alt") || element.type : get(element, "alt")),
      () => (field || element.isContentEditable ? "" : textOf(element)),
      () => get(element, "placeholder") ?? get(element, "aria-placeholder"),
      () => get(element, "title"),
      () => (field ? element.name : pictured(element)),
      () => toldBy(element),
      () => (field || element.isContentEditable ? nearby(element) : ""),
      () => byIds(element, "aria-describedby"),
      () => called(element),
      () => drawn(element),
      () => handled(element),
      () => surrounding(element),
    ];
    for (const source of sources) {
      const name = clean(source(), MOST);
      if (name) return name;
    }
    return "";
  };
}
