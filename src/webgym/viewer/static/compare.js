// Two runs, paired by task.

import { ask } from "./api.js";
import { fill, h, said } from "./dom.js";
import { glyphs, outcomeBar } from "./figures.js";
import { walker } from "./lists.js";
import { amend, link, one } from "./route.js";
import { count, percent, plural, signed, siteName } from "./words.js";

export const FLIPS = {
  lost: ["Lost", "solved more often by the first run"],
  gained: ["Gained", "solved more often by the second run"],
  same: ["Same", "solved as often by both"],
  ungraded: ["Not graded", "without a graded attempt in at least one run"],
  only_a: ["First run only", ""],
  only_b: ["Second run only", ""],
};

export async function showCompare(route, signal) {
  const [, a, b] = route.parts;
  let params = route.params;
  let asked = 0;
  let found = await ask("compare", { a, b, ...params }, signal);
  const { names } = found;
  const search = h("input", {
    type: "search",
    placeholder: "Search tasks",
    "aria-label": "Search tasks",
    value: one(route, "text"),
  });
  search.addEventListener("input", () => change({ text: search.value }));
  const change = (changes) => amend(["compare", a, b], { ...params, page: undefined, ...changes });
  const chips = h("div", { class: "chips", role: "group", "aria-label": "What changed" });
  const list = h("div");
  const flip = () => one({ params }, "flip");

  function drawChips() {
    const chip = (value, label, number, title) =>
      h(
        "button",
        {
          type: "button",
          class: ["chip", value],
          title,
          "aria-pressed": String(flip() === value),
          disabled: !number && flip() !== value,
          onclick: () => change({ flip: flip() === value ? undefined : value }),
        },
        label,
        h("b", null, count(number)),
      );
    fill(
      chips,
      Object.entries(FLIPS).map(([value, [label, title]]) => chip(value, label, found.comparison.flips[value], title)),
    );
  }

  const side = (which) =>
    h("td", { class: "side" }, which.members.length ? glyphs(which.members) : h("span", { class: "muted" }, "–"));

  const line = (pair) =>
    h(
      "tr",
      { onclick: (event) => event.target.closest("a") || event.currentTarget.querySelector("a").click() },
      h("td", null, h("span", { class: `flip ${pair.flip}` }, FLIPS[pair.flip][0])),
      h(
        "td",
        { class: "instruction" },
        h("a", { href: link(["compare", a, b, "task", pair.task_id], { flip: flip() }) }, said(pair.instruction)),
        h("span", { class: "muted" }, said(`${siteName(pair.site)} · ${pair.level}`)),
      ),
      side(pair.a),
      side(pair.b),
    );

  function pages() {
    if (found.pages < 2) return null;
    const turn = (to, label) =>
      to < 0 || to >= found.pages
        ? h("span", { class: "muted" }, label)
        : h("a", { href: link(["compare", a, b], { ...params, page: to || undefined }) }, label);
    return h(
      "nav",
      { class: "pages" },
      turn(found.page - 1, "← Previous"),
      h("span", { class: "muted" }, `${found.page + 1} of ${found.pages}`),
      turn(found.page + 1, "Next →"),
    );
  }

  function drawList() {
    fill(
      list,
      h("div", { class: "found" }, plural(found.total, "task"), h("span", { class: "grow" }), pages()),
      found.comparison.pairs.length
        ? h(
            "table",
            { class: "rows pairs" },
            h(
              "thead",
              null,
              h(
                "tr",
                null,
                h("th", null, ""),
                h("th", null, "Task"),
                h("th", null, said(names[0])),
                h("th", null, said(names[1])),
              ),
            ),
            h("tbody", null, found.comparison.pairs.map(line)),
          )
        : h("div", { class: "empty" }, "No matching tasks."),
    );
  }

  async function load() {
    const mine = ++asked;
    const reply = await ask("compare", { a, b, ...params }, signal);
    if (mine !== asked) return;
    found = reply;
    drawChips();
    drawList();
  }

  drawChips();
  drawList();
  const walk = walker(list, "tbody tr");
  return {
    title: `${names[0]} and ${names[1]}`,
    crumbs: [[`${names[0]} ⇄ ${names[1]}`, link(["compare", a, b])]],
    up: link([]),
    keys: [...walk.keys, { keys: ["x"], does: "Swap the runs", run: () => (location.hash = link(["compare", b, a])) }],
    node: h(
      "div",
      null,
      h(
        "div",
        { class: "head" },
        h("h1", null, "Comparison by task"),
        h("span", { class: "grow" }),
        h("a", { class: "button", href: link(["compare", b, a]) }, "Swap"),
      ),
      figures(found.comparison, names, [a, b]),
      h("div", { class: "filters" }, search, chips),
      list,
    ),
    update(next) {
      params = next.params;
      load().catch(() => {});
      return true;
    },
  };
}

function figures(compared, names, keys) {
  const column = (which, name, key, share, summary) =>
    h(
      "div",
      { class: "figure" },
      h("span", { class: "label" }, `${which}: `, h("a", { href: link(["run", key]) }, said(name))),
      h("span", { class: "value" }, compared.tasks ? percent(share) : "–"),
      outcomeBar(summary),
      h("span", { class: "muted" }, `of ${plural(compared.tasks, "task")} graded in both`),
    );
  return h(
    "section",
    { class: "figures" },
    column("First", names[0], keys[0], compared.success_a, compared.a),
    column("Second", names[1], keys[1], compared.success_b, compared.b),
    change(compared),
  );
}

/** Which way a difference goes; neither, as long as its interval leaves that open. */
export const direction = ({ low, high }) => (low > 0 ? "up" : high < 0 ? "down" : "");

export const points = (share) => signed(share * 100, 1);

function change({ tasks, difference, flips, chance }) {
  const way = direction(difference);
  return h(
    "div",
    { class: "figure" },
    h("span", { class: "label" }, "Change"),
    h("span", { class: ["value", way] }, tasks ? `${points(difference.estimate)} points` : "–"),
    tasks > 0 && h("span", { class: "muted" }, `95 % CI ${points(difference.low)} to ${points(difference.high)}`),
    h("span", { class: "muted" }, `${plural(flips.gained, "task")} gained, ${count(flips.lost)} lost`),
    flips.gained + flips.lost > 0 &&
      h(
        "span",
        { class: "muted" },
        `sign test: p ${chance < 0.001 ? "< 0.001" : `= ${chance.toFixed(3)}`}`,
      ),
  );
}
