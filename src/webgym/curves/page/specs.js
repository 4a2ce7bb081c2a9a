// Which charts there are, and what is in them.

import { between, brief, count, counts, duration, exact, figureHint, figureOrder, figureTitle, isShare, nameOf, percent, tells } from "./words.js";

// Room for so many iterations from the start, so that a young curve has somewhere to go.
const LEAST = 4;
const LEVELS = ["easy", "medium", "hard"];
const OUTCOMES = ["success", "failure", "truncated", "blocked", "infrastructure", "judge_unknown", "cancelled"];
const FATES = { kept: "var(--success)", all_pass: "var(--fair)", all_fail: "var(--failure)", too_few: "var(--dim)", no_signal: "var(--dimmer)", stale: "var(--blocked)" };
const PHASES = {
  collect: "var(--evaluation)", wait: "var(--evaluation)", sleep: "var(--dim)", batch: "var(--dim)", learn: "var(--train)",
  wake: "var(--dimmer)", publish: "var(--dimmer)", evaluate: "var(--success)",
};
const IDLE = { browser: "var(--evaluation)", inference: "var(--plain)", trainer: "var(--train)" };
const OTHERS = ["var(--blocked)", "var(--plain)", "var(--infrastructure)", "var(--judge_unknown)", "var(--cancelled)"];
const WHO = {
  evaluation: { name: "unseen websites", colour: "var(--evaluation)", strong: true },
  train: { name: "training rollouts", colour: "var(--train)" },
};

const percentTick = (value) => `${Math.round(value * 100)} %`;
const plainTick = (value, step) => brief(value, step);

/** The keys that occur, those known first and in their order. */
function keysOf(records, known) {
  const found = new Set(records.flatMap((one) => Object.keys(one ?? {})));
  return [...known.filter((key) => found.has(key)), ...[...found].filter((key) => !known.includes(key)).sort()];
}

const ratePoint = (x, rate) => ({
  x,
  y: rate.rate,
  low: rate.low,
  high: rate.high,
  ...(tells(rate) ? { detail: `${between(rate)}, ${counts(rate)}` } : { told: counts(rate), detail: `95 % interval ${between(rate)}` }),
});

function rates(iterations, pick) {
  return Object.entries(WHO)
    .map(([who, look]) => ({
      key: who,
      ...look,
      points: iterations
        .map((one) => [one.iteration, one[who] && pick(one[who])])
        .filter(([, rate]) => rate && rate.attempts > 0)
        .map(([x, rate]) => ratePoint(x, rate)),
    }))
    .filter((one) => one.points.length);
}

const rateChart = (id, title, hint, series, more) => ({
  id, title, hint, series, write: percent, tick: percentTick, floor: true, ceiling: 1, ...more,
});

/** The highest success rate that an interval reaches, for axes that are to be compared. */
export const highest = (iterations) =>
  Math.max(0, ...rates(iterations, (tried) => tried.success).flatMap((one) => one.points.map((point) => point.high)));

function successCharts(iterations, least) {
  const all = rates(iterations, (tried) => tried.success);
  return [rateChart("success", "Success rate", "of graded attempts, by iteration; bands are 95 % confidence intervals", all, { wide: true, height: 300, least })];
}

