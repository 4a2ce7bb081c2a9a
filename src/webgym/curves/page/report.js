// The report: the same charts from data in the page itself, what changed, and attempts to look at.

import { Board, showName } from "./board.js";
import { example } from "./example.js";
import { beforeAfter } from "./change.js";
import { Chart } from "./chart.js";
import { Cursor } from "./cursor.js";
import { h } from "./dom.js";
import { highest, sectionsOf } from "./specs.js";
import { themeSwitch } from "./theme.js";

const report = JSON.parse(document.getElementById("data").textContent);
const root = document.getElementById("curves");

themeSwitch(document.getElementById("theme"));
showName(report.about);
const other = report.beside?.iterations.length ? report.beside : null;
const least = Math.max(highest(report.iterations), other ? highest(other.iterations) : 0); // both on one scale
const board = new Board(root, { finished: true, difference: report.difference, least });
board.update(report);
const changed = beforeAfter(report.iterations, report.difference);
if (changed) board.body.before(changed);
if (other) board.place(beside(other), "success");
if (report.examples.length) {
  root.append(h("section", { id: "section-examples" }, h("h2", null, "Examples"), h("div", { class: "examples" }, report.examples.map(example))));
}

/** Another run, to see this one next to: its success, on the same scale. */
function beside({ about, iterations }) {
  const facts = Object.entries(about.facts).map((fact) => fact.join(" ")).join(" \u00b7 ");
  const section = h("section", { id: "section-beside" }, h("h2", null, "For comparison, another run: ", about.run, " ", h("span", { class: "quiet" }, facts)));
  for (const spec of sectionsOf(iterations, { over: true, least }).find((one) => one.id === "success")?.charts ?? []) {
    const chart = new Chart(new Cursor());
    section.append(chart.element);
    chart.update({ ...spec, id: "beside" });
  }
  return section;
}
