// The attempts of a run: filters, table, pages. The server filters and sorts; the address holds what it is asked.

import { ask, labeller } from "./api.js";
import { fill, h, said } from "./dom.js";
import { badge, bounds, legend, outcomeBar, shareOf } from "./figures.js";
import { wordName } from "./findings.js";
import { walker } from "./lists.js";
import { amend, link, one, read } from "./route.js";
import { OUTCOMES, actionName, count, detailOf, glyph, plural, seconds, siteName } from "./words.js";

const FIELDS = ["outcome", "site", "level", "label", "difficulty", "last", "missed", "detail", "task", "group", "steps", "text"];
const LABELS = {
  overruled: ["Overruled", "a person disagrees with the judge on the attempt or on a fact"],
  disagree: ["Disagree", "people or judges disagree with each other"],
  labelled: ["Labelled", "labelled by at least one person"],
  unlabelled: ["Not labelled", "not labelled by anyone yet"],
};
const PILLS = {
  difficulty: "Facts",
  last: "Last action",
  missed: "Facts missed",
  detail: "Detail",
  task: "Task",
  group: "Group",
  steps: "Steps",
};
const COLUMNS = [
  ["outcome", "Outcome"],
  ["instruction", "Task"],
  ["site", "Site"],
  ["level", "Level"],
  ["steps", "Steps"],
  ["facts", "Facts"],
  ["last", "Last action"],
  ["seconds", "Time"],
  ["tokens", "Tokens"],
];

/** The part of an address that says which attempts are meant. */
export const filterOf = (params) =>
  Object.fromEntries([...FIELDS, "sort"].filter((name) => params[name]).map((name) => [name, params[name]]));

