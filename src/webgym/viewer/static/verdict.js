// How an attempt ended, fact by fact.

import { h, said } from "./dom.js";
import { badge } from "./figures.js";
import { moment, plural, seconds } from "./words.js";

/** The facts that had to hold, and which did. */
export function rubric(attempt) {
  const fact = ({ text, holds }) =>
    h(
      "li",
      { class: holds === null ? "unknown" : holds ? "held" : "missed" },
      h(
        "span",
        { class: "glyph", "aria-label": holds === null ? "no verdict" : holds ? "held" : "missed" },
        holds === null ? "·" : holds ? "✓" : "✕",
      ),
      said(text),
    );
  return attempt.rubric.map((group) =>
    h(
      "section",
      { class: "block rubric" },
      h("h3", null, said(group.description || "Facts")),
      h("ul", null, group.facts.map(fact)),
    ),
  );
}

export const answer = ({ ending }) =>
  h(
    "section",
    { class: "block" },
    h("h3", null, "Final answer"),
    ending?.answer !== null && ending?.answer !== undefined
      ? h("pre", { class: "text answer" }, ending.answer || "(empty)")
      : h("p", { class: "muted" }, "None was given."),
  );

export function verdictPanel(attempt) {
  const { ending } = attempt;
  return [
    h("div", { class: "stephead" }, h("h2", null, "Verdict"), badge(attempt.kind)),
    outcomeDetail(ending),
    answer(attempt),
    rubric(attempt),
    ending &&
      ending.notes.length > 0 &&
      h(
        "section",
        { class: "block" },
        h("h3", null, "Notes"),
        ending.notes.map((note) => h("p", null, said(note))),
      ),
    ending &&
      ending.failed_tries.length > 0 &&
      h(
        "section",
        { class: "block" },
        h("h3", null, "Tries lost to infrastructure"),
        ending.failed_tries.map((lost) =>
          h(
            "p",
            null,
            said(`${lost.cause}: ${lost.message} (${plural(lost.steps, "step")}, ${seconds(lost.seconds)})`),
          ),
        ),
      ),
    h("section", { class: "block" }, h("h3", null, "Attempt"), identity(attempt)),
  ];
}

function outcomeDetail(ending) {
  const { outcome } = ending ?? {};
  const text = outcome?.why || outcome?.limit || [outcome?.cause, outcome?.message].filter(Boolean).join(": ");
  return text ? h("p", { class: "sentence" }, said(text)) : null;
}

function identity(attempt) {
  const line = (term, value) => value && [h("dt", null, term), h("dd", null, said(value))];
  return h(
    "dl",
    { class: "facts" },
    line("Attempt", attempt.attempt_id),
    line("Task", attempt.task_id),
    line("Website", attempt.website),
    line("Group", attempt.group && `${attempt.group}, member ${attempt.member}`),
    line("Seed", String(attempt.seed)),
    attempt.ending && line("Began", moment(attempt.ending.began)),
    attempt.ending?.queued > 0 && line("In queues", seconds(attempt.ending.queued)),
  );
}
