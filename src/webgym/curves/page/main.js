// The live page: asks for the curve again and again, and draws it when there is something new.

import { Board, showName } from "./board.js";
import { put } from "./dom.js";
import { themeSwitch } from "./theme.js";

const EVERY = 2000;
const GIVE_UP = 20000;

history.replaceState(null, "", "/"); // the token need not stay in sight
themeSwitch(document.getElementById("theme"));
const board = new Board(document.getElementById("curves"));
const link = document.getElementById("link");
let tag = "";
let running = true;
let over = "";

function showLink(state, words) {
  link.dataset.state = state;
  put(link, words);
}

async function ask() {
  const headers = tag ? { "If-None-Match": tag } : {};
  const reply = await fetch("/curve.json", { headers, cache: "no-store", signal: AbortSignal.timeout(GIVE_UP) });
  if (reply.status === 304) return;
  if (reply.status === 401) throw new Error("this link is no longer valid; open the one that the command printed");
  const body = await reply.json();
  if (!reply.ok) throw new Error(body.message ?? `the server answered ${reply.status}`);
  tag = reply.headers.get("etag") ?? "";
  showName(body.about);
  board.update(body);
  running = body.about.state === "running";
  over = endOf(body);
}

/** How the run ended, as far as one knows when nobody answers any more. */
function endOf({ about, iterations }) {
  if (about.state !== "running") return `run ${about.state}`;
  return about.planned && iterations.at(-1)?.iteration >= about.planned ? "run ended" : "";
}

async function go() {
  try {
    await ask();
    if (running) showLink("live", "live");
    else showLink("over", over);
  } catch (error) {
    if (over) showLink("over", over);
    else showLink("lost", error instanceof TypeError || error.name === "TimeoutError" ? "no response, retrying" : error.message);
  }
  setTimeout(go, EVERY);
}

go();
