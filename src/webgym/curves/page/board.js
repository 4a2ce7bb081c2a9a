// Sections of charts that stay in place while their data grows.

import { Chart } from "./chart.js";
import { Cursor } from "./cursor.js";
import { fill, h, put } from "./dom.js";
import { sectionsOf } from "./specs.js";
import { tiles } from "./tiles.js";

export class Board {
  /** `finished`: there will be nothing new, whatever the run's state. `difference` and `least` as in tiles and specs. */
  constructor(root, { finished = false, difference, least } = {}) {
    this.more = { finished, difference, least };
    this.cursor = new Cursor();
    this.charts = new Map();
    this.latest = { about: { facts: {} }, iterations: [] };
    this.sections = new Map();
    this.guests = new Map();
    this.empty = h("p", { id: "empty", class: "card empty" }, "No iterations yet.");
    this.tiles = h("section", { class: "tiles", "aria-label": "At a glance" });
    this.facts = h("dl", { class: "facts", id: "facts" });
    this.careful = h("ul", { class: "careful", id: "careful" });
    this.body = h("div", { class: "body" });
    this.smooth = h("button", { id: "smooth", class: "plain", type: "button", "aria-pressed": "false", onclick: () => this.toggleSmooth() }, "Smooth");
    document.getElementById("theme").before(this.smooth);
    root.append(this.empty, this.tiles, this.facts, this.careful, this.body);
  }

  toggleSmooth() {
    this.smooth.setAttribute("aria-pressed", String(this.smooth.getAttribute("aria-pressed") === "false"));
    this.update(this.latest);
  }

  update(curve) {
    this.latest = curve;
    const { about, iterations } = curve;
    this.empty.hidden = iterations.length > 0;
    this.tiles.hidden = iterations.length === 0;
    fill(this.facts, Object.entries(about.facts).map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
    this.facts.hidden = Object.keys(about.facts).length === 0;
    const warnings = warningsOf(iterations);
    fill(this.careful, warnings.map((text) => h("li", null, h("b", null, "Warning: "), text)));
    this.careful.hidden = warnings.length === 0;
    const { finished, difference, least } = this.more;
    const over = finished || about.state !== "running";
    if (iterations.length) fill(this.tiles, tiles(iterations, about, { over, difference }));
    const sections = sectionsOf(iterations, { over, least });
    this.forget(new Set(sections.flatMap((section) => section.charts.map((chart) => chart.id))));
    for (const section of sections) this.updateSection(section);
    arrange(this.body, sections.flatMap(({ id }) => [this.sections.get(id).element, ...(this.guests.get(id) ?? [])]));
  }

  /** Keep an element of somebody else after a section. */
  place(element, after) {
    this.guests.set(after, [...(this.guests.get(after) ?? []), element]);
    this.update(this.latest);
  }

  forget(wanted) {
    for (const [id, chart] of this.charts) {
      if (wanted.has(id)) continue;
      chart.remove();
      this.charts.delete(id);
    }
  }

  updateSection({ id, title, note, charts }) {
    if (!this.sections.has(id)) {
      const grid = h("div", { class: `charts ${id}` });
      const heading = title && h("h2", null, title, " ", h("span", { class: "quiet" }, note));
      this.sections.set(id, { grid, element: h("section", { id: `section-${id}` }, heading, grid) });
    }
    const { grid } = this.sections.get(id);
    for (const { id: name } of charts) if (!this.charts.has(name)) this.charts.set(name, new Chart(this.cursor));
    arrange(grid, charts.map((spec) => this.charts.get(spec.id).element));
    for (const spec of charts) {
      this.charts.get(spec.id).update({ ...spec, smooth: this.smooth.getAttribute("aria-pressed") === "true" });
    }
  }
}

/** What the newest rollouts and the newest evaluation should make a reader careful of. */
function warningsOf(iterations) {
  const newest = (who) => iterations.findLast((one) => one[who]?.masked);
  return [["train", "training rollouts"], ["evaluation", "unseen websites"]].flatMap(([who, name]) => {
    const one = newest(who);
    return (one?.[who].masked.warnings ?? []).map((text) => `${name}, iteration ${one.iteration}: ${text}`);
  });
}

/** Children in this order and no others; those in place already are not touched, so that nothing loses its focus. */
function arrange(parent, children) {
  children.forEach((child, place) => {
    if (parent.children[place] !== child) parent.insertBefore(child, parent.children[place] ?? null);
  });
  while (parent.children.length > children.length) parent.lastElementChild.remove();
}

export function showName(about) {
  const name = about.run || "Curves";
  put(document.getElementById("run"), name);
  document.title = `${name} \u00b7 learning`;
}
