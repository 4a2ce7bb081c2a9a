// One screenshot as large as the window, with the step it belongs to and what it says about a fact.

import { fill, h, said } from "./dom.js";
import { sign, wordName } from "./findings.js";
import { cellWords, frameName, rowsOf } from "./matrix.js";
import { stage } from "./stage.js";
import { describe } from "./words.js";

const dialog = h("dialog", { class: "large", "aria-label": "Screenshot", tabindex: "-1" });
let turn = () => {};

dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
dialog.addEventListener("keydown", (event) => {
  if (!dialog.open) return; // a button of it keeps the focus for a moment after it closed
  event.stopPropagation(); // the page's own keys rest meanwhile
  const by = { ArrowRight: 1, l: 1, ArrowLeft: -1, h: -1 }[event.key];
  if (by) turn(by);
  if (event.key === "Enter" && !event.target.matches("a, button")) dialog.close();
});

/** `moved(column)` is told where one looks, `goTo(name)` leads to the step itself. */
export function showLarge(run, attempt, frames, judge, { columns, column, row, moved, goTo }) {
  let at = Math.max(0, columns.indexOf(column));
  turn = (by) => {
    at = Math.max(0, Math.min(columns.length - 1, at + by));
    draw();
    dialog.focus(); // what had it is gone
    moved(columns[at]);
  };
  const [, text, finding] = rowsOf(attempt, judge).find(([key]) => key === row) ?? [];

  function draw() {
    const shot = judge.shots[columns[at]];
    const frame = frames.find((one) => one.name === shot.frames[0]);
    const step = frame?.step;
    const button = (label, title, does, off) =>
      h("button", { type: "button", title, onclick: does, disabled: off }, label);
    fill(
      dialog,
      h(
        "div",
        { class: "largehead" },
        h("h2", null, frame && !step ? "Final state" : `Step ${shot.frames.map(frameName).join(", ")}`),
        step &&
          h("span", { class: "muted" }, said(step.sentence || (step.action ? describe(step.action) : "no action"))),
        h("span", { class: "grow" }),
        button("←", "Previous screenshot (←)", () => turn(-1), at === 0),
        button("→", "Next screenshot (→)", () => turn(1), at === columns.length - 1),
        frame && button("Go to step", "Leave the matrix and show this step", () => (dialog.close(), goTo(frame.name))),
        button("Close", "Close (Esc)", () => dialog.close()),
      ),
      stage(run, step ?? null, { ...(frame?.seen ?? { viewport: {} }), screenshot: shot.address }),
      text &&
        h(
          "p",
          { class: "largefact" },
          sign(finding?.found ?? "", { beside: true }),
          h(
            "span",
            null,
            said(text),
            h("span", { class: "muted" }, ` ${wordName(finding?.found)}; here: ${cellWords(finding, columns[at])}.`),
          ),
        ),
    );
  }

  draw();
  if (!dialog.isConnected) document.body.append(dialog);
  if (!dialog.open) dialog.showModal();
}
