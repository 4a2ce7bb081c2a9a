// The report: the same charts from data in the page itself, what changed, and attempts to look at.

import { Board, showName } from "./board.js";
import { example } from "./example.js";
import { beforeAfter } from "./change.js";
import { h } from "./dom.js";
import { themeSwitch } from "./theme.js";

const report = JSON.parse(document.getElementById("data").textContent);
const root = document.getElementById("curves");

themeSwitch(document.getElementById("theme"));
showName(report.about);
const board = new Board(root);
board.update(report);
const changed = beforeAfter(report.iterations, report.difference);
if (changed) board.body.before(changed);
if (report.examples.length) {
  root.append(h("section", { id: "section-examples" }, h("h2", null, "Examples"), h("div", { class: "examples" }, report.examples.map(example))));
}
