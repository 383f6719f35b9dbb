// Loaded before the first paint, so that a page in the dark does not flash white.
(() => {
  "use strict";
  const KEY = "weir-theme";
  const dark = matchMedia("(prefers-color-scheme: dark)");

  function chosen() {
    try {
      return localStorage.getItem(KEY) ?? "system";
    } catch {
      return "system"; // storage is off
    }
  }

  function apply(choice) {
    const theme = choice === "system" ? (dark.matches ? "dark" : "light") : choice;
    document.documentElement.dataset.theme = theme === "dark" ? "dark" : "light";
  }

  apply(chosen());
  dark.addEventListener("change", () => apply(chosen()));
  addEventListener("DOMContentLoaded", () => {
    const select = document.getElementById("theme");
    select.value = chosen();
    select.addEventListener("change", () => {
      try {
        localStorage.setItem(KEY, select.value);
      } catch {
        // then it lasts as long as the page
      }
      apply(select.value);
    });
  });
})();
