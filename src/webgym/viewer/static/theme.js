// Runs before the first paint, so that a chosen theme does not flash.
(() => {
  const CHOICES = ["system", "light", "dark"];
  const stored = () => {
    try {
      return localStorage.getItem("webgym-theme") ?? "system";
    } catch {
      return "system"; // storage may be off
    }
  };
  const apply = (choice) => {
    document.documentElement.dataset.theme = CHOICES.includes(choice) ? choice : "system";
  };
  apply(stored());
  window.webgymTheme = {
    current: () => document.documentElement.dataset.theme,
    next() {
      const choice = CHOICES[(CHOICES.indexOf(this.current()) + 1) % CHOICES.length];
      apply(choice);
      try {
        localStorage.setItem("webgym-theme", choice);
      } catch {
        // it holds for this page only
      }
      return choice;
    },
  };
})();
