// From numbers to pixels.

export const scale = (from, to, start, end) => {
  const span = to - from || 1;
  return (value) => start + ((value - from) / span) * (end - start);
};

// 1, 2 or 5 times a power of ten, so that about `wanted` fit.
export function stepFor(span, wanted) {
  const rough = span / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough * 0.999) ?? 10;
  return factor * power;
}

/** Round bounds around some values with the ticks between them. `floor` keeps 0 in sight, `ceiling` is never passed. */
export function axis(values, { wanted = 4, floor = false, ceiling = Infinity } = {}) {
  let low = values.length ? Math.min(...values) : 0;
  let high = values.length ? Math.max(...values) : 1;
  if (floor || (low > 0 && low < high * 0.5)) low = Math.min(0, low);
  if (low === high && low) [low, high] = [Math.min(0, low), Math.max(0, high)]; // what never changes is seen against 0
  if (low === high) high = 1;
  const step = stepFor(high - low, wanted);
  const from = Math.floor(low / step + 1e-9) * step;
  const to = Math.min(ceiling, Math.ceil(high / step - 1e-9) * step);
  const ticks = [];
  for (let at = 0; from + at * step <= to + step * 1e-6; at += 1) ticks.push(Number((from + at * step).toPrecision(12)));
  return { from, to, step, ticks };
}

/** Whole numbers to write below an axis. */
export function wholeTicks(from, to, wanted) {
  const step = Math.max(1, stepFor(Math.max(1, to - from), wanted));
  const ticks = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at);
  return ticks;
}
