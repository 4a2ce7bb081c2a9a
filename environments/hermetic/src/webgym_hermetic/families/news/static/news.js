// Folds the filters of a search away where there is no room for them.
(() => {
  const small = matchMedia("(max-width: 640px), (max-height: 420px)");
  const fold = () => {
    for (const part of document.querySelectorAll("details[data-fold-small]")) {
      if (small.matches) part.removeAttribute("open");
      part.removeAttribute("data-fold-small");
    }
  };
  document.addEventListener("kit:arrive", fold);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", fold);
  else fold();
})();
