// Access to elements across boundaries that page scripts cannot cross: closed shadow roots and frames.
//
// Elements are identified by a reference: {x, y} in this frame's viewport, {slot, generation} of a mark, {focus: true},
// or {kept: true} for the one an earlier call kept. Same-origin frames are resolved here; where a reference ends at a
// cross-origin frame, the frame's key and the point inside it are returned, for the caller to continue there.
{
  const apply = Reflect.apply;
  const closedRoots = new WeakMap();
  const attachNative = Element.prototype.attachShadow;
  const rootOf = Object.getOwnPropertyDescriptor(Element.prototype, "shadowRoot").get;
  const parentOf = Object.getOwnPropertyDescriptor(Node.prototype, "parentNode").get;
  const rectOf = Element.prototype.getBoundingClientRect;
  const styleOf = window.getComputedStyle;

  // A Proxy, so that the function's source still reads as native code.
  Element.prototype.attachShadow = new Proxy(attachNative, {
    apply(target, self, args) {
      const root = apply(target, self, args);
      closedRoots.set(self, root);
      return root;
    },
  });

  // Results are returned as one JSON string, which the client parses only once.
  const stringify = JSON.stringify;
  hub.answer = (name, ...args) => stringify(hub[name](...args) ?? null);

  const hubOf = (win) => {
    try {
      return win[hubName];
    } catch {
      return undefined;
    }
  };

  hub.attachShadow = (host, init) => {
    const root = apply(attachNative, host, [init]);
    closedRoots.set(host, root);
    return root;
  };
  hub.adoptRoot = (host, root) => closedRoots.set(host, root);
  hub.closedRoot = (host) => closedRoots.get(host);

  hub.shadowOf = (element) => {
    const open = apply(rootOf, element, []);
    if (open) return open;
    const win = element.ownerDocument.defaultView;
    return (win === window || !win ? closedRoots.get(element) : hubOf(win)?.closedRoot(element)) ?? null;
  };

  // Declarative closed shadow roots involve no attachShadow call; elements that look like their hosts are collected,
  // each once, to be inspected through CDP.
  const HOSTS = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$|-/;
  const MOST_SUSPECTS = 32;
  const asked = new WeakSet();
  let suspects = [];
  hub.suspect = (element) => {
    if (asked.has(element) || suspects.length >= MOST_SUSPECTS) return;
    if (!HOSTS.test(element.localName) || hub.shadowOf(element)) return;
    asked.add(element);
    suspects.push(element);
  };
  hub.suspected = () => suspects.length;
  hub.takeSuspects = () => suspects.splice(0);

  // Whether an element without content may be the host of a closed root.
  hub.looksLikeHost = (element) => {
    if (element.firstElementChild || !HOSTS.test(element.localName) || element.textContent.trim()) return false;
    return element.localName.includes("-") || element.computedStyleMap().get("height")?.value === "auto";
  };

  const slotFor = (root, node) => {
    const name = node.slot ?? "";
    for (const slot of root.querySelectorAll("slot")) if (slot.name === name) return slot;
    return null;
  };

  // The parent in the flat tree: slots before hosts, hosts instead of shadow roots.
  hub.parentOf = (node) => {
    const parent = apply(parentOf, node, []);
    if (!parent) return null;
    if (parent.nodeType === Node.DOCUMENT_FRAGMENT_NODE) return parent.host ?? null;
    if (parent.nodeType !== Node.ELEMENT_NODE) return null;
    const root = hub.shadowOf(parent);
    return (root && (node.assignedSlot ?? slotFor(root, node))) || parent;
  };

  hub.contains = (outer, inner) => {
    for (let node = inner; node; node = hub.parentOf(node)) if (node === outer) return true;
    return false;
  };

  hub.closest = (element, test) => {
    for (let node = element; node; node = hub.parentOf(node)) if (test(node)) return node;
    return null;
  };

  hub.hitIn = (doc, x, y) => {
    let hit = doc.elementFromPoint(x, y);
    // Bounded: a shadow root may return an element of another tree.
    for (let depth = 0; hit && depth < 64; depth += 1) {
      const inner = hub.shadowOf(hit)?.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };

  hub.isFrame = (element) => {
    const tag = element.localName;
    return tag === "iframe" || tag === "frame";
  };

  hub.documentIn = (frame) => {
    try {
      return frame.contentDocument;
    } catch {
      return null;
    }
  };

  // A frame's viewport in the coordinates of its parent's, and its scale.
  hub.frameBox = (frame) => {
    const rect = apply(rectOf, frame, []);
    const style = apply(styleOf, window, [frame]);
    const sx = rect.width / frame.offsetWidth || 1;
    const sy = rect.height / frame.offsetHeight || 1;
    const px = (side) => parseFloat(style[`padding${side}`]) || 0;
    return {
      x: rect.left + (frame.clientLeft + px("Left")) * sx,
      y: rect.top + (frame.clientTop + px("Top")) * sy,
      width: (frame.clientWidth - px("Left") - px("Right")) * sx,
      height: (frame.clientHeight - px("Top") - px("Bottom")) * sy,
      sx,
      sy,
    };
  };

  const frameAbove = (win) => {
    try {
      return win.frameElement;
    } catch {
      return null;
    }
  };

  // Maps a point to home: the outermost same-origin window, which receives the calls and keeps marks and keys.
  hub.toHome = (win, x, y) => {
    let at = win;
    for (let frame = frameAbove(at); frame && at !== window; frame = frameAbove(at)) {
      const box = hub.frameBox(frame);
      x = box.x + x * box.sx;
      y = box.y + y * box.sy;
      at = frame.ownerDocument.defaultView;
    }
    return { x, y };
  };

  const keys = new WeakMap();
  const keyed = new Map();
  hub.frameKey = (frame) => {
    let key = keys.get(frame);
    if (key === undefined) {
      key = keyed.size + 1;
      keys.set(frame, key);
      keyed.set(key, new WeakRef(frame));
    }
    return key;
  };
  // The key of one of this document's frames at home, and how many windows up home is.
  hub.keyAtHome = (frame) => {
    let win = window;
    let up = 0;
    for (let above = frameAbove(win); above; above = frameAbove(win)) {
      win = above.ownerDocument.defaultView;
      up += 1;
    }
    return [hubOf(win).frameKey(frame), up];
  };

  // The deepest element at a point, through shadow roots and frames; with `frame` if it is a cross-origin frame.
  hub.at = (x, y) => {
    let doc = document;
    for (;;) {
      const element = hub.hitIn(doc, x, y);
      if (!element || !hub.isFrame(element)) return { element };
      const box = hub.frameBox(element);
      x = (x - box.x) / box.sx;
      y = (y - box.y) / box.sy;
      const inside = hub.documentIn(element);
      if (!inside) return { element, frame: hub.frameKey(element), x, y };
      doc = inside;
    }
  };

  // Maps points inside a child frame to this frame's viewport, each with whether nothing covers the frame there.
  hub.through = (key, points) => {
    const frame = keyed.get(key)?.deref();
    const win = frame?.isConnected && frame.ownerDocument.defaultView;
    if (!win) return null;
    const box = hub.frameBox(frame);
    return points.map(([x, y]) => {
      const at = hub.toHome(win, box.x + x * box.sx, box.y + y * box.sy);
      return [at.x, at.y, hub.at(at.x, at.y).element === frame];
    });
  };

  hub.focused = () => {
    let element = document.activeElement;
    for (;;) {
      const root = element && hub.shadowOf(element);
      const inside = element && hub.isFrame(element) ? hub.documentIn(element) : null;
      const next = root?.activeElement ?? inside?.activeElement;
      if (!next) break;
      element = next;
    }
    const foreign = element && hub.isFrame(element) && !hub.documentIn(element);
    return foreign ? { element, frame: hub.frameKey(element) } : { element };
  };

  let kept;
  hub.keep = (element) => {
    kept = new WeakRef(element);
  };

  hub.alive = (element) => Boolean(element?.isConnected && element.ownerDocument.defaultView);

  hub.find = (reference) => {
    if (reference.focus) return hub.focused();
    if (reference.kept) return { element: kept?.deref() };
    if (reference.slot !== undefined) return { element: hub.marked(reference.slot, reference.generation) };
    return hub.at(reference.x, reference.y);
  };

  // Calls one of the functions in `hub.on` with the element of a reference.
  hub.on = {};
  hub.apply = (name, reference, ...args) => {
    const found = hub.find(reference);
    if (found.frame) return { frame: found.frame, x: found.x, y: found.y };
    if (!hub.alive(found.element)) return { gone: true };
    return { result: hub.on[name](found.element, ...args) ?? null };
  };
}