function levelCharts(iterations) {
  const levels = keysOf(iterations.flatMap((one) => [one.evaluation?.by_level, one.train?.by_level]), LEVELS);
  if (levels.length < 2) return []; // it would be the same chart again
  const made = levels.map((level) => [level, rates(iterations, (tried) => tried.by_level[level])]);
  const highs = made.flatMap(([, series]) => series.flatMap((one) => one.points.map((point) => point.high)));
  const least = Math.max(0, ...highs); // one scale for all levels, so that they can be compared
  return made.map(([level, series]) => rateChart(`level-${level}`, capital(nameOf(level)), "success rate", series, { height: 180, least }));
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Shares of a whole, on top of each other. */
function shareStack(iterations, pick, keys, colourOf, callIt = nameOf) {
  return keys.map((key) => ({
    key,
    name: callIt(key),
    colour: colourOf(key),
    points: iterations.flatMap((one) => {
      const counts = pick(one);
      const sum = Object.values(counts ?? {}).reduce((total, value) => total + value, 0);
      if (!sum) return [];
      const here = counts[key] ?? 0;
      return [{ x: one.iteration, y: here / sum, told: count(here), detail: `${percent(here / sum)} of ${count(sum)}` }];
    }),
  }));
}

function outcomeChart(iterations, who) {
  const keys = keysOf(iterations.map((one) => positive(one[who]?.outcomes)), OUTCOMES);
  const colourOf = (key) => (OUTCOMES.includes(key) ? `var(--${key})` : "var(--dim)");
  const series = shareStack(iterations, (one) => one[who]?.outcomes, keys, colourOf);
  return { id: `outcomes-${who}`, title: `Outcomes, ${WHO[who].name}`, hint: "share of attempts", stacked: true, series, write: percent, tick: percentTick, ceiling: 1, height: 220 };
}

/** Attempts that nothing is learned from and no rate of graded attempts knows. */
function maskedChart(iterations) {
  const series = Object.entries(WHO).map(([who, look]) => ({
    key: `masked-${who}`,
    ...look,
    points: iterations
      .filter((one) => one[who]?.masked)
      .map((one) => ({ x: one.iteration, y: one[who].masked.share, detail: count(one[who].masked.attempts) })),
  }));
  return rateChart("masked", "Without a reward", "share of attempts", series.filter((one) => one.points.some((point) => point.y > 0)), { height: 220 });
}

const positive = (counts) => Object.fromEntries(Object.entries(counts ?? {}).filter(([, value]) => value > 0));

function lengthChart(iterations, id, title, hint, field) {
  const kinds = [["successes", "var(--success)"], ["failures", "var(--failure)"], ["masked", "var(--infrastructure)"]];
  const series = ["train", "evaluation"].flatMap((who) =>
    kinds.map(([kind, colour]) => ({
      key: `${who}-${kind}`,
      name: `${nameOf(kind)}, ${who === "train" ? "training" : "unseen"}`,
      colour,
      dashed: who === "evaluation",
      points: iterations
        .filter((one) => one[who]?.[kind]?.attempts > 0 && field in one[who][kind])
        .map((one) => ({ x: one.iteration, y: one[who][kind][field], detail: `mean of ${count(one[who][kind].attempts)}` })),
    })),
  );
  return { id, title, hint, series: series.filter((one) => one.points.length), write: exact, tick: plainTick, floor: true, height: 220 };
}

function plainChart(id, title, hint, points, more) {
  return { id, title, hint, series: points.length ? [{ key: id, name: title, colour: "var(--plain)", points }] : [], write: exact, tick: plainTick, height: 160, ...more };
}

function figureCharts(iterations) {
  const keys = keysOf(iterations.map((one) => one.learned?.figures), []).sort((a, b) => figureOrder(a) - figureOrder(b) || (a < b ? -1 : 1));
  const learned = iterations.filter((one) => one.learned);
  const figures = keys.map((key) => {
    const points = learned.filter((one) => Object.hasOwn(one.learned.figures, key)).map((one) => ({ x: one.iteration, y: one.learned.figures[key] }));
    const share = isShare(key) ? { write: percent, tick: (value, step) => `${brief(value * 100, step * 100)} %` } : {};
    return plainChart(`figure-${key}`, figureTitle(key), figureHint(key), points, share);
  });
  const own = (field, title, hint, more) =>
    plainChart(`learned-${field}`, title, hint, learned.map((one) => ({ x: one.iteration, y: one.learned[field] })), more);
  if (!learned.length) return [];
  return [
    ...figures,
    own("lr", "Learning rate", ""),
    own("rows", "Rows", "training samples", { floor: true }),
    own("tokens", "Tokens", "in prompts and responses", { floor: true }),
    own("steps", "Optimizer steps", "per iteration", { floor: true }),
  ];
}

function fateChart(iterations) {
  const keys = keysOf(iterations.map((one) => positive(one.learned?.fates)), Object.keys(FATES));
  const series = shareStack(iterations, (one) => one.learned?.fates, keys, (key) => FATES[key] ?? "var(--dimmer)");
  return { id: "fates", title: "Groups", hint: "share of groups; only kept ones are trained on", stacked: true, series, write: percent, tick: percentTick, ceiling: 1, height: 220 };
}

/** Groups that teach nothing, also of iterations in which none was left to learn from. */
function groupChart(iterations) {
  const found = iterations.filter((one) => one.train?.grouped);
  const series = ["all_pass", "all_fail", "too_few"].map((kind) => ({
    key: kind,
    name: nameOf(kind),
    colour: FATES[kind],
    points: found.map((one) => ({ x: one.iteration, y: one.train.grouped[kind], detail: `of ${count(one.train.grouped.groups)}` })),
  }));
  return rateChart("groups", "Groups without a training signal", "share of groups, training rollouts", series.filter((one) => one.points.some((point) => point.y > 0)), { height: 220 });
}

/** How old the tokens are that an update learned from; nothing to see where all are of the newest weights. */
function lagChart(iterations) {
  const keys = keysOf(iterations.map((one) => positive(one.learned?.lags)), []).sort((a, b) => a - b);
  const colourOf = (key) => (key === "0" ? "var(--success)" : OTHERS[(key - 1) % OTHERS.length]);
  const callIt = (key) => (key === "0" ? "newest weights" : `${key} behind`);
  const series = keys.some((key) => key !== "0") ? shareStack(iterations, (one) => one.learned?.lags, keys, colourOf, callIt) : [];
  return { id: "lags", title: "Token staleness", hint: "share of tokens, by updates behind", stacked: true, series, write: percent, tick: percentTick, ceiling: 1, height: 220 };
}

function timeChart(iterations) {
  const known = Object.keys(PHASES);
  const keys = keysOf(iterations.map((one) => positive(one.seconds)), known);
  const spare = keys.filter((key) => !known.includes(key));
  const most = Math.max(0, ...iterations.map((one) => total(one.seconds)));
  const unit = most >= 7200 ? ["h", 3600] : most >= 180 ? ["min", 60] : ["s", 1];
  const series = keys.map((key) => ({
    key,
    name: nameOf(key),
    colour: PHASES[key] ?? OTHERS[spare.indexOf(key) % OTHERS.length],
    points: iterations
      .filter((one) => Object.hasOwn(one.seconds, key))
      .map((one) => ({
        x: one.iteration,
        y: one.seconds[key] / unit[1],
        told: duration(one.seconds[key]),
        detail: `${percent(one.seconds[key] / (total(one.seconds) || 1))} of ${duration(total(one.seconds))}`,
      })),
  }));
  return { id: "time", title: "Time by phase", hint: `${unit[0]} per iteration`, stacked: true, series, write: exact, tick: plainTick, height: 220 };
}

/** Lines of figures that only asynchronous training has. */
function flowLines(iterations, lines) {
  const flowing = iterations.filter((one) => one.flow);
  return lines
    .map(({ pick, ...line }) => ({ ...line, points: flowing.map((one) => ({ x: one.iteration, y: pick(one.flow) })).filter((point) => point.y !== undefined) }))
    .filter((line) => line.points.length);
}

function flowCharts(iterations) {
  const lag = flowLines(iterations, [
    { key: "lag-max", name: "oldest token", colour: "var(--failure)", pick: (flow) => flow.lag_max },
    { key: "lag-mean", name: "mean", colour: "var(--train)", strong: true, pick: (flow) => flow.lag_mean },
  ]);
  const idle = flowLines(iterations, keysOf(iterations.map((one) => one.flow?.idle), Object.keys(IDLE)).map((key) => ({
    key, name: nameOf(key), colour: IDLE[key] ?? "var(--dim)", pick: (flow) => flow.idle[key],
  })));
  const pipeline = flowLines(iterations, [
    { key: "running", name: "in progress", colour: "var(--evaluation)", pick: (flow) => flow.running },
    { key: "waiting", name: "waiting for the trainer", colour: "var(--train)", pick: (flow) => flow.waiting },
  ]);
  const lacking = flowLines(iterations, [{ key: "lacking", name: "dropped", colour: "var(--failure)", pick: (flow) => flow.lacking }]);
  const counted = { write: exact, tick: plainTick, floor: true, height: 220 };
  return [
    { id: "lag", title: "Lag", hint: "updates by which samplers are behind the trainer", series: lag, ...counted },
    rateChart("idle", "Idle", "share of time", idle, { height: 220 }),
    { id: "pipeline", title: "Groups in the pipeline", hint: "when a batch was taken", series: pipeline, ...counted },
    { id: "lacking", title: "Dropped samples", hint: "without a screenshot, logprobs or versions", series: lacking.filter((line) => line.points.some((point) => point.y > 0)), ...counted },
  ];
}

export const total = (counts) => Object.values(counts).reduce((sum, value) => sum + value, 0);

function speedChart(iterations, id, title, hint, field) {
  const points = iterations.filter((one) => one.train).map((one) => ({ x: one.iteration, y: one[field] }));
  return plainChart(id, title, hint, points, { floor: true, height: 220 });
}

/**
 * Every section with its charts; charts without anything to show are left out. `over`: no iteration will follow.
 * `least`: what the axis of success reaches at least.
 */
export function sectionsOf(iterations, { over = false, least } = {}) {
  const from = iterations[0]?.iteration ?? 0;
  const range = { from, to: Math.max(from + (over ? 1 : LEAST), iterations.at(-1)?.iteration ?? 0) };
  const sections = [
    { id: "success", title: "", note: "", charts: successCharts(iterations, least) },
    { id: "levels", title: "By difficulty", note: "shared scale", charts: levelCharts(iterations) },
    {
      id: "attempts",
      title: "Attempts",
      note: "",
      charts: [
        outcomeChart(iterations, "evaluation"),
        outcomeChart(iterations, "train"),
        maskedChart(iterations),
        lengthChart(iterations, "steps", "Steps", "mean per attempt", "steps"),
        lengthChart(iterations, "tokens", "Tokens per step", "sampled, mean", "tokens_per_step"),
      ],
    },
    { id: "learning", title: "Learning", note: "means over the optimizer steps of each iteration", charts: figureCharts(iterations) },
    { id: "flow", title: "Asynchronous training", note: "rollouts and updates at the same time", charts: flowCharts(iterations) },
    {
      id: "speed",
      title: "Groups, time and speed",
      note: "",
      charts: [
        fateChart(iterations),
        groupChart(iterations),
        lagChart(iterations),
        timeChart(iterations),
        speedChart(iterations, "steps-per-second", "Steps per second", "during rollouts", "steps_per_second"),
        speedChart(iterations, "tokens-per-second", "Tokens per second", "sampled during rollouts", "tokens_per_second"),
      ],
    },
  ];
  for (const section of sections) {
    section.charts = section.charts.filter((chart) => chart.series.length).map((chart) => ({ ...chart, range }));
  }
  return sections.filter((section) => section.charts.length);
}
