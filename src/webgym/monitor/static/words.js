// What things are called, and how numbers are written.

export const STATUS_WORDS = {
  waiting: "waiting", queued: "queued", running: "running", success: "success", failure: "failure",
  truncated: "truncated", blocked: "blocked", infrastructure: "infrastructure", judge_unknown: "judge unknown",
  cancelled: "cancelled",
};

// Drawn in cells that are large enough, so that nobody has to tell outcomes by colour alone.
export const MARKS = {
  success: "\u2713", failure: "\u00d7", truncated: "\u2026", blocked: "/", infrastructure: "!", judge_unknown: "?",
  cancelled: "\u2013",
};

// What a status means, for those who meet it for the first time.
export const MEANINGS = {
  waiting: "submitted, and not begun", queued: "waiting for room in an operation", running: "under way",
  success: "every fact holds", failure: "it answered, and a fact does not hold", truncated: "cut off by a limit before it answered",
  blocked: "the website refused to serve it", infrastructure: "lost to a fault that is not the agent's",
  judge_unknown: "the judge came to no verdict", cancelled: "stopped before it ended",
};

/** Black or white, whichever stands out more on a colour: one of them always has a contrast of 4.5 or more. */
export function inkOn(fill) {
  const [red, green, blue] = fill.match(/[\d.]+/g).map((value) => {
    const share = Number(value) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}

const whole = new Intl.NumberFormat("en");

export const number = (value) => whole.format(value);

export function rate(value) {
  return value >= 100 ? number(Math.round(value)) : value.toFixed(1);
}

export function seconds(value) {
  if (value === null) return "\u2013";
  if (value < 0.005) return "0";
  if (value >= 99.5) return value.toFixed(0);
  return value >= 0.995 ? value.toFixed(1) : value.toFixed(2);
}

export function duration(value) {
  const total = Math.max(0, Math.floor(value));
  const two = (part) => String(part).padStart(2, "0");
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor(total / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(total % 60)}` : `${minutes}:${two(total % 60)}`;
}

export function stateWords(status, operation, step) {
  const parts = [STATUS_WORDS[status] ?? status];
  if (operation) parts.push(operation);
  if (status in MARKS) parts.push(step === 1 ? "after 1 step" : `after ${step} steps`);
  else if (step) parts.push(`step ${step}`);
  return parts.join(", ");
}
