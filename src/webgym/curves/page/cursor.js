// The iteration that is pointed at: a line through every chart, and the exact values of the one under the pointer.

import { fill, h } from "./dom.js";

export class Cursor {
  constructor() {
    this.charts = new Set();
    this.at = null;
    this.tip = h("div", { class: "tip", role: "status", hidden: true });
    document.body.append(this.tip);
    // A finger leaves nothing: what it pointed at stays until it touches something else.
    document.addEventListener("pointerdown", (event) => {
      if (!event.target.closest?.(".plot")) this.leave();
    });
    window.addEventListener("scroll", () => (this.tip.hidden = true), { passive: true });
  }

  /** Point at an iteration; `told` is what the chart under the pointer says of it, `box` is where that is shown. */
  point(at, told, box) {
    this.at = at;
    for (const chart of this.charts) chart.markCursor(at);
    this.show(told, box);
  }

  leave() {
    this.at = null;
    for (const chart of this.charts) chart.markCursor(null);
    this.tip.hidden = true;
  }

  show({ title, lines }, box) {
    fill(
      this.tip,
      h("b", null, title),
      lines.map((line) =>
        h(
          "div",
          { class: "tip-line" },
          h("i", { class: line.dashed ? "key dashed" : "key", place: { "--colour": line.colour } }),
          h("span", { class: "tip-name" }, line.name),
          h("span", { class: "tip-value" }, line.value),
          h("span", { class: "tip-detail" }, line.detail ?? ""),
        ),
      ),
    );
    this.tip.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.tip;
    const room = document.documentElement.clientWidth;
    const right = box.x + 14;
    const left = right + width <= room - 6 ? right : Math.max(6, Math.min(box.x - 14 - width, room - 6 - width));
    const top = Math.max(6, Math.min(box.top + 6, window.innerHeight - height - 6));
    this.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }
}
