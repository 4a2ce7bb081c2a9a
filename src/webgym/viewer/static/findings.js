// The words of judges and people, how they look, and which of them contradict each other.

import { h } from "./dom.js";
import { OUTCOMES, glyph } from "./words.js";

const FINDINGS = {
  supported: ["Supported", "✓"],
  contradicted: ["Contradicted", "✕"],
  not_shown: ["Not shown", "○"],
  abstain: ["Cannot tell", "?"],
  unsure: ["Unsure", "?"],
  withdrawn: ["Withdrawn", "–"],
};
const EXACT = { supported: "Holds", contradicted: "Does not hold" };

/** What a word comes to, as on the server: two of the same worth do not contradict each other. */
const WORTH = {
  supported: "holds",
  contradicted: "misses",
  not_shown: "misses",
  success: "1",
  failure: "0",
  truncated: "0",
  blocked: "none",
};

export const overrules = (word, shown) => word in WORTH && shown !== "" && WORTH[word] !== WORTH[shown];

/** What to say to agree with a judge's word; nothing if it said none that counts. */
export const agreeing = (shown) => (shown === "truncated" ? "failure" : shown in WORTH ? shown : "");

export const wordName = (word, exact = false) =>
  (exact && EXACT[word]) || FINDINGS[word]?.[0] || OUTCOMES[word] || "No verdict";

export const wordGlyph = (word) => FINDINGS[word]?.[1] ?? (word ? glyph(word) : "·");

/** A round sign for a word; `beside` the word itself it need not be read out. */
export const sign = (word, { beside = false, title } = {}) =>
  h(
    "span",
    {
      class: `sign ${word || "none"}`,
      ...(beside ? { "aria-hidden": "true" } : { role: "img", "aria-label": title ?? wordName(word) }),
      title,
    },
    wordGlyph(word),
  );

/** What people say of one thing now: a word, several if they differ, none if nobody speaks. */
export function standing(labels) {
  const now = labels.filter((label) => label.stands);
  return {
    labels: now,
    words: [...new Set(now.map((label) => label.verdict))],
    overruled: now.some((label) => overrules(label.verdict, label.shown)),
    differ: new Set(now.map((label) => WORTH[label.verdict]).filter(Boolean)).size > 1,
  };
}

/** What people say where it is not what the judge says: after its word, which is struck out. */
export function instead(labels) {
  const { words, overruled, differ } = standing(labels);
  if (!overruled && !differ) return null;
  const text = differ ? "people disagree" : wordName(words.at(-1));
  return h("span", { class: ["instead", differ ? "differ" : words.at(-1)] }, text);
}
