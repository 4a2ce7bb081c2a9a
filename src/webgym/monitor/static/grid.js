// A cell for each attempt, drawn on a canvas: only those that changed are drawn again.

import { MARKS, duration, stateWords } from "./words.js";

const SMALLEST = 6;
const LARGEST = 44;
const SHOW_STEP = 20;
const SHOW_OPERATION = 34;

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
      const [red, green, blue] = fill.match(/[\d.]+/g).map(Number);
      const light = red * 0.299 + green * 0.587 + blue * 0.114 > 140;
      this.colours[status] = { fill, ink: light ? "#10151c" : "#ffffff" };
    }
    probe.remove();
    this.looks = this.board.states.map(([status, operation]) => ({
      ...this.colours[status], status, mark: MARKS[status] ?? "", word: operation.slice(0, 3),
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
    for (const slot of slots) this.draw(slot);
    if (renamed) this.placeRings();
  }

  // The largest cells with which all attempts fit; room grows by an eighth or so, so that cells seldom change size.
  layOut() {
    const width = this.field.clientWidth;
    const top = this.field.getBoundingClientRect().top + window.scrollY;
    const height = Math.max(260, window.innerHeight - top - 36);
    const size = this.board.size;
    const grain = Math.max(16, 2 ** (Math.floor(Math.log2(size || 1)) - 3));
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
    for (let slot = 0; slot < this.board.size; slot += 1) this.draw(slot);
  }

  draw(slot) {
    const { context, pitch } = this;
    const look = this.looks[this.board.state[slot]];
    const [left, top] = this.corner(slot);
    const gap = pitch >= 14 ? 2 : 1;
    const side = pitch - gap;
    context.clearRect(left, top, pitch, pitch);
    context.globalAlpha = this.shows(slot) ? 1 : 0.13;
    context.fillStyle = look.fill;
    if (pitch < 14) {
      context.fillRect(left, top, side, side);
    } else {
      context.beginPath();
      context.roundRect(left, top, side, side, Math.min(6, side / 5));
      context.fill();
    }
    if (pitch >= SHOW_STEP) this.write(slot, look, left + side / 2, top + side / 2);
    context.globalAlpha = 1;
  }

  write(slot, look, x, y) {
    const { context, pitch } = this;
    const step = this.board.step[slot];
    const text = look.mark || (step ? String(step) : "");
    const below = pitch >= SHOW_OPERATION ? (look.mark ? String(step || "") : look.word) : "";
    context.fillStyle = look.ink;
    context.textAlign = "center";
    context.textBaseline = "middle";
    if (text) {
      context.font = `600 ${Math.round(pitch * 0.36)}px system-ui, sans-serif`;
      context.fillText(text, x, below ? y - pitch * 0.13 : y + 0.5);
    }
    if (below) {
      context.font = `${Math.round(pitch * 0.25)}px system-ui, sans-serif`;
      context.fillText(below, x, text ? y + pitch * 0.23 : y);
    }
  }

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
    const side = this.pitch - (this.pitch >= 14 ? 2 : 1) + 6;
    ring.style.width = `${side}px`;
    ring.style.height = `${side}px`;
    ring.style.transform = `translate(${left - 3}px, ${top - 3}px)`;
  }
}
