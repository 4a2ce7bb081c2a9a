// A study: what was compared and found, in words, charts and tables.

import { Chart } from "./chart.js";
import { Cursor } from "./cursor.js";
import { h, put } from "./dom.js";
import { themeSwitch } from "./theme.js";
import { between, count, duration, moment, percent, points } from "./words.js";

const COLOURS = ["var(--evaluation)", "var(--train)", "var(--success)", "var(--blocked)", "var(--plain)", "var(--infrastructure)"];
const LEAST = 0.05;

const study = JSON.parse(document.getElementById("data").textContent);
const root = document.getElementById("study");
const colourOf = (place) => COLOURS[place % COLOURS.length];

themeSwitch(document.getElementById("theme"));
put(document.getElementById("run"), study.name);

const section = (id, title, note, ...children) =>
  h("section", { id: `section-${id}` }, h("h2", null, title, note && " ", note && h("span", { class: "quiet" }, note)), ...children);

const name = (arm, place) => h("span", { class: "arm" }, h("i", { class: "key", place: { "--colour": colourOf(place) } }), h("bdi", null, arm.name));

/** A table that may be wider than the window: it scrolls by itself, by keyboard too. */
const scrolling = (label, table) => h("div", { class: "card scrolls", tabindex: "0", role: "region", "aria-label": label }, table);

function verdict() {
  const [first, ...others] = study.verdict;
  return h(
    "section",
    { id: "verdict", class: "card" },
    h("p", { class: "first" }, first ?? "Nothing can be said of success yet."),
    others.map((text) => h("p", null, text)),
  );
}

function compared() {
  const cell = (value) => h("td", null, h("bdi", null, value));
  const row = (title, values) => h("tr", null, h("th", { scope: "row" }, title), values);
  const iterations = (arm) => [...new Set(arm.runs.map((run) => run.iterations))].sort((a, b) => a - b).map(count).join(", ");
  const ends = ({ before, after }) => (after === null ? "" : ` ${percent(before)} → ${percent(after)}`);
  const runs = (arm) => h("td", null, h("ul", { class: "plainlist" }, arm.runs.map((run) => h("li", null, h("bdi", null, run.name), h("span", { class: "quiet" }, ends(run))))));
  const shared = Object.entries(study.shared);
  return section(
    "compared",
    "What was compared",
    study.settings.length ? "the settings in which the arms differ" : "no setting of the arms is known to differ",
    scrolling(
      "What was compared",
      h(
        "table",
        { class: "settings" },
        h("thead", null, h("tr", null, h("td"), study.arms.map((arm, place) => h("th", { scope: "col" }, name(arm, place))))),
        h(
          "tbody",
          null,
          study.settings.map((one) => row(h("code", null, one.name), one.values.map(cell))),
          row("iterations finished", study.arms.map((arm) => cell(iterations(arm)))),
          row("runs, and success before and after", study.arms.map(runs)),
        ),
      ),
    ),
    shared.length > 0 && h("p", { class: "quiet small" }, "In all runs: ", shared.map(([key, value], place) => [place > 0 && ", ", h("code", null, `${key} = ${value}`)])),
  );
}

const points_of = (arm, place, x) => ({
  key: `arm-${place}`,
  name: arm.name,
  colour: colourOf(place),
  strong: place === 0,
  points: arm.points.map((point) => ({ x: x(point), y: point.success, low: point.low, high: point.high, detail: between(point) })),
});

function chart(cursor, id, title, hint, series, more) {
  const xs = series.flatMap((one) => one.points.map((point) => point.x));
  const made = new Chart(cursor);
  root.append(made.element); // it needs a place to have a size
  const range = { from: 0, to: Math.max(1, ...xs) };
  made.update({ id, title, hint, series, range, write: percent, tick: (value) => `${Math.round(value * 100)} %`, ceiling: 1, height: 260, ...more });
  return made.element;
}

