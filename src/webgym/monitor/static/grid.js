// A cell for each attempt, drawn on a canvas: only those that changed are drawn again.

import { MARKS, duration, inkOn, stateWords } from "./words.js";

const SMALLEST = 6;
const LARGEST = 52;
const SHOW_STEP = 20;
const SHOW_OPERATION = 34;
const SHORT = { navigate: "nav", observe: "obs" };

export class Grid {
  constructor(board, { onChoose, onClose }) {
    this.board = board;
    this.onChoose = onChoose;
    this.onClose = onClose;
    this.field = document.getElementById("field");
    this.canvas = document.getElementById("grid");
    this.cursorRing = document.getElementById("cursor");
    this.chosenRing = document.getElementById("chosen");
    this.tip = document.getElementById("tip");
    this.spoken = document.getElementById("spoken");
    this.empty = document.getElementById("empty");
    this.context = this.canvas.getContext("2d");
    this.columns = 1;
    this.pitch = LARGEST;
    this.cursor = -1;
    this.chosen = "";
    this.only = new Set();
    this.query = "";
    this.found = null;
    this.readColours();
    this.listen();
  }

  listen() {
    new ResizeObserver(() => this.layOut()).observe(this.field);
    window.addEventListener("resize", () => this.layOut());
    this.canvas.addEventListener("click", (event) => {
      const slot = this.slotAt(event);
      if (slot < 0) return;
      this.moveTo(slot);
      this.onChoose(this.board.attempt(slot), false);
    });
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    this.canvas.addEventListener("keydown", (event) => this.press(event));
    this.canvas.addEventListener("blur", () => { this.cursorRing.hidden = true; });
    this.canvas.addEventListener("focus", () => this.placeRings());
  }

  // The page's own colours, as the theme resolves them.
  readColours() {
    const probe = document.createElement("span");
    document.body.append(probe);
    this.colours = {};
    for (const status of this.board.about.statuses) {
      probe.dataset.status = status;
      const fill = getComputedStyle(probe).backgroundColor;
      this.colours[status] = { fill, ink: inkOn(fill) };
    }
    probe.remove();
    this.looks = this.board.states.map(([status, operation]) => ({
      ...this.colours[status], status, mark: MARKS[status] ?? "", word: SHORT[operation] ?? operation,
    }));
  }

  recolour() {
    this.readColours();
    this.drawAll();
  }

  filter(statuses) {
    this.only = statuses;
    this.drawAll();
  }

  find(query) {
    this.query = query.trim().toLowerCase();
    this.match();
    this.drawAll();
  }

  match() {
    this.found = null;
    if (!this.query) return;
    this.found = new Uint8Array(this.board.size);
    for (let slot = 0; slot < this.board.size; slot += 1) {
      const named = this.board.names[slot];
      this.found[slot] = named.some((part, at) => at > 0 && part.toLowerCase().includes(this.query)) ? 1 : 0;
    }
  }

  shows(slot) {
    if (this.only.size && !this.only.has(this.looks[this.board.state[slot]].status)) return false;
    return this.found === null || this.found[slot] === 1;
  }

  choose(attempt) {
    this.chosen = attempt;
    this.placeRings();
  }

  update({ slots, renamed, fresh }) {
    if (renamed && this.query) this.match();
    if (fresh || this.board.size > this.fits) {
      this.layOut();
      return;
    }
    this.draw(slots);
    if (!renamed) return;
    this.empty.hidden = true;
    this.placeRings();
  }

  // The largest cells with which all attempts fit; room grows in steps, so that cells seldom change size.
  layOut() {
    const width = this.field.clientWidth;
    const top = this.field.getBoundingClientRect().top + window.scrollY;
    const height = Math.max(260, window.innerHeight - top - 30);
    const size = this.board.size;
    const grain = Math.max(10, 10 ** Math.floor(Math.log10(size || 1)) / 4);
    const room = Math.ceil(Math.max(size, 1) / grain) * grain;
    let pitch = LARGEST;
    while (pitch > SMALLEST && Math.floor(width / pitch) * Math.floor(height / pitch) < room) pitch -= 1;
    this.pitch = pitch;
    this.columns = Math.max(1, Math.floor(width / pitch));
    const rows = Math.ceil(size / this.columns);
    const scale = window.devicePixelRatio || 1;
    const [wide, high] = [this.columns * pitch, Math.max(1, rows) * pitch];
    this.rows = rows;
    this.empty.hidden = size > 0;
    this.fits = Math.min(room, Math.max(rows, 1) * this.columns);
    if (this.canvas.width !== wide * scale || this.canvas.height !== high * scale) {
      this.canvas.width = wide * scale;
      this.canvas.height = high * scale;
      this.canvas.style.width = `${wide}px`;
      this.canvas.style.height = `${high}px`;
    }
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
    this.drawAll();
    this.placeRings();
  }

  drawAll() {
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.paint(Array.from({ length: this.board.size }, (_, slot) => slot));
  }

  draw(slots) {
    for (const slot of slots) this.context.clearRect(...this.corner(slot), this.pitch, this.pitch);
    this.paint(slots);
  }

