// Statuses with their counts. Those pressed are the only ones that are shown in full.

import { MARKS, MEANINGS, STATUS_WORDS, inkOn, number } from "./words.js";

export class Legend {
  constructor(board, onFilter) {
    this.board = board;
    this.element = document.getElementById("legend");
    this.bar = document.getElementById("bar");
    this.equation = document.getElementById("equation");
    this.warning = document.getElementById("warning");
    this.pressed = new Set();
    this.counts = {};
    this.segments = {};
    this.swatches = [];
    for (const status of board.about.statuses) {
      this.element.append(this.button(status, onFilter));
    }
    this.recolour();
    const ended = board.about.outcomes;
    for (const status of [...ended, "running", "queued", "waiting"]) {
      const segment = document.createElement("span");
      segment.dataset.status = status;
      this.segments[status] = segment;
      this.bar.append(segment);
    }
  }

  // Signs are written as they are in the cells, in the ink that the theme's colour leaves readable.
  recolour() {
    for (const swatch of this.swatches) swatch.style.color = inkOn(getComputedStyle(swatch).backgroundColor);
  }

  button(status, onFilter) {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-pressed", "false");
    button.dataset.filter = status;
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.dataset.status = status;
    swatch.textContent = MARKS[status] ?? "";
    swatch.setAttribute("aria-hidden", "true");
    this.swatches.push(swatch);
    button.title = MEANINGS[status] ?? "";
    const count = document.createElement("b");
    count.textContent = "0";
    this.counts[status] = count;
    button.append(swatch, STATUS_WORDS[status], count);
    button.addEventListener("click", () => {
      if (!this.pressed.delete(status)) this.pressed.add(status);
      button.setAttribute("aria-pressed", String(this.pressed.has(status)));
      this.element.classList.toggle("filtering", this.pressed.size > 0);
      onFilter(this.pressed);
    });
    return button;
  }

  update() {
    const counts = this.board.byStatus();
    for (const [status, element] of Object.entries(this.counts)) put(element, number(counts[status]));
    for (const [status, segment] of Object.entries(this.segments)) {
      segment.style.flexGrow = String(counts[status]);
      segment.hidden = counts[status] === 0;
    }
    this.add(counts);
    this.warn(counts);
  }

  // Submitted = the sum of all outcomes and of what is open.
  add(counts) {
    const open = counts.waiting + counts.queued + counts.running;
    const terms = this.board.about.outcomes.filter((outcome) => counts[outcome] > 0);
    const words = terms.map((outcome) => `${number(counts[outcome])} ${STATUS_WORDS[outcome]}`);
    const submitted = document.createElement("b");
    submitted.textContent = `${number(this.board.totals.submitted)} submitted`;
    this.equation.replaceChildren(submitted, ` = ${[...words, `${number(open)} open`].join(" + ")}`);
  }

  warn(counts) {
    const { submitted, hidden, lost } = this.board.totals;
    const sum = Object.values(counts).reduce((total, count) => total + count, 0);
    const words = [];
    if (sum !== submitted) words.push(`Outcomes and open attempts sum to ${number(sum)}, expected ${number(submitted)}.`);
    if (lost) words.push(`${number(lost)} events were lost: counts may be wrong.`);
    if (hidden) words.push(`${number(hidden)} open attempts are not shown: there are too many for the grid.`);
    put(this.warning, words.join(" "));
    this.warning.hidden = words.length === 0;
  }
}

// Touches the page only if something is new.
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
