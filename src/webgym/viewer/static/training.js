// A training run in numbers: what it changed on websites it never trained on, and what its own attempts are.

import { direction, points } from "./compare.js";
import { h, said } from "./dom.js";
import { bounds, figure, interval, shareOf } from "./figures.js";
import { link } from "./route.js";
import { count, percent } from "./words.js";

const finished = ({ evaluations }) => evaluations.filter((one) => one.success);

export const evaluationName = (iteration) => (iteration === 0 ? "Before training" : `After iteration ${iteration}`);

/** Success on unseen websites before and after: two evaluations at most, the first and the last. */
export function beforeAfter(training) {
  const found = finished(training);
  return found.length > 1 ? [found[0], found.at(-1)] : found;
}

export const shares = (ends) => ends.map((one) => percent(one.success.rate)).join(" → ");

export const whence = (ends) =>
  ends.length ? ends.map((one) => evaluationName(one.iteration).toLowerCase()).join(" → ") : "not evaluated yet";

/** Where a run is: an evaluation stands within its training run. */
export const runCrumbs = ({ line, within }) => [
  ...(within ? [[within.name, link(["run", within.key])]] : []),
  [line.name, link(["run", line.key])],
];

/** What training changed. A difference that chance explains has no colour. */
export function unseen(training, gain) {
  const ends = beforeAfter(training);
  const last = ends.at(-1);
  return h(
    "div",
    { class: "figure" },
    h("span", { class: "label" }, "Success · unseen websites"),
    h("span", { class: "value" }, ends.length ? shares(ends) : "–"),
    last && interval(last.success),
    h("span", { class: "muted" }, last ? `${whence(ends)} · ${bounds(last.success)}` : "No evaluation has finished."),
    gain && change(gain),
    gain &&
      h(
        "a",
        { class: "more", href: link(["compare", ends[0].key, last.key]) },
        "Compare before and after, task by task",
      ),
  );
}

function change({ tasks, difference }) {
  const way = tasks > 0 ? direction(difference) : "";
  return h(
    "span",
    { class: ["change", way] },
    tasks > 0
      ? `${points(difference.estimate)} points on ${count(tasks)} tasks (95 % CI ${points(difference.low)} to ${points(difference.high)})${way ? "" : ": chance alone explains that"}`
      : "No task was graded in both.",
  );
}

/** Success on the tasks it trains on, named for what it is. */
export const trained = (training, summary) =>
  figure(
    "Success · training attempts",
    summary.success_over_all,
    training.curriculum
      ? "On tasks that the curriculum chose because they are solved some of the time: no measure of progress."
      : "On the tasks it trains on, with weights that changed meanwhile: no measure of progress.",
  );

/** All evaluations of a training run, each a run to open; `current` is the one that is looked at. */
export const evaluations = (training, current = "") =>
  training.evaluations.length > 0 &&
  h(
    "nav",
    { class: "evaluations", "aria-label": "Evaluations on unseen websites" },
    h("h2", null, "Evaluations ", h("span", { class: "muted" }, "on websites that training never uses")),
    h(
      "ol",
      null,
      training.evaluations.map(({ key, iteration, success }) =>
        h(
          "li",
          null,
          h(
            "a",
            { href: link(["run", key]), "aria-current": key === current && "page" },
            h("span", { class: "muted" }, evaluationName(iteration)),
            h("b", null, success ? shareOf(success) : "not finished"),
            success && interval(success),
            success && h("span", { class: "muted" }, `${count(success.successes)} of ${count(success.attempts)}`),
          ),
        ),
      ),
    ),
  );

/** Evaluations to compare with: of this training run, or the others of the same one. */
export const evaluationOptions = (training, current) =>
  training.evaluations
    .filter(({ key }) => key !== current)
    .map(({ key, iteration }) => h("option", { value: key }, said(`Evaluation: ${evaluationName(iteration).toLowerCase()}`)));
