// One attempt: the film strip, the screenshot with the action on it, and beside it what there is to know.

import { ask } from "./api.js";
import { fill, h, said } from "./dom.js";
import { badge } from "./figures.js";
import { instead } from "./findings.js";
import { film, framesOf } from "./film.js";
import { groupLine } from "./groups.js";
import { promptPanel } from "./prompt.js";
import { review } from "./review.js";
import { amend, link, one } from "./route.js";
import { filterOf } from "./rows.js";
import { stage } from "./stage.js";
import { stepPanel } from "./step.js";
import { runCrumbs } from "./training.js";
import { count, plural, seconds, siteName } from "./words.js";

const hostOf = (address) => siteName(address.replace(/^https?:\/\//, "").split("/")[0]);
const TABS = { step: "Step", prompt: "Prompt", verdict: "Verdict" };

export async function showAttempt(route, signal) {
  const [, run, , id] = route.parts;
  let params = route.params;
  const filter = filterOf(params);
  let found = await ask("attempt", { run, attempt: id, ...filter }, signal);
  let frames = framesOf(found.attempt);
  const options = { labelled: false, drawn: true };
  let at = indexOf(params);
  let tab = TABS[one(route, "tab")] ? one(route, "tab") : "step";

  function indexOf(given) {
    const wanted = given.step?.at(-1) ?? "";
    const index = frames.findIndex((frame) => frame.name === wanted);
    return index >= 0 ? index : 0;
  }

  const change = (changes) => amend(["run", run, "attempt", id], { ...params, ...changes });
  // Who goes from attempt to attempt looks for the same in each.
  const linkTo = (to) => link(["run", run, "attempt", to], { ...filter, tab: tab === "step" ? undefined : tab });
  const goTo = (index) => frames[index] && change({ step: frames[index].name });
  const strip = film(run, found.attempt, goTo);
  const top = h("div", { class: "attempthead" });
  const shot = h("div", { class: "stage" });
  const panel = h("div", { class: "paneltext", tabindex: "-1" });
  const tabs = h("div", { class: "tabs", role: "tablist" });
  const left = h("div", { class: "left" });
  const matrix = h("div", { class: "evidencebox" });
  const inspected = await review(
    run,
    {
      attempt: () => found.attempt,
      frames: () => frames,
      params: () => params,
      change,
      goTo: (name) => change({ step: name, tab: undefined, fact: undefined }),
      replaced(attempt) {
        found = { ...found, attempt };
        frames = framesOf(attempt);
      },
      redraw(part) {
        if (tab !== "verdict") return;
        if (part !== "left") drawPanel();
        if (part !== "panel") drawLeft();
        if (!part) drawTop();
      },
    },
    signal,
  );

  function drawTop() {
    const { attempt, place } = found;
    const { ending } = attempt;
    const spent = attempt.steps.reduce(
      (sum, { reply }) => [
        sum[0] + (reply?.prompt_tokens ?? 0),
        sum[1] + (reply?.sampled_tokens ?? 0),
        sum[2] + (reply?.cost ?? 0),
      ],
      [0, 0, 0],
    );
    const facts = [
      hostOf(attempt.website),
      `${attempt.level}, ${plural(attempt.difficulty, "fact")}`,
      plural(attempt.steps.length, "step"),
      ending && seconds(ending.ended - ending.began),
      spent[0] + spent[1] > 0 && `${count(spent[0])} + ${count(spent[1])} tokens`,
      spent[2] > 0 && `$${spent[2].toFixed(3)}`,
      ending?.failed_tries.length > 0 && `failed tries: ${ending.failed_tries.length}`,
    ];
    const other = (to, label, title) =>
      to
        ? h("a", { class: "button", href: linkTo(to), title }, label)
        : h("span", { class: "button off" }, label);
    fill(
      top,
      h(
        "div",
        { class: "line" },
        badge(attempt.kind),
        instead(attempt.labels),
        h("span", { class: "muted" }, said(facts.filter(Boolean).join(" · "))),
        h("span", { class: "grow" }),
        place.index !== null && h("span", { class: "muted" }, `${count(place.index + 1)} of ${count(place.of)}`),
        other(place.previous, "↑", "Previous attempt (k)"),
        other(place.next, "↓", "Next attempt (j)"),
      ),
      h("h1", { class: "instruction" }, said(attempt.instruction)),
      found.group && groupLine(run, found.group, id),
    );
  }

  function drawShot() {
    const frame = frames[at];
    fill(
      shot,
      frame
        ? stage(run, frame.step, frame.seen, options)
        : h(
            "div",
            { class: "empty" },
            found.attempt.kind === "unfinished" ? "No steps yet." : "The attempt ended before its first step.",
          ),
    );
    shot.classList.toggle("haslabels", Boolean(frame?.seen.labelled));
    strip.select(at);
  }

  function drawPanel() {
    const held = found.attempt.rubric.flatMap((group) => group.facts);
    const score = held.some((fact) => fact.holds !== null)
      ? ` ${held.filter((fact) => fact.holds).length}/${held.length}`
      : "";
    fill(
      tabs,
      Object.entries(TABS).map(([key, title], index) =>
        h(
          "button",
          {
            type: "button",
            role: "tab",
            "aria-selected": String(key === tab),
            title: `${title} (${index + 1})`,
            onclick: () => change({ tab: key === "step" ? undefined : key }),
          },
          title + (key === "verdict" ? score : ""),
        ),
      ),
    );
    fill(
      panel,
      {
        step: () => stepPanel(frames[at], found.attempt),
        prompt: () => promptPanel(run, found.attempt, frames[at], signal),
        verdict: inspected.panel,
      }[tab](),
    );
  }

  /** Beside the words stands what they are about: a step's picture, or the evidence of a verdict. */
  function drawLeft() {
    const judging = tab === "verdict" && inspected.hasMatrix();
    left.classList.toggle("judging", judging);
    const scrolled = matrix.firstChild && [matrix.firstChild.scrollLeft, matrix.firstChild.scrollTop];
    fill(matrix, judging && inspected.left());
    if (judging && scrolled) matrix.firstChild.scrollTo(...scrolled);
    matrix.querySelector("td.at, th.at")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function draw() {
    drawTop();
    strip.draw(frames);
    drawShot();
    drawLeft();
    drawPanel();
    warm();
  }

  /** Has the browser fetch the next pictures, so that stepping does not flicker. */
  function warm() {
    for (const frame of [frames[at + 1], frames[at + 2]]) if (frame) stage(run, null, frame.seen, options);
  }

  const flip = (name) => {
    options[name] = !options[name];
    drawShot();
  };
  const other = (to) => to && (location.hash = linkTo(to));
  const tools = h(
    "div",
    { class: "tools" },
    h("button", { type: "button", class: "quiet", title: "Previous step (←)", onclick: () => goTo(at - 1) }, "←"),
    h("button", { type: "button", class: "quiet", title: "Next step (→)", onclick: () => goTo(at + 1) }, "→"),
    h(
      "button",
      { type: "button", class: "quiet", title: "Show or hide the action (a)", onclick: () => flip("drawn") },
      "Action",
    ),
    h(
      "button",
      { type: "button", class: "quiet labels", title: "Show or hide the marks (m)", onclick: () => flip("labelled") },
      "Marks",
    ),
  );

  // A name of the verdict's own comes first.
  const keys = () => [
    ...(tab === "verdict" ? inspected.keys() : []),
    { keys: ["ArrowRight", "l"], does: "Next step", run: () => goTo(at + 1) },
    { keys: ["ArrowLeft", "h"], does: "Previous step", run: () => goTo(at - 1) },
    { keys: ["Home"], does: "First step", run: () => goTo(0) },
    { keys: ["End"], does: "Final state", run: () => goTo(frames.length - 1) },
    { keys: ["j", "ArrowDown"], does: "Next attempt", run: () => other(found.place.next) },
    { keys: ["k", "ArrowUp"], does: "Previous attempt", run: () => other(found.place.previous) },
    ...Object.keys(TABS).map((key, index) => ({
      keys: [String(index + 1)],
      does: TABS[key],
      run: () => change({ tab: key === "step" ? undefined : key }),
    })),
    { keys: ["a"], does: "Show or hide the action", run: () => flip("drawn") },
    { keys: ["m"], does: "Show or hide the marks", run: () => flip("labelled") },
  ];

  left.append(matrix, shot, tools, strip.node);
  draw();
  const info = await ask("run", { run }, signal);
  return {
    title: found.attempt.instruction.slice(0, 60),
    crumbs: [
      ...runCrumbs(info),
      [id, link(["run", run, "attempt", id])],
    ],
    up: link(["run", run], filter),
    node: h(
      "div",
      { class: "attempt" },
      top,
      h("div", { class: "split" }, left, h("aside", { class: "panel" }, tabs, panel)),
    ),
    keys,
    placed() {
      strip.select(at);
      drawLeft();
    },
    update(next) {
      const before = tab;
      params = next.params;
      at = indexOf(params);
      tab = TABS[one(next, "tab")] ? one(next, "tab") : "step";
      if (tab !== before) drawTop();
      drawShot();
      drawLeft();
      drawPanel();
      if (tab !== "verdict" || tab !== before) panel.scrollTop = 0;
      warm();
      return true;
    },
    live: () => found.live && found.attempt.kind === "unfinished",
    async refresh() {
      const reply = await ask("attempt", { run, attempt: id, ...filter }, signal);
      if (JSON.stringify(reply) === JSON.stringify(found)) return;
      const following = at === frames.length - 1;
      found = reply;
      frames = framesOf(found.attempt);
      if (following) at = Math.max(0, frames.length - 1);
      draw();
    },
  };
}
