// The desk: updates the clock, filters the table while typing, shows new lists, takes dropped files, and handles keys.
import { Panel, isMend, mendInPlace, unanswered } from "./desk_panel.js";

const $ = id => document.getElementById(id);
const PARTS = ["head", "notes", "filters", "players"];

function clock(begin) {
  for (const place of document.querySelectorAll("[data-left]")) {
    const left = Number(place.dataset.left) - (performance.now() - begin) / 1000, minutes = Math.floor(left / 60);
    if (left <= 0) place.textContent = "closed";
    else if (minutes < 2880) place.textContent = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  }
}

async function follow(address) {          // updates the table from the server, and keeps the picked rows and the focus
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!page.getElementById("players")) return;
  const picked = new Set([...document.querySelectorAll("#players input:checked")].map(box => box.value));
  const focused = document.activeElement?.closest("#players tr")?.querySelector("input")?.value;
  const on = document.activeElement?.tagName;
  for (const id of PARTS) {
    const at = [...$(id).querySelectorAll("a, button, input")].indexOf(document.activeElement);
    $(id).replaceWith(page.getElementById(id));
    if (at >= 0) $(id).querySelectorAll("a, button, input")[at]?.focus({ preventScroll: true });
  }
  panel?.mark();
  for (const box of document.querySelectorAll("#players input")) {
    box.checked = $("pick-all").checked || picked.has(box.value);
    if (box.value === focused) (on === "A" ? box.closest("tr").querySelector("a") : box).focus({ preventScroll: true });
  }
}

function pick(event) {                    // "Pick all shown" ticks every row, until one is unticked
  const all = $("pick-all"), boxes = document.querySelectorAll("#players [type=checkbox]");
  if (event.target === all) for (const box of boxes) box.checked = all.checked;
  else if (event.target.name === "pick" && !event.target.checked) all.checked = false;
}

function often(work, pause) {              // runs `work` every `pause` ms while the page is visible, and when it becomes visible
  const seen = () => { if (!document.hidden) work(); };
  setInterval(seen, pause);
  document.addEventListener("visibilitychange", seen);
}

function search() {
  const form = document.querySelector(".search");
  const address = `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`;
  history.replaceState(null, "", address);
  follow(address);
}

function move(step) {
  const links = [...document.querySelectorAll("#players tbody a")];
  const at = links.indexOf(document.activeElement);
  const link = links[at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)];
  link?.focus();
  if (link && panel.isOpen()) panel.open(link);
}

function keys(event) {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("#panel") && /^[jk]$/.test(event.key)) panel.link?.focus();
  const named = /^[a-z]$/.test(event.key) && document.querySelector(`[data-key="${event.key}"]`);
  if (named) named.click();
  else if (!$("players")) return;
  else if (event.key === "/") $("q").focus();
  else if (event.key === "j") move(1);
  else if (event.key === "k") move(-1);
  else if (/^[1-9]$/.test(event.key)) document.querySelectorAll("#filters a")[event.key - 1]?.click();
  else return;
  event.preventDefault();
}

function drop() {
  const area = $("drop"), input = area.querySelector("input");
  const over = is => event => { event.preventDefault(); area.classList.toggle("over", is); };
  document.addEventListener("dragover", over(true));
  document.addEventListener("dragleave", over(false));
  document.addEventListener("drop", event => {
    over(false)(event);
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    $("bring").requestSubmit();
  });
}

async function watch(main) {               // on a player's page: shows what the desk wrote, and that it has changed the list
  const answer = await fetch($("changed").querySelector("a").href).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const said = page.getElementById("from-desk");
  if (said && said.textContent !== $("from-desk").textContent) $("from-desk").replaceChildren(...said.childNodes);
  const state = page.querySelector("[data-state]")?.dataset.state;
  $("changed").hidden = state === undefined || state === main.dataset.state;
}

const begin = performance.now();
setInterval(clock, 10000, begin);
document.addEventListener("keydown", keys);
const panel = $("panel") && new Panel($("panel"), () => follow(location.href));
if ($("players")) {
  let timer = 0;
  $("q").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(search, 200); });
  often(() => follow(location.href), 8000);
  $("picked").addEventListener("change", pick);
  drop();
}
let answers = false;                       // the server has just answered, so that a form may leave the page
document.addEventListener("submit", async event => {
  const { target, submitter } = event;
  if (target.closest("#panel") || target.method !== "post") return;
  if (isMend(submitter)) mendInPlace(event);
  else if (!answers) {
    event.preventDefault();
    answers = Boolean((await fetch("/healthz").catch(() => null))?.ok);
    if (answers) target.requestSubmit(submitter);
    else unanswered(target);
    answers = false;
  }
});
const own = () => document.querySelector("[data-state]");
if (own()) often(() => watch(own()), 15000);
