// Looking into a verdict: the matrix, who can be asked, and what the person here says of it.

import { labeller, putLabel } from "./api.js";
import { h, said } from "./dom.js";
import { agreeing, overrules, wordName } from "./findings.js";
import { showLarge } from "./large.js";
import { columnsOf, matrix } from "./matrix.js";
import { WORDS, form, told } from "./say.js";
import { stage } from "./stage.js";
import { countingJudge, rubric, verdictPanel } from "./verdict.js";
import { plural } from "./words.js";

const WHOLE = "all";

/**
 * `here` gives attempt(), frames() and params(), and takes change(params), replaced(attempt), goTo(frame name),
 * redraw(part): `left`, `panel` or nothing for both.
 */
export async function review(run, here, signal) {
  const who = await labeller(signal);
  let draft = null;
  let busy = false;
  let problem = "";
  let column = null;
  let every = false;

  const attempt = () => here.attempt();
  const judge = () => attempt().judges[Number(here.params().judge?.at(-1) ?? 0)] ?? attempt().judges[0] ?? null;
  const keys = () => [WHOLE, ...attempt().rubric.flatMap((group) => group.facts.map((fact) => fact.key))];
  const chosen = () => {
    const given = here.params().fact?.at(-1);
    return keys().includes(given) ? given : WHOLE;
  };
  const hasMatrix = () => (judge()?.shots.length ?? 0) > 0;
  const columns = () => columnsOf(judge(), every);
  const mayLabel = () => who !== "" && attempt().kind !== "unfinished";

  const labelsOf = (key) =>
    key === WHOLE
      ? attempt().labels
      : attempt()
          .rubric.flatMap((group) => group.facts)
          .find((fact) => fact.key === key).labels;
  const mineOf = (key) => labelsOf(key).find((label) => label.stands && label.who === who) ?? null;
  // Whichever judge is looked at: what is overruled is the word that counts.
  const shownOf = (key) => (key === WHOLE ? attempt().kind : (countingJudge(attempt())?.facts[key]?.found ?? ""));

  function choose(key) {
    if (key !== chosen()) drop();
    here.change({ fact: key === WHOLE ? undefined : key });
    document.querySelector(`.panel [data-fact="${CSS.escape(key)}"]`)?.scrollIntoView({ block: "nearest" });
  }

  function drop() {
    draft = null;
    problem = "";
    here.redraw("panel");
  }

  async function put(key, verdict, note) {
    const [group, fact] = key === WHOLE ? [] : key.split(".").map(Number);
    busy = true;
    problem = "";
    here.redraw("panel");
    try {
      const about = key === WHOLE ? null : { group, fact };
      const label = { run, attempt: attempt().attempt_id, about, verdict, note, shown: shownOf(key) };
      const changed = await putLabel(label);
      draft = null;
      here.replaced(changed);
    } catch (error) {
      problem = error.message;
    } finally {
      busy = false;
      here.redraw();
    }
  }

  /** A word that stands against the judge, or that leaves it open, wants a note; others are said at once. */
  function pick(key, word, noted = false) {
    if (busy) return;
    if (noted || overrules(word, shownOf(key)) || word === "unsure") {
      draft = { key, word, note: draft?.note ?? mineOf(key)?.note ?? "" };
      problem = "";
      here.redraw("panel");
      document.querySelector(".saynote textarea")?.focus();
    } else {
      put(key, word, "");
    }
  }

  const say = (key) => [
    told(labelsOf(key), who),
    mayLabel() &&
      form(
        WORDS[key === WHOLE ? "whole" : "fact"],
        shownOf(key),
        mineOf(key),
        draft?.key === key ? draft : null,
        busy,
        key === chosen() ? problem : "",
        {
          choose: (word, noted) => pick(key, word, noted),
          write: (note) => (draft.note = note),
          save: () => put(key, draft.word, draft.note),
          undo: () => put(key, "withdrawn", ""),
          drop,
        },
      ),
  ];

  function open(key, at) {
    column = at;
    if (key !== chosen() && keys().includes(key)) choose(key);
    const moved = (to) => ((column = to), here.redraw("left"));
    const large = { columns: columns(), column: at, row: key, moved, goTo: here.goTo };
    here.redraw("left");
    showLarge(run, attempt(), here.frames(), judge(), large);
  }

  /** What a fact's verdict rests on, and why. */
  const within = (fact, finding) => {
    if (fact.key !== chosen()) return null;
    return h(
      "div",
      { class: "within2" },
      finding?.why && h("p", { class: "why" }, said(finding.why)),
      finding?.rests.length > 0 &&
        h(
          "div",
          { class: "evidence", role: "group", "aria-label": "Evidence" },
          finding.rests.map((place) => evidence(fact.key, place)),
        ),
      say(fact.key),
    );
  };

  const evidence = (key, place) => {
    const shot = judge().shots[place];
    const frame = here.frames().find((one) => one.name === shot.frames[0]);
    const name = shot.frames[0] === "end" ? "final state" : `step ${shot.frames[0]}`;
    return h(
      "button",
      { type: "button", class: "shotbutton", title: `Evidence: ${name}; click to enlarge`, onclick: () => open(key, place) },
      stage(run, null, { ...(frame?.seen ?? { viewport: {} }), screenshot: shot.address }, { small: true }),
    );
  };

  function judges() {
    if (attempt().judges.every((one) => one.counts)) return null;
    return h(
      "div",
      { class: "chips", role: "group", "aria-label": "Judge" },
      attempt().judges.map((one, index) =>
        h(
          "button",
          {
            type: "button",
            class: ["chip", one.says],
            "aria-pressed": String(one === judge()),
            title: one.counts ? "This judge decides the outcome" : "For comparison only",
            onclick: () => here.change({ judge: index || undefined }),
          },
          h("span", { class: "glyph" }),
          said(one.name || (one.counts ? "the judge" : "another judge")),
          h("b", null, wordName(one.says)),
        ),
      ),
    );
  }

  function panel() {
    const whole = attempt().ending &&
      (mayLabel() || attempt().labels.length > 0) &&
      h(
        "section",
        { class: ["block", "whole", chosen() === WHOLE && "at"], "data-fact": WHOLE },
        h("h3", null, "Whole attempt"),
        say(WHOLE),
      );
    // The matrix lists the facts already: beside it there is one at a time.
    const only = hasMatrix() ? chosen() : undefined;
    const facts = [
      only === WHOLE && h("p", { class: "muted" }, "Select a fact to see the evidence for its verdict."),
      rubric(attempt(), { judge: judge(), chosen: chosen(), choose, within, only }),
    ];
    return verdictPanel(attempt(), { judge: judge(), judges: judges(), whole, facts });
  }

  function left() {
    const few = columnsOf(judge(), false).length;
    const all = judge().shots.length;
    const shown = { columns: columns(), chosen: chosen(), at: column, choose, open };
    return [
      matrix(run, attempt(), here.frames(), judge(), shown),
      few < all &&
        h(
          "button",
          { type: "button", class: "quiet", title: "All screenshots or only the relevant ones (o)", onclick: toggle },
          every ? `Only the ${few} relevant ones` : `All ${plural(all, "screenshot")}`,
        ),
    ];
  }

  function toggle() {
    every = !every;
    here.redraw("left");
  }

  const walk = (by) => choose(keys()[Math.max(0, Math.min(keys().length - 1, keys().indexOf(chosen()) + by))]);
  const slide = (by) => {
    const all = columns();
    const at = column === null ? (by > 0 ? -1 : all.length) : all.indexOf(column);
    column = all[Math.max(0, Math.min(all.length - 1, at + by))];
    here.redraw("left");
  };
  const type = (name) => () => {
    const words = WORDS[chosen() === WHOLE ? "whole" : "fact"];
    const word = Object.keys(words).find((one) => words[one] === name);
    if (mayLabel() && word) pick(chosen(), word);
  };
  const agree = () => mayLabel() && agreeing(shownOf(chosen())) && pick(chosen(), agreeing(shownOf(chosen())));
  const undo = () => mayLabel() && !busy && mineOf(chosen()) && put(chosen(), "withdrawn", "");
  const note = () => {
    const word = mineOf(chosen())?.verdict ?? agreeing(shownOf(chosen()));
    if (mayLabel() && word) pick(chosen(), word, true);
  };

  const labelling = [
    { keys: ["y"], does: "Agree with the judge", run: agree },
    { keys: ["s"], does: "Label: supported, success", run: type("s") },
    { keys: ["c"], does: "Label: contradicted", run: type("c") },
    { keys: ["n"], does: "Label: not shown", run: type("n") },
    { keys: ["f"], does: "Label: failure", run: type("f") },
    { keys: ["b"], does: "Label: blocked", run: type("b") },
    { keys: ["u"], does: "Label: unsure", run: type("u") },
    { keys: ["e"], does: "Write a note", run: note },
    { keys: ["z"], does: "Withdraw your label", run: undo },
  ];
  return {
    hasMatrix,
    panel,
    left,
    keys: () => [
      { keys: ["ArrowDown"], does: "Next fact", run: () => walk(1) },
      { keys: ["ArrowUp"], does: "Previous fact", run: () => walk(-1) },
      ...(hasMatrix()
        ? [
            { keys: ["ArrowRight"], does: "Next screenshot", run: () => slide(1) },
            { keys: ["ArrowLeft"], does: "Previous screenshot", run: () => slide(-1) },
            { keys: ["Enter"], does: "Enlarge the screenshot", run: () => open(chosen(), column ?? columns()[0]) },
            { keys: ["o"], does: "All screenshots or only the relevant ones", run: toggle },
          ]
        : []),
      ...(mayLabel() ? labelling : []),
    ],
  };
}
