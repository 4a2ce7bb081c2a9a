// The few numbers that people look for first.

import { h } from "./dom.js";
import { total } from "./specs.js";
import { between, count, duration, exact, moment, percent, points, roughly } from "./words.js";

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

const bounds = (rate) => `${between(rate)} \u00b7 ${count(rate.successes)} of ${count(rate.attempts)}`;

function change(now, then, since) {
  const way = now > then ? "up" : now < then ? "down" : "";
  return h("span", { class: `change ${way}` }, `${points(now - then)} points `, quiet(since));
}

function unseen(iterations) {
  const found = evaluations(iterations);
  if (!found.length) return tile("evaluation", "Unseen websites", "\u2013", quiet("no evaluation yet"));
  const [first, last] = [found[0], found.at(-1)];
  const rate = last.tried.success;
  return tile(
    "evaluation",
    "Unseen websites",
    percent(rate.rate),
    interval(rate, "var(--evaluation)"),
    quiet(bounds(rate)),
    first === last ? quiet(`iteration ${last.at}`) : change(rate.rate, first.tried.success.rate, `since iteration ${first.at}`),
  );
}

function training(iterations) {
  const found = iterations.filter((one) => one.train && one.train.success.attempts > 0);
  if (!found.length) return tile("train", "Training rollouts", "\u2013", quiet("none yet"));
  const [first, last] = [found[0], found.at(-1)];
  const rate = last.train.success;
  return tile(
    "train",
    "Training rollouts",
    percent(rate.rate),
    interval(rate, "var(--train)"),
    quiet(bounds(rate)),
    first === last ? quiet(`iteration ${last.iteration}`) : change(rate.rate, first.train.success.rate, `since iteration ${first.iteration}`),
  );
}

function progress(iterations, planned) {
  const last = iterations.at(-1);
  const spent = iterations.reduce((sum, one) => sum + total(one.seconds), 0);
  const value = planned && planned >= last.iteration ? `${count(last.iteration)} of ${count(planned)}` : count(last.iteration);
  const share = planned ? Math.min(1, last.iteration / planned) : 0;
  return tile(
    "progress",
    "Iteration",
    value,
    planned && h("span", { class: "progress" }, h("span", { place: { width: `${share * 100}%` } })),
    quiet(`${duration(spent)} so far${left(iterations, planned)}`),
    quiet(`ended ${moment(last.ended)}`),
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

function speed(iterations) {
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
    quiet(`${roughly(tokens)} tokens so far`),
  );
}

export const tiles = (iterations, planned) => [unseen(iterations), training(iterations), progress(iterations, planned), speed(iterations)];
