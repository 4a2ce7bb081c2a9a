// One task in two runs, both attempts next to each other.

import { ask, Problem } from "./api.js";
import { FLIPS } from "./compare.js";
import { fill, h, said } from "./dom.js";
import { badge } from "./figures.js";
import { film, framesOf } from "./film.js";
import { amend, link, one } from "./route.js";
import { stage } from "./stage.js";
import { stepPanel } from "./step.js";
import { answer, rubric } from "./verdict.js";
import { siteName } from "./words.js";

export async function showPairing(route, signal) {
  const [, a, b, , task] = route.parts;
  let params = route.params;
  const [found, around] = await Promise.all([
    ask("compare", { a, b, task }, signal),
    ask("compare", { a, b, flip: one(route, "flip") }, signal),
  ]);
  const { names } = found;
  const pair = found.comparison.pairs[0];
  if (!pair) throw new Problem("These runs have no such task in common.");
  const order = around.comparison.pairs.map((each) => each.task_id);
  const here = order.indexOf(task);
  const change = (changes) => amend(["compare", a, b, "task", task], { ...params, ...changes });
  const sides = await Promise.all([side(a, names[0], pair.a, "a"), side(b, names[1], pair.b, "b")]);
  const steps = () => Math.max(...sides.map((each) => each.frames.length));
  const at = () => Math.max(0, Math.min(steps() - 1, Number(one({ params }, "at", "1")) - 1 || 0));
  const goTo = (index) => index >= 0 && index < steps() && change({ at: index + 1 });
  const other = (to) =>
    order[to] && (location.hash = link(["compare", a, b, "task", order[to]], { flip: params.flip }));

  async function side(run, name, which, letter) {
    const id = one(route, letter, which.shown);
    if (!id)
      return {
        frames: [],
        node: h("div", { class: "column empty" }, said(`${name} has no attempt at this task.`)),
        draw() {},
      };
    const { attempt } = await ask("attempt", { run, attempt: id }, signal);
    const frames = framesOf(attempt);
    const shot = h("div", { class: "stage" });
    const detail = h("div", { class: "paneltext" });
    const strip = film(run, attempt, (index) => goTo(index));
    strip.draw(frames);
    const members =
      which.members.length > 1 &&
      h(
        "select",
        {
          "aria-label": "Attempt",
          onchange: (event) =>
            (location.hash = link(["compare", a, b, "task", task], {
              ...params,
              [letter]: event.target.value,
              at: undefined,
            })),
        },
        which.members.map((member, index) =>
          h(
            "option",
            { value: member.attempt_id, selected: member.attempt_id === id },
            `${index + 1} of ${which.members.length}: ${member.outcome}`,
          ),
        ),
      );
    return {
      frames,
      node: h(
        "div",
        { class: "column" },
        h(
          "div",
          { class: "line" },
          h("a", { href: link(["run", run, "attempt", id]) }, said(name)),
          badge(attempt.kind),
          h("span", { class: "muted" }, `${attempt.steps.length} steps`),
          h("span", { class: "grow" }),
          members,
        ),
        shot,
        strip.node,
        h("div", { class: "paneltext" }, answer(attempt), rubric(attempt)),
        detail,
      ),
      draw(index) {
        const mine = Math.min(index, frames.length - 1);
        const frame = frames[mine];
        fill(shot, frame ? stage(run, frame.step, frame.seen) : h("div", { class: "empty" }, "No step was taken."));
        strip.select(mine);
        fill(detail, stepPanel(frame, attempt));
      },
    };
  }

  function draw() {
    for (const each of sides) each.draw(at());
  }

  draw();
  return {
    title: pair.instruction.slice(0, 60),
    crumbs: [
      [`${names[0]} ⇄ ${names[1]}`, link(["compare", a, b], { flip: params.flip })],
      [task, location.hash],
    ],
    up: link(["compare", a, b], { flip: params.flip }),
    keys: [
      { keys: ["ArrowRight", "l"], does: "Next step of both", run: () => goTo(at() + 1) },
      { keys: ["ArrowLeft", "h"], does: "Previous step of both", run: () => goTo(at() - 1) },
      { keys: ["j", "ArrowDown"], does: "Next task", run: () => other(here + 1) },
      { keys: ["k", "ArrowUp"], does: "Previous task", run: () => other(here - 1) },
    ],
    node: h(
      "div",
      { class: "pairing" },
      h(
        "div",
        { class: "attempthead" },
        h(
          "div",
          { class: "line" },
          h("span", { class: `flip ${pair.flip}` }, FLIPS[pair.flip][0]),
          h("span", { class: "muted" }, said(`${siteName(pair.site)} · ${pair.level}`)),
        ),
        h("h1", { class: "instruction" }, said(pair.instruction)),
      ),
      h(
        "div",
        { class: "columns" },
        sides.map((each) => each.node),
      ),
    ),
    placed: draw,
    update(next) {
      if (["a", "b"].some((letter) => one(next, letter) !== one({ params }, letter))) return false;
      params = next.params;
      draw();
      return true;
    },
  };
}
