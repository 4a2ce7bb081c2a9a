// The groups of a training run: attempts at one task that were compared with each other, and what was learned from.

import { ask } from "./api.js";
import { fill, h, said } from "./dom.js";
import { walker } from "./lists.js";
import { amend, link, one, read } from "./route.js";
import { OUTCOMES, count, glyph, plural, signed, siteName } from "./words.js";

const FATES = {
  kept: ["Learned from", "Rewards differ, so the attempts could be compared."],
  all_pass: ["All solved", "Nothing to compare: every graded attempt solved the task."],
  all_fail: ["None solved", "Nothing to compare: no graded attempt solved the task."],
  too_few: ["Too few graded", "Fewer than two attempts have a reward."],
  no_signal: ["No signal", "The estimator gave every attempt an advantage of 0."],
  stale: ["Too old", "The weights had moved on too far since its attempts."],
  open: ["Not settled", "Its attempts are not finished, or no update has taken it yet."],
};

export const fateName = (fate) => FATES[fate]?.[0] ?? fate;

const solvedOf = ({ solved, graded }) => (graded ? `${solved} of ${graded} solved` : "none graded");

const rewardOf = ({ reward }) => (reward === null ? "–" : String(reward));

const advantageOf = ({ advantage }) => (advantage === null ? "–" : signed(advantage));

function spoken(member, place) {
  const parts = [
    `Attempt ${place + 1}: ${OUTCOMES[member.outcome] ?? member.outcome}`,
    `reward ${member.reward === null ? "none" : member.reward}`,
    member.advantage !== null && `advantage ${signed(member.advantage)}`,
    plural(member.steps, "step"),
  ];
  return parts.filter(Boolean).join(", ");
}

/** The attempts of a group, each with its reward and its advantage; `current` is the one that is looked at. */
const members = (run, group, current = "") =>
  h(
    "ol",
    { class: "members" },
    group.members.map((member, place) =>
      h(
        "li",
        null,
        h(
          "a",
          {
            href: link(["run", run, "attempt", member.attempt_id], { group: group.name }),
            class: ["member", member.attempt_id === current && "at"],
            "aria-current": member.attempt_id === current && "true",
            "aria-label": spoken(member, place),
            title: spoken(member, place),
          },
          h("span", { class: `badge only ${member.outcome}`, "aria-hidden": "true" }, glyph(member.outcome)),
          h("span", { class: "reward" }, rewardOf(member)),
          h("span", { class: ["advantage", member.advantage > 0 && "up", member.advantage < 0 && "down"] }, advantageOf(member)),
        ),
      ),
    ),
  );

const weights = ({ version }) => (version === null ? "" : `weights of version ${version}`);

const iterationOf = ({ iteration }) => (iteration === null ? "Not settled yet" : `Iteration ${iteration}`);

/** The group of one attempt, in a line. */
export const groupLine = (run, group, current) =>
  h(
    "div",
    { class: "groupline" },
    h("a", { href: link(["run", run, "groups"], { iteration: group.iteration }) }, iterationOf(group)),
    h("span", { class: "muted" }, [weights(group), solvedOf(group), fateName(group.fate)].filter(Boolean).join(" · ")),
    members(run, group, current),
  );

