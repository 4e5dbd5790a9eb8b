// Pictures that load as they come into view load after the page in a wide window, so that it prints whole. A phone waits
// until it prints.
function load() { for (const picture of document.querySelectorAll("[loading=lazy]")) picture.loading = "eager"; }
if (matchMedia("(min-width: 60rem)").matches) {
  addEventListener("load", load);
  document.addEventListener("found", load);   // after a search in the page
}
addEventListener("beforeprint", load);
