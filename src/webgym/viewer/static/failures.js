// Why did it fail: attempts without success, grouped in several ways, each group with examples.

import { ask } from "./api.js";
import { fill, h, said } from "./dom.js";
import { filterOf } from "./rows.js";
import { link } from "./route.js";
import { LIMITS, OUTCOMES, actionName, count, glyph, percent, plural, siteName } from "./words.js";

const TITLES = {
  outcome: ["By outcome", "How the attempts ended"],
  detail: ["By detail", "The recorded limit, cause or reason"],
  missed: ["By facts missed", "One missed fact is a near miss"],
  last: ["By last action", "The last action of the agent"],
  steps: ["By steps", "How many steps the agent took"],
  site: ["By site", "Unsuccessful attempts out of all on the site"],
};

const named = (name, value) => {
  if (name === "outcome") return [h("span", { class: "glyph" }, glyph(value)), OUTCOMES[value] ?? value];
  if (name === "last") return actionName(value);
  if (name === "missed") return value === "" ? "not graded" : plural(Number(value), "fact");
  if (name === "steps") return value.endsWith("-") ? `${value.slice(0, -1)} or more` : value.replace("-", " – ");
  if (name === "site") return said(siteName(value) || "unnamed");
  return value ? said(LIMITS[value] ?? value) : "no detail";
};

export async function failuresTab(route, signal) {
  const run = route.parts[1];
  const filter = filterOf(route.params);
  const ask_ = () => ask("failures", { run, ...filter }, signal);
  let found = await ask_();
  const node = h("div");

  function draw() {
    const kinds = found.reasons.find((reason) => reason.name === "outcome").groups.map((group) => group.value);
    fill(
      node,
      h(
        "p",
        { class: "lead" },
        found.count
          ? `${count(found.count)} of ${plural(found.of, "finished attempt")} ended without success.`
          : "No failures.",
      ),
      h("div", { class: "reasons" }, found.count > 0 && found.reasons.map((reason) => card(reason, kinds))),
    );
  }

  function card(reason, kinds) {
    const [title, what] = TITLES[reason.name];
    const most = Math.max(...reason.groups.map((group) => group.count));
    return h(
      "section",
      { class: "card", "data-reason": reason.name },
      h("h2", null, title),
      h("p", { class: "muted" }, what),
      h(
        "ul",
        { class: "groups" },
        reason.groups.map((group) => line(reason, group, kinds, most)),
      ),
      reason.left_out > 0 && h("p", { class: "muted" }, `and ${plural(reason.left_out, "smaller group")}`),
    );
  }

  function line(reason, group, kinds, most) {
    const asked = { ...filter, outcome: kinds, [reason.name]: group.value };
    // An empty value cannot be asked for by address: such a group has only its examples.
    const to = group.value === "" ? null : link(["run", run], asked);
    const label = h(
      "span",
      { class: ["label", reason.name === "outcome" && group.value] },
      named(reason.name, group.value),
    );
    return h(
      "li",
      null,
      to ? h("a", { href: to, class: "group" }, label) : label,
      h(
        "span",
        { class: "track" },
        h("span", {
          class: ["part", reason.name === "outcome" && group.value],
          place: { width: `${(group.count / most) * 100}%` },
        }),
      ),
      h(
        "span",
        { class: "number", title: `${group.count} of ${group.of} such attempts` },
        `${count(group.count)}`,
        h(
          "span",
          { class: "muted" },
          reason.name === "site" ? ` of ${count(group.of)}` : ` ${percent(group.count / found.count, 0)}`,
        ),
      ),
      h(
        "span",
        { class: "examples" },
        group.examples.map((example, index) =>
          h(
            "a",
            {
              href: link(["run", run, "attempt", example.attempt_id], group.value === "" ? filter : asked),
              title: example.instruction,
              "aria-label": `Example ${index + 1}: ${example.instruction}`,
            },
            index + 1,
          ),
        ),
      ),
    );
  }

  draw();
  return {
    node,
    keys: [],
    async refresh() {
      found = await ask_();
      draw();
    },
  };
}
