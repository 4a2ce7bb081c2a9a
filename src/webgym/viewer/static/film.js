// The film strip: every step as a small picture, and what came of the last.

import { fill, h, said } from "./dom.js";
import { stage } from "./stage.js";
import { actionName, glyph } from "./words.js";

/** All frames of an attempt: its steps, then the end if it was looked at. */
export function framesOf(attempt) {
  const frames = attempt.steps.map((step) => ({ name: String(step.number), step, seen: step.seen }));
  const last = attempt.ending?.last;
  if (last) frames.push({ name: "end", step: null, seen: last });
  return frames;
}

export function film(run, attempt, choose) {
  const strip = h("div", { class: "film", role: "listbox", "aria-label": "Steps", "aria-orientation": "horizontal" });

  const mark = (frame) => {
    if (!frame.step) return [h("b", null, "End"), h("span", { class: `dot ${attempt.kind}` })];
    const failed = frame.step.effect?.kind === "failed";
    return [
      h("b", null, frame.name),
      said(frame.step.action ? actionName(frame.step.action.kind) : "No action"),
      failed && h("span", { class: "warn", title: "The action failed" }, glyph("infrastructure")),
    ];
  };

  function draw(frames) {
    fill(
      strip,
      frames.map((frame, index) =>
        h(
          "button",
          {
            type: "button",
            role: "option",
            class: [
              "frame",
              frame.step && !frame.step.action && "wrong",
              frame.step?.effect?.kind === "unchanged" && "idle",
            ],
            "data-index": index,
            title: frame.step?.sentence || frame.seen.title,
            onclick: () => choose(index),
          },
          stage(run, frame.step, frame.seen, { small: true }),
          h("span", { class: "caption" }, mark(frame)),
        ),
      ),
    );
  }

  function select(index) {
    for (const frame of strip.children) {
      const on = Number(frame.getAttribute("data-index")) === index;
      frame.setAttribute("aria-selected", String(on));
      if (on) strip.scrollTo({ left: frame.offsetLeft - strip.clientWidth / 2 + frame.clientWidth / 2 });
    }
  }

  return { node: strip, draw, select };
}
