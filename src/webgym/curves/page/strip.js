// Something wider than its place, with a hint and a button at each end where there is more of it.

import { h } from "./dom.js";

const NEARLY = 4;

export class Strip {
  constructor(inner, what) {
    this.inner = inner;
    this.before = this.button("before", "\u2039", `Earlier ${what}`, -1);
    this.after = this.button("after", "\u203a", `Later ${what}`, 1);
    this.element = h("div", { class: "strip" }, inner, this.before, this.after);
    inner.addEventListener("scroll", () => this.hint(), { passive: true });
    this.seen = new ResizeObserver(() => this.hint());
    this.seen.observe(inner);
  }

  button(end, sign, label, way) {
    const scroll = () => this.inner.scrollBy({ left: way * this.inner.clientWidth * 0.8, behavior: "smooth" });
    return h("button", { class: `more ${end}`, type: "button", "aria-label": label, title: label, hidden: true, onclick: scroll }, h("span", { "aria-hidden": "true" }, sign));
  }

  hint() {
    const { scrollLeft, clientWidth, scrollWidth } = this.inner;
    this.before.hidden = scrollLeft < NEARLY;
    this.after.hidden = scrollLeft + clientWidth > scrollWidth - NEARLY;
  }
}
