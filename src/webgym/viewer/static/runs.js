// All runs under the folder.

import { ask } from "./api.js";
import { fill, h, said } from "./dom.js";
import { RATES, bounds, interval, outcomeBar, shareOf } from "./figures.js";
import { walker } from "./lists.js";
import { amend, go, link, one } from "./route.js";
import { beforeAfter, shares, whence } from "./training.js";
import { age, bytes, moment, plural } from "./words.js";

/** Of a training run, success on its own tasks is named beside their number: it is no result. */
function attempts({ summary, training }) {
  const made = plural(summary.attempts, training ? "training attempt" : "attempt");
  return training && summary.success_over_all.attempts > 0 ? `${made}, ${shareOf(summary.success_over_all)} solved` : made;
}

const solved = (rate) =>
  h(
    "span",
    { class: "rate", title: `Success. ${RATES.success_over_all.join(": ")}` },
    h("b", null, shareOf(rate)),
    interval(rate),
    h("span", { class: "muted" }, rate.attempts > 0 && `${bounds(rate)} of all`),
  );

/** What counts of a training run: success on unseen websites, before and after. */
function learned(training) {
  const ends = beforeAfter(training);
  return h(
    "span",
    { class: "rate learned", title: "Success on websites that training never uses" },
    h("b", null, ends.length ? shares(ends) : "–"),
    ends.length > 0 && interval(ends.at(-1).success),
    h("span", { class: "muted" }, ends.length ? `unseen websites, ${whence(ends)}` : whence(ends)),
  );
}

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
        { class: "run", href: link(run.training?.estimator ? ["run", run.key, "groups"] : ["run", run.key]) },
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
          h("span", { class: "muted" }, attempts(run)),
        ),
        run.training ? learned(run.training) : solved(run.summary.success_over_all),
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
