// hub.settle(options) resolves when the page has settled, and reports what has changed meanwhile.
// hub.version() changes whenever the page does: equal versions before and after a capture mean that it is consistent.
//
// Waited for: document load, requests, short one-shot timers, replies of workers and sockets, mutations, scrolling,
// finite animations, fonts, images in view, those of style sheets included; then two animation frames without any of these. Endless activity (polling,
// clocks, streams, endless animations) is recognised and not waited for: see `chain`, `background`, SOFT_MS.
const TIMER_MS = 1500; // longer one-shot timers do not count as consequences of an action
const CHAIN_MS = 2000; // chained timers with more total delay than this are a polling loop
const CHAIN_LINKS = 12;
const PUMP_MS = 50; // a loop with shorter delays is a work queue: what it runs after a new input counts again
const INTERVAL_MS = 250; // shorter intervals are waited for at first: progress bars, typing effects
const REPLY_MS = { socket: 500, worker: 1000 };
const SCROLL_MS = 100; // for a smooth scroll to start moving
const SCROLL_END_MS = 400; // for the scrollend event, after the last movement
const DOWNLOAD_MS = 150; // for the browser to report that a download has begun
const WINDOW_MS = 300; // for a window that a frame in another process opens to appear
const REFRESH_MS = 1500;
const LEAVE_MS = 2000; // for the next document of a frame to arrive
const QUIET_MS = 40; // without a mutation or a scroll event
const SOFT_MS = 2000; // longest wait for movement while nothing is being loaded
const ANIMATION_MS = 2000; // slower animations are decoration
const STYLE_MS = 1500; // for an image that a style names: it may never be asked for
const MOST_STYLED = 400; // elements whose styles are read after one change
const MOST_FETCHED = 4000;
const POLL_MS = 15;
const FRAME_MS = 3000; // for the next animation frame, in a page that gets any
const FRAMELESS_MS = 100;
const MOST_TITLE = 1000;
const OUTLIVED_MS = 1000; // what is still pending after a wait of at least this long is treated as endless
const PROMPT_MS = 5; // by which timers may be late on an idle machine
const PROMPT_FRAME_MS = 50;
const MOST_TOLD = 80; // characters of what is pending

// Natives are captured now, before any page script can replace them.
const native = {
  setTimeout: window.setTimeout.bind(window),
  frame: window.requestAnimationFrame.bind(window),
  now: performance.now.bind(performance),
  then: Promise.prototype.then,
  Promise,
  getAnimations: Document.prototype.getAnimations,
  querySelector: Document.prototype.querySelector,
  querySelectorAll: Document.prototype.querySelectorAll,
  querySelectorAllIn: Element.prototype.querySelectorAll,
  style: window.getComputedStyle.bind(window),
  path: Event.prototype.composedPath,
  rect: Element.prototype.getBoundingClientRect,
  listen: EventTarget.prototype.addEventListener,
  slice: String.prototype.slice,
  entries: performance.getEntriesByType.bind(performance),
  listed: PerformanceObserverEntryList.prototype.getEntries,
  taken: PerformanceObserver.prototype.takeRecords,
  exec: RegExp.prototype.exec,
};
// By getter, because an element named `title` or `images` shadows the document's own property.
const of = {
  title: getter(Document.prototype, "title"),
  readyState: getter(Document.prototype, "readyState"),
  images: getter(Document.prototype, "images"),
  fonts: getter(Document.prototype, "fonts"),
  head: getter(Document.prototype, "head"),
  activeElement: getter(Document.prototype, "activeElement"),
  scrollingElement: getter(Document.prototype, "scrollingElement"),
  documentElement: getter(Document.prototype, "documentElement"),
  body: getter(Document.prototype, "body"),
  innerText: getter(HTMLElement.prototype, "innerText"),
  count: getter(NodeList.prototype, "length"),
  name: getter(PerformanceEntry.prototype, "name"),
};
// Not Math.random() alone: when seeded, it returns the same number in every document.
const documentId = performance.timeOrigin + native.now() + Math.random();
const listen = (target, type, handler) => call(native.listen, target, [type, handler, { capture: true, passive: true }]);
const wrap = (owner, name, apply) => {
  if (typeof owner?.[name] === "function") owner[name] = new Proxy(owner[name], { apply });
};

