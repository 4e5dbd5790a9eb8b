// The deck beside the gallery: + and - change its text, and the server checks it.
const $ = id => document.getElementById(id);
const form = $("deck-form"), area = $("deck-text"), KEPT = `carddb-deck-${form.elements.game.value}`;
let latest = 0, timer = 0, presses = Promise.resolve();   // presses are handled one after the other, so that none is lost
let copies = {};

if (!("given" in area.dataset)) area.value = sessionStorage.getItem(KEPT) ?? area.value;
$("copy").hidden = false;

async function check(button) {
  const number = ++latest, body = new FormData(form);
  if (button) body.set(button.name, button.value);
  const answer = await fetch("/check", { method: "POST", body });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const word = page.getElementById("word");
  if (number !== latest || !word) return;
  if (button) area.value = page.getElementById("text").value;
  sessionStorage.setItem(KEPT, area.value);
  copies = JSON.parse(page.getElementById("figs").dataset.copies);
  $("word").textContent = word.textContent;
  $("sum").textContent = page.getElementById("sum").textContent;
  $("on-paper").textContent = area.value;
  $("count").textContent = page.querySelector("#figs .n")?.textContent ?? "";
  $("notes").replaceChildren(...[...page.querySelectorAll(".note:not(.hint) h3 span:last-child")].map(note => {
    const item = document.createElement("li");
    item.textContent = note.textContent;
    return item;
  }));
  count();
}

function count() {                        // writes the deck's numbers on the tiles and on the bar
  for (const place of document.querySelectorAll("[data-ref]")) {
    place.textContent = copies[place.dataset.ref] ?? 0;
    place.parentElement.toggleAttribute("data-none", !copies[place.dataset.ref]);
  }
  for (const place of document.querySelectorAll("[data-of]")) place.textContent = $(place.dataset.of).textContent.split(". ")[0];
}

document.addEventListener("submit", event => {
  const button = event.submitter;
  if (event.target !== form || button?.name !== "more") return;
  event.preventDefault();
  presses = presses.then(() => check(button)).catch(() => { $("sum").textContent = "The server does not answer. Try again in a moment."; });
});
document.addEventListener("found", count);
area.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(check, 300);
});
$("copy").addEventListener("click", () => {
  area.select();
  $("copy").textContent = document.execCommand("copy") ? "Copied" : "Selected: press Ctrl C";
});
if (area.value.trim().split("\n").length > 1) check();
