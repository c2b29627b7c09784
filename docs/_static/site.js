// The arrows that open a part of the navigation get names for screen readers.
function nameArrows() {
  for (const arrow of document.querySelectorAll(".bd-sidebar-primary summary")) {
    const link = arrow.closest("li").querySelector("a");
    arrow.setAttribute("aria-label", `Pages under ${link.textContent.trim()}`);
  }
}

// Equations that are wider than the page can be scrolled by keyboard.
function reachEquations() {
  for (const box of document.querySelectorAll(".formula")) {
    box.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1;
  }
}

document.addEventListener("DOMContentLoaded", nameArrows);
window.addEventListener("load", reachEquations);
window.addEventListener("resize", reachEquations);
