// One attempt: what the agent saw and did, step by step.

import { h } from "./dom.js";
import { nameOf, plural } from "./words.js";

const OUTCOMES = ["success", "failure", "truncated", "blocked", "infrastructure", "judge_unknown", "cancelled"];

function step([picture, action], place) {
  return h(
    "li",
    { class: "step" },
    picture
      ? h("img", { src: picture, alt: `What the agent saw at step ${place + 1}`, onclick: enlarge })
      : h("p", { class: "blank quiet" }, "no screenshot"),
    h("p", { class: "action" }, h("span", { class: "quiet" }, `${place + 1} `), h("bdi", null, action)),
  );
}

// A click shows the picture as large as the window allows, another one puts it back.
function enlarge(event) {
  const large = h("dialog", { class: "large", onclick: () => large.remove(), onclose: () => large.remove() });
  large.append(h("img", { src: event.currentTarget.getAttribute("src"), alt: event.currentTarget.alt }));
  document.body.append(large);
  large.showModal();
}

export function example({ title, outcome, note, steps }) {
  const colour = OUTCOMES.includes(outcome) ? `var(--${outcome})` : "var(--dim)";
  return h(
    "details",
    { class: "card example", open: true },
    h(
      "summary",
      null,
      h("i", { class: "key", place: { "--colour": colour } }),
      h("b", null, nameOf(outcome)),
      h("bdi", { class: "title" }, title),
      h("span", { class: "quiet" }, plural(steps.length, "step")),
    ),
    note && h("p", { class: "note" }, h("bdi", null, note)),
    h("ol", { class: "film" }, steps.map(step)),
  );
}
