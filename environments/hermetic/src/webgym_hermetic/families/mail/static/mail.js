// What mail pages do beyond the kit: suggest people while a recipient is typed, select all rows of a list.
const PEOPLE_MS = 120;
let asked = 0;

const offer = async (box) => {
  const mine = ++asked;
  const input = box.querySelector("input");
  const typed = input.value.split(",").at(-1).trim();
  await new Promise((resolve) => setTimeout(resolve, PEOPLE_MS));
  if (mine !== asked) return;
  const response = typed ? await fetch(`/people?${new URLSearchParams({ q: typed })}`).catch(() => null) : null;
  const people = response?.ok ? await response.json() : [];
  if (mine !== asked || !box.isConnected) return;
  box.querySelector(".people-list")?.remove();
  if (!people.length) return;
  const list = Object.assign(document.createElement("div"), { className: "people-list" });
  for (const { name, email } of people) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "chip" });
    button.textContent = `${name} <${email}>`;
    button.dataset.email = email;
    list.append(button);
  }
  box.append(list);
};

document.addEventListener("input", ({ target }) => {
  const box = target.closest("[data-people]");
  if (box) offer(box);
});

document.addEventListener("click", ({ target }) => {
  const button = target.closest(".people-list button");
  if (!button) return;
  const input = button.closest("[data-people]").querySelector("input");
  input.value = [...input.value.split(",").slice(0, -1).map((part) => part.trim()), button.dataset.email].join(", ");
  asked++;
  button.closest(".people-list").remove();
  input.focus();
});

document.addEventListener("change", ({ target }) => {
  if (!target.matches("[data-all]")) return;
  for (const box of document.querySelectorAll("input[name=pick]")) box.checked = target.checked;
});

// The chosen row of a list beside a message is brought into view.
const reveal = () => document.querySelector(".entry-row.current")?.scrollIntoView({ block: "center" });
document.addEventListener("kit:arrive", reveal);
reveal();
