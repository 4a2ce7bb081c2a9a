// Popovers beside a button ([data-pop] and the .pop after it), and dialogs and drawers over the page ([data-overlay]).
import { isSmall, onArrive } from "./core.js";

const GAP = 4;
const EDGE = 8;
const opened = (selector) => [...document.querySelectorAll(`${selector}:popover-open`)];
const popOf = (button) => button.parentElement.querySelector(":scope > .pop");
const anchorOf = (pop) => pop.parentElement.querySelector(":scope > [data-pop], :scope > .search-form");

const place = (pop) => {
  const anchor = anchorOf(pop).getBoundingClientRect();
  const sheet = pop.classList.contains("calendar") && isSmall();
  pop.classList.toggle("sheet", sheet);
  pop.style.cssText = sheet ? "" : `min-width: ${Math.min(anchor.width, innerWidth - 2 * EDGE)}px`;
  if (sheet) return;
  const below = innerHeight - anchor.bottom - GAP - EDGE;
  const above = anchor.top - GAP - EDGE;
  const upward = pop.offsetHeight > below && above > below;
  const fixed = pop.classList.contains("calendar");
  if (!fixed) pop.style.maxHeight = `${Math.max(96, upward ? above : below)}px`;
  const top = upward ? anchor.top - GAP - pop.offsetHeight : anchor.bottom + GAP;
  pop.style.top = `${clamp(top, innerHeight - pop.offsetHeight - EDGE)}px`;
  const left = anchor.left + pop.offsetWidth > innerWidth - EDGE ? anchor.right - pop.offsetWidth : anchor.left;
  pop.style.left = `${clamp(left, innerWidth - pop.offsetWidth - EDGE)}px`;
};
const clamp = (value, most) => Math.max(EDGE, Math.min(value, most));

const tell = (pop, open) => {
  const anchor = anchorOf(pop);
  (anchor.matches("form") ? anchor.querySelector("[data-suggest]") : anchor)?.setAttribute("aria-expanded", open);
};

export const openPop = (pop) => {
  for (const other of opened(".pop")) if (other !== pop && !other.contains(pop)) closePop(other);
  if (!pop.matches(":popover-open")) pop.showPopover();
  tell(pop, true);
  pop.dispatchEvent(new CustomEvent("kit:open", { bubbles: true }));
  place(pop);
  const first = pop.querySelector("[aria-selected=true]");
  if (pop.classList.contains("listbox")) first?.scrollIntoView({ block: "nearest" });
  if (pop.classList.contains("search-pop")) pop.querySelector("input").focus();
};

export const closePop = (pop) => {
  if (!pop.matches(":popover-open")) return;
  pop.hidePopover();
  tell(pop, false);
};

const tellOpeners = (name, open) => {
  for (const button of document.querySelectorAll(`[data-open="${CSS.escape(name)}"]`)) {
    button.setAttribute("aria-expanded", open);
  }
};

export const openOverlay = (overlay) => {
  for (const pop of opened(".pop")) closePop(pop);
  if (!overlay.matches(":popover-open")) overlay.showPopover();
  tellOpeners(overlay.dataset.overlay, true);
  (overlay.querySelector("[autofocus]") ?? overlay.querySelector("[role=dialog]")).focus({ preventScroll: true });
};

export const closeOverlay = (overlay) => {
  for (const pop of opened(".pop")) if (overlay.contains(pop)) closePop(pop);
  if (overlay.matches(":popover-open")) overlay.hidePopover();
  tellOpeners(overlay.dataset.overlay, false);
};

const closeAround = (element) => {
  const part = element.closest(".pop, .overlay");
  if (part?.matches(".pop")) closePop(part);
  else if (part) closeOverlay(part);
};

document.addEventListener("click", (event) => {
  const { target } = event;
  for (const pop of opened(".pop")) {
    if (!pop.contains(target) && !anchorOf(pop).contains(target)) closePop(pop);
  }
  const button = target.closest("[data-close], [data-pop], [data-open]");
  if (!button) {
    if (target.matches(".overlay")) closeOverlay(target);
    return;
  }
  if (button.matches("[data-close]")) closeAround(button);
  else if (button.matches("[data-open]")) {
    const overlay = document.querySelector(`[data-overlay="${CSS.escape(button.dataset.open)}"]`);
    if (overlay) openOverlay(overlay);
  } else {
    const pop = popOf(button);
    if (pop.matches(":popover-open")) closePop(pop);
    else openPop(pop);
  }
});

const keepInside = (event, overlay) => {
  const focusable = [...overlay.querySelectorAll("a[href], button, input, select, textarea")]
    .filter((element) => !element.disabled && element.checkVisibility());
  const last = focusable.at(event.shiftKey ? 0 : -1);
  if (focusable.length && (document.activeElement === last || !overlay.contains(document.activeElement))) {
    event.preventDefault();
    focusable.at(event.shiftKey ? -1 : 0).focus();
  }
};

document.addEventListener("keydown", (event) => {
  const pop = opened(".pop").at(-1);
  const overlay = opened(".overlay").at(-1);
  if (event.key === "Escape" && pop) {
    closePop(pop);
    anchorOf(pop).focus();
  } else if (event.key === "Escape" && overlay) closeOverlay(overlay);
  else if (event.key === "Tab" && overlay && !pop) keepInside(event, overlay);
});

const follow = ({ target }) => {
  for (const pop of opened(".pop")) if (!(target instanceof Node && pop.contains(target) && target !== document)) place(pop);
};
addEventListener("scroll", follow, { capture: true, passive: true });
addEventListener("resize", follow);

onArrive((root) => {
  for (const overlay of root.querySelectorAll("[data-overlay][data-opened]")) openOverlay(overlay);
});
