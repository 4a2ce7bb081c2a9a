// Before and after: the first evaluation next to the last.

import { h } from "./dom.js";
import { evaluations, interval } from "./tiles.js";
import { between, count, nameOf, percent, points } from "./words.js";

const rounded = (value) => String(Number(value.toPrecision(3)));
const LEVELS = ["easy", "medium", "hard"];

const rateCell = (rate) =>
  !rate || !rate.attempts
    ? h("td", { class: "number" }, "\u2013")
    : h(
        "td",
        { class: "number" },
        h("b", null, percent(rate.rate)),
        h("span", { class: "quiet" }, between(rate)),
        h("span", { class: "quiet" }, `${count(rate.successes)} of ${count(rate.attempts)}`),
      );

function rateRow(name, before, after, more) {
  const both = before?.attempts && after?.attempts;
  const change = both ? after.rate - before.rate : 0;
  const way = change > 0 ? "up" : change < 0 ? "down" : "";
  return h(
    "tr",
    null,
    h("th", { scope: "row" }, name),
    rateCell(before),
    rateCell(after),
    h("td", { class: "bars" }, both && [interval(before, "var(--dimmer)"), interval(after, "var(--evaluation)")]),
    h("td", { class: "number" }, h("b", { class: `change ${way}` }, both ? `${points(change)} points` : "\u2013"), more),
  );
}

function lengthRow(name, before, after, field) {
  const cell = (lengths) => h("td", { class: "number" }, lengths.attempts ? rounded(lengths[field]) : "\u2013");
  const both = before.attempts && after.attempts;
  const change = after[field] - before[field];
  const sign = change > 0 ? "+" : change < 0 ? "\u2212" : "";
  return h("tr", null, h("th", { scope: "row" }, name), cell(before), cell(after), h("td", { class: "bars" }), h("td", { class: "number" }, both ? `${sign}${rounded(Math.abs(change))}` : "\u2013"));
}

const paired = (difference) =>
  difference &&
  difference.n > 0 && [
    h("span", { class: "quiet", id: "paired" }, `paired difference ${points(difference.estimate)}, 95 % CI ${points(difference.low)} to ${points(difference.high)}`),
    h("span", { class: "quiet" }, `over ${count(difference.n)} tasks`),
  ];

/** The table; nothing if there are not two evaluations to compare. */
export function beforeAfter(iterations, difference) {
  const found = evaluations(iterations);
  if (found.length < 2) return null;
  const [before, after] = [found[0], found.at(-1)];
  const [a, b] = [before.tried, after.tried];
  const names = new Set([...Object.keys(a.by_level), ...Object.keys(b.by_level)]);
  const levels = [...LEVELS.filter((level) => names.has(level)), ...[...names].filter((level) => !LEVELS.includes(level)).sort()];
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
          rateRow("success", a.success, b.success, paired(difference)),
          levels.map((level) => rateRow(nameOf(level), a.by_level[level], b.by_level[level])),
          lengthRow("steps per success", a.successes, b.successes, "steps"),
          lengthRow("steps per failure", a.failures, b.failures, "steps"),
          lengthRow("tokens per step, successes", a.successes, b.successes, "tokens_per_step"),
        ),
      ),
    ),
  );
}
