// What the model was shown before a step, and what it said.

import { ask, picture } from "./api.js";
import { fill, h, said } from "./dom.js";
import { block } from "./step.js";
import { plural } from "./words.js";

/** Prompts are long: they are fetched when they are looked at. */
export function promptPanel(run, attempt, frame, signal) {
  const step = frame?.step;
  if (!step) return [h("p", { class: "muted" }, "No model call here.")];
  const shown = h(
    "div",
    { class: "messages" },
    step.prompt ? h("p", { class: "muted" }, "Loading…") : h("p", { class: "muted" }, "This agent does not call a model."),
  );
  if (step.prompt) {
    ask("prompt", { run, attempt: attempt.attempt_id, step: step.number }, signal).then(
      (prompt) =>
        fill(
          shown,
          prompt.messages.map((message) => messageNode(run, message)),
          (prompt.tools ?? []).map((tool) => block("Tool", tool)),
        ),
      (error) => error.name !== "AbortError" && fill(shown, h("p", { class: "problem" }, said(error.message))),
    );
  }
  const reply = step.reply;
  return [
    h(
      "div",
      { class: "stephead" },
      h("h2", null, `Step ${step.number}`),
      step.prompt &&
        h(
          "span",
          { class: "muted" },
          `${plural(step.prompt.messages, "message")}, ${plural(step.prompt.pictures, "image")} · ${[step.prompt.dialect, step.prompt.version].filter(Boolean).join(" ")}`,
        ),
    ),
    reply &&
      h(
        "div",
        { class: "message reply" },
        h("h3", null, "Response"),
        block("Reasoning", reply.reasoning),
        h("pre", { class: "text" }, reply.text || "(empty)"),
        reply.calls.map((call) => block(`Tool call ${call.name}`, call.arguments)),
      ),
    !reply && step.call && block("Call", step.call),
    h("h3", { class: "apart" }, "Prompt"),
    shown,
  ];
}

function messageNode(run, message) {
  return h(
    "div",
    { class: `message ${message.role}` },
    h("h3", null, message.role),
    message.parts.map((part) =>
      part.kind === "text" ? h("pre", { class: "text" }, part.text) : promptPicture(run, part),
    ),
  );
}

function promptPicture(run, part) {
  const image = h("img", {
    src: picture(run, part.address, 400),
    alt: `Image of ${part.width} × ${part.height}`,
    loading: "lazy",
  });
  const link = h(
    "a",
    {
      href: picture(run, part.address),
      target: "_blank",
      rel: "noopener",
      class: "inprompt",
      title: `${part.width} × ${part.height}, opens full size`,
    },
    image,
  );
  image.addEventListener("error", () =>
    link.replaceWith(h("div", { class: "missing" }, "This image cannot be displayed")),
  );
  return link;
}