  // Cells that look the same are drawn together: changing colours and fonts costs more than drawing.
  paint(slots) {
    for (const [key, alike] of this.alike(slots)) {
      const look = this.looks[key >> 1];
      this.context.globalAlpha = key & 1 ? 1 : 0.13;
      this.context.fillStyle = look.fill;
      this.fill(alike);
      if (this.pitch < SHOW_STEP) continue;
      this.context.fillStyle = look.ink;
      this.write(alike, look);
    }
    this.context.globalAlpha = 1;
  }

  alike(slots) {
    const groups = new Map();
    for (const slot of slots) {
      const key = this.board.state[slot] * 2 + (this.shows(slot) ? 1 : 0);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [slot]);
      else group.push(slot);
    }
    return groups;
  }

  fill(slots) {
    const { context, pitch, side } = this;
    if (pitch < 14) {
      for (const slot of slots) context.fillRect(...this.corner(slot), side, side);
      return;
    }
    context.beginPath();
    for (const slot of slots) context.roundRect(...this.corner(slot), side, side, Math.min(6, side / 5));
    context.fill();
  }

  // A mark, or the step; with room for it, the operation or the number of steps below.
  write(slots, look) {
    const { context, pitch, board } = this;
    const tall = pitch >= SHOW_OPERATION;
    const upper = (slot) => look.mark || (board.step[slot] ? String(board.step[slot]) : "");
    const lower = (slot) => (look.mark ? String(board.step[slot] || "") : look.word);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `600 ${Math.round(pitch * 0.36)}px system-ui, sans-serif`;
    for (const slot of slots) this.put(upper(slot), slot, tall && lower(slot) ? -0.13 : 0.02);
    if (!tall) return;
    context.font = `${Math.round(pitch * 0.25)}px system-ui, sans-serif`;
    for (const slot of slots) this.put(lower(slot), slot, upper(slot) ? 0.23 : 0);
  }

  put(text, slot, below) {
    const [left, top] = this.corner(slot);
    if (text) this.context.fillText(text, left + this.side / 2, top + this.side / 2 + below * this.pitch);
  }

  get side() { return this.pitch - (this.pitch >= 14 ? 2 : 1); }

  corner(slot) {
    return [(slot % this.columns) * this.pitch, Math.floor(slot / this.columns) * this.pitch];
  }

  slotAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / this.pitch);
    const row = Math.floor((event.clientY - box.top) / this.pitch);
    const slot = row * this.columns + column;
    return column >= 0 && column < this.columns && slot >= 0 && slot < this.board.size ? slot : -1;
  }

  words(slot) {
    const [, attempt, , site, level] = this.board.names[slot];
    const state = stateWords(this.board.status(slot), this.board.operation(slot), this.board.step[slot]);
    return [attempt, [site, level].filter(Boolean).join(", "), state].filter(Boolean);
  }

  point(event) {
    const slot = event.pointerType === "touch" ? -1 : this.slotAt(event);
    this.tip.hidden = slot < 0;
    if (slot < 0) return;
    const open = this.board.state[slot] < this.board.firstEnded;
    const since = open ? `for ${duration(this.board.now() - this.board.since[slot])}` : "";
    this.tip.textContent = [...this.words(slot), since].filter(Boolean).join("\n");
    const [left, top] = this.corner(slot);
    const x = Math.min(left + this.pitch + 6, this.field.clientWidth - this.tip.offsetWidth);
    const y = top + this.pitch + 6;
    this.tip.style.transform = `translate(${Math.max(0, x)}px, ${y}px)`;
  }

  press(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns };
    if (event.key in steps) this.walk(steps[event.key]);
    else if (event.key === "Home") this.walkFrom(-1, 1);
    else if (event.key === "End") this.walkFrom(this.board.size, -1);
    else if ((event.key === "Enter" || event.key === " ") && this.cursor >= 0) {
      this.onChoose(this.board.attempt(this.cursor), true);
    } else if (event.key === "Escape") this.onClose();
    else return;
    event.preventDefault();
  }

  walk(by) {
    if (this.cursor < 0) this.walkFrom(-1, 1);
    else this.walkFrom(this.cursor, by);
  }

  // To the next cell that is shown, in steps of `by`.
  walkFrom(start, by) {
    let slot = start + by;
    while (slot >= 0 && slot < this.board.size && !this.shows(slot)) slot += by;
    if (slot < 0 || slot >= this.board.size) return;
    this.moveTo(slot);
    this.spoken.textContent = this.words(slot).join(", ");
  }

  moveTo(slot) {
    this.cursor = slot;
    this.placeRings();
    this.cursorRing.scrollIntoView({ block: "nearest" });
  }

  placeRings() {
    const focused = document.activeElement === this.canvas;
    this.ring(this.cursorRing, focused ? this.cursor : -1);
    this.ring(this.chosenRing, this.chosen ? this.board.slotOf(this.chosen) : -1);
  }

  ring(ring, slot) {
    ring.hidden = slot < 0 || slot >= this.board.size;
    if (ring.hidden) return;
    const [left, top] = this.corner(slot);
    const side = this.side + 6;
    ring.style.width = `${side}px`;
    ring.style.height = `${side}px`;
    ring.style.transform = `translate(${left - 3}px, ${top - 3}px)`;
  }
}
