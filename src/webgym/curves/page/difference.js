// Whether success changed, or chance alone explains what changed.

import { h } from "./dom.js";
import { ENOUGH, points, tells } from "./words.js";

/** The difference of two rates with its 95 % interval, from the intervals of both (Newcombe's hybrid score interval). */
function unpaired(before, after) {
  const estimate = after.rate - before.rate;
  return {
    estimate,
    low: estimate - Math.hypot(after.rate - after.low, before.high - before.rate),
    high: estimate + Math.hypot(after.high - after.rate, before.rate - before.low),
  };
}

/** What changed; null if there are too few attempts to tell. `paired`, task by task, is more exact where it is known. */
export function differenceOf(before, after, paired) {
  if (!before || !after || !tells(before) || !tells(after) || (paired && paired.n < ENOUGH)) return null;
  return paired ? { ...paired, paired: true } : unpaired(before, after);
}

const excludesZero = ({ low, high }) => low > 0 || high < 0;

export const verdictOf = (difference) => (excludesZero(difference) ? "more than chance alone explains" : "chance alone explains that");

export const boundsOf = ({ low, high }) => `${points(low)} to ${points(high)}`;

/** The number, with a colour only if it is more than noise. */
export function changed(difference) {
  const way = !excludesZero(difference) ? "" : difference.estimate > 0 ? "up" : "down";
  return h("span", { class: `change ${way}` }, `${points(difference.estimate)} points`);
}
