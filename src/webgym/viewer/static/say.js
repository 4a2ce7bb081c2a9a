// What people said of one thing, and what the person in front of this page has to say.

import { h, said } from "./dom.js";
import { agreeing, overrules, sign, wordName } from "./findings.js";
import { age, moment } from "./words.js";

/** Words that can be said of a fact and of a whole attempt, each with its key. */
export const WORDS = {
  fact: { supported: "s", contradicted: "c", not_shown: "n", unsure: "u" },
  whole: { success: "s", failure: "f", blocked: "b", unsure: "u" },
};
const MOST_NOTE = 2000;

const line = (label, who) =>
  h(
    "li",
    { class: [!label.stands && "past", overrules(label.verdict, label.shown) && "against"] },
    sign(label.verdict, { beside: true }),
    h(
      "div",
      null,
      h("b", null, label.who === who ? "You" : said(label.who)),
      `: ${wordName(label.verdict)}`,
      label.shown && h("span", { class: "muted" }, `, the judge: ${wordName(label.shown)}`),
      h("time", { class: "muted", title: moment(label.when) }, ` · ${age(label.when)}`),
      label.note && h("p", { class: "note" }, said(label.note)),
    ),
  );

/** What was said: what stands, and what it replaced folded away. */
export function told(labels, who) {
  const now = labels.filter((label) => label.stands);
  const past = labels.filter((label) => !label.stands);
  return [
    now.length > 0 &&
      h(
        "ul",
        { class: "labels" },
        now.map((label) => line(label, who)),
      ),
    past.length > 0 &&
      h(
        "details",
        { class: "earlier" },
        h("summary", null, `Earlier (${past.length})`),
        h(
          "ul",
          { class: "labels" },
          past.map((label) => line(label, who)),
        ),
      ),
  ];
}

/**
 * The words to choose from, and the note that an overruled verdict wants.
 * `draft` is what is being written: { word, note }, or null.
 * `on` says what to do: choose(word), write(note), save(), drop(), undo().
 */
export function form(words, shown, mine, draft, busy, problem, on) {
  const agree = agreeing(shown);
  const picked = draft?.word ?? mine?.verdict;
  const note = draft && noteBox(draft, shown, busy, on);
  const tool = (label, title, does) =>
    h("button", { type: "button", class: "quiet", disabled: busy, title, onclick: does }, label);
  return h(
    "div",
    { class: "say" },
    h(
      "div",
      { class: "saywords", role: "group", "aria-label": "Your label" },
      Object.entries(words).map(([word, key]) =>
        h(
          "button",
          {
            type: "button",
            class: ["word", word],
            "aria-pressed": String(word === picked),
            disabled: busy,
            title: word === agree ? `Agree with the judge (y or ${key})` : `Label as ${wordName(word).toLowerCase()} (${key})`,
            onclick: () => on.choose(word),
          },
          sign(word, { beside: true }),
          wordName(word),
          h("kbd", { "aria-hidden": "true" }, key),
        ),
      ),
    ),
    note,
    !draft &&
      mine &&
      h(
        "div",
        { class: "saytools" },
        tool("Withdraw", "Withdraw your label (z)", on.undo),
        tool(mine.note ? "Edit note" : "Add a note", "Explain your label (e)", () => on.choose(mine.verdict, true)),
      ),
    problem && h("p", { class: "problem", role: "alert" }, said(problem)),
  );
}

function noteBox(draft, shown, busy, on) {
  const wanted = overrules(draft.word, shown);
  const box = h("textarea", {
    rows: "3",
    maxlength: String(MOST_NOTE),
    "aria-label": "Note",
    placeholder: wanted ? "What did the judge get wrong?" : "Note (optional)",
  });
  box.value = draft.note;
  const save = h("button", { type: "submit", class: "primary" }, wanted ? "Overrule" : "Save");
  const check = () => (save.disabled = busy || (wanted && !box.value.trim()));
  box.addEventListener("input", () => (on.write(box.value), check()));
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      on.drop();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (!save.disabled) on.save();
    }
  });
  check();
  return h(
    "form",
    { class: "saynote", onsubmit: (event) => (event.preventDefault(), on.save()) },
    box,
    h(
      "div",
      { class: "saytools" },
      save,
      h("button", { type: "button", class: "quiet", onclick: on.drop }, "Cancel"),
      h("span", { class: "muted" }, "Enter: save, Shift + Enter: new line"),
    ),
  );
}
