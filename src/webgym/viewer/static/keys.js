// The keyboard: keys of the page that is shown, and those that hold everywhere.

import { fill, h } from "./dom.js";

const dialog = document.getElementById("keys");
let own = [];
let common = [];
const ours = () => [...(typeof own === "function" ? own() : own), ...common];

/**
 * Keys as { keys: ["j"], does: "Next attempt", run() {} }; several pages share names, so that hands learn them once.
 * A page whose keys depend on what it shows gives a function. Of two for the same key the first counts.
 */
export function useKeys(keys) {
  own = keys;
}

export function everywhere(keys) {
  common = keys;
}

export function showHelp() {
  const line = (one) =>
    h(
      "tr",
      null,
      h(
        "td",
        null,
        one.keys.map((key) => h("kbd", null, NAMES[key] ?? key)),
      ),
      h("td", null, one.does),
    );
  fill(
    dialog,
    h("h2", null, "Keyboard shortcuts"),
    h("table", { class: "keys" }, useful(ours()).map(line)),
    h(
      "p",
      { class: "muted" },
      "Every view has its own URL: copy it from the address bar to return to the view or to share it.",
    ),
  );
  dialog.showModal();
}

/** Without keys that another of the page's own hides. */
function useful(all) {
  const taken = new Set();
  return all
    .map((one) => ({ ...one, keys: one.keys.filter((key) => !taken.has(key) && taken.add(key)) }))
    .filter((one) => one.does && one.keys.length > 0);
}

const NAMES = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  Enter: "⏎",
};

const isTyping = (node) =>
  node instanceof HTMLElement &&
  (node.matches("input:not([type=checkbox]), textarea, select") || node.isContentEditable);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (document.querySelector("dialog[open]")) return;
  if (isTyping(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.key === "Enter" && event.target instanceof HTMLElement && event.target.matches("a, button, summary"))
    return;
  const found = ours().find((one) => one.keys.includes(event.key));
  if (!found) return;
  event.preventDefault();
  found.run();
});

dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