export async function rowsTab(route, signal) {
  const run = route.parts[1];
  let params = route.params;
  const who = await labeller(signal);
  let found = await ask("rows", { run, ...params }, signal);
  let asked = 0;
  const result = h("div");
  const search = h("input", {
    type: "search",
    placeholder: "Search task, answer, detail",
    "aria-label": "Search",
    value: one(route, "text"),
  });
  search.addEventListener("input", () => change({ text: search.value }));
  const chips = h("div", { class: "within" });

  // Of the address itself: it changes with a click on a link, `params` only when the browser gets round to telling.
  const change = (changes) => amend(["run", run], { ...read().params, page: undefined, ...changes });

  function toggle(field, value) {
    const on = new Set(read().params[field] ?? []);
    if (!on.delete(value)) on.add(value);
    change({ [field]: [...on] });
  }

  const chip = (field, value, number, label, title) =>
    h(
      "button",
      {
        type: "button",
        title,
        class: ["chip", field === "outcome" && value],
        "data-key": `${field} ${value}`,
        "aria-pressed": String((params[field] ?? []).includes(value)),
        disabled: !number && !(params[field] ?? []).includes(value),
        onclick: () => toggle(field, value),
      },
      label,
      h("b", null, count(number)),
    );

  function drawFilters() {
    const { facets } = found;
    const focused = chips.contains(document.activeElement) && document.activeElement.getAttribute("data-key");
    const sites = h(
      "select",
      { "aria-label": "Site", "data-key": "site" },
      h("option", { value: "" }, "All sites"),
      [...facets.site]
        .sort((x, y) => x.value.localeCompare(y.value))
        .map(({ value, count: number }) =>
          h(
            "option",
            { value, selected: (params.site ?? []).includes(value) },
            `${siteName(value) || "unnamed"} (${count(number)})`,
          ),
        ),
    );
    sites.addEventListener("change", () => change({ site: sites.value }));
    const byName = (names) => (a, b) => names.indexOf(a.value) - names.indexOf(b.value);
    const outcomes = [...facets.outcome].sort(byName(Object.keys(OUTCOMES)));
    const levels = [...facets.level].sort(byName(["easy", "medium", "hard"]));
    const tagged = Object.fromEntries(facets.label.map(({ value, count: number }) => [value, number]));
    // Where nobody labelled and nobody can, there is nothing to choose.
    const some = who !== "" || params.label || Object.keys(tagged).some((tag) => tag !== "unlabelled");
    const labels = some ? Object.keys(LABELS) : [];
    fill(
      chips,
      sites,
      h(
        "div",
        { class: "chips", role: "group", "aria-label": "Outcome" },
        outcomes.map(({ value, count: number }) =>
          chip("outcome", value, number, [h("span", { class: "glyph" }, glyph(value)), OUTCOMES[value]]),
        ),
      ),
      h(
        "div",
        { class: "chips", role: "group", "aria-label": "Level" },
        levels.map(({ value, count: number }) => chip("level", value, number, value)),
      ),
      labels.length > 0 &&
        h(
          "div",
          { class: "chips", role: "group", "aria-label": "Labels" },
          labels.map((tag) => chip("label", tag, tagged[tag] ?? 0, LABELS[tag][0], LABELS[tag][1])),
        ),
      Object.keys(PILLS).flatMap((field) => (params[field] ?? []).map((value) => pill(field, value))),
      FIELDS.some((field) => params[field]) && h("a", { class: "clear", href: link(["run", run]) }, "Clear"),
    );
    if (focused) chips.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  const pill = (field, value) =>
    h(
      "button",
      { type: "button", class: "pill", title: "Remove this filter", onclick: () => toggle(field, value) },
      `${PILLS[field]}: `,
      said(field === "last" ? actionName(value) : value || "none"),
      " ×",
    );

  function header([key, title]) {
    const sort = one({ params }, "sort", "began");
    const next = sort === key ? `-${key}` : key;
    const way = sort === key ? "ascending" : sort === `-${key}` ? "descending" : undefined;
    return h(
      "th",
      { class: key, "aria-sort": way },
      h(
        "button",
        { type: "button", class: "quiet", onclick: () => change({ sort: next }) },
        title,
        way && (way === "ascending" ? " ↑" : " ↓"),
      ),
    );
  }

  const line = (row) =>
    h(
      "tr",
      { onclick: (event) => event.target.closest("a") || event.currentTarget.querySelector("a").click() },
      h("td", { class: "outcome" }, badge(row.outcome ?? "unfinished"), people(row)),
      h(
        "td",
        { class: "instruction" },
        h("a", { href: link(["run", run, "attempt", row.attempt_id], filterOf(params)) }, said(row.instruction)),
        row.detail && h("span", { class: "muted", title: detailOf(row) }, said(detailOf(row))),
      ),
      h("td", { class: "site", title: siteName(row.site) }, said(siteName(row.site))),
      h("td", { class: "level" }, row.level, h("span", { class: "muted" }, ` ${row.difficulty}`)),
      h("td", { class: "steps number" }, row.steps),
      h("td", { class: "facts number" }, row.outcome && row.reward !== null ? `${row.facts_held}/${row.facts}` : "–"),
      h("td", { class: "last" }, row.last_action ? actionName(row.last_action) : "–"),
      h("td", { class: "seconds number" }, row.ended ? seconds(row.ended - row.began) : "–"),
      h(
        "td",
        { class: "tokens number" },
        row.prompt_tokens + row.sampled_tokens ? count(row.prompt_tokens + row.sampled_tokens) : "–",
      ),
    );

  /** What people say of an attempt, if it is more than the judge says. */
  function people({ said: told }) {
    if (!told) return null;
    const by = told.people.length > 0 ? `labelled by ${told.people.join(", ")}` : "";
    const word = told.overruled && told.whole.length === 1 ? told.whole[0] : "";
    const hints = [
      told.whole.length > 1 && "people disagree",
      told.facts > 0 && `${plural(told.facts, "fact")} overruled`,
      told.people.length === 0 && "judges disagree",
    ].filter(Boolean);
    if (word || hints.length > 0)
      return [
        word && h("span", { class: `instead ${word}`, title: by }, wordName(word)),
        hints.map((text) => h("span", { class: "hint", title: by }, text)),
      ];
    return h("span", { class: "hint agreed", title: by }, "labelled");
  }

  function pages() {
    if (found.pages < 2) return null;
    const turn = (to, label, title) =>
      to < 0 || to >= found.pages
        ? h("span", { class: "muted" }, label)
        : h("a", { href: link(["run", run], { ...params, page: to || undefined }), title }, label);
    return h(
      "nav",
      { class: "pages", "aria-label": "Pages" },
      turn(found.page - 1, "← Previous", "["),
      h("span", { class: "muted" }, `${found.page + 1} of ${found.pages}`),
      turn(found.page + 1, "Next →", "]"),
    );
  }

  function drawResult() {
    const rate = found.summary.success_over_graded;
    const filtered = FIELDS.some((field) => params[field]);
    fill(
      result,
      found.problem && h("p", { class: "problem", role: "alert" }, said(`The labels cannot be read: ${found.problem}`)),
      h(
        "div",
        { class: "found" },
        h("span", null, plural(found.total, "attempt")),
        filtered &&
          rate.attempts > 0 &&
          h("span", { class: "muted" }, `${shareOf(rate)} success of ${count(rate.attempts)} graded (${bounds(rate)})`),
        filtered && h("span", { class: "small" }, outcomeBar(found.summary)),
        h("span", { class: "grow" }),
        pages(),
      ),
      found.rows.length
        ? h(
            "table",
            { class: "rows" },
            h("thead", null, h("tr", null, COLUMNS.map(header))),
            h("tbody", null, found.rows.map(line)),
          )
        : h("div", { class: "empty" }, filtered ? "No matching attempts." : "No attempts yet."),
      found.rows.length > 20 &&
        h("div", { class: "found" }, legend(found.summary), h("span", { class: "grow" }), pages()),
    );
  }

  async function load() {
    const mine = ++asked;
    const reply = await ask("rows", { run, ...params }, signal);
    if (mine !== asked) return;
    const at = walk.at();
    const same = JSON.stringify(reply) === JSON.stringify(found);
    found = reply;
    if (same) return;
    if (!document.activeElement.matches("select")) drawFilters(); // an open list of options would close
    drawResult();
    if (at >= 0) walk.put(at);
  }

  const turnPage = (by) => {
    const to = found.page + by;
    if (to >= 0 && to < found.pages) location.hash = link(["run", run], { ...params, page: to || undefined });
  };

  drawFilters();
  drawResult();
  const walk = walker(result, "tbody tr");
  return {
    node: h("div", null, h("div", { class: "filters" }, search, chips), result),
    keys: [
      ...walk.keys,
      { keys: ["]"], does: "Next page", run: () => turnPage(1) },
      { keys: ["["], does: "Previous page", run: () => turnPage(-1) },
    ],
    update(next) {
      params = next.params;
      if (document.activeElement !== search) search.value = one(next, "text");
      drawFilters();
      load().catch(() => {});
      return true;
    },
    refresh: load,
  };
}
