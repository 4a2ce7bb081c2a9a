// One attempt: what the agent saw, where and how it acted, step by step.

import { h, svg } from "./dom.js";
import { Strip } from "./strip.js";
import { nameOf, plural } from "./words.js";

const OUTCOMES = ["success", "failure", "truncated", "blocked", "infrastructure", "judge_unknown", "cancelled"];
const TALL = 100; // units of a drawing from top to bottom
const RADIUS = 5.5;

const ring = ([x, y]) =>
  svg(
    "g",
    { class: "ring" },
    ["halo", "line", "core"].map((part) => svg("circle", { class: part, cx: x, cy: y, r: part === "core" ? RADIUS / 5 : RADIUS })),
  );

function arrow([from, to]) {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const corner = (turn) => `${to[0] - RADIUS * 1.5 * Math.cos(angle + turn)},${to[1] - RADIUS * 1.5 * Math.sin(angle + turn)}`;
  const stroke = (part) => svg("line", { class: part, x1: from[0], y1: from[1], x2: to[0] - RADIUS * Math.cos(angle), y2: to[1] - RADIUS * Math.sin(angle) });
  return svg("g", { class: "arrow" }, stroke("halo"), stroke("line"), svg("polygon", { class: "core", points: `${to} ${corner(0.5)} ${corner(-0.5)}` }));
}

function drawing({ ratio, at, path }) {
  if (!at && !path) return null;
  const scaled = ([x, y]) => [x * ratio * TALL, y * TALL];
  return svg("svg", { class: "drawn", viewBox: `0 0 ${ratio * TALL} ${TALL}`, "aria-hidden": "true" }, path && arrow(path.map(scaled)), at && ring(scaled(at)));
}

const screen = (step, place) => [h("img", { src: step.picture, alt: `What the agent saw at step ${place + 1}` }), drawing(step)];

function shot(step, place) {
  const shape = { "--ratio": step.ratio };
  if (!step.picture) return h("p", { class: "shot blank quiet", place: shape }, "no screenshot");
  return h("button", { class: "shot", type: "button", place: shape, title: "Enlarge", onclick: () => enlarge(step, place) }, screen(step, place));
}

const frame = (step, place) =>
  h(
    "li",
    { class: "step", place: { "--ratio": step.ratio } },
    shot(step, place),
    h("p", { class: "action" }, h("span", { class: "quiet" }, `${place + 1} `), h("bdi", null, step.words)),
    step.detail && h("p", { class: "detail quiet" }, h("bdi", null, step.detail)),
  );

// As large as the window allows, until a click or Escape.
function enlarge(step, place) {
  const large = h("dialog", { class: "large", onclick: () => large.close(), onclose: () => large.remove() });
  large.append(h("div", { class: "shot", place: { "--ratio": step.ratio } }, screen(step, place)));
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
    new Strip(h("ol", { class: "film", tabindex: "0", "aria-label": "Steps" }, steps.map(frame)), "steps").element,
  );
}