export async function groupsTab(route, signal, info) {
  const run = route.parts[1];
  let params = route.params;
  let found = await ask("groups", { run, ...params }, signal);
  let asked = 0;
  const filters = h("div", { class: "within" });
  const list = h("div");
  const search = h("input", {
    type: "search",
    placeholder: "Search tasks",
    "aria-label": "Search tasks",
    value: one(route, "text"),
  });
  search.addEventListener("input", () => change({ text: search.value }));
  const change = (changes) => amend(["run", run, "groups"], { ...read().params, page: undefined, ...changes });
  const chosen = (name) => one({ params }, name);

  function drawFilters() {
    const focused = filters.contains(document.activeElement) && document.activeElement.getAttribute("data-key");
    const pick = h(
      "select",
      { "aria-label": "Iteration", "data-key": "iteration" },
      h("option", { value: "" }, "All iterations"),
      found.iterations.map((number) =>
        h("option", { value: number, selected: chosen("iteration") === String(number) }, `Iteration ${number}`),
      ),
    );
    pick.addEventListener("change", () => change({ iteration: pick.value }));
    const counts = Object.fromEntries(found.fates.map(({ value, count: number }) => [value, number]));
    const chips = Object.keys(FATES)
      .filter((fate) => counts[fate] || chosen("fate") === fate)
      .map((fate) =>
        h(
          "button",
          {
            type: "button",
            class: "chip",
            "data-key": fate,
            title: FATES[fate][1],
            "aria-pressed": String(chosen("fate") === fate),
            onclick: () => change({ fate: chosen("fate") === fate ? undefined : fate }),
          },
          fateName(fate),
          h("b", null, count(counts[fate])),
        ),
      );
    fill(filters, pick, h("div", { class: "chips", role: "group", "aria-label": "What became of it" }, chips));
    if (focused) filters.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  const line = (group) =>
    h(
      "li",
      { class: "grouprow" },
      h(
        "div",
        { class: "what" },
        h("a", { href: link(["run", run], { group: group.name }) }, said(group.instruction)),
        h("span", { class: "muted" }, said(`${siteName(group.site)} · ${group.level}`)),
      ),
      h(
        "div",
        { class: "fate" },
        h("b", null, solvedOf(group)),
        h("span", { class: "muted", title: FATES[group.fate]?.[1] }, fateName(group.fate)),
      ),
      members(run, group),
    );

  function pages() {
    if (found.pages < 2) return null;
    const turn = (to, label) =>
      to < 0 || to >= found.pages
        ? h("span", { class: "muted" }, label)
        : h("a", { href: link(["run", run, "groups"], { ...params, page: to || undefined }) }, label);
    return h(
      "nav",
      { class: "pages", "aria-label": "Pages" },
      turn(found.page - 1, "← Previous"),
      h("span", { class: "muted" }, `${found.page + 1} of ${found.pages}`),
      turn(found.page + 1, "Next →"),
    );
  }

  /** The groups of this page, iteration by iteration. */
  function iterations() {
    const parts = [];
    for (const group of found.groups) {
      if (parts.at(-1)?.[0].iteration !== group.iteration) parts.push([]);
      parts.at(-1).push(group);
    }
    return parts.map((groups) =>
      h(
        "section",
        { class: "iteration" },
        h("h2", null, iterationOf(groups[0]), " ", h("span", { class: "muted" }, weights(groups[0]))),
        h("ul", { class: "grouped" }, groups.map(line)),
      ),
    );
  }

  function drawList() {
    const { estimator, shuffled } = info.line.training ?? {};
    const legend = [
      "Every sign is an attempt; below it are its reward and its advantage",
      estimator && ` (${estimator})`,
      ", by which its tokens are weighted.",
      shuffled && " This is a control: advantages are of rewards that were permuted within the group.",
    ];
    fill(
      list,
      h("div", { class: "found" }, plural(found.total, "group"), h("span", { class: "grow" }), pages()),
      found.total > 0 && h("p", { class: "muted lead" }, legend.filter(Boolean).join("")),
      found.groups.length ? iterations() : h("div", { class: "empty" }, "No matching groups."),
    );
  }

  async function load() {
    const mine = ++asked;
    const reply = await ask("groups", { run, ...params }, signal);
    if (mine !== asked || JSON.stringify(reply) === JSON.stringify(found)) return;
    found = reply;
    const at = walk.at();
    if (!document.activeElement.matches("select")) drawFilters(); // an open list of options would close
    drawList();
    if (at >= 0) walk.put(at);
  }

  drawFilters();
  drawList();
  const walk = walker(list, "li.grouprow");
  return {
    node: h("div", null, h("div", { class: "filters" }, search, filters), list),
    keys: walk.keys,
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
