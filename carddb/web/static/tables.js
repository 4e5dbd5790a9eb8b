// A table for play: plays actions without loading the page, follows other seats' actions, and handles keys and dragged cards.
const $ = id => document.getElementById(id);
const here = location.pathname;
let busy = false, again = false;

function put(text) {                      // replaces the table by that of the new page, and keeps the focus
  const page = new DOMParser().parseFromString(text, "text/html"), next = page.getElementById("table");
  if (!next) return false;
  if (next.dataset.mark === $("table").dataset.mark && next.innerHTML === $("table").innerHTML) return true;
  const active = document.activeElement?.closest("#table") && document.activeElement;
  const place = active && (active.id ? `#${active.id}` : active.dataset.key ? `[data-key="${active.dataset.key}"]`
    : active.matches(".tools [name]") ? `.tools [name="${active.name}"]` : "");
  const open = [...$("table").querySelectorAll("details")].map(each => each.open);
  const said = $("say")?.textContent;
  const fields = [...$("table").querySelectorAll(".tools :is(select, input[name]):not([data-die])")];
  const now = document.adoptNode(next);
  const say = now.querySelector("#say"), old = $("say");
  now.querySelectorAll("details").forEach((each, at) => { each.open = open[at] ?? false; });
  for (const field of fields) {            // keep the chosen zone and counter names
    const same = now.querySelector(`.tools [name="${field.name}"]`);
    if (same) same.value = field.value;
  }
  if (say && old) {                       // keep the same live region, so that screen readers announce its change
    const words = say.textContent;
    say.replaceWith(old);
    $("table").replaceWith(now);
    if (words !== said) old.textContent = words;
  } else $("table").replaceWith(now);
  if (place) (document.querySelector(place) ?? $("main")).focus({ preventScroll: true });
  return true;
}

async function load() {
  if (busy) { again = true; return; }
  const answer = await fetch(here).catch(() => null);
  if (answer?.ok) put(await answer.text());
}

async function send(form, button) {
  if (busy) return;
  busy = true;
  $("table").setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body: new URLSearchParams(new FormData(form, button)) });
    const text = await answer.text();
    if (!put(text)) complain(text);
  } catch {
    complain("");
  } finally {
    busy = false;
    $("table").removeAttribute("aria-busy");
    if (again) { again = false; load(); }
  }
}

function complain(text) {                 // shows the error of an answer that is not a page
  let words = "The server does not answer. Load the page again.";
  try {
    const { error, remedy } = JSON.parse(text);
    words = `${error}. ${remedy}`;
  } catch { /* not JSON: the text above */ }
  if ($("say")) $("say").textContent = words;
}

document.addEventListener("submit", event => {
  if (!event.target.closest("#table")) return;
  event.preventDefault();
  send(event.target, event.submitter);
});

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog.large")) return;
  const held = event.key.toLowerCase() === "v" && event.target.closest?.(".piece")?.querySelector(".face");
  if (held) { enlarge(held); return; }
  const typing = event.target.closest?.("input:not([type=checkbox]), select, textarea");
  const die = document.querySelector("[data-die]");
  if (!typing && die && /^[1-9]$/.test(event.key)) {
    event.preventDefault();
    die.value += event.key;
    die.focus();
    return;
  }
  if (typing) {
    if (event.key === "Enter" && typing.matches("[data-die]")) {
      event.preventDefault();
      document.querySelector('[data-key="r"]')?.click();
    }
    return;
  }
  const key = (event.shiftKey && /^[A-Z]$/.test(event.key) ? "shift+" : "") + event.key.toLowerCase();
  const button = [...document.querySelectorAll("[data-key]")].find(each => each.dataset.key === key);
  if (!button) return;
  event.preventDefault();
  button.click();
});

// The playtest table: cards are dragged to a zone, or double-clicked to move them to the chosen zone.
document.addEventListener("dragstart", event => {
  const piece = event.target.closest?.(".piece"), box = piece?.querySelector("input");
  if (!box) return;
  box.checked = true;
  event.dataTransfer.setData("text/plain", "");
});
document.addEventListener("dragover", event => {
  const zone = event.target.closest?.("[data-zone]");
  for (const each of document.querySelectorAll(".over")) each.classList.toggle("over", each === zone);
  if (zone) { event.preventDefault(); zone.classList.add("over"); }
});
document.addEventListener("drop", event => {
  const zone = event.target.closest?.("[data-zone]"), to = $("to");
  if (!zone || !to) return;
  event.preventDefault();
  zone.classList.remove("over");
  to.value = zone.dataset.zone;
  document.querySelector('[data-key="m"]')?.click();
});
document.addEventListener("dblclick", event => {
  const box = event.target.closest?.(".piece")?.querySelector("input");
  if (!box) return;
  box.checked = true;
  document.querySelector('[data-key="m"]')?.click();
});

// Enlarges a card: by its link or, at the playtest table, where a click selects the card, by a long press.
function enlarge(face) {
  const box = document.createElement("dialog"), close = document.createElement("button");
  box.className = "large";
  box.setAttribute("aria-label", "The card, enlarged");
  close.type = "button";
  close.textContent = "Close";
  box.append(face.cloneNode(true), close);
  box.addEventListener("click", () => box.close());
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
}

const HOLD = 450;                         // milliseconds after which a press counts as long
let hold = 0, held = false;
document.addEventListener("click", event => {
  const link = event.target.closest?.(".look");
  if (link) enlarge(link.querySelector(".face"));
  if (link || held) event.preventDefault();
  held = false;
});
document.addEventListener("pointerdown", event => {
  const face = event.target.closest?.(".piece")?.querySelector(".face");
  held = false;
  if (face && event.isPrimary && !event.button) hold = setTimeout(() => { held = true; enlarge(face); }, HOLD);
});
for (const kind of ["pointerup", "pointercancel", "dragstart", "scroll"]) document.addEventListener(kind, () => clearTimeout(hold));
document.addEventListener("contextmenu", event => {
  if (event.pointerType === "touch" && event.target.closest?.(".piece")) event.preventDefault();
});

const stream = new EventSource(`${here}/events`);
stream.addEventListener("changed", load);
addEventListener("pagehide", () => stream.close());
