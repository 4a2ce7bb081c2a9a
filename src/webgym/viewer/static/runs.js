// All runs under the folder.

import { ask } from "./api.js";
import { fill, h, said } from "./dom.js";
import { RATES, bounds, interval, outcomeBar, shareOf } from "./figures.js";
import { walker } from "./lists.js";
import { amend, go, link, one } from "./route.js";
import { age, bytes, moment, plural } from "./words.js";

const IDLE_TURNS = 4; // while nothing is live, new runs are looked for less often

export async function showRuns(route, signal) {
  let runs = await ask("runs", {}, signal);
  let text = one(route, "text");
  let idle = 0;
  const chosen = new Set();
  const list = h("ul", { class: "runs" });
  const compare = h(
    "button",
    { type: "button", class: "primary", disabled: true, onclick: () => go(["compare", ...chosen]) },
    "Compare two",
  );
  const search = h("input", { type: "search", placeholder: "Find a run", "aria-label": "Find a run", value: text });
  search.addEventListener("input", () => amend([], { text: search.value }));

  function choose(name, on) {
    if (on) chosen.add(name);
    else chosen.delete(name);
    compare.disabled = chosen.size !== 2;
    compare.textContent = chosen.size === 1 ? "Select one more" : "Compare two";
  }

  const line = (run) =>
    h(
      "li",
      null,
      h("input", {
        type: "checkbox",
        "aria-label": `Compare ${run.name}`,
        title: "Select two runs to compare",
        checked: chosen.has(run.key),
        onchange: (event) => choose(run.key, event.target.checked),
      }),
      h(
        "a",
        { class: "run", href: link(["run", run.key]) },
        h(
          "span",
          { class: "name" },
          said(run.name),
          h("span", { class: "tag" }, run.kind),
          run.live && h("span", { class: "tag live" }, "live"),
        ),
        h(
          "span",
          { class: "muted when", title: moment(run.created) },
          `${age(run.created)} · ${bytes(run.size_bytes)}`,
        ),
        h(
          "span",
          { class: "bar" },
          outcomeBar(run.summary),
          h("span", { class: "muted" }, plural(run.summary.attempts, "attempt")),
        ),
        h(
          "span",
          { class: "rate", title: `Success. ${RATES.success_over_all.join(": ")}` },
          h("b", null, shareOf(run.summary.success_over_all)),
          interval(run.summary.success_over_all),
          h("span", { class: "muted" }, run.summary.success_over_all.attempts > 0 && `${bounds(run.summary.success_over_all)} of all`),
        ),
      ),
    );

  function draw() {
    const shown = runs.filter((run) => `${run.key} ${run.name}`.toLowerCase().includes(text.toLowerCase()));
    const none = runs.length
      ? "No matching runs."
      : "No runs yet. Rollouts and evaluations appear here as soon as they start.";
    fill(list, shown.length ? shown.map(line) : h("li", { class: "empty" }, none));
  }

  draw();
  const walk = walker(list, "li");
  return {
    title: "Runs",
    crumbs: [],
    keys: walk.keys,
    node: h(
      "div",
      null,
      h("div", { class: "head" }, h("h1", null, "Runs"), h("span", { class: "grow" }), search, compare),
      list,
    ),
    update(next) {
      text = one(next, "text");
      draw();
      return true;
    },
    live: () => runs.some((run) => run.live) || ++idle % IDLE_TURNS === 0,
    async refresh() {
      const found = await ask("runs", {}, signal);
      if (JSON.stringify(found) === JSON.stringify(runs)) return;
      runs = found;
      const at = walk.at();
      draw();
      if (at >= 0) walk.put(at);
    },
  };
}
