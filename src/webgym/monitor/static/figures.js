// Throughput and operations.

import { put } from "./legend.js";
import { duration, number, rate, seconds } from "./words.js";

const WIDTH = 240;
const HEIGHT = 48;
const OVER = "\u2009/\u2009";

export class Figures {
  constructor(board) {
    this.board = board;
    const body = document.querySelector("#operations tbody");
    this.rows = board.about.operations.map((operation) => new Row(body, operation));
  }

  update() {
    const { operations, steps, attempts } = this.board.totals;
    operations.forEach((figures, at) => this.rows[at].update(figures));
    put(document.getElementById("steps-minute"), rate(steps.last_minute));
    put(document.getElementById("attempts-minute"), rate(attempts.last_minute));
    put(document.getElementById("steps-overall"), `${rate(steps.overall)} overall, ${number(steps.total)} done`);
    put(document.getElementById("attempts-overall"), `${rate(attempts.overall)} overall, ${number(attempts.total)} ended`);
    this.spark(steps);
  }

  spark({ recent, bucket }) {
    // The last one is not over yet: it would always look like a fall.
    const values = recent.length > 1 ? recent.slice(0, -1) : recent;
    const most = Math.max(1, ...values);
    const across = WIDTH / Math.max(1, values.length - 1);
    const points = values.map((value, at) => `${(at * across).toFixed(1)},${(HEIGHT - 2 - (value / most) * (HEIGHT - 6)).toFixed(1)}`);
    const line = values.length > 1 ? `M${points.join("L")}` : "";
    document.getElementById("spark-line").setAttribute("d", line);
    document.getElementById("spark-area").setAttribute("d", line && `${line}L${WIDTH},${HEIGHT}L0,${HEIGHT}Z`);
    put(document.getElementById("spark-span"), `${duration(recent.length * bucket)} ago`);
    put(document.getElementById("spark-title"), `Steps over time; peak ${rate((most * 60) / bucket)} per minute`);
  }
}

class Row {
  constructor(body, operation) {
    const row = body.insertRow();
    row.dataset.operation = operation;
    const name = document.createElement("th");
    name.scope = "row";
    name.textContent = operation;
    row.append(name);
    this.running = row.insertCell();
    this.queued = row.insertCell();
    this.waits = row.insertCell();
    this.takes = row.insertCell();
    this.errors = row.insertCell();
    this.load = document.createElement("span");
    this.load.className = "load";
    this.count = document.createElement("span");
    this.running.className = "load";
    this.running.append(this.count, this.load);
  }

  update(figures) {
    const { limit, running } = figures;
    put(this.count, limit === null ? number(running) : `${number(running)}${OVER}${number(limit)}`);
    const share = limit ? Math.min(1, running / limit) : 0;
    this.load.style.transform = `scaleX(${share.toFixed(3)})`;
    put(this.queued, number(figures.queued));
    put(this.waits, `${seconds(figures.queued_p50)}${OVER}${seconds(figures.queued_p95)}`);
    put(this.takes, `${seconds(figures.p50)}${OVER}${seconds(figures.p95)}`);
    put(this.errors, number(figures.errors));
    this.errors.classList.toggle("alarm", figures.errors > 0);
    this.errors.title = figures.last_error ? `latest: ${figures.last_error}` : "";
  }
}
