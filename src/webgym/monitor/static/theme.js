// Light or dark: as the system says, until somebody says otherwise.

const KEY = "webgym-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

export function themeSwitch(button, onChange) {
  const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const show = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
    onChange();
  };
  const stored = localStorage.getItem(KEY);
  if (stored === "light" || stored === "dark") document.documentElement.dataset.theme = stored;
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    localStorage.setItem(KEY, document.documentElement.dataset.theme);
    show();
  });
  system.addEventListener("change", show);
  show();
}
