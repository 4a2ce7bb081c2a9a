// What things are called, and how numbers are written.

const NAMES = {
  // outcomes
  success: "success", failure: "failure", truncated: "truncated", blocked: "blocked", infrastructure: "infrastructure",
  judge_unknown: "judge unknown", cancelled: "cancelled",
  // what became of groups
  kept: "kept", all_pass: "all pass", all_fail: "all fail", too_few: "too few graded", no_signal: "no signal", stale: "stale",
  masked: "without a reward",
  // phases
  collect: "collect", sleep: "engine sleep", learn: "learn", wake: "engine wake-up", evaluate: "evaluate",
  wait: "wait for a batch", batch: "build the batch", publish: "publish weights",
  // who may idle
  browser: "browsers", inference: "inference", trainer: "trainer",
};

// Figures of an update: title and what it tells.
const FIGURES = {
  loss: ["Loss", "training objective"],
  grad_norm: ["Gradient norm", "before clipping"],
  kl_behaviour: ["KL to the sampler", "current policy vs. sampling policy"],
  kl_mismatch: ["KL mismatch", "before the update: from lag and kernels"],
  kl_reference: ["KL to the reference", "current policy vs. frozen reference"],
  clip_share: ["Clip fraction", "share of tokens without a gradient"],
  dual_clip_share: ["Dual-clip fraction", "share of tokens"],
  entropy: ["Entropy", "nats per token"],
  outside_share: ["Outside bounds", "share of tokens masked or clamped"],
  effective_share: ["Effective sample size", "share of tokens"],
  mean_weight: ["Mean importance weight", "over tokens"],
  max_weight: ["Largest importance weight", "over tokens"],
  mean_ratio: ["Mean ratio", "new to old policy"],
  max_ratio: ["Largest ratio", "new to old policy"],
};

const plainly = (key) => key.replaceAll("_", " ");
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const own = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined);

export const nameOf = (key) => own(NAMES, key) ?? plainly(key);
export const figureTitle = (key) => own(FIGURES, key)?.[0] ?? capital(plainly(key));
export const figureHint = (key) => own(FIGURES, key)?.[1] ?? "";
export const figureOrder = (key) => {
  const place = Object.keys(FIGURES).indexOf(key);
  return place < 0 ? Infinity : place;
};
export const isShare = (key) => key.endsWith("_share");

const whole = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

export const count = (value) => whole.format(value);
export const roughly = (value) => compact.format(value);
export const percent = (value) => `${(value * 100).toFixed(1)} %`;
export const between = (rate) => `${(rate.low * 100).toFixed(1)} \u2013 ${percent(rate.high)}`;

/** With fewer attempts a percentage would look more exact than it is: they are counted. */
export const ENOUGH = 60;
export const tells = (rate) => rate.attempts >= ENOUGH;
export const counts = (rate) => `${count(rate.successes)} of ${count(rate.attempts)}`;
export const rateOrCounts = (rate) => (tells(rate) ? percent(rate.rate) : counts(rate));

export const points = (value) => `${value > 0 ? "+" : value < 0 ? "\u2212" : ""}${Math.abs(value * 100).toFixed(1)}`;

/** As many digits as tell something. */
export function exact(value) {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size < 1e-4) return value.toExponential(2).replace(/\.?0*e/, "e");
  if (size >= 1000) return count(Math.round(value));
  return String(Number(value.toPrecision(4)));
}

/** Short enough for an axis whose ticks are `step` apart. */
export function brief(value, step) {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 1e6) return `${trim(value / 1e6, step / 1e6)}M`;
  if (size >= 1e4) return `${trim(value / 1e3, step / 1e3)}k`;
  if (step < 1e-4) return value.toExponential(digits(value, step)).replace("+", "");
  return trim(value, step);
}

const trim = (value, step) => value.toFixed(Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9))));
const digits = (value, step) =>
  Math.max(0, Math.min(3, Math.floor(Math.log10(Math.abs(value)) + 1e-9) - Math.floor(Math.log10(step) + 1e-9)));

export function duration(value) {
  if (value < 10) return `${Number(value.toFixed(1))} s`;
  if (value < 60) return `${Math.round(value)} s`;
  const total = Math.round(value);
  if (total < 3600) return `${Math.floor(total / 60)} min ${total % 60} s`;
  return `${Math.floor(total / 3600)} h ${Math.floor((total % 3600) / 60)} min`;
}

export const moment = (when) => `${new Date(when * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
export const plural = (value, word) => `${count(value)} ${word}${value === 1 ? "" : "s"}`;
