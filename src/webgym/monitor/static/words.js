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
