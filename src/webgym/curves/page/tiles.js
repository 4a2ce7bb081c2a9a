// The few numbers that people look for first.

import { changed, differenceOf, verdictOf } from "./difference.js";
import { h } from "./dom.js";
import { total } from "./specs.js";
import { between, count, counts, duration, exact, moment, rateOrCounts, roughly, tells } from "./words.js";

const RECENT = 5;

/** The evaluations there are, with the iteration each belongs to. */
export const evaluations = (iterations) =>
  iterations.filter((one) => one.evaluation && one.evaluation.success.attempts > 0).map((one) => ({ at: one.iteration, tried: one.evaluation }));

const tile = (id, label, value, ...rest) =>
  h("div", { class: "card tile", id: `tile-${id}` }, h("span", { class: "label" }, label), h("span", { class: "value" }, value), ...rest);

const quiet = (text) => h("span", { class: "quiet" }, text);

export const interval = (rate, colour) =>
  h(
    "span",
    { class: "interval", place: { "--colour": colour } },
    h("span", { class: "span", place: { left: `${rate.low * 100}%`, width: `${(rate.high - rate.low) * 100}%` } }),
    h("span", { class: "point", place: { left: `${rate.rate * 100}%` } }),
  );

const bounds = (rate) => (tells(rate) ? `${between(rate)} \u00b7 ${counts(rate)}` : "too few for a rate");

function since(first, last, paired) {
  if (first === last) return quiet(`iteration ${last.at}`);
  const [before, after] = [first.tried.success, last.tried.success];
  const found = differenceOf(before, after, paired);
  if (!found) return quiet(`${rateOrCounts(before)} at iteration ${first.at}`);
  return [h("span", null, changed(found), quiet(` since iteration ${first.at}:`)), quiet(verdictOf(found))];
}

function unseen(iterations, paired) {
  const found = evaluations(iterations);
  if (!found.length) return tile("evaluation", "Unseen websites", "\u2013", quiet("no evaluation yet"));
  const [first, last] = [found[0], found.at(-1)];
  const rate = last.tried.success;
  return tile(
    "evaluation",
    "Unseen websites",
    rateOrCounts(rate),
    interval(rate, "var(--evaluation)"),
    quiet(bounds(rate)),
    since(first, last, paired),
  );
}

function training(iterations) {
  const found = iterations.filter((one) => one.train && one.train.success.attempts > 0);
  if (!found.length) return tile("train", "Training rollouts", "\u2013", quiet("none yet"));
  const last = found.at(-1);
  const rate = last.train.success;
  return tile(
    "train",
    "Training rollouts",
    rateOrCounts(rate),
    interval(rate, "var(--train)"),
    quiet(`${bounds(rate)} \u00b7 iteration ${last.iteration}`),
    quiet("no measure of learning: it rises with shuffled rewards too"),
  );
}

function progress(iterations, { planned, state }, over) {
  const last = iterations.at(-1);
  const spent = iterations.reduce((sum, one) => sum + total(one.seconds), 0);
  const value = planned && planned >= last.iteration ? `${count(last.iteration)} of ${count(planned)}` : count(last.iteration);
  const share = planned ? Math.min(1, last.iteration / planned) : 0;
  const when = `${state === "running" && !over ? "last one ended" : state === "stopped" ? "stopped after" : "ended"} ${moment(last.ended)}`;
  return tile(
    "progress",
    "Iteration",
    value,
    planned && !over && h("span", { class: "progress" }, h("span", { place: { width: `${share * 100}%` } })),
    quiet(over ? `${duration(spent)} in all` : `${duration(spent)} so far${left(iterations, planned)}`),
    quiet(when),
  );
}

// What is left takes as long as the last few did.
function left(iterations, planned) {
  const recent = iterations.filter((one) => one.iteration > 0).slice(-RECENT);
  const open = planned ? planned - iterations.at(-1).iteration : 0;
  if (open <= 0 || !recent.length) return "";
  const each = recent.reduce((sum, one) => sum + total(one.seconds), 0) / recent.length;
  return ` \u00b7 about ${duration(each * open)} left`;
}

function speed(iterations, over) {
  const last = iterations.findLast((one) => one.train);
  if (!last) return tile("speed", "Rollout speed", "\u2013", quiet("none yet"));
  const rows = iterations.reduce((sum, one) => sum + (one.learned?.rows ?? 0), 0);
  const tokens = iterations.reduce((sum, one) => sum + (one.learned?.tokens ?? 0), 0);
  return tile(
    "speed",
    "Rollout speed",
    `${Number(last.steps_per_second.toPrecision(3))} steps/s`,
    quiet(`${exact(last.tokens_per_second)} tokens/s sampled`),
    quiet(`trained on ${roughly(rows)} rows,`),
    quiet(`${roughly(tokens)} tokens${over ? "" : " so far"}`),
  );
}

/** `over`: nothing will be added. `difference` between the last evaluation and the first, if it is known task by task. */
export const tiles = (iterations, about, { over, difference }) => [
  unseen(iterations, difference),
  training(iterations),
  progress(iterations, about, over),
  speed(iterations, over),
];
