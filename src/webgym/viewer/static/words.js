// Numbers and names as people read them.

export const OUTCOMES = {
  success: "Success",
  failure: "Failure",
  truncated: "Truncated",
  blocked: "Blocked",
  infrastructure: "Infrastructure",
  judge_unknown: "Judge unknown",
  cancelled: "Cancelled",
  unfinished: "Unfinished",
};

const GLYPHS = {
  success: "✓",
  failure: "✕",
  truncated: "…",
  blocked: "⊘",
  infrastructure: "⚠",
  judge_unknown: "?",
  cancelled: "–",
  unfinished: "○",
};

export const glyph = (kind) => GLYPHS[kind] ?? "·";

/** A website as people name it: that a name below `localhost` is on this machine says nothing of the website. */
export const siteName = (host) => (host ?? "").replace(/\.localhost(?=:\d+$|$)/, "");

/** What stopped an attempt that ended without an answer. */
export const LIMITS = {
  steps: "out of steps",
  tokens: "out of tokens",
  time: "out of time",
  format: "too many malformed replies",
  loop: "going round in circles",
};

/** What a list adds to an outcome, in words. */
export function detailOf(row) {
  if (row.outcome !== "truncated") return row.detail;
  const why = LIMITS[row.detail] ?? row.detail;
  return row.facts > 0 && row.facts_held === row.facts ? `${why}: all facts hold, but it gave no answer, so no reward` : why;
}

const ACTIONS = {
  click: "Click",
  hover: "Hover",
  drag: "Drag",
  type: "Type",
  press: "Press",
  scroll: "Scroll",
  back: "Back",
  forward: "Forward",
  reload: "Reload",
  navigate: "Navigate",
  new_tab: "New tab",
  switch_tab: "Switch tab",
  close_tab: "Close tab",
  select: "Select",
  upload: "Upload",
  answer_dialog: "Answer dialog",
  wait: "Wait",
  answer: "Answer",
  malformed: "No action",
  "": "None",
};

export const actionName = (kind) => ACTIONS[kind] ?? kind;

export const percent = (share, digits = 1) =>
  share === null || share === undefined ? "–" : `${(share * 100).toFixed(digits)} %`;

/** A number with its sign, such as an advantage or a difference in points. */
export const signed = (number, digits = 2) =>
  `${number > 0 ? "+" : number < 0 ? "−" : ""}${Math.abs(number).toFixed(digits)}`;

export const count = (number) => (number ?? 0).toLocaleString("en-US");

export function seconds(value) {
  if (value === null || value === undefined) return "–";
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 100) return `${value.toFixed(value < 10 ? 1 : 0)} s`;
  if (value < 6000) return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
  return `${(value / 3600).toFixed(1)} h`;
}

export function bytes(value) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let size = value;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size.toFixed(size < 10 && unit ? 1 : 0)} ${units[unit]}`;
}

export function age(when) {
  const passed = Math.max(0, Date.now() / 1000 - when);
  if (passed < 60) return "just now";
  if (passed < 3600) return `${Math.floor(passed / 60)} min ago`;
  if (passed < 86400) return `${Math.floor(passed / 3600)} h ago`;
  if (passed < 30 * 86400) return `${Math.floor(passed / 86400)} d ago`;
  return new Date(when * 1000).toISOString().slice(0, 10);
}

export const moment = (when) =>
  when ? `${new Date(when * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC` : "–";

export const plural = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;

const target = (place) => {
  if (!place) return "";
  return place.kind === "mark" ? `mark ${place.mark}` : `(${place.x}, ${place.y})`;
};

/** What an action does, in a few words. */
export function describe(action) {
  switch (action?.kind) {
    case undefined:
      return "no action";
    case "click": {
      const how = { right: "right click", middle: "middle click" }[action.button] ?? "click";
      const times = action.count === 2 ? "double " : action.count > 2 ? `${action.count}× ` : "";
      const held = action.modifiers?.length ? ` with ${action.modifiers.join("+")}` : "";
      return `${times}${how} ${target(action.target)}${held}`;
    }
    case "hover":
      return `hover ${target(action.target)}`;
    case "drag":
      return `drag ${target(action.start)} → ${target(action.end)}`;
    case "type":
      return `${action.mode === "append" ? "append" : "type"} “${action.text}”${action.submit ? " ⏎" : ""}`;
    case "press":
      return action.keys.join(" + ");
    case "scroll": {
      const dx = action.dx ?? 0;
      const dy = action.dy ?? 0;
      const ways = [
        dy && `${dy > 0 ? "down" : "up"} ${Math.abs(dy)}`,
        dx && `${dx > 0 ? "right" : "left"} ${Math.abs(dx)}`,
      ];
      return `scroll ${ways.filter(Boolean).join(", ") || "0"}`;
    }
    case "navigate":
      return `go to ${action.url}`;
    case "new_tab":
      return `new tab ${action.url ?? ""}`.trim();
    case "switch_tab":
      return `switch to tab ${action.tab}`;
    case "close_tab":
      return `close tab ${action.tab ?? ""}`.trim();
    case "select":
      return `select ${action.options.join(", ")}`;
    case "upload":
      return `upload ${action.files.join(", ")}`;
    case "answer_dialog":
      return `${action.accept ? "accept" : "dismiss"} dialog${action.text ? ` “${action.text}”` : ""}`;
    case "wait":
      return `wait ${action.seconds ?? 1} s`;
    case "answer":
      return `answer “${action.text}”`;
    default:
      return actionName(action.kind).toLowerCase();
  }
}
