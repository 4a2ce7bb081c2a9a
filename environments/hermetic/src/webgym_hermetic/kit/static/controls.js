// Controls of the kit's own: dropdowns, steppers, calendars, search suggestions, forms that submit themselves.
import { changed, onArrive } from "./core.js";
import { closePop, openPop } from "./overlays.js";

const MONTHS = "January February March April May June July August September October November December".split(" ");

// --- dropdowns ---
const choose = (option) => {
  const dropdown = option.closest("[data-dropdown]");
  const button = dropdown.querySelector("[data-pop]");
  const text = option.textContent.trim();
  for (const other of dropdown.querySelectorAll("[role=option]")) {
    other.setAttribute("aria-selected", String(other === option));
  }
  button.setAttribute("value", option.value);
  button.setAttribute("aria-label", `${button.dataset.label}: ${text}`);
  button.querySelector("span").textContent = text;
  closePop(dropdown.querySelector(".pop"));
  button.focus({ preventScroll: true });
  set(dropdown.querySelector("input"), option.value);
};

const set = (input, value) => {
  if (input.value === String(value)) return;
  input.value = value;
  changed(input);
};

const ARROWS = { ArrowDown: 1, ArrowUp: -1 };

document.addEventListener("keydown", (event) => {
  const step = ARROWS[event.key];
  const dropdown = step && event.target.closest("[data-dropdown]");
  if (!dropdown) return;
  event.preventDefault();
  const options = [...dropdown.querySelectorAll("[role=option]")];
  const pop = dropdown.querySelector(".pop");
  const at = options.indexOf(document.activeElement);
  if (!pop.matches(":popover-open")) openPop(pop);
  const from = at >= 0 ? at + step : options.findIndex((option) => option.getAttribute("aria-selected") === "true");
  options[Math.max(0, Math.min(from, options.length - 1))]?.focus();
});

// --- steppers ---
const step = (button) => {
  const stepper = button.closest("[data-stepper]");
  const [low, high] = [Number(stepper.dataset.low), Number(stepper.dataset.high)];
  const input = stepper.querySelector("input");
  const value = Math.max(low, Math.min(high, (Number(input.value) || 0) + Number(button.dataset.step)));
  for (const other of stepper.querySelectorAll("[data-step]")) {
    other.disabled = Number(other.dataset.step) < 0 ? value <= low : value >= high;
  }
  set(input, value);
};

// --- calendars: from the dates in the page alone, never from the clock ---
const pad = (number) => String(number).padStart(2, "0");
const shift = (month, by) => {
  const [year, number] = month.split("-").map(Number);
  const index = year * 12 + number - 1 + by;
  return `${Math.floor(index / 12)}-${pad((index % 12) + 1)}`;
};

const draw = (calendar, month) => {
  const { low, high } = calendar.dataset;
  const key = calendar.dataset.calendar;
  const chosen = calendar.querySelector("input").value;
  const [year, number] = month.split("-").map(Number);
  calendar.dataset.month = month;
  calendar.querySelector("[data-title]").textContent = `${MONTHS[number - 1]} ${year}`;
  for (const button of calendar.querySelectorAll("button[data-month]")) {
    const other = shift(month, Number(button.dataset.month));
    button.disabled = other < low.slice(0, 7) || other > high.slice(0, 7);
  }
  const first = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const days = Array.from({ length: count }, (_, index) => {
    const iso = `${month}-${pad(index + 1)}`;
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: index + 1, value: iso, disabled: iso < low || iso > high });
    button.dataset.testid = `day:${key}=${iso}`;
    button.dataset.day = iso;
    button.setAttribute("aria-selected", String(iso === chosen));
    button.setAttribute("aria-label", written(iso));
    if (index === 0) button.style.gridColumnStart = first + 1;
    return button;
  });
  calendar.querySelector("[data-days]").replaceChildren(...days);
};

const written = (iso) => {
  const [year, month, day] = iso.split("-").map(Number);
  return `${MONTHS[month - 1].slice(0, 3)} ${day}, ${year}`;
};

const pickDay = (button) => {
  const calendar = button.closest("[data-calendar]");
  const opener = calendar.querySelector("[data-pop]");
  opener.setAttribute("value", button.value);
  opener.querySelector("span").textContent = written(button.value);
  closePop(calendar.querySelector(".pop"));
  opener.focus({ preventScroll: true });
  set(calendar.querySelector("input"), button.value);
};

const within = (month, low, high) => (month < low ? low : month > high ? high : month);

document.addEventListener("kit:open", (event) => {
  const calendar = event.target.closest("[data-calendar]");
  if (!calendar) return;
  const [low, high] = [calendar.dataset.low.slice(0, 7), calendar.dataset.high.slice(0, 7)];
  draw(calendar, within(calendar.querySelector("input").value.slice(0, 7) || low, low, high));
});

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  if (button.matches("[data-dropdown] [role=option]")) choose(button);
  else if (button.matches("[data-step]")) step(button);
  else if (button.matches("[data-day]")) pickDay(button);
  else if (button.matches("[data-calendar] [data-month]")) {
    const calendar = button.closest("[data-calendar]");
    draw(calendar, shift(calendar.dataset.month, Number(button.dataset.month)));
  }
});

// --- suggestions below a search box ---
const SUGGEST_MS = 120;
let asked = 0;

const suggestionRow = ({ label, href, hint }) => {
  const link = document.createElement("a");
  link.href = href;
  link.className = "suggestion";
  link.setAttribute("role", "option");
  const text = document.createElement("span");
  text.textContent = label;
  link.append(text);
  if (hint) {
    const aside = document.createElement("small");
    aside.textContent = hint;
    link.append(aside);
  }
  return link;
};

const suggest = async (input) => {
  const mine = ++asked;
  const pop = input.closest("[data-search]").querySelector(".pop");
  const text = input.value.trim();
  if (!text) {
    closePop(pop);
    return;
  }
  await new Promise((resolve) => setTimeout(resolve, SUGGEST_MS));
  if (mine !== asked) return;
  const response = await fetch(`${input.dataset.suggest}?${new URLSearchParams({ q: text })}`).catch(() => null);
  const rows = response?.ok ? await response.json() : [];
  if (mine !== asked || !input.isConnected) return;
  pop.querySelector("[data-suggestions]").replaceChildren(...rows.map(suggestionRow));
  if (rows.length) openPop(pop);
  else closePop(pop);
};

document.addEventListener("input", ({ target }) => {
  if (target.matches("[data-suggest]")) suggest(target);
});

document.addEventListener("submit", ({ target }) => {
  asked++;
  const pop = target.parentElement?.querySelector(":scope > .suggestions");
  if (pop) closePop(pop);
});

document.addEventListener("keydown", (event) => {
  const search = ARROWS[event.key] && event.target.closest("[data-search]");
  if (!search?.querySelector(".pop:popover-open")) return;
  event.preventDefault();
  const places = [search.querySelector("input"), ...search.querySelectorAll(".suggestion")];
  const at = places.indexOf(document.activeElement) + ARROWS[event.key];
  places[Math.max(0, Math.min(at, places.length - 1))].focus();
});

// --- forms ---
document.addEventListener("change", ({ target }) => {
  const typed = target.matches("textarea, input:not([type=hidden], [type=radio], [type=checkbox], [readonly])");
  if (!typed && target.form?.matches("[data-auto]")) target.form.requestSubmit();
});

onArrive((root) => {
  // What is wrong is said on the page by the site itself, not in a bubble of the browser's.
  for (const form of root.querySelectorAll("form")) form.noValidate = true;
});
