// Collects the visible interactive elements, through shadow roots and same-origin frames, in one pass.
{
  const apply = Reflect.apply;
  const rectOf = Element.prototype.getBoundingClientRect;
  const rectsOf = Element.prototype.getClientRects;
  const matches = Element.prototype.matches;
  const visible = Element.prototype.checkVisibility;
  const attribute = Element.prototype.getAttribute;
  const styleOf = window.getComputedStyle;

  const ROLES = "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option treeitem combobox"
    + " textbox searchbox slider spinbutton";
  // A control includes everything inside it; an element that is merely focusable or has a listener may contain others.
  const CONTROL = [
    "a[href]", "button", "input:not([type=hidden])", "select", "textarea", "summary",
    "select:is([multiple], [size]:not([size='1'])) option", "[contenteditable]:not([contenteditable=false])",
    "video[controls]", "audio[controls]",
    ...ROLES.split(" ").map((role) => `[role~=${role}]`),
  ].join(",");
  const HANDLERS = ["onclick", "ondblclick", "onmousedown", "onmouseup", "onpointerdown", "onpointerup", "ontouchstart"];
  const USABLE = [...HANDLERS.map((name) => `[${name}]`), "[tabindex]:not([tabindex^='-'])", "[draggable=true]"].join(",");
  const HANDLE = /^(pointer|move|grab|grabbing|all-scroll|zoom-(in|out)|([nsew]{1,4}|col|row)-resize)$/; // cursors
  const PICTURE = "canvas, svg, img, video";
  const CORNER = /^(se|nwse)-resize$/;
  const DRAWN = ":not(head, head *, script, style, template, br, defs, defs *, symbol *, title)";
  const MOST_MARKS = 500;
  const SAME_PLACE = 0.8; // fraction of the area above which two nested elements look like one
  const BACKDROP = 0.6; // fraction of the viewport: a larger element with a pointer cursor is not a button
  // An element that merely has a listener may listen for what happens inside it, as the root of an application does.
  const GROUND = 0.3; // fraction of the viewport
  const MOST_TYPES = 6; // of pointer events: frameworks listen at their root for all there are
  const FEW_INSIDE = 1; // marked elements inside it
  const SOME_INSIDE = 8; // the same for one of several siblings that all listen: a row, a card

  const INPUT_ROLES = {
    button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio",
    range: "slider", number: "spinbutton", search: "searchbox", file: "file", color: "color", date: "date",
    time: "time", month: "month", week: "week", "datetime-local": "datetime",
  };
  const TAG_ROLES = { a: "link", textarea: "textbox", summary: "button" };
  const OWN_ROLES = new Set(["button", "option", "video", "audio", "label"]);

  const get = (element, name) => apply(attribute, element, [name]);
  const { clean } = hub;
  const { min, max } = Math;
  const intersect = (a, b) => {
    const left = max(a.left, b.left);
    const top = max(a.top, b.top);
    return { left, top, right: max(left, min(a.right, b.right)), bottom: max(top, min(a.bottom, b.bottom)) };
  };
  const union = (a, b) => ({
    left: min(a.left, b.left), top: min(a.top, b.top), right: max(a.right, b.right), bottom: max(a.bottom, b.bottom),
  });
  const area = (r) => (r.right - r.left) * (r.bottom - r.top);
  const screenOf = (win) => ({ left: 0, top: 0, right: ofWindow.innerWidth(win), bottom: ofWindow.innerHeight(win) });
  const empty = (r) => r.right - r.left < 1 || r.bottom - r.top < 1;

  // An inline element's own boxes do not include the images and blocks inside it.
  const isInline = (element) =>
    /^(a|span|label)$/.test(element.localName) && element.firstElementChild
    && /^(inline|contents)$/.test(apply(styleOf, window, [element]).display);
  const contentsOf = (element) => {
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(element);
    return range;
  };
  const outline = (element) => {
    const own = apply(rectOf, element, []);
    if (!isInline(element)) return own;
    const inner = contentsOf(element).getBoundingClientRect();
    if (empty(inner)) return own;
    return empty(own) ? inner : union(own, inner);
  };
  const partsOf = (element) =>
    [...apply(rectsOf, element, []), ...(isInline(element) ? contentsOf(element).getClientRects() : [])];

  const roleOf = (element) => {
    const given = clean(get(element, "role"), 40).split(" ")[0];
    if (given) return given;
    const tag = element.localName;
    if (tag === "input") return element.list ? "combobox" : (INPUT_ROLES[element.type] ?? "textbox");
    if (tag === "select") return element.multiple || element.size > 1 ? "listbox" : "combobox";
    return TAG_ROLES[tag] ?? (OWN_ROLES.has(tag) ? tag : element.isContentEditable ? "textbox" : "generic");
  };

  const inputValue = (element) => {
    const role = INPUT_ROLES[element.type];
    if (role === "button" || role === "checkbox" || role === "radio") return "";
    if (element.type === "password") return "•".repeat(Math.min(element.value.length, 12));
    if (element.type === "file") return [...element.files].map((file) => file.name).join(", ");
    return element.value;
  };

  const valueOf = (element) => {
    const tag = element.localName;
    if (tag === "input") return clean(inputValue(element), 200);
    if (tag === "textarea") return clean(element.value, 200);
    if (tag === "select") return clean([...element.selectedOptions].map((option) => option.label).join(", "), 200);
    if (element.isContentEditable) return clean(element.innerText, 200);
    return clean(get(element, "aria-valuetext") ?? get(element, "aria-valuenow"), 200);
  };

  const isDisabled = (element) => apply(matches, element, [":disabled"]) || get(element, "aria-disabled") === "true";

  const statesOf = (element, focused) => {
    const aria = (name) => get(element, `aria-${name}`) === "true";
    const is = (selector) => apply(matches, element, [selector]);
    const checks = {
      checked: () => is(":checked:not(option)") || aria("checked"),
      disabled: () => isDisabled(element),
      expanded: () => aria("expanded") || (element.localName === "summary" && element.parentElement?.open === true),
      focused: () => element === focused,
      invalid: () => aria("invalid") || is(":user-invalid"),
      pressed: () => aria("pressed"),
      readonly: () => aria("readonly") || (element.readOnly === true && is("input, textarea")),
      required: () => aria("required") || element.required === true,
      selected: () => aria("selected") || is("option:checked"),
    };
    return Object.keys(checks).filter((state) => checks[state]());
  };

  const listenedBy = (element) =>
    hub.listenedHere(element) || (element.ownerDocument.defaultView?.[hubName]?.listenedHere(element) ?? 0);

  // A document (with its shadow trees), positioned in the viewport of the outermost same-origin window.
  class View {
    constructor(doc, place) {
      this.doc = doc;
      this.place = place;
      this.clips = new Map();
      this.handles = new Map(); // element → its cursor
    }

    // The rectangle to which ancestors' overflow clips an element.
    clipOf(element) {
      let clip = this.clips.get(element);
      if (clip) return clip;
      const parent = this.clippedBy(element);
      clip = parent ? this.clipOf(parent) : this.place.clip;
      if (parent && this.isClipping(parent)) clip = intersect(clip, apply(rectOf, parent, []));
      this.clips.set(element, clip);
      return clip;
    }

    clippedBy(element) {
      const position = apply(styleOf, window, [element]).position;
      if (position === "fixed") return null;
      return position === "absolute" ? element.offsetParent : hub.parentOf(element);
    }

    isClipping(element) {
      if (element === this.doc.body || element === this.doc.documentElement) return false;
      const style = apply(styleOf, window, [element]);
      return style.overflowX !== "visible" || style.overflowY !== "visible";
    }

    // The element's cursor, if it invites to click or drag and the element is not a backdrop.
    handleOf(element) {
      let cursor = this.handles.get(element);
      if (cursor !== undefined) return cursor;
      cursor = apply(styleOf, window, [element]).cursor;
      if (!HANDLE.test(cursor) || this.fills(apply(rectOf, element, []), BACKDROP)) cursor = "";
      this.handles.set(element, cursor);
      return cursor;
    }

    // Whether an element looks usable, or merely has a listener ("listener").
    isWeak(element, rect) {
      if (apply(matches, element, [USABLE]) || HANDLERS.some((name) => element[name])) return !this.fills(rect, BACKDROP);
      const handle = this.handleOf(element);
      const parent = handle && hub.parentOf(element);
      if (handle && (!parent || this.handleOf(parent) !== handle)) return true;
      const most = apply(matches, element, [PICTURE]) ? BACKDROP : GROUND;
      return this.listens(element) && !this.fills(rect, most) && "listener";
    }

    listens(element) {
      let types = listenedBy(element);
      let count = 0;
      for (; types; types &= types - 1) count += 1;
      return count > 0 && count <= MOST_TYPES && element !== this.doc.body && element !== this.doc.documentElement;
    }

    fills(rect, fraction) {
      return area(intersect(rect, this.place.clip)) >= fraction * area(screenOf(this.doc.defaultView));
    }

    hit(x, y) {
      if (this.doc === document) return hub.hitIn(document, x, y);
      const at = this.outward(x, y); // from the outside, so that elements covering the frame count
      return hub.at(at.x, at.y).element;
    }

    sees(element, x, y, passive) {
      const hit = this.hit(x, y);
      if (!hit) return false;
      if (hub.contains(element, hit)) return true;
      if (passive) return hub.contains(hit, element);
      return hub.closest(hit, (node) => node.localName === "label")?.control === element;
    }

    // The element's visible box and an uncovered point in it; null if there is none.
    look(element) {
      const clip = this.clipOf(element);
      const parts = partsOf(element).map((rect) => intersect(rect, clip)).filter((rect) => !empty(rect));
      if (!parts.length) return null;
      const passive = isDisabled(element) && apply(styleOf, window, [element]).pointerEvents === "none";
      parts.sort((a, b) => area(b) - area(a));
      for (const part of parts.slice(0, 3)) {
        for (const [fx, fy] of SAMPLES) {
          const x = part.left + (part.right - part.left) * fx;
          const y = part.top + (part.bottom - part.top) * fy;
          if (this.sees(element, x, y, passive)) return { box: intersect(outline(element), clip), x, y };
        }
      }
      return null;
    }

    outward(x, y) {
      return { x: this.place.x + x * this.place.sx, y: this.place.y + y * this.place.sy };
    }

    inFrame(frame) {
      const box = hub.frameBox(frame);
      const rect = { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height };
      const seen = intersect(rect, this.clipOf(frame));
      if (empty(seen)) return null;
      const origin = this.outward(box.x, box.y);
      const clip = {
        left: (seen.left - box.x) / box.sx, top: (seen.top - box.y) / box.sy,
        right: (seen.right - box.x) / box.sx, bottom: (seen.bottom - box.y) / box.sy,
      };
      return { ...origin, sx: this.place.sx * box.sx, sy: this.place.sy * box.sy, clip };
    }
  }
  const SAMPLES = [[0.5, 0.5], [0.25, 0.25], [0.75, 0.75], [0.75, 0.25], [0.25, 0.75], [0.06, 0.5], [0.94, 0.5]];

  const shown = (element) => {
    const field = element.localName === "input"; // transparent inputs are often laid over their custom rendering
    if (apply(visible, element, [{ visibilityProperty: true, opacityProperty: !field }])) return true;
    const inner = element.firstElementChild;
    return Boolean(inner) && apply(styleOf, window, [element]).display === "contents" && shown(inner);
  };

  class Collector {
    constructor() {
      this.found = []; // {element, strong, box, x, y, view, owner}
      this.frames = [];
      this.owners = new Map(); // element → the nearest candidate at or above it in the tree
    }

    visit(view) {
      const roots = [view.doc];
      for (const root of roots) {
        for (const element of root.querySelectorAll(DRAWN)) {
          const shadow = hub.shadowOf(element);
          if (shadow) roots.push(shadow);
          this.consider(element, roots.length > 1 ? hub.parentOf(element) : element.parentNode, view);
        }
      }
    }

    consider(element, parent, view) {
      const owner = this.owners.get(parent) ?? null;
      if (owner) this.owners.set(element, owner);
      const strong = apply(matches, element, [CONTROL]);
      // Parts of a control are not measured: they are the majority of elements on most pages.
      if (owner?.strong && !strong) return;
      const rect = outline(element);
      if (empty(intersect(rect, view.place.clip))) {
        if (strong) this.owners.set(element, { strong, box: rect, element, offscreen: true });
        return;
      }
      if (hub.isFrame(element)) {
        this.enter(element, view);
        return;
      }
      if (!hub.shadowOf(element) && hub.looksLikeHost(element)) hub.suspect(element);
      const weak = !strong && (view.isWeak(element, rect) || this.isLoneLabel(element));
      if (!strong && !weak) return;
      if (!shown(element)) return;
      const seen = view.look(element);
      if (!seen) return;
      const mark = { element, strong, listens: weak === "listener", view, owner, inside: 0, ...seen };
      this.owners.set(element, mark);
      for (let outer = owner; outer && !outer.offscreen; outer = outer.owner) outer.inside += 1;
      this.found.push(mark);
    }

    // A label represents its control only if the control itself is not rendered.
    isLoneLabel(element) {
      const control = element.localName === "label" ? element.control : null;
      return Boolean(control) && (!shown(control) || empty(apply(rectOf, control, [])));
    }

    enter(frame, view) {
      if (!shown(frame)) return;
      const place = view.inFrame(frame);
      if (!place) return;
      const doc = hub.documentIn(frame);
      if (doc?.defaultView) this.visit(new View(doc, place));
      else this.frames.push({ key: hub.frameKey(frame), ...place });
    }

    // A corner to resize something by stands for its edges and other corners.
    isSpareHandle({ element, view }) {
      if (!view.handleOf(element).endsWith("-resize") || CORNER.test(view.handleOf(element))) return false;
      return [...(element.parentElement?.children ?? [])].some((other) => CORNER.test(view.handleOf(other)));
    }

    // Whether an element with a listener is rather the ground that the elements inside it stand on.
    isGround({ element, inside, view }) {
      if (inside <= FEW_INSIDE) return false;
      const isLike = (sibling) => sibling?.localName === element.localName && view.listens(sibling);
      return inside > SOME_INSIDE || !(isLike(element.previousElementSibling) || isLike(element.nextElementSibling));
    }

    // Keeps one of two nested elements in the same place, and drops labels whose control is marked.
    distinct() {
      const dropped = new Set();
      const present = new Set(this.found.map((mark) => mark.element));
      for (const mark of this.found) {
        if (mark.listens ? this.isGround(mark) : !mark.strong && this.isSpareHandle(mark)) dropped.add(mark);
      }
      for (const mark of this.found) {
        const control = mark.element.localName === "label" ? mark.element.control : null;
        if (control && present.has(control)) dropped.add(mark);
        const outer = mark.owner;
        if (!outer || outer.offscreen || dropped.has(outer)) continue;
        if (area(mark.box) < SAME_PLACE * area(outer.box)) continue;
        const isField = mark.element.matches("input, select, textarea, [contenteditable]");
        dropped.add(mark.strong && (isField || !outer.strong) ? outer : mark);
      }
      return this.found.filter((mark) => !dropped.has(mark)).slice(0, MOST_MARKS);
    }
  }

  let generation = 0;
  let slots = [];
  hub.marked = (slot, wanted) => (wanted === generation ? slots[slot]?.deref() : undefined);

  const report = (mark, focused) => {
    slots.push(new WeakRef(mark.element));
    const { left, top, right, bottom } = mark.box;
    const { sx, sy } = mark.view.place;
    const corner = mark.view.outward(left, top);
    const point = mark.view.outward(mark.x, mark.y);
    const element = mark.element;
    return {
      role: roleOf(element), name: hub.nameOf(element), value: valueOf(element), tag: element.localName,
      states: statesOf(element, focused),
      box: [corner.x, corner.y, (right - left) * sx, (bottom - top) * sy], point: [point.x, point.y],
    };
  };

  // `clip`: the part of this frame that is visible in its parents.
  hub.marks = (number, clip) => {
    const collector = new Collector();
    const all = screenOf(window);
    collector.visit(new View(document, { x: 0, y: 0, sx: 1, sy: 1, clip: clip ? intersect(all, clip) : all }));
    generation = number;
    slots = [];
    const focused = hub.focused().element;
    const marks = collector.distinct().map((mark) => report(mark, focused));
    return { marks, frames: collector.frames, suspects: hub.suspected() };
  };

  const viewOf = (element) => {
    const win = element.ownerDocument.defaultView;
    const origin = hub.toHome(win, 0, 0);
    const unit = hub.toHome(win, 1, 1);
    const place = { ...origin, sx: unit.x - origin.x, sy: unit.y - origin.y, clip: screenOf(win) };
    return new View(element.ownerDocument, place);
  };

  const reachable = (element) => {
    const view = viewOf(element);
    const seen = view.look(element);
    return seen && view.outward(seen.x, seen.y);
  };

  hub.on.where = reachable;
  // A point at which a click reaches the element, scrolling it into view if necessary; `scroll` forces that, because
  // cross-origin frames cannot tell that they are out of view themselves.
  hub.on.reveal = (element, scroll) => {
    const before = scroll ? null : reachable(element);
    if (before) return before;
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const after = reachable(element);
    if (after) return after;
    // Covered: the covering element gets the click, as it would from a user.
    const win = element.ownerDocument.defaultView;
    const part = intersect(apply(rectOf, element, []), screenOf(win));
    return empty(part) ? null : hub.toHome(win, (part.left + part.right) / 2, (part.top + part.bottom) / 2);
  };
}
