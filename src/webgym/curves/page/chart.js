// One chart: a frame, axes, a legend that switches series off and on, and exact values where one points.

import { fill, h, put, svg } from "./dom.js";
import { bands, columns, dots, lines } from "./marks.js";
import { axis, scale, wholeTicks } from "./scale.js";

const TOP = 10;
const RIGHT = 12;
const BOTTOM = 24;
const LETTER = 6.4;

export class Chart {
  constructor(cursor) {
    this.cursor = cursor;
    this.hidden = new Set();
    this.title = h("h3");
    this.hint = h("span", { class: "hint" });
    this.legend = h("div", { class: "legend" });
    this.plot = svg("svg", { class: "plot", tabindex: "0", role: "img" });
    this.frame = h("div", { class: "frame" }, this.plot);
    this.element = h("figure", { class: "card chart" }, h("figcaption", null, this.title, this.hint), this.legend, this.frame);
    this.plot.addEventListener("pointermove", (event) => this.follow(event));
    this.plot.addEventListener("pointerdown", (event) => this.follow(event));
    this.plot.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && cursor.leave());
    this.plot.addEventListener("keydown", (event) => this.press(event));
    this.plot.addEventListener("blur", () => cursor.leave());
    this.seen = new ResizeObserver(() => this.frame.clientWidth !== this.width && this.draw());
    this.seen.observe(this.frame);
    cursor.charts.add(this);
  }

  remove() {
    this.seen.disconnect();
    this.cursor.charts.delete(this);
    this.element.remove();
  }

  /** A spec: id, title, hint, series, range of iterations, how numbers are written; `at` names a place on the axis that
   *  is no iteration. */
  update(spec) {
    this.spec = spec;
    this.element.id = `chart-${spec.id}`;
    this.element.classList.toggle("wide", Boolean(spec.wide));
    put(this.title, spec.title);
    put(this.hint, spec.hint ?? "");
    this.drawLegend();
    this.draw();
  }

  get shown() {
    return this.spec.series.filter((one) => !this.hidden.has(one.key));
  }

  drawLegend() {
    const { series, write } = this.spec;
    this.legend.hidden = series.length === 0;
    const entries = series.map((one) => {
      const last = one.points.at(-1);
      const parts = [
        h("i", { class: one.dashed ? "key dashed" : "key", place: { "--colour": one.colour } }),
        one.name !== this.spec.title && h("span", null, one.name),
        h("b", null, last ? (last.told ?? write(last.y)) : "\u2013"),
      ];
      if (series.length === 1) return h("span", { class: "entry" }, parts);
      const pressed = String(!this.hidden.has(one.key));
      return h("button", { class: "entry", type: "button", "aria-pressed": pressed, "data-entry": one.key, onclick: () => this.toggle(one.key) }, parts);
    });
    fill(this.legend, entries);
  }

  toggle(key) {
    if (!this.hidden.delete(key)) this.hidden.add(key);
    this.drawLegend();
    this.draw();
    this.legend.querySelector(`[data-entry="${CSS.escape(key)}"]`)?.focus();
  }

  draw() {
    this.width = this.frame.clientWidth;
    if (!this.spec || !this.width) return;
    const { range, tick, stacked } = this.spec;
    const height = this.spec.height ?? 190;
    const vertical = this.vertical(height);
    const left = Math.ceil(Math.max(...vertical.ticks.map((value) => tick(value, vertical.step).length)) * LETTER) + 12;
    this.x = scale(range.from - 0.5, range.to + 0.5, left, this.width - RIGHT);
    this.y = scale(vertical.from, vertical.to, height - BOTTOM, TOP);
    this.size = { left, right: this.width - RIGHT, bottom: height - BOTTOM };
    this.line = svg("line", { class: "cursor", y1: TOP, y2: height - BOTTOM, visibility: "hidden" });
    this.spots = svg("g", { class: "spots" });
    this.plot.setAttribute("width", this.width);
    this.plot.setAttribute("height", height);
    this.plot.setAttribute("viewBox", `0 0 ${this.width} ${height}`); // paper may be narrower
    this.plot.setAttribute("aria-label", this.spoken());
    const drawn = stacked
      ? columns(this.shown, this.x, this.y)
      : [
          bands(this.shown, this.x, this.y),
          lines(this.shown, this.x, this.y, this.spec.smooth),
          !this.spec.smooth && dots(this.shown, this.x, this.y),
        ];
    fill(this.plot, this.axes(vertical, height), drawn, this.line, this.spots);
    this.markCursor(this.cursor.at);
  }

  vertical(height) {
    const { stacked, floor, ceiling, least } = this.spec;
    const wanted = Math.max(2, Math.round((height - BOTTOM - TOP) / 46));
    if (!stacked) {
      const values = this.shown.flatMap((one) => one.points.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]));
      if (least !== undefined && values.length) values.push(least);
      return axis(values, { wanted, floor, ceiling });
    }
    const sums = new Map();
    for (const one of this.shown) for (const point of one.points) sums.set(point.x, (sums.get(point.x) ?? 0) + point.y);
    return axis([...sums.values()], { wanted, floor: true, ceiling });
  }

  axes(vertical, height) {
    const { left, right, bottom } = this.size;
    const { range, tick } = this.spec;
    const levels = vertical.ticks.map((value) => [
      svg("line", { class: value === 0 || value === vertical.from ? "grid base" : "grid", x1: left, x2: right, y1: this.y(value), y2: this.y(value) }),
      svg("text", { class: "tick", x: left - 7, y: this.y(value) + 3.5, "text-anchor": "end" }, tick(value, vertical.step)),
    ]);
    const wanted = Math.max(2, Math.floor((right - left) / 64));
    const iterations = wholeTicks(range.from, range.to, wanted).map((value) =>
      svg("text", { class: "tick", x: this.x(value), y: height - 7, "text-anchor": "middle" }, String(value)),
    );
    return svg("g", { class: "axes" }, svg("rect", { class: "field", x: left, y: TOP, width: Math.max(0, right - left), height: bottom - TOP }), levels, iterations);
  }

  place(x) {
    return this.spec.at?.(x) ?? `Iteration ${x}`;
  }

  spoken() {
    const values = this.shown.map((one) => {
      const last = one.points.at(-1);
      return last ? `${one.name} ${last.told ?? this.spec.write(last.y)} at ${this.place(last.x).toLowerCase()}` : `${one.name} unknown`;
    });
    return `${this.spec.title}: ${values.join(", ")}. Arrow keys read values.`;
  }

  get iterations() {
    return [...new Set(this.shown.flatMap((one) => one.points.map((point) => point.x)))].sort((a, b) => a - b);
  }

  follow(event) {
    const known = this.iterations;
    if (!known.length) return;
    const box = this.plot.getBoundingClientRect();
    const at = event.clientX - box.left;
    const nearest = known.reduce((best, one) => (Math.abs(this.x(one) - at) < Math.abs(this.x(best) - at) ? one : best));
    this.pointAt(nearest);
  }

  press(event) {
    const known = this.iterations;
    const place = known.indexOf(this.cursor.at);
    const moves = { ArrowLeft: place < 0 ? known.length - 1 : place - 1, ArrowRight: place + 1, Home: 0, End: known.length - 1 };
    if (event.key === "Escape") this.cursor.leave();
    if (!Object.hasOwn(moves, event.key) || !known.length) return;
    event.preventDefault();
    this.pointAt(known[Math.max(0, Math.min(known.length - 1, moves[event.key]))]);
  }

  pointAt(iteration) {
    const box = this.plot.getBoundingClientRect();
    this.cursor.point(iteration, this.told(iteration), { x: box.left + this.x(iteration), top: box.top });
  }

  told(iteration) {
    const { write, stacked } = this.spec;
    const told = this.shown.flatMap((one) =>
      one.points
        .filter((point) => point.x === iteration && (!stacked || point.y > 0))
        .map((point) => ({ name: one.name, colour: one.colour, dashed: one.dashed, value: point.told ?? write(point.y), detail: point.detail })),
    );
    return { title: this.place(iteration), lines: stacked ? told.toReversed() : told };
  }

  markCursor(at) {
    if (!this.line) return;
    const inside = at !== null && at >= this.spec.range.from && at <= this.spec.range.to;
    this.line.setAttribute("visibility", inside ? "visible" : "hidden");
    this.spots.replaceChildren();
    if (!inside) return;
    const x = this.x(at);
    this.line.setAttribute("x1", x);
    this.line.setAttribute("x2", x);
    if (this.spec.stacked) return;
    for (const one of this.shown) {
      const point = one.points.find((candidate) => candidate.x === at);
      if (point) this.spots.append(svg("circle", { class: "spot", place: { "--colour": one.colour }, cx: x, cy: this.y(point.y), r: 4 }));
    }
  }
}
