// One run: how it went, and its attempts, failures, parts and settings under tabs.

import { ask } from "./api.js";
import { fill, h, said } from "./dom.js";
import { failuresTab } from "./failures.js";
import { bounds, figure, interval, legend, outcomeBar, ratesOf, shareOf } from "./figures.js";
import { groupsTab } from "./groups.js";
import { link } from "./route.js";
import { rowsTab } from "./rows.js";
import { evaluationOptions, evaluations, runCrumbs, trained, unseen } from "./training.js";
import { age, bytes, count, moment, percent, plural, siteName } from "./words.js";

const TABS = {
  attempts: ["Attempts", rowsTab],
  groups: ["Groups", groupsTab],
  failures: ["Failures", failuresTab],
  parts: ["By level and site", partsTab],
  about: ["About", aboutTab],
};

export async function showRun(route, signal) {
  const key = route.parts[1];
  const tab = TABS[route.parts[2]] ? route.parts[2] : "attempts";
  let info = await ask("run", { run: key }, signal);
  const top = h("div");
  const sections = h("div");
  const body = await TABS[tab][1](route, signal, info);
  const compare = await otherRuns(info, signal);

  function draw() {
    const training = info.line.training ?? info.within?.training;
    fill(top, heading(info, compare), figures(info), training && evaluations(training, key));
  }

  // Drawn anew only when there is another tab, so that nothing loses its focus.
  function drawTabs() {
    fill(sections, tabs(info, tab));
  }

  draw();
  drawTabs();
  return {
    title: info.line.name,
    crumbs: runCrumbs(info),
    up: info.within ? link(["run", info.within.key]) : link([]),
    keys: body.keys,
    node: h("div", null, top, sections, body.node),
    update: (next) => (next.parts[2] ?? "attempts") === tab && (body.update?.(next) ?? false),
    live: () => info.line.live,
    async refresh() {
      const found = await ask("run", { run: key }, signal);
      if (JSON.stringify(found) === JSON.stringify(info)) return;
      const grouped = info.groups > 0;
      info = found;
      draw();
      if (grouped !== info.groups > 0) drawTabs();
      await body.refresh?.(info);
    },
  };
}

async function otherRuns({ line: { key, training }, within }, signal) {
  const others = (await ask("runs", {}, signal)).filter((run) => run.key !== key && run.key !== within?.key);
  const options = [
    ...evaluationOptions(training ?? within?.training ?? { evaluations: [] }, key),
    ...others.map((run) => h("option", { value: run.key }, run.name)),
  ];
  if (!options.length) return null;
  const pick = h(
    "select",
    { "aria-label": "Compare with another run" },
    h("option", { value: "" }, "Compare with…"),
    options,
  );
  pick.addEventListener("change", () => pick.value && (location.hash = link(["compare", key, pick.value])));
  return pick;
}

const heading = ({ line }, compare) =>
  h(
    "div",
    { class: "head" },
    h("h1", null, said(line.name)),
    h("span", { class: "tag" }, line.kind),
    line.live && h("span", { class: "tag live" }, "live"),
    h("span", { class: "muted", title: moment(line.created) }, `${age(line.created)} · ${bytes(line.size_bytes)}`),
    h("span", { class: "grow" }),
    compare,
  );

function figures({ line: { summary, training }, gain }) {
  const rates = training
    ? [unseen(training, gain), trained(training, summary)]
    : ratesOf(summary).map(([name, title, note]) => figure(`Success · ${title.toLowerCase()}`, summary[name], note));
  return h(
    "section",
    { class: ["figures", rates.length < 2 && "single", training && "training"], "aria-label": "Results" },
    rates,
    h(
      "div",
      { class: "figure wide" },
      h("span", { class: "label" }, `${plural(summary.attempts, training ? "training attempt" : "attempt")} by outcome`),
      outcomeBar(summary),
      legend(summary),
      h(
        "span",
        { class: "muted" },
        `${percent(summary.blocked_rate)} blocked. Bars are 95 % confidence intervals, clustered by task.`,
      ),
    ),
  );
}

const tabs = ({ line: { key }, groups }, current) =>
  h(
    "nav",
    { class: "tabs", "aria-label": "Sections of the run" },
    Object.entries(TABS)
      .filter(([tab]) => tab !== "groups" || groups > 0 || current === "groups")
      .map(([tab, [title]]) =>
        h(
          "a",
          {
            href: link(tab === "attempts" ? ["run", key] : ["run", key, tab]),
            "aria-current": tab === current && "page",
          },
          title,
        ),
      ),
  );

async function partsTab(route, _signal, info) {
  const run = route.parts[1];
  const node = h("div");
  const rates = ratesOf(info.line.summary);
  const table = (title, field, parts, nameOf = (part) => part) =>
    h(
      "section",
      { class: "card" },
      h("h2", null, title),
      h(
        "table",
        { class: "parts" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th"),
            h("th", null, "Attempts"),
            h("th", { class: "left" }, "Outcomes"),
            rates.map(([, name, note]) => h("th", { title: note }, name)),
            h("th"),
            h("th", null, "95 % CI, graded"),
          ),
        ),
        h(
          "tbody",
          null,
          parts.map(({ name: part, summary }) =>
            h(
              "tr",
              null,
              h(
                "th",
                { scope: "row" },
                h("a", { href: link(["run", run], { [field]: part }) }, said(nameOf(part) || "unnamed")),
              ),
              h("td", { class: "number" }, count(summary.attempts)),
              h("td", { class: "bar" }, outcomeBar(summary)),
              rates.map(([name]) => h("td", { class: "number" }, shareOf(summary[name]))),
              h("td", { class: "bar" }, interval(summary.success_over_graded)),
              h("td", { class: "number muted" }, bounds(summary.success_over_graded)),
            ),
          ),
        ),
      ),
    );
  const draw = (found) =>
    fill(node, table("By level", "level", found.by_level), table("By site", "site", found.by_site, siteName));
  draw(info);
  return { node, refresh: draw };
}

async function aboutTab(_route, _signal, { meta }) {
  const line = (term, value) => [h("dt", null, term), h("dd", null, said(value))];
  return {
    node: h(
      "section",
      { class: "card" },
      h(
        "dl",
        { class: "about" },
        line("Started", moment(meta.created)),
        line("Command", meta.command || "unknown"),
        line("Seed", String(meta.seed ?? 0)),
        Object.entries(meta.versions ?? {}).map(([what, version]) => line(what, version)),
      ),
      h("h2", null, "Settings"),
      h("pre", { class: "text" }, meta.config || "Not recorded."),
    ),
  };
}
