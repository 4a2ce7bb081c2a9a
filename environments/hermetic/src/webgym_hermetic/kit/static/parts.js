// Parts that fold, turn, grow or come late: tabs, accordions, carousels, lists with more to show, late parts.
import { arrive, fetchPart, isPlainClick, onArrive } from "./core.js";

const openTab = (tab) => {
  const tabs = tab.closest("[data-tabs]");
  const all = [...tabs.querySelectorAll("[data-tab]")].filter((other) => other.closest("[data-tabs]") === tabs);
  const panels = tabs.querySelectorAll(":scope > [role=tabpanel]");
  all.forEach((other, index) => {
    other.setAttribute("aria-selected", String(other === tab));
    panels[index].hidden = other !== tab;
  });
};

const fold = (button) => {
  const panel = button.closest("section").querySelector(":scope > .fold");
  panel.hidden = !panel.hidden;
  button.setAttribute("aria-expanded", String(!panel.hidden));
};

const turn = (button) => {
  const carousel = button.closest("[data-carousel]");
  const slides = [...carousel.querySelectorAll(":scope > [data-slide]")];
  const dots = carousel.querySelectorAll(".dots i");
  const shown = slides.findIndex((slide) => !slide.hidden);
  const next = (shown + Number(button.dataset.turn) + slides.length) % slides.length;
  slides.forEach((slide, index) => { slide.hidden = index !== next; });
  dots.forEach((dot, index) => dot.classList.toggle("on", index === next));
};

const retryButton = (url = "") => {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "btn secondary" });
  button.textContent = "Try again";
  button.dataset.retry = url;
  button.dataset.testid = "do:retry";
  return button;
};

// --- lists that grow ---
const loading = new WeakSet();

const listBefore = (pager) => {
  const lists = [...document.querySelectorAll("[data-list]")];
  const before = lists.filter((list) => list.compareDocumentPosition(pager) & Node.DOCUMENT_POSITION_FOLLOWING);
  return lists.indexOf(before.at(-1) ?? lists[0]);
};

const grow = async (pager, url) => {
  if (loading.has(pager)) return;
  loading.add(pager);
  pager.setAttribute("aria-busy", "true");
  const index = [...document.querySelectorAll("[data-pager]")].indexOf(pager);
  const at = listBefore(pager);
  try {
    const next = await fetchPart(url);
    if (!pager.isConnected) return;
    const list = document.querySelectorAll("[data-list]")[at];
    list.append(...(next.querySelectorAll("[data-list]")[at]?.childNodes ?? []));
    pager.replaceWith(...[next.querySelectorAll("[data-pager]")[index]].filter(Boolean));
    arrive();
  } catch {
    loading.delete(pager);
    pager.removeAttribute("aria-busy");
    pager.replaceChildren(retryButton(url));
  }
};

const ends = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting) grow(target.closest("[data-pager]"), target.dataset.end);
  }
});

// --- late parts ---
const LATE = { least: 250, spread: 451 };
const delayOf = (path) => {
  let hash = 7;
  for (const character of path) hash = (hash * 31 + character.charCodeAt(0)) % 1000003;
  return LATE.least + (hash % LATE.spread);
};

const load = async (part) => {
  try {
    const view = await fetchPart(part.dataset.late);
    if (!part.isConnected) return;
    part.replaceChildren(...view.body.childNodes);
    part.removeAttribute("aria-busy");
    arrive(part);
  } catch {
    part.replaceChildren("This part could not be loaded. ", retryButton());
  }
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-tab], [data-fold], [data-turn], [data-more], [data-retry]");
  if (!button || !isPlainClick(event)) return;
  if (button.matches("[data-tab]")) openTab(button);
  else if (button.matches("[data-fold]")) fold(button);
  else if (button.matches("[data-turn]")) turn(button);
  else if (button.dataset.retry) grow(button.closest("[data-pager]"), button.dataset.retry);
  else if (button.matches("[data-retry]")) load(button.closest("[data-late]"));
  else {
    event.preventDefault();
    grow(button.closest("[data-pager]"), button.href);
  }
});

onArrive((root) => {
  for (const end of root.querySelectorAll("[data-end]:not([data-watched])")) {
    end.dataset.watched = "";
    ends.observe(end);
  }
  for (const part of root.querySelectorAll("[data-late]:not([data-awaited])")) {
    part.dataset.awaited = "";
    setTimeout(() => { if (part.isConnected) load(part); }, "soon" in part.dataset ? 0 : delayOf(part.dataset.late));
  }
});
