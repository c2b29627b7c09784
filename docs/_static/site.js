// Names for screen readers: the arrows that open a part of the navigation have none.
document.addEventListener("DOMContentLoaded", () => {
  for (const arrow of document.querySelectorAll(".bd-sidebar-primary summary")) {
    const link = arrow.closest("li").querySelector("a");
    arrow.setAttribute("aria-label", `Pages under ${link.textContent.trim()}`);
  }
});
