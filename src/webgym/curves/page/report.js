// The report: the same charts from data in the page itself, what changed, and attempts to look at.

import { Board, showName } from "./board.js";
import { example } from "./example.js";
import { beforeAfter } from "./change.js";
import { Chart } from "./chart.js";
import { Cursor } from "./cursor.js";
import { h } from "./dom.js";
import { sectionsOf } from "./specs.js";
import { themeSwitch } from "./theme.js";

const report = JSON.parse(document.getElementById("data").textContent);
const root = document.getElementById("curves");

themeSwitch(document.getElementById("theme"));
showName(report.about);
const board = new Board(root);
board.update(report);
const changed = beforeAfter(report.iterations, report.difference);
if (changed) board.body.before(changed);
if (report.beside?.iterations.length) board.body.before(beside(report.beside));
if (report.examples.length) {
  root.append(h("section", { id: "section-examples" }, h("h2", null, "Examples"), h("div", { class: "examples" }, report.examples.map(example))));
}

/** Another run, to see this one next to: its success, on an axis of its own. */
function beside({ about, iterations }) {
  const section = h("section", { id: "section-beside" }, h("h2", null, about.run, " ", h("span", { class: "quiet" }, about.facts.note ?? "")));
  for (const spec of sectionsOf(iterations).find((one) => one.id === "success")?.charts ?? []) {
    const chart = new Chart(new Cursor());
    section.append(chart.element);
    chart.update({ ...spec, id: "beside" });
  }
  return section;
}
