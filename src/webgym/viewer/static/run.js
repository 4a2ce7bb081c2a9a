// One run: how it went, and its attempts, failures, parts and settings under tabs.

import { ask } from "./api.js";
import { fill, h, said } from "./dom.js";
import { failuresTab } from "./failures.js";
import { RATES, bounds, figure, interval, legend, outcomeBar, shareOf } from "./figures.js";
import { link } from "./route.js";
import { rowsTab } from "./rows.js";
import { age, bytes, count, moment, percent, plural } from "./words.js";

const TABS = { attempts: "Attempts", failures: "Failures", parts: "By level and site", about: "About" };

export async function showRun(route, signal) {
  const key = route.parts[1];
  const tab = TABS[route.parts[2]] ? route.parts[2] : "attempts";
  let info = await ask("run", { run: key }, signal);
  const top = h("div");
  const body = await { attempts: rowsTab, failures: failuresTab, parts: partsTab, about: aboutTab }[tab](
    route,
    signal,
    info,
  );
  const compare = await otherRuns(key, signal);

  function draw() {
    fill(top, heading(info, compare), figures(info));
  }

  draw();
  return {
    title: info.line.name,
    crumbs: [[info.line.name, link(["run", key])]],
    up: link([]),
    keys: body.keys,
    node: h("div", null, top, tabs(key, tab), body.node),
    update: (next) => (next.parts[2] ?? "attempts") === tab && (body.update?.(next) ?? false),
    live: () => info.line.live,
    async refresh() {
      const found = await ask("run", { run: key }, signal);
      if (JSON.stringify(found) === JSON.stringify(info)) return;
      info = found;
      draw();
      await body.refresh?.(info);
    },
  };
}

async function otherRuns(key, signal) {
  const others = (await ask("runs", {}, signal)).filter((run) => run.key !== key);
  if (!others.length) return null;
  const pick = h(
    "select",
    { "aria-label": "Compare with another run" },
    h("option", { value: "" }, "Compare with…"),
    others.map((run) => h("option", { value: run.key }, run.name)),
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

const figures = ({ line: { summary } }) =>
  h(
    "section",
    { class: "figures", "aria-label": "Results" },
    Object.entries(RATES).map(([name, [title, note]]) =>
      figure(`Success · ${title.toLowerCase()}`, summary[name], note),
    ),
    h(
      "div",
      { class: "figure wide" },
      h("span", { class: "label" }, `${plural(summary.attempts, "attempt")} by outcome`),
      outcomeBar(summary),
      legend(summary),
      h(
        "span",
        { class: "muted" },
        `${percent(summary.blocked_rate)} blocked. Bars are 95 % confidence intervals, clustered by task.`,
      ),
    ),
  );

const tabs = (run, current) =>
  h(
    "nav",
    { class: "tabs", "aria-label": "Sections of the run" },
    Object.entries(TABS).map(([tab, title]) =>
      h(
        "a",
        {
          href: link(tab === "attempts" ? ["run", run] : ["run", run, tab]),
          "aria-current": tab === current && "page",
        },
        title,
      ),
    ),
  );

async function partsTab(route, _signal, info) {
  const run = route.parts[1];
  const node = h("div");
  const table = (title, field, parts) =>
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
            Object.values(RATES).map(([title, note]) => h("th", { title: note }, title)),
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
                h("a", { href: link(["run", run], { [field]: part }) }, said(part || "unnamed")),
              ),
              h("td", { class: "number" }, count(summary.attempts)),
              h("td", { class: "bar" }, outcomeBar(summary)),
              Object.keys(RATES).map((name) => h("td", { class: "number" }, shareOf(summary[name]))),
              h("td", { class: "bar" }, interval(summary.success_over_graded)),
              h("td", { class: "number muted" }, bounds(summary.success_over_graded)),
            ),
          ),
        ),
      ),
    );
  const draw = (found) =>
    fill(node, table("By level", "level", found.by_level), table("By site", "site", found.by_site));
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
