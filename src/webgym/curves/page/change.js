// Before and after: the first evaluation next to the last.

import { boundsOf, changed, differenceOf, verdictOf } from "./difference.js";
import { h } from "./dom.js";
import { evaluations, interval } from "./tiles.js";
import { between, count, counts, ENOUGH, nameOf, percent, tells } from "./words.js";

const rounded = (value) => String(Number(value.toPrecision(3)));
const LEVELS = ["easy", "medium", "hard"];

const rateCell = (rate) =>
  !rate || !rate.attempts
    ? h("td", { class: "number" }, "\u2013")
    : h(
        "td",
        { class: "number" },
        tells(rate)
          ? [h("b", null, percent(rate.rate)), h("span", { class: "quiet" }, between(rate)), h("span", { class: "quiet" }, counts(rate))]
          : h("b", null, counts(rate)),
      );

function rateRow(name, before, after, difference) {
  const both = before?.attempts && after?.attempts;
  return h(
    "tr",
    null,
    h("th", { scope: "row" }, name),
    rateCell(before),
    rateCell(after),
    h("td", { class: "bars" }, both && [interval(before, "var(--dimmer)"), interval(after, "var(--evaluation)")]),
    h("td", { class: "number" }, difference ? [h("b", null, changed(difference)), h("span", { class: "quiet" }, boundsOf(difference))] : "\u2013"),
  );
}

function lengthRow(name, before, after, field) {
  const cell = (lengths) => h("td", { class: "number" }, lengths.attempts ? rounded(lengths[field]) : "\u2013");
  const both = before.attempts && after.attempts;
  const change = after[field] - before[field];
  const sign = change > 0 ? "+" : change < 0 ? "\u2212" : "";
  return h("tr", null, h("th", { scope: "row" }, name), cell(before), cell(after), h("td", { class: "bars" }), h("td", { class: "number" }, both ? `${sign}${rounded(Math.abs(change))}` : "\u2013"));
}

/** What the terminal says, too. */
function verdict(difference, tasks) {
  const words = difference
    ? ["This run changed success by ", changed(difference), ` (95 % interval ${boundsOf(difference)}, `, difference.paired ? `paired over ${count(tasks)} tasks` : "not paired", `): ${verdictOf(difference)}.`]
    : `${count(tasks)} tasks are too few to say whether that is a change: it takes ${ENOUGH}.`;
  return h("p", { class: "verdict", id: "verdict" }, words);
}

/** The table; nothing if there are not two evaluations to compare. `paired` is their difference, task by task. */
export function beforeAfter(iterations, paired) {
  const found = evaluations(iterations);
  if (found.length < 2) return null;
  const [before, after] = [found[0], found.at(-1)];
  const [a, b] = [before.tried, after.tried];
  const names = new Set([...Object.keys(a.by_level), ...Object.keys(b.by_level)]);
  const levels = [...LEVELS.filter((level) => names.has(level)), ...[...names].filter((level) => !LEVELS.includes(level)).sort()];
  const whole = differenceOf(a.success, b.success, paired);
  const rows = levels.length > 1 ? levels : []; // one alone says the same again
  const head = ["", `iteration ${before.at}`, `iteration ${after.at}`, "0 to 100 %", "change"];
  return h(
    "section",
    { id: "section-change" },
    h("h2", null, "Before and after ", h("span", { class: "quiet" }, "on unseen websites, with 95 % confidence intervals")),
    h(
      "div",
      { class: "card scrolls" },
      h(
        "table",
        { id: "change" },
        h("thead", null, h("tr", null, head.map((text, place) => h("th", { scope: "col", class: place === 3 && "bars" }, text)))),
        h(
          "tbody",
          null,
          rateRow("success", a.success, b.success, whole),
          rows.map((level) => rateRow(nameOf(level), a.by_level[level], b.by_level[level], differenceOf(a.by_level[level], b.by_level[level]))),
          lengthRow("steps per success", a.successes, b.successes, "steps"),
          lengthRow("steps per failure", a.failures, b.failures, "steps"),
          lengthRow("tokens per step, successes", a.successes, b.successes, "tokens_per_step"),
        ),
      ),
      verdict(whole, paired ? paired.n : Math.min(a.tasks, b.tasks)),
    ),
  );
}
