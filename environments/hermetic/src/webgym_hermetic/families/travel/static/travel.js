// Names of places, suggested below the field that asks for one; filters that small screens fold away.
(() => {
  const MOST = 5;
  const listOf = (field) => field.querySelector(".place-list");
  const close = (field) => listOf(field)?.remove();
  const closeAll = (except) => {
    for (const field of document.querySelectorAll("[data-places]")) if (field !== except) close(field);
  };

  const row = (text, className, name) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: text, className });
    if (name) button.dataset.testid = name;
    return button;
  };

  const suggest = (input) => {
    const field = input.closest("[data-places]");
    const typed = input.value.trim().toLowerCase();
    close(field);
    const names = field.dataset.places.split("|");
    if (!typed || names.some((name) => name.toLowerCase() === typed)) return;
    const found = names.filter((name) => name.toLowerCase().includes(typed)).slice(0, MOST);
    if (!found.length) return;
    const list = document.createElement("div");
    list.className = "place-list";
    list.dataset.dismiss = `dismiss:places:${input.name}`;
    for (const name of found) list.append(row(name, "place-option", `place:${input.name}=${name}`));
    list.append(row("Close", "place-close", `dismiss:places:${input.name}`));
    field.append(list);
  };

  document.addEventListener("input", ({ target }) => {
    if (target.closest("[data-places]") && target.matches("input")) suggest(target);
  });
  document.addEventListener("click", ({ target }) => {
    const field = target.closest("[data-places]");
    closeAll(field);
    const option = target.closest(".place-option");
    if (option) {
      const input = field.querySelector("input");
      input.value = option.textContent;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }
    if (option || target.closest(".place-close")) close(field);
  });
  document.addEventListener("click", ({ target }) => {
    const opener = target.closest("[data-reveal]");
    if (!opener) return;
    const open = opener.nextElementSibling.classList.toggle("open");
    opener.setAttribute("aria-expanded", String(open));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeAll(null);
  });
})();
