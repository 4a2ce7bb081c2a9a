// What there is to know of one step.

import { h, said } from "./dom.js";
import { badge } from "./figures.js";
import { actionName, count, describe, seconds } from "./words.js";

export const block = (title, text, props) =>
  text ? h("section", { class: "block", ...props }, h("h3", null, title), h("pre", { class: "text" }, text)) : null;

function effectLine(effect) {
  if (!effect) return null;
  if (effect.kind === "changed")
    return h(
      "p",
      { class: "effect changed" },
      `Changed${effect.what?.length ? `: ${effect.what.join(", ")}` : ""}`,
      effect.detail && said(` · ${effect.detail}`),
    );
  if (effect.kind === "unchanged")
    return h("p", { class: "effect unchanged" }, "Nothing changed", effect.detail && said(` · ${effect.detail}`));
  return h(
    "p",
    { class: "effect failed" },
    `Failed: ${effect.reason.replaceAll("_", " ")}`,
    effect.detail && said(` · ${effect.detail}`),
  );
}

export function stepPanel(frame, attempt) {
  if (!frame) return [h("p", { class: "muted" }, "No step was taken.")];
  const { step, seen } = frame;
  if (!step)
    return [
      h("h2", null, "Final state"),
      h("p", { class: "muted" }, "The page after the last action."),
      pageFacts(seen),
      badge(attempt.kind),
    ];
  return [
    h(
      "div",
      { class: "stephead" },
      h("h2", null, `Step ${step.number}`),
      h("span", { class: "tag" }, step.action ? actionName(step.action.kind) : "No action"),
    ),
    step.problem &&
      h(
        "p",
        { class: "problem", role: "note" },
        h("b", null, `Malformed: ${step.problem.replaceAll("_", " ")}. `),
        said(step.message),
      ),
    h(
      "p",
      { class: "sentence" },
      said(step.sentence || (step.action ? describe(step.action) : "The response contains no action.")),
    ),
    step.sentence && step.action && h("p", { class: "muted code" }, said(describe(step.action))),
    effectLine(step.effect),
    block("Thought", step.thought || step.reply?.reasoning, { "data-block": "thought" }),
    block("Memory", step.memory, { "data-block": "memory" }),
    pageFacts(seen),
    timings(step),
    tokens(step.reply),
  ];
}

function pageFacts(seen) {
  const { scroll, viewport } = seen;
  const below = Math.max(0, (scroll.height ?? 0) - (scroll.y ?? 0) - (viewport.height ?? 768));
  const line = (term, value) => value && [h("dt", null, term), h("dd", null, said(value))];
  return h(
    "section",
    { class: "block" },
    h("h3", null, "Page"),
    h(
      "dl",
      { class: "facts" },
      line("Title", seen.title),
      line("URL", seen.url),
      line("Scrolled", scroll.height ? `${scroll.y ?? 0} px from the top, ${below} px below` : ""),
      seen.tabs.length > 1 &&
        line("Tabs", seen.tabs.map((tab) => `${tab.active ? "● " : ""}${tab.title || tab.url || "blank"}`).join(" · ")),
      seen.dialog && line("Dialog", `${seen.dialog.type}: ${seen.dialog.message}`),
      line("Downloads", seen.downloads.join(", ")),
      seen.marks > 0 && line("Marks", String(seen.marks)),
      !seen.settled && line("Note", "the page had not settled"),
    ),
  );
}

const TIMES = [
  ["look_queued", "Waiting for the browser", "wait"],
  ["look", "Browser", "browser"],
  ["infer_queued", "Waiting for the model", "wait2"],
  ["infer", "Model", "model"],
];

function timings(step) {
  const parts = TIMES.map(([key, name, kind]) => ({ name, kind, value: step.times[key] ?? 0 })).filter(
    (part) => part.value > 0,
  );
  const all = parts.reduce((sum, part) => sum + part.value, 0);
  if (!all) return null;
  const inner = [
    ["queued", step.browser.queued],
    ["acting", step.browser.acted],
    ["settling", step.browser.settled],
    ["capturing", step.browser.captured],
  ].filter(([, value]) => value > 0);
  return h(
    "section",
    { class: "block" },
    h("h3", null, "Time", h("span", { class: "muted" }, ` ${seconds(all)}`)),
    h(
      "div",
      {
        class: "timebar",
        role: "img",
        "aria-label": parts.map((part) => `${part.name} ${seconds(part.value)}`).join(", "),
      },
      parts.map((part) =>
        h("span", {
          class: part.kind,
          title: `${part.name} ${seconds(part.value)}`,
          place: { width: `${(part.value / all) * 100}%` },
        }),
      ),
    ),
    h(
      "ul",
      { class: "legend" },
      parts.map((part) =>
        h("li", null, h("i", { class: `dot ${part.kind}` }), `${part.name} `, h("b", null, seconds(part.value))),
      ),
    ),
    inner.length > 0 &&
      h(
        "p",
        { class: "muted" },
        `In the browser: ${inner.map(([name, value]) => `${name} ${seconds(value)}`).join(", ")}`,
      ),
  );
}

function tokens(reply) {
  if (!reply) return null;
  const facts = [
    `${count(reply.prompt_tokens)} in, ${count(reply.sampled_tokens)} out`,
    reply.model,
    reply.version !== null && `version ${reply.version}`,
    reply.finish !== "stop" && `finish reason ${reply.finish}`,
    reply.mean_logprob !== null && `mean logprob ${reply.mean_logprob.toFixed(3)}`,
    reply.cost > 0 && `$${reply.cost.toFixed(4)}`,
    reply.server,
  ];
  return h(
    "section",
    { class: "block", "data-block": "tokens" },
    h("h3", null, "Tokens"),
    h("p", null, said(facts.filter(Boolean).join(" · "))),
  );
}
