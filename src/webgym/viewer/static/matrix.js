// Facts by screenshots: how much each picture tells about each fact, and which of them a verdict rests on.

import { h, said } from "./dom.js";
import { instead, sign, standing, wordName } from "./findings.js";
import { stage } from "./stage.js";
import { plural } from "./words.js";

const MANY = 10;
const RELEVANCE = ["unrelated", "leads to the evidence", "partial evidence", "full evidence"];

export const frameName = (name) => (name === "end" ? "End" : name);

/** Columns worth looking at: all of a few; of many those that tell something. */
export function columnsOf(judge, every) {
  const all = judge.shots.map((_, index) => index);
  if (every || all.length <= MANY) return all;
  const rows = [...Object.values(judge.facts), ...judge.claims];
  return all.filter(
    (column) =>
      judge.shots[column].keyframe ||
      rows.some((row) => row.rests.includes(column) || (row.relevance[column] ?? 0) > 1),
  );
}

/** Rows in the order of the rubric: [key, title, finding] each, claims of the answer last. */
export const rowsOf = (attempt, judge) => [
  ...attempt.rubric.flatMap((group) => group.facts.map((fact) => [fact.key, fact.text, judge.facts[fact.key]])),
  ...judge.claims.map((claim, index) => [`claim ${index}`, claim.claim, claim]),
];

export function cellWords(finding, column) {
  const level = finding?.relevance[column];
  const parts = [
    level !== undefined && `relevance ${level} of 3: ${RELEVANCE[level]}`,
    finding?.rests.includes(column) && `cited for the verdict “${wordName(finding.found)}”`,
  ];
  return parts.filter(Boolean).join("; ") || "not rated by the judge";
}

/**
 * `choose(key)` selects a row, `open(key, column)` shows a picture large.
 * The first row is the attempt as a whole: it is judged, but not on one picture.
 */
export function matrix(run, attempt, frames, judge, { columns, chosen, at, choose, open }) {
  const frameOf = (shot) => frames.find((frame) => frame.name === shot.frames[0]);

  const head = (column) => {
    const shot = judge.shots[column];
    const frame = frameOf(shot);
    const names = shot.frames.map(frameName).join(", ");
    const title = [
      names === "End" ? "Final state" : `Seen at step ${names}`,
      shot.keyframe && "shown to the judge in full",
      "click to enlarge",
    ];
    return h(
      "th",
      { scope: "col", class: at === column && "at" },
      h(
        "button",
        {
          type: "button",
          class: "shotbutton",
          title: title.filter(Boolean).join(", "),
          onclick: () => open(chosen, column),
        },
        frame
          ? stage(run, null, { ...frame.seen, screenshot: shot.address }, { small: true })
          : stage(run, null, { viewport: {}, screenshot: shot.address }, { small: true }),
        h("span", { class: ["caption", shot.keyframe && "keyframe"] }, h("b", null, names)),
      ),
    );
  };

  const cell = (key, text, finding, column) => {
    const level = finding?.relevance[column] ?? 0;
    const rests = finding?.rests.includes(column);
    const words = cellWords(finding, column);
    return h(
      "td",
      { class: at === column && key === chosen && "at" },
      h(
        "button",
        {
          type: "button",
          class: ["cell", `r${level}`, rests && "rests"],
          tabindex: "-1",
          title: words,
          "aria-label": `${judge.shots[column].frames.map(frameName).join(", ")}: ${words}`,
          onclick: () => open(key, column),
        },
        rests ? sign(finding.found) : level > 0 && h("i", null, level),
      ),
    );
  };

  const row = ([key, text, finding], labels) => {
    const { overruled } = standing(labels ?? []);
    return h(
      "tr",
      { class: [key === chosen && "at", overruled && "overruled"], "data-fact": key },
      h(
        "th",
        { scope: "row" },
        h(
          labels ? "button" : "div",
          {
            class: "rowbutton",
            type: labels && "button",
            "aria-pressed": labels && String(key === chosen),
            onclick: labels && (() => choose(key)),
          },
          sign(finding?.found ?? ""),
          h("span", null, said(text), labels && instead(labels)),
        ),
      ),
      columns.map((column) => cell(key, text, finding, column)),
    );
  };

  const section = (title, rows) => [
    h("tr", { class: "section" }, h("th", { colspan: columns.length + 1, scope: "colgroup" }, said(title))),
    rows,
  ];

  return h(
    "div",
    { class: "matrixbox", tabindex: "-1" },
    h(
      "table",
      { class: "matrix", "aria-label": "Facts by screenshots" },
      h("thead", null, h("tr", null, h("td", null, key(judge)), columns.map(head))),
      h(
        "tbody",
        null,
        attempt.rubric.map((group) =>
          section(
            group.description || "Facts",
            group.facts.map((fact) => row([fact.key, fact.text, judge.facts[fact.key]], fact.labels)),
          ),
        ),
        judge.claims.length > 0 &&
          section(
            "Claims in the final answer",
            judge.claims.map((claim, index) => row([`claim ${index}`, claim.claim, claim], null)),
          ),
      ),
    ),
  );
}

const key = (judge) =>
  h(
    "div",
    { class: "legend2" },
    h("span", null, plural(judge.shots.length, "screenshot")),
    h(
      "span",
      { class: "muted" },
      "Relevance ",
      [1, 2, 3].map((level) => h("i", { class: `cell r${level}`, title: RELEVANCE[level] }, level)),
    ),
    h("span", { class: "muted" }, sign("supported", { title: "cited for the verdict" }), " cited for the verdict"),
  );