// --- chains: track which callback scheduled which, to tell endless loops from work ---
let chain = null; // of the current task: { spent, links, hop, generation }
let generation = 0; // number of user inputs so far
const baton = new MessageChannel();
baton.port1.onmessage = () => { chain = null; };
const enter = (link) => {
  chain = link.hop <= PUMP_MS && link.generation !== generation ? null : link;
  baton.port2.postMessage(0); // the next task starts a new chain; this task's microtasks still belong to this one
};
const follow = (delay) => ({
  spent: (chain ? chain.spent : 0) + delay,
  links: (chain ? chain.links : 0) + 1,
  hop: chain && delay === 0 ? chain.hop : delay,
  generation: chain ? chain.generation : generation,
});
const within = (link) => link.spent <= CHAIN_MS && link.links <= CHAIN_LINKS;

// --- timers ---
const timers = new Set();
const milliseconds = (delay) => Math.max(0, Number(delay) || 0);
wrap(window, "setTimeout", (target, self, [callback, delay, ...rest]) => {
  if (typeof callback !== "function") return call(target, self, [callback, delay, ...rest]);
  const link = follow(milliseconds(delay));
  const id = call(target, self, [function (...args) {
    timers.delete(id);
    enter(link);
    return call(callback, this, args);
  }, delay, ...rest]);
  if (link.hop <= TIMER_MS && within(link)) timers.add(id);
  return id;
});
wrap(window, "setInterval", (target, self, [callback, delay, ...rest]) => {
  if (typeof callback !== "function") return call(target, self, [callback, delay, ...rest]);
  const period = Math.max(4, milliseconds(delay));
  const first = follow(period);
  let spent = 0;
  const id = call(target, self, [function (...args) {
    spent += period;
    if (spent >= CHAIN_MS / 2) timers.delete(id);
    enter({ ...first, spent: first.spent + spent });
    return call(callback, this, args);
  }, delay, ...rest]);
  if (period <= INTERVAL_MS && within(first)) timers.add(id);
  return id;
});
for (const name of ["clearTimeout", "clearInterval"]) {
  wrap(window, name, (target, self, args) => {
    timers.delete(Number(args[0]));
    return call(target, self, args);
  });
}
const idles = new Set();
wrap(window, "requestIdleCallback", (target, self, [callback, ...rest]) => {
  if (typeof callback !== "function") return call(target, self, [callback, ...rest]);
  const link = follow(0);
  const id = call(target, self, [function (...args) {
    idles.delete(id);
    enter(link);
    return call(callback, this, args);
  }, ...rest]);
  if (within(link)) idles.add(id);
  return id;
});
wrap(window, "cancelIdleCallback", (target, self, args) => {
  idles.delete(Number(args[0]));
  return call(target, self, args);
});

// --- requests ---
const requests = new Map(); // token → key
const background = new Set(); // keys of requests still pending after a whole wait: long polling, streams
const keyOf = (method, url) => {
  try {
    const { origin, pathname } = new URL(String(url), location.href);
    return `${method} ${origin}${pathname}`;
  } catch {
    return "";
  }
};
const begin = (key) => {
  const token = {};
  const link = follow(0);
  const started = native.now();
  if (within(link) && !background.has(key)) requests.set(token, key);
  return { link, end: () => {
    requests.delete(token);
    if (native.now() - started < CHAIN_MS) background.delete(key);
    enter(link);
  } };
};
const until = (promise, { end }) => call(native.then, promise, [end, end]);
const requestOf = new WeakMap(); // Response → key of its request
wrap(window, "fetch", (target, self, args) => {
  const [input, init] = args;
  if (init?.keepalive || input?.keepalive) return call(target, self, args); // a beacon
  const key = keyOf(init?.method ?? input?.method ?? "GET", input?.url ?? input);
  const request = begin(key);
  const promise = call(target, self, args);
  call(native.then, promise, [(response) => requestOf.set(response, key), () => {}]);
  until(promise, request);
  return promise;
});
for (const name of ["arrayBuffer", "blob", "bytes", "formData", "json", "text"]) {
  wrap(Response.prototype, name, (target, self, args) => {
    const request = begin(requestOf.get(self) ?? "");
    const promise = call(target, self, args);
    until(promise, request);
    return promise;
  });
}
// Other asynchronous work that pages wait for: images, fonts, caches, databases.
const promising = [
  [window, "createImageBitmap"],
  [window.HTMLImageElement?.prototype, "decode"],
  [window.FontFace?.prototype, "load"],
  [window.FontFaceSet?.prototype, "load"],
  [window.CacheStorage?.prototype, "match", "open", "keys"],
  [window.Cache?.prototype, "match", "matchAll", "put", "add", "addAll", "keys"],
];
for (const [owner, ...names] of promising) {
  for (const name of names) {
    wrap(owner, name, (target, self, args) => {
      const request = begin(name);
      const promise = call(target, self, args);
      until(promise, request);
      return promise;
    });
  }
}
wrap(window.IDBDatabase?.prototype, "transaction", (target, self, args) => {
  const transaction = call(target, self, args);
  const { end } = begin("transaction");
  for (const type of ["complete", "abort"]) listen(transaction, type, end);
  return transaction;
});
const opened = new WeakMap(); // XMLHttpRequest → key
wrap(XMLHttpRequest.prototype, "open", (target, self, args) => {
  opened.set(self, keyOf(args[0], args[1]));
  return call(target, self, args);
});
wrap(XMLHttpRequest.prototype, "send", (target, self, args) => {
  const request = begin(opened.get(self) ?? "");
  listen(self, "readystatechange", () => { if (self.readyState === 4) enter(request.link); });
  listen(self, "loadend", request.end);
  try {
    return call(target, self, args);
  } catch (error) {
    request.end();
    throw error;
  }
});

