// How an attempt ended, fact by fact.

import { h, said } from "./dom.js";
import { badge } from "./figures.js";
import { instead, sign, standing, wordName } from "./findings.js";
import { count, detailOf, moment, plural, seconds } from "./words.js";

/** The judge whose word is the outcome. */
export const countingJudge = (attempt) => attempt.judges.find((one) => one.counts);

const stateOf = (holds) => (holds === null ? "unknown" : holds ? "held" : "missed");

/**
 * The facts that had to hold, and which did.
 * In a review each can be chosen, and `within(fact, finding)` tells more of it; `only` shows one of them.
 */
export function rubric(attempt, { judge = countingJudge(attempt), chosen = "", choose, within, only } = {}) {
  const fact = (one) => {
    const finding = judge?.facts[one.key];
    const holds = finding ? (finding.found === "abstain" ? null : finding.holds) : judge ? null : one.holds;
    const words = finding ? wordName(finding.found, judge.exact) : "No verdict";
    const inner = [
      sign(finding?.found ?? "", { beside: true }),
      h("span", null, said(one.text), " ", h("span", { class: "finding" }, words), instead(one.labels)),
    ];
    return h(
      "li",
      {
        class: [stateOf(holds), one.key === chosen && "at", standing(one.labels).overruled && "overruled"],
        "data-fact": one.key,
      },
      choose
        ? h(
            "button",
            {
              type: "button",
              class: "fact",
              "aria-pressed": String(one.key === chosen),
              onclick: () => choose(one.key),
            },
            inner,
          )
        : h("div", { class: "fact" }, inner),
      within?.(one, finding),
    );
  };
  return attempt.rubric
    .map((group) => ({ ...group, facts: group.facts.filter((one) => !only || one.key === only) }))
    .filter((group) => group.facts.length > 0)
    .map((group) =>
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
      : h("p", { class: "muted" }, "No final answer."),
  );

/** `whole` is what people say of all of it, `facts` the rubric as it is to be shown, `judges` who can be asked. */
export function verdictPanel(attempt, { judge, judges, whole, facts }) {
  const { ending } = attempt;
  return [
    h(
      "div",
      { class: "stephead" },
      h("h2", null, "Verdict"),
      badge(judge && !judge.counts ? judge.says : attempt.kind),
      instead(attempt.labels),
    ),
    judges,
    (!judge || judge.counts) && outcomeDetail(attempt),
    judge && judgeLine(judge),
    answer(attempt),
    judge?.reference &&
      h(
        "p",
        { class: "finding" },
        sign(judge.reference, { beside: true }),
        `${wordName(judge.reference)} according to the reference answer`,
      ),
    whole,
    facts,
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

function outcomeDetail({ ending, rubric: groups }) {
  const { outcome } = ending ?? {};
  if (outcome?.limit) {
    const facts = groups.flatMap((group) => group.facts);
    const held = facts.filter((fact) => fact.holds).length;
    const text = detailOf({ outcome: "truncated", detail: outcome.limit, facts: facts.length, facts_held: held });
    return h("p", { class: "sentence" }, said(text));
  }
  const text = outcome?.why || [outcome?.cause, outcome?.message].filter(Boolean).join(": ");
  return text ? h("p", { class: "sentence" }, said(text)) : null;
}

/** Who judged, on what, and what that took. */
function judgeLine({ name, exact, blocked, spent, shots }) {
  const facts = [
    exact && (name === "exact" || !name) ? "an exact check of the website" : name,
    shots.length > 0 && `${shots.filter((shot) => shot.keyframe).length} of ${plural(shots.length, "screenshot")} seen`,
    spent && `${plural(spent.calls ?? 0, "call")}${spent.remembered ? `, ${spent.remembered} cached` : ""}`,
    spent?.prompt_tokens > 0 && `${count(spent.prompt_tokens)} + ${count(spent.sampled_tokens)} tokens`,
    spent?.dollars > 0 && `$${spent.dollars.toFixed(4)}`,
    blocked && `blocked: ${blocked}`,
  ].filter(Boolean);
  return facts.length > 0 && h("p", { class: "muted judgeline" }, "Judged by ", said(facts.join(" · ")));
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
    attempt.ending && line("Started", moment(attempt.ending.began)),
    attempt.ending?.queued > 0 && line("Queue time", seconds(attempt.ending.queued)),
  );
}