function curves() {
  const drawn = study.arms.filter((arm) => arm.points.length);
  if (!drawn.length) return null;
  const placed = study.arms.map((arm, place) => [arm, place]).filter(([arm]) => arm.points.length);
  const bands = [...new Set(drawn.map((arm) => arm.band))].join("; ");
  const most = Math.max(...drawn.map((arm) => arm.points.at(-1).seconds));
  const [unit, size] = most >= 14400 ? ["hours", 3600] : most >= 240 ? ["minutes", 60] : ["seconds", 1];
  const cursors = [new Cursor(), new Cursor()];
  return section(
    "curves",
    "Success on unseen websites",
    `means over seeds; bands: ${bands}`,
    h(
      "div",
      { class: "charts" },
      chart(cursors[0], "updates", "By iteration", "of training", placed.map(([arm, place]) => points_of(arm, place, (point) => point.iteration))),
      most > 0 &&
        chart(
          cursors[1],
          "time",
          "By training time",
          `${unit}, without evaluations that pause it`,
          placed.map(([arm, place]) => points_of(arm, place, (point) => point.seconds / size)),
          { at: (x) => `${duration(x * size)} of training` },
        ),
    ),
  );
}

/** Rises with their intervals around zero. */
function rises() {
  const told = study.arms.map((arm, place) => ({ arm, place })).filter(({ arm }) => arm.rise);
  if (!told.length) return null;
  const all = told.flatMap(({ arm }) => [arm.rise, arm.rise_over_seeds].filter(Boolean).flatMap((one) => [one.low, one.high]));
  const low = Math.min(-LEAST, ...all);
  const high = Math.max(LEAST, ...all);
  const at = (value) => `${((value - low) / (high - low)) * 100}%`;
  const line = (one, words, place) =>
    one && [
      h("span", { class: "quiet what" }, words),
      h(
        "span",
        { class: "track", role: "img", "aria-label": `${points(one.estimate)} points, ${points(one.low)} to ${points(one.high)}` },
        h("span", { class: "zero", place: { left: at(0) } }),
        h("span", { class: "span", place: { left: at(one.low), width: `${((one.high - one.low) / (high - low)) * 100}%`, "--colour": colourOf(place) } }),
        h("span", { class: "point", place: { left: at(one.estimate), "--colour": colourOf(place) } }),
      ),
      h("span", { class: "number" }, h("b", null, points(one.estimate)), h("span", { class: "quiet" }, ` ${points(one.low)} to ${points(one.high)}`)),
    ];
  return section(
    "rises",
    "Rise in points",
    "after minus before training, with 95 % intervals; the upright line is no change",
    h(
      "div",
      { class: "card forest" },
      told.map(({ arm, place }) =>
        h("div", { class: "rise" }, h("h3", null, name(arm, place)), line(arm.rise, "over tasks", place), line(arm.rise_over_seeds, "over seeds", place)),
      ),
    ),
  );
}

function table({ title, caption, columns, rows }, place) {
  const meanings = columns.filter((one) => one.meaning);
  return h(
    "figure",
    { class: "study", id: `table-${place}` },
    h("figcaption", null, h("h3", null, title), h("p", { class: "quiet" }, caption)),
    scrolling(
      title,
      h(
        "table",
        null,
        h("thead", null, h("tr", null, columns.map((one) => h("th", { scope: "col" }, one.title)))),
        h("tbody", null, rows.map(([first, ...cells]) => h("tr", null, h("th", { scope: "row" }, h("bdi", null, first)), cells.map((cell) => h("td", null, cell))))),
      ),
    ),
    meanings.length > 0 &&
      h("dl", { class: "meanings" }, meanings.map((one) => h("div", null, h("dt", null, one.title), h("dd", null, one.meaning)))),
  );
}

/** Commands within a note stand between backticks. */
const note = (text) => h("li", null, text.split("`").map((part, place) => (place % 2 ? h("code", null, part) : part)));

root.append(
  ...[
    verdict(),
    compared(),
    curves(),
    rises(),
    section("tables", "Tables", "", study.tables.map(table)),
    study.notes.length > 0 && section("notes", "What to keep in mind", "", h("ul", { class: "notes card" }, study.notes.map(note))),
    h("p", { class: "quiet small made" }, `Made by webgym study show ${study.version}, ${moment(study.made)}.`),
  ].filter(Boolean),
);
window.dispatchEvent(new Event("resize"));
