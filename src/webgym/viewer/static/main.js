// Shows the page that the address names.

import { Problem, keepSecret } from "./api.js";
import { showAttempt } from "./attempt.js";
import { showCompare } from "./compare.js";
import { fill, h, said } from "./dom.js";
import { everywhere, showHelp, useKeys } from "./keys.js";
import { showPairing } from "./pairing.js";
import { link, read } from "./route.js";
import { showRun } from "./run.js";
import { showRuns } from "./runs.js";

const page = document.getElementById("page");
const crumbs = document.getElementById("crumbs");
const scrolled = new Map();
const LIVE_SECONDS = 2.5;

let current = null;

function kindOf({ parts }) {
  const [first, , third] = parts;
  if (first === "run" && third === "attempt" && parts.length === 4) return showAttempt;
  if (first === "run" && parts.length >= 2) return showRun;
  if (first === "compare" && parts.length === 3) return showCompare;
  if (first === "compare" && parts[3] === "task" && parts.length === 5) return showPairing;
  return showRuns;
}

/**
 * A page is shown by a function of (route, signal) that returns
 *   node      what to show
 *   title     for the tab
 *   crumbs    [text, address] each
 *   up        address that Esc leads to
 *   keys      its own keys
 *   placed    () => void: called once it is in the page and has its size
 *   update    (route) => bool: takes a changed address without being built anew, if it can
 *   refresh   () => Promise: called every few seconds while `live` says that there will be more
 *   live      () => bool
 */
async function show() {
  const route = read();
  const kind = kindOf(route);
  const path = JSON.stringify(route.parts);
  if (current?.kind === kind && current.path === path && current.view?.update?.(route)) return;
  current?.abort.abort();
  const mine = { kind, path, abort: new AbortController(), view: null, hash: location.hash };
  if (current) scrolled.set(current.hash, scrollY);
  current = mine;
  document.body.classList.add("busy");
  try {
    const view = await kind(route, mine.abort.signal);
    if (current !== mine) return;
    mine.view = view;
    place(view);
    scrollTo(0, scrolled.get(location.hash) ?? 0);
  } catch (error) {
    if (current !== mine || error.name === "AbortError") return;
    place(broken(error));
  } finally {
    if (current === mine) document.body.classList.remove("busy");
  }
}

function place(view) {
  document.title = view.title ? `${view.title} · WebGym` : "WebGym viewer";
  fill(
    crumbs,
    view.crumbs.map(([text, address]) => [
      h("span", { class: "sep", "aria-hidden": "true" }, "/"),
      h("a", { href: address }, said(text)),
    ]),
  );
  fill(page, view.node);
  view.placed?.();
  useKeys(view.keys ?? []);
}

function broken(error) {
  const message = error instanceof Problem ? error.message : `The server cannot be reached (${error.message}).`;
  const again = h("button", { type: "button", onclick: () => ((current = null), show()) }, "Try again");
  return {
    title: "",
    crumbs: [],
    node: h("div", { class: "empty", role: "alert" }, h("p", null, said(message)), again),
    up: link([]),
  };
}

async function refresh() {
  const mine = current;
  if (!document.hidden && mine?.view?.refresh && mine.view.live?.()) {
    try {
      await mine.view.refresh();
    } catch {
      // The next time may do; what is shown stays.
    }
  }
  setTimeout(refresh, LIVE_SECONDS * 1000);
}

function nextTheme() {
  const name = window.webgymTheme.next();
  document.getElementById("theme").textContent = { system: "Theme", light: "Light", dark: "Dark" }[name];
}

everywhere([
  { keys: ["/"], does: "Search", run: () => document.querySelector("input[type=search]")?.focus() },
  { keys: ["Escape"], does: "Up one level", run: () => current?.view?.up && (location.hash = current.view.up) },
  { keys: ["t"], does: "Theme: light, dark, system", run: nextTheme },
  { keys: ["?"], does: "This help", run: showHelp },
]);
document.getElementById("help").addEventListener("click", showHelp);
document.getElementById("theme").addEventListener("click", nextTheme);
window.addEventListener("hashchange", show);
history.scrollRestoration = "manual";
// The cookie has been set: the token need not stay in the address bar. Nor need what allows labelling.
keepSecret(new URLSearchParams(location.search).get("label"));
if (location.search) history.replaceState(null, "", `/${location.hash}`);
show();
refresh();
