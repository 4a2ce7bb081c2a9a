// Outcomes and rates, drawn.

import { h } from "./dom.js";
import { OUTCOMES, count, glyph, percent } from "./words.js";

export const badge = (kind) =>
  h(
    "span",
    { class: `badge ${kind}` },
    h("span", { class: "glyph", "aria-hidden": "true" }, glyph(kind)),
    h("span", { class: "name" }, OUTCOMES[kind] ?? kind),
  );

const wide = (share) => ({ width: `${(share * 100).toFixed(3)}%` });

export function outcomeBar(summary) {
  const entries = Object.entries(summary.outcomes);
  const label = entries.map(([kind, number]) => `${OUTCOMES[kind]} ${number}`).join(", ") || "no attempts";
  return h(
    "div",
    { class: "outcomes", role: "img", "aria-label": label, title: label },
    entries.map(([kind, number]) => h("span", { class: kind, place: wide(number / summary.attempts) })),
  );
}

export const legend = (summary) =>
  h(
    "ul",
    { class: "legend" },
    Object.entries(summary.outcomes).map(([kind, number]) =>
      h("li", null, h("i", { class: `dot ${kind}` }), `${OUTCOMES[kind]} `, h("b", null, count(number))),
    ),
  );

/** A share on a line from 0 to 100 %, with the interval that the truth lies in. */
export function interval(rate) {
  if (!rate.attempts) return h("div", { class: "interval none" });
  return h(
    "div",
    { class: "interval", title: `95 % confidence interval: ${percent(rate.low)} to ${percent(rate.high)}` },
    h("span", { class: "band", place: { left: `${rate.low * 100}%`, width: `${(rate.high - rate.low) * 100}%` } }),
    h("span", { class: "point", place: { left: `${rate.rate * 100}%` } }),
  );
}

/** Of nothing there is no rate. */
export const shareOf = (rate) => percent(rate.attempts ? rate.rate : null);

export const bounds = (rate) => (rate.attempts ? `${percent(rate.low)} – ${percent(rate.high)}` : "");

// Named as the command line names them.
export const RATES = {
  success_over_all: ["All attempts", "Over all finished attempts: blocked and lost ones count as not solved."],
  success_over_graded: [
    "Graded attempts",
    "Over attempts with a reward: not blocked, not lost to infrastructure or the judge, not cancelled.",
  ],
};

/** Both rates where they differ; where every attempt was graded they are one number. */
export function ratesOf(summary) {
  const { success_over_all: all, success_over_graded: graded } = summary;
  if (all.attempts !== graded.attempts) return Object.entries(RATES).map(([name, words]) => [name, ...words]);
  return [["success_over_all", "All attempts", "Every finished attempt was graded."]];
}

export const figure = (title, rate, note) =>
  h(
    "div",
    { class: "figure" },
    h("span", { class: "label" }, title),
    h("span", { class: "value" }, shareOf(rate)),
    interval(rate),
    h(
      "span",
      { class: "muted" },
      rate.attempts ? `${bounds(rate)} · ${count(rate.successes)} of ${count(rate.attempts)}` : "no attempts",
    ),
    h("span", { class: "muted" }, note),
  );

/** Several attempts at one task, a sign for each. */
export const glyphs = (members) =>
  members.map((member) =>
    h(
      "span",
      {
        class: `badge only ${member.outcome}`,
        title: OUTCOMES[member.outcome] ?? member.outcome,
        "aria-label": OUTCOMES[member.outcome] ?? member.outcome,
      },
      glyph(member.outcome),
    ),
  );
