// One attempt, closer: what it sees now, and what it did.

import { put } from "./legend.js";
import { duration, stateWords } from "./words.js";

const PAUSE = 400; // milliseconds between two looks at the same attempt

const part = (name) => document.getElementById(`panel-${name}`);

export class Panel {
  constructor(board, { onClose }) {
    this.board = board;
    this.onClose = onClose;
    this.element = document.getElementById("panel");
    this.picture = part("picture");
    this.attempt = "";
    this.pinned = 0; // the step whose picture is shown; 0 follows the attempt
    this.busy = false;
    this.again = false;
    part("close").addEventListener("click", () => this.close());
    part("live").addEventListener("click", () => this.pin(0));
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
    this.picture.addEventListener("error", () => this.show("", "Screenshot not available."));
  }

  open(attempt, focus) {
    if (attempt !== this.attempt) {
      this.attempt = attempt;
      this.pinned = 0;
      this.detail = null;
      this.clear();
    }
    this.reveal(true);
    if (focus) part("title").focus();
    this.refresh();
  }

  close() {
    if (this.element.hidden) return;
    this.reveal(false);
    this.attempt = "";
    this.onClose();
  }

  reveal(open) {
    this.element.hidden = !open;
    this.element.parentElement.classList.toggle("inspecting", open);
  }

  clear() {
    put(part("title"), this.attempt);
    put(part("state"), "");
    put(part("instruction"), "");
    part("detail").hidden = true;
    part("facts").replaceChildren();
    part("history").replaceChildren();
    this.show("", "");
  }

  // The attempt may have changed.
  changed(slots) {
    if (!this.attempt) return;
    if (slots.some((slot) => this.board.attempt(slot) === this.attempt)) this.refresh();
  }

  // Asks at once, then not before a pause; changes meanwhile are one more question.
  async refresh() {
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    try {
      await this.read(this.attempt);
    } finally {
      setTimeout(() => {
        this.busy = false;
        if (this.again && this.attempt) {
          this.again = false;
          this.refresh();
        }
      }, PAUSE);
    }
  }

  async read(attempt) {
    let reply;
    try {
      reply = await fetch(`/api/attempt/${encodeURIComponent(attempt)}`);
    } catch {
      return; // the page says that the connection is gone
    }
    if (attempt !== this.attempt) {
      this.again = true;
      return;
    }
    if (reply.ok) this.render(await reply.json());
    else put(part("state"), "This attempt ended a while ago and is no longer shown here.");
  }

  render(detail) {
    if (detail.attempt !== this.attempt) return;
    this.detail = detail;
    part("swatch").dataset.status = detail.status;
    const open = !this.board.about.outcomes.includes(detail.status);
    const since = open ? `, for ${duration(detail.now - detail.since)}` : "";
    put(part("state"), stateWords(detail.status, detail.operation, detail.step) + since);
    put(part("detail"), [detail.detail, detail.last_error && `last error: ${detail.last_error}`].filter(Boolean).join("; "));
    part("detail").hidden = !part("detail").textContent;
    put(part("instruction"), detail.instruction);
    this.renderFacts(detail);
    this.renderHistory(detail);
    this.renderPicture();
  }

  renderFacts(detail) {
    const facts = [["site", detail.site], ["level", detail.level], ["task", detail.task], ["group", detail.group]];
    if (detail.began !== null) facts.push(["started", `${duration(detail.began)} into the run`]);
    if (detail.tries > 1) facts.push(["try", String(detail.tries)]);
    const parts = facts.filter(([, value]) => value).flatMap(([name, value]) => {
      const [term, fact] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = name;
      fact.textContent = value;
      return [term, fact];
    });
    part("facts").replaceChildren(...parts);
  }

  // Lines are added, not made anew: whoever reads or has the focus on one keeps it.
  renderHistory(detail) {
    const list = part("history");
    const known = new Map([...list.children].map((item) => [item.dataset.key, item]));
    const items = detail.history.map((line) => known.get(keyOf(line)) ?? this.line(line)).reverse();
    const same = items.length === list.children.length && items.every((item, at) => item === list.children[at]);
    if (!same) list.replaceChildren(...items);
  }

  line(line) {
    const item = document.createElement("li");
    item.dataset.key = keyOf(line);
    const button = document.createElement("button");
    button.type = "button";
    const step = text("span", "number", String(line.step));
    const sentence = text("span", "sentence", line.sentence);
    sentence.prepend(text("span", "kind", line.action));
    button.append(step, sentence);
    if (line.url) button.append(text("span", "url", line.url));
    button.addEventListener("click", () => this.pin(line.step));
    item.append(button);
    return item;
  }

  pin(step) {
    this.pinned = step;
    this.renderPicture();
  }

  renderPicture() {
    if (!this.detail) return;
    const { history, screenshot, status } = this.detail;
    const pinned = history.find((line) => line.step === this.pinned);
    const shown = pinned ?? history.at(-1);
    part("live").hidden = pinned === undefined;
    for (const item of part("history").children) {
      item.firstChild.setAttribute("aria-current", String(shown !== undefined && item.dataset.key === keyOf(shown)));
    }
    const live = this.board.about.outcomes.includes(status) ? "At the end" : "Now";
    const when = pinned ? `Step ${pinned.step}` : shown ? `${live}, step ${shown.step}` : screenshot ? live : "";
    put(part("caption"), shown?.url ? `${when}: ${shown.url}` : when);
    this.show(pinned ? pinned.screenshot : screenshot || (shown?.screenshot ?? ""), "No screenshot yet.");
    this.picture.alt = shown ? `What the agent saw at step ${shown.step}` : "";
  }

  show(address, otherwise) {
    const source = address ? `/api/picture/${encodeURIComponent(address)}` : "";
    if (source && this.picture.getAttribute("src") !== source) this.picture.src = source;
    if (!source) this.picture.removeAttribute("src");
    this.picture.hidden = !source;
    part("blank").hidden = Boolean(source);
    put(part("blank"), otherwise);
  }
}

const keyOf = (line) => JSON.stringify([line.step, line.action, line.sentence, line.url, line.screenshot]);

function text(kind, name, content) {
  const element = document.createElement(kind);
  element.className = name;
  element.textContent = content;
  return element;
}