// --- replies: messages of a socket or a worker shortly after it was sent one ---
const replies = new Map(); // socket or worker → deadline of its reply
const expect = (ms) => (target, self, args) => {
  if (chain === null || within(chain)) {
    if (!replies.has(self)) listen(self, "message", () => replies.delete(self));
    replies.set(self, native.now() + ms);
  }
  return call(target, self, args);
};
wrap(window.WebSocket?.prototype, "send", expect(REPLY_MS.socket));
wrap(window.Worker?.prototype, "postMessage", expect(REPLY_MS.worker));
const awaitsReply = (now) => {
  for (const [source, until] of replies) {
    if (until > now) return true;
    replies.delete(source);
  }
  return false;
};

// --- images that styles name. No element tells of them, but a resource timing entry does, also when they fail ---
const WEB_IMAGE = /url\("(https?:[^"#]*)/g;
const fetched = new Set(); // URLs of what has arrived or failed
const styled = new Map(); // URL of an image that a style names → when it was found there
let touched = []; // elements that a mutation may have given another style
const arrive = (entries) => {
  for (const entry of entries) {
    if (fetched.size >= MOST_FETCHED) fetched.delete(fetched.keys().next().value);
    fetched.add(of.name(entry).split("#")[0]);
  }
};
const arrivals = new PerformanceObserver((list) => arrive(call(native.listed, list, [])));
arrivals.observe({ type: "resource", buffered: true });
listen(window, "securitypolicyviolation", ({ blockedURI }) => { fetched.add(blockedURI); });
const restyle = (target, added) => {
  if (of.readyState(document) === "loading") return; // the load event waits for what the parser brings
  if (!added.length && touched.length < MOST_STYLED && target instanceof Element) touched[touched.length] = target;
  for (const node of added) if (touched.length < MOST_STYLED && node instanceof Element) touched[touched.length] = node;
};
const wear = (value, now) => {
  if (!value || value === "none" || value.startsWith("image-set")) return; // of a set only one image is asked for
  WEB_IMAGE.lastIndex = 0;
  for (let found; (found = call(native.exec, WEB_IMAGE, [value])) !== null;) {
    if (!fetched.has(found[1]) && !styled.has(found[1])) styled.set(found[1], now);
  }
};
const readStyle = (element, now) => {
  const own = native.style(element);
  wear(own.backgroundImage, now);
  wear(own.maskImage, now);
  for (const part of ["::before", "::after"]) {
    const style = native.style(element, part);
    if (style.content === "none") continue;
    wear(style.content, now);
    wear(style.backgroundImage, now);
    wear(style.maskImage, now);
  }
};
const readStyles = (now) => {
  let left = MOST_STYLED;
  const read = (element) => {
    left--;
    if (inView(element)) readStyle(element, now);
  };
  for (const top of touched) {
    if (left > 0) read(top);
    const below = call(native.querySelectorAllIn, top, ["*"]);
    for (let i = 0; i < of.count(below) && left > 0; i++) read(below[i]);
  }
  touched = [];
};
const lacksStyledImages = (now) => {
  if (touched.length) readStyles(now);
  if (!styled.size) return false;
  arrive(call(native.taken, arrivals, []));
  for (const [url, since] of styled) {
    if (fetched.has(url)) styled.delete(url);
    else if (now - since < STYLE_MS) return true;
  }
  return false;
};

// --- movement: mutations, scrolling, focus, values ---
const counts = { mutations: 0, values: 0, focus: 0, scrolls: 0 };
let moved = 0; // time of the latest mutation or scroll event
let scrolling = 0; // start time of a scroll that has not moved yet
let traversing = 0;
let asked = 0; // when a download was requested
let leaving = 0; // when this frame, if it is not the main one, started to navigate
const loading = new Set(); // pending scripts and style sheets that were added after the page was loaded
const LOADED_LINKS = new Set(["stylesheet", "modulepreload"]);
const isLoader = (node) => (node instanceof HTMLScriptElement && node.src) ||
  (node instanceof HTMLLinkElement && LOADED_LINKS.has(node.rel) && node.media !== "print");
const count = (records) => {
  if (!records.length) return;
  moved = native.now();
  const head = of.head(document);
  for (const { target, addedNodes } of records) {
    if (!head || !head.contains(target)) counts.mutations++;
    restyle(target, addedNodes);
    for (const node of addedNodes) if (isLoader(node) && of.readyState(document) === "complete") loading.add(node);
  }
};
const observer = new MutationObserver(count);
const watched = { subtree: true, childList: true, attributes: true, characterData: true };
wrap(Element.prototype, "attachShadow", (target, self, args) => {
  const root = call(target, self, args);
  observer.observe(root, watched);
  return root;
});
const loaded = ({ target }) => loading.delete(target);
// A frame's first document may reuse the window, and so this script, of its initial blank document.
let attended = null;
const attend = () => {
  if (attended === document) return;
  attended = document;
  observer.observe(document, watched);
  listen(document, "load", loaded); // not on the window: elements' load events do not reach it
  listen(document, "error", loaded);
};
attend();
let scrolled = 0; // time of the latest scroll event without a scrollend yet
listen(window, "scroll", () => { counts.scrolls++; moved = scrolled = native.now(); scrolling = 0; });
listen(window, "scrollend", () => { scrolled = 0; });
for (const owner of [window, Element.prototype]) {
  for (const name of ["scroll", "scrollTo", "scrollBy", "scrollIntoView"]) {
    wrap(owner, name, (target, self, args) => {
      if (args[0]?.behavior === "smooth") scrolling = native.now();
      return call(target, self, args);
    });
  }
}
listen(window, "focusin", () => { counts.focus++; });
listen(window, "focusout", () => { counts.focus++; });
for (const type of ["input", "change"]) listen(window, type, () => { counts.values++; });
for (const name of ["back", "forward", "go"]) {
  wrap(History.prototype, name, (target, self, args) => {
    traversing = native.now();
    return call(target, self, args);
  });
}
const isWeb = (url) => url.startsWith("http:") || url.startsWith("https:");
if (window.navigation) {
  listen(navigation, "navigate", ({ downloadRequest, destination }) => {
    if (downloadRequest !== null) asked = native.now();
    // The session's CDP events cover only the main frame.
    else if (window.top !== window && !destination.sameDocument && isWeb(destination.url)) leaving = native.now();
  });
  for (const type of ["navigatesuccess", "navigateerror"]) listen(navigation, type, () => { leaving = 0; });
}
listen(window, "popstate", () => { traversing = 0; });

// --- windows: the session's CDP events announce those that the page opens, but not those of frames in other processes ---
let opening = 0; // when this frame, if it is of another origin than the page, asked for a window
const isFar = () => {
  try {
    return !window.top[hubName];
  } catch {
    return true;
  }
};
const HERE = new Set(["", "_self", "_parent", "_top"]);
const isLink = (node) => (node.localName === "a" || node.localName === "area") && node.href;
const opensWindow = (event) => {
  for (const node of call(native.path, event, [])) {
    if (isLink(node)) return event.ctrlKey || event.shiftKey || event.button === 1 || !HERE.has(node.target);
  }
  return false;
};
if (window.top !== window && isFar()) {
  wrap(window, "open", (target, self, args) => {
    opening = native.now();
    return call(target, self, args);
  });
  for (const type of ["click", "auxclick"]) {
    listen(window, type, (event) => { if (opensWindow(event)) opening = native.now(); });
  }
  listen(window, "submit", ({ target, submitter }) => {
    if (!HERE.has(submitter?.formTarget || target.target)) opening = native.now();
  });
}

// --- the state just before user input, with which its effect is compared ---
let found = null;
let acted = 0;
for (const type of ["pointerdown", "pointermove", "mousedown", "keydown", "beforeinput", "wheel"]) {
  listen(window, type, (event) => {
    // The browser dispatches synthetic pointer moves after each layout: those are not input.
    if (!event.isTrusted || (type === "pointermove" && !event.movementX && !event.movementY)) return;
    if (type !== "pointermove") { generation++; chain = null; }
    if (type === "wheel") scrolling = native.now();
    if (type !== "pointermove") acted = native.now();
    found ??= snapshot();
  });
}

// --- has it settled? ---
const outlived = new WeakSet(); // images and animations still pending after a whole wait
let gaveUpLoading = false;
const refreshes = (now) => {
  if (now > REFRESH_MS) return false;
  const meta = call(native.querySelector, document, ['meta[http-equiv="refresh" i]']);
  return meta !== null && parseFloat(meta.content) <= 1;
};
const hard = (now) => {
  if (of.readyState(document) !== "complete" && !gaveUpLoading) return "load";
  if (requests.size) return "request";
  if (timers.size || idles.size) return "timer";
  if (loading.size && !gaveUpLoading) return "script";
  if (awaitsReply(now)) return "reply";
  if (now - traversing < 150 && traversing) return "navigation";
  if (now - leaving < LEAVE_MS && leaving) return "navigation";
  if (refreshes(now)) return "refresh";
  return "";
};
const inView = (image) => {
  const { top, left, bottom, right } = call(native.rect, image, []);
  return bottom > 0 && right > 0 && top < ofWindow.innerHeight(window) && left < ofWindow.innerWidth(window);
};
const isPending = (image) => !image.complete && !outlived.has(image) && inView(image);
const isRunning = (animation) => {
  if (animation.playState !== "running" || outlived.has(animation)) return false;
  if (!(animation.timeline instanceof DocumentTimeline) || !animation.effect) return false;
  const left = animation.effect.getComputedTiming().endTime - animation.currentTime;
  return left > 0 && left / (animation.playbackRate || 1) <= ANIMATION_MS;
};
// Loops, because pages may replace array methods.
const some = (things, test) => {
  for (const thing of things) if (test(thing)) return true;
  return false;
};
const images = () => of.images(document) ?? [];
const animations = () => call(native.getAnimations, document, []);
const smooth = () => {
  const root = of.documentElement(document);
  return root !== null && native.style(root).scrollBehavior === "smooth";
};
const soft = (now) => {
  if (now - asked < DOWNLOAD_MS && asked) return "download";
  if (now - opening < WINDOW_MS && opening) return "window";
  if (now - moved < QUIET_MS && moved) return "motion";
  if (now - scrolled < SCROLL_END_MS && scrolled) return "scroll";
  if (now - scrolling < SCROLL_MS && scrolling) return "scroll";
  if (now - acted < SCROLL_MS && acted && smooth()) return "scroll";
  if (of.fonts(document)?.status === "loading") return "fonts";
  if (some(images(), isPending) || lacksStyledImages(now)) return "images";
  if (some(animations(), isRunning)) return "animation";
  return "";
};

// What is waited for, in words: the counterpart of `hard` and `soft`.
const WORK = { decode: "image", createImageBitmap: "image", load: "font", transaction: "database" };
const requested = (key) => key.replace(/^(\S+) \w+:\/\//, "$1 ").slice(0, MOST_TOLD) || "request";
const counted = (things, one, several) => (things > 1 ? `${things} ${several}` : one);
hub.pending = () => {
  const now = native.now();
  const found = new Set();
  if (of.readyState(document) !== "complete") found.add("document");
  for (const key of requests.values()) found.add(key in WORK ? WORK[key] : key.includes(" ") ? requested(key) : "cache");
  if (timers.size) found.add(counted(timers.size, "timer", "timers"));
  if (idles.size) found.add("idle callback");
  if (loading.size) found.add("script or style sheet");
  if (awaitsReply(now)) found.add("reply of a socket or worker");
  if (refreshes(now) || (now - traversing < 150 && traversing) || (now - leaving < LEAVE_MS && leaving)) found.add("navigation");
  if (now - asked < DOWNLOAD_MS && asked) found.add("download");
  if (now - opening < WINDOW_MS && opening) found.add("window");
  if (now - moved < QUIET_MS && moved) found.add("changes of the page");
  if (now - scrolled < SCROLL_END_MS && scrolled) found.add("scrolling");
  if (of.fonts(document)?.status === "loading") found.add("fonts");
  let pictures = 0;
  for (const image of images()) if (isPending(image)) pictures += 1;
  if (pictures) found.add(counted(pictures, "image", "images"));
  if (some(animations(), isRunning)) found.add("animation");
  for (const other of frames().near) for (const one of other.pending()) found.add(one);
  return [...found];
};
hub.hard = () => { attend(); count(observer.takeRecords()); return hard(native.now()) || inFrames("hard"); };
hub.soft = () => soft(native.now()) || inFrames("soft");

// Same-origin frames are reached through their own hubs; the session queries the others.
const frames = () => {
  const near = [];
  let far = 0;
  for (let i = 0; i < ofWindow.length(window); i++) {
    try {
      const other = window[i][hubName];
      if (other?.hard) near[near.length] = other;
    } catch {
      far++;
    }
  }
  return { near, far };
};
const inFrames = (name) => {
  let reason = "";
  for (const other of frames().near) reason ||= other[name]();
  return reason;
};

const snapshot = () => {
  attend();
  count(observer.takeRecords());
  const { near, far } = frames();
  const sum = { ...counts, far, frames: 0 };
  for (const other of near) {
    const theirs = other.counts();
    for (const key in sum) sum[key] += theirs[key];
  }
  const x = Math.round(ofWindow.scrollX(window));
  const y = Math.round(ofWindow.scrollY(window));
  return { ...sum, doc: documentId, url: location.href, x, y };
};
hub.counts = () => {
  const { mutations, values, focus, scrolls, far, frames, doc } = snapshot();
  return { mutations, values, focus, scrolls, far, frames: frames + doc };
};
hub.version = () => {
  const { mutations, scrolls, doc, frames, url } = snapshot();
  return `${doc} ${frames} ${url} ${mutations} ${scrolls} ${ofWindow.scrollX(window)} ${ofWindow.scrollY(window)}`;
};

const editable = (element) => Boolean(element) && (element.isContentEditable ||
  element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement);
// How late timers and frames were in this wait: because the page was busy, or because the machine was.
let late = 0;
const pause = async (ms) => {
  const began = native.now();
  await new native.Promise((resolve) => { native.setTimeout(resolve, ms); });
  late += Math.max(0, native.now() - began - ms - PROMPT_MS);
};
// Input is delivered to the page per animation frame, so it may be pending until the next one, which takes a while on a
// busy machine. Background pages and out-of-view cross-origin frames get no animation frames at all.
let frameless = window.top !== window;
const frame = (deadline) => new native.Promise((resolve) => {
  let waiting = true;
  const began = native.now();
  const patience = Math.min(frameless ? FRAMELESS_MS : FRAME_MS, Math.max(FRAMELESS_MS, deadline - native.now()));
  native.frame(() => {
    if (waiting) late += Math.max(0, native.now() - began - PROMPT_FRAME_MS);
    waiting = frameless = false;
    resolve();
  });
  native.setTimeout(() => { frameless ||= waiting; resolve(); }, patience);
});
hub.drawn = () => new native.Promise((resolve) => { native.frame(() => native.frame(resolve)); });

hub.giveUp = () => {
  gaveUpLoading = true;
  leaving = 0;
  for (const key of requests.values()) background.add(key);
  requests.clear();
  for (const image of images()) if (isPending(image)) outlived.add(image);
  for (const animation of animations()) if (isRunning(animation)) outlived.add(animation);
  for (const other of frames().near) other.giveUp();
};

// Resolves to true once the page has settled, to false if the time is up first.
const rest = async (ms) => {
  const deadline = native.now() + ms;
  let softSince = 0;
  for (;;) {
    const now = native.now();
    const busy = hub.hard();
    if (busy) softSince = 0;
    else softSince ||= now;
    if (!busy && (now - softSince > SOFT_MS || !hub.soft())) {
      const before = hub.version();
      await frame(deadline);
      await frame(deadline);
      const patient = native.now() - softSince > SOFT_MS;
      if (!hub.hard() && (patient || (hub.version() === before && !hub.soft()))) return true;
    } else {
      await pause(Math.max(1, Math.min(POLL_MS, deadline - now)));
    }
    if (native.now() >= deadline) return false;
  }
};

// Whether there is no visible content and no control. Text is checked last, because it forces a layout.
const SOMETHING = "img,svg,canvas,video,iframe,frame,embed,object,input,button,select,textarea,a,[style*=background]";
const blank = () => {
  const body = of.body(document);
  if (!body) return of.documentElement(document)?.localName === "html";
  return !call(native.querySelector, document, [SOMETHING]) && !String(of.innerText(body) ?? "x").trim();
};

// Whether there is little visible content. Most pages are told by their number of controls, without a layout.
const FEW_CONTROLS = 3;
const LITTLE_TEXT = 800;
const CONTROLS = "a[href],button,select,[role=button],input:not([type=hidden])";
const FIELDS = "textarea,input:not([type]),input[type=text],input[type=password],input[type=email],input[type=search]";
const sparse = () => {
  const body = of.body(document);
  if (!body || of.count(call(native.querySelectorAll, document, [CONTROLS])) > FEW_CONTROLS) return false;
  if (call(native.querySelector, document, [FIELDS])) return false;
  return String(of.innerText(body) ?? "").trim().length <= LITTLE_TEXT;
};

// Bot checks by the elements that only they have. Invisible ones, which many pages have in a corner, do not count.
const BOT_CHECKS = {
  cloudflare: "#challenge-form,#challenge-stage,#challenge-running,#challenge-error-text,"
    + 'script[src*="/cdn-cgi/challenge-platform/"][src*="/orchestrate/"],iframe[src*="challenges.cloudflare.com"]',
  datadome: '[src*=".captcha-delivery.com/"]',
  perimeterx: "#px-captcha",
  akamai: "#sec-if-cpt-container,#sec-cpt-if",
  imperva: 'iframe[src*="_Incapsula_Resource"]',
  arkose: 'iframe[src*=".arkoselabs.com/"],iframe[src*=".funcaptcha.com/"]',
  hcaptcha: '.h-captcha:not([data-size=invisible]),iframe[src*=".hcaptcha.com/"]',
  recaptcha: ".g-recaptcha:not([data-size=invisible])",
};
const botChecks = () => Object.keys(BOT_CHECKS).filter((name) => call(native.querySelector, document, [BOT_CHECKS[name]]));

const told = () => {
  try {
    return hub.pending();
  } catch { // the page has broken what it is told with
    return [];
  }
};

let step = -1;
let waited = 0; // in this step
// Called when the session waits no longer, though the page has not settled.
hub.outlive = () => { if (waited >= OUTLIVED_MS) hub.giveUp(); };
let earlier = snapshot(); // at the end of the previous step
let base = earlier;
hub.settle = async (options) => {
  if (options.step !== step) {
    step = options.step;
    waited = 0;
    base = found ?? earlier;
    found = null;
  }
  late = 0;
  const began = native.now();
  const settled = options.ms > 0 ? await rest(options.ms) : !hub.hard() && !hub.soft();
  const pending = settled ? [] : told();
  waited += native.now() - began;
  if (!settled && options.last !== false) hub.outlive();
  earlier = snapshot();
  found = null;
  const root = of.scrollingElement(document) ?? of.documentElement(document);
  const status = native.entries("navigation")[0]?.responseStatus ?? 0;
  const little = sparse();
  return {
    settled, base, now: earlier,
    title: call(native.slice, String(of.title(document) ?? ""), [0, MOST_TITLE]),
    width: root?.scrollWidth ?? 0,
    height: root?.scrollHeight ?? 0,
    caret: editable(of.activeElement(document)),
    status, pending, late,
    blank: blank(),
    sparse: little,
    checks: little || status >= 400 ? botChecks() : [],
  };
};
