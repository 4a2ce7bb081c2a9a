// Puts the page together.

import { Board } from "./board.js";
import { Figures } from "./figures.js";
import { Grid } from "./grid.js";
import { put, Legend } from "./legend.js";
import { follow } from "./link.js";
import { Panel } from "./panel.js";
import { themeSwitch } from "./theme.js";
import { duration } from "./words.js";

const element = (id) => document.getElementById(id);

history.replaceState(null, "", "/"); // the token need not stay in sight

function showLink(state, words) {
  element("link").dataset.state = state;
  put(element("link"), words);
}

async function start() {
  const reply = await fetch("/api/about");
  const about = await reply.json();
  const name = about.run || "Monitor";
  put(element("run"), name);
  document.title = `${name} \u00b7 monitor`;
  element("simulated").hidden = !about.simulated;

  const board = new Board(about);
  const panel = new Panel(board, {
    onClose: () => {
      grid.choose("");
      grid.canvas.focus();
    },
  });
  const grid = new Grid(board, {
    onChoose: (attempt, focus) => {
      grid.choose(attempt);
      panel.open(attempt, focus);
    },
    onClose: () => panel.close(),
  });
  const legend = new Legend(board, (statuses) => grid.filter(statuses));
  const figures = new Figures(board);
  themeSwitch(element("theme"), () => {
    grid.recolour();
    legend.recolour();
  });
  element("find").addEventListener("input", (event) => grid.find(event.target.value));
  setInterval(() => put(element("elapsed"), duration(board.now())), 500);

  const cost = { slowest: 0 };
  const onUpdate = (data) => {
    const began = performance.now();
    const change = board.apply(JSON.parse(data));
    legend.update();
    figures.update();
    grid.update(change);
    panel.changed(change.slots);
    tellCost(cost, performance.now() - began, board.size);
    return board.over;
  };
  follow({ onUpdate, onState: showLink });
}

// What an update costs this page; also read by those who measure it.
function tellCost(cost, milliseconds, cells) {
  cost.slowest = Math.max(cost.slowest, milliseconds);
  const line = element("cost");
  line.dataset.last = milliseconds.toFixed(2);
  line.dataset.slowest = cost.slowest.toFixed(2);
  put(line, `${cells} cells; last page update ${milliseconds.toFixed(1)} ms, slowest ${cost.slowest.toFixed(0)} ms`);
}

start().catch(() => showLink("lost", "no response; reload the page"));
