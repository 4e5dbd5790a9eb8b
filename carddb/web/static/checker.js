// The checker: what is typed is checked by the server, and its answer is put in place.
const $ = id => document.getElementById(id);
const area = $("text"), form = $("deck-form"), wide = matchMedia("(min-width:46rem)");
const PARTS = ["name", "facts", "answer", "of-all", "figs", "forecast", "numbers", "submit", "trial", "difference"];
document.documentElement.classList.add("js");
$("link").hidden = false;

let asked = 0, timer = 0;

async function check(button) {
  const number = ++asked;
  const body = new FormData(form);
  if (button?.name) body.set(button.name, button.value);
  body.delete("file");
  form.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch("/check", { method: "POST", body });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (number === asked && page.getElementById("lines")) show(page);
  } catch {
    $("answer").textContent = "The server does not answer.";
  } finally {
    if (number === asked) form.removeAttribute("aria-busy");
  }
}

function show(page) {
  for (const id of PARTS) $(id).replaceWith(page.getElementById(id));
  $("link").hidden = false;
  swap(".sentence", page);
  swap(".readings", page);
  swap("#h-deck ~ .row", page);
  $("lines").classList.toggle("empty", page.getElementById("lines").classList.contains("empty"));
  document.querySelector("#lines ol").replaceWith(page.querySelector("#lines ol"));
  mirror();
  place();
  document.title = page.title;
}

function swap(selector, page) {
  const old = document.querySelector(selector), now = page.querySelector(selector);
  if (old?.contains(document.activeElement)) return;
  if (old && now) old.replaceWith(now);
  else if (now) document.querySelector(".desk").before(now);
  else old?.remove();
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(check, 250);
}

function mirror() {                       // what is typed shows in the set text below
  const rows = area.value.split("\n"), list = document.querySelector("#lines ol");
  while (list.children.length < rows.length) list.append(line());
  while (list.children.length > rows.length) list.lastElementChild.remove();
  list.querySelectorAll(".t").forEach((text, at) => { if (text.textContent !== rows[at]) text.textContent = rows[at]; });
  area.rows = Math.max(rows.length + 2, 12);
}

function line() {
  const item = document.createElement("li"), row = document.createElement("div"), text = document.createElement("span");
  row.className = "ln";
  text.className = "t";
  row.append(text);
  item.append(row);
  return item;
}

function place() {                        // notes are pushed down until none covers another
  let free = -1e9;
  for (const note of document.querySelectorAll("#lines .note")) {
    const top = note.parentNode.offsetTop, down = Math.max(0, free - top);
    note.style.setProperty("--dy", down + "px");
    free = top + down + note.offsetHeight + 14;
  }
  $("lines").style.minHeight = wide.matches && free > 0 ? free + "px" : "";
}

function edit(edits) {                    // each edit is a line, from 1, and what stands there then; 0 is the end
  const rows = area.value.replace(/\n+$/, "").split("\n");
  for (const [number, texts] of [...edits].sort((one, other) => other[0] - one[0])) {
    if (number) rows.splice(number - 1, 1, ...texts);
    else rows.push(...texts);
  }
  area.value = rows.join("\n") + "\n";
  mirror();
  check();
}

async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function unpacked(code) {
  const bytes = Uint8Array.from(atob(code.replace(/-/g, "+").replace(/_/g, "/")), letter => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

async function copy(text) {
  if (navigator.clipboard && isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "only-read";
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

async function copyLink() {
  const link = `${location.origin}/check#deck=${await packed(area.value)}`;
  await copy(link);
  $("link").textContent = "copied";
}

async function openFile(file) {
  if (!file) return;
  area.value = await file.text();
  $("file").value = "";
  mirror();
  check();
}

form.addEventListener("submit", event => {
  const button = event.submitter;
  if (button?.dataset.edits) edit(JSON.parse(button.dataset.edits));
  else if (button?.id === "check" || button?.id === "deal") check(button);
  else return;
  event.preventDefault();
});
form.addEventListener("change", event => {
  if (event.target.id === "file") openFile(event.target.files[0]);
  else if (event.target !== area) check();
});
form.addEventListener("click", event => { if (event.target.id === "link") copyLink(); });
area.addEventListener("input", () => { mirror(); later(); });
form.addEventListener("dragover", event => event.preventDefault());
form.addEventListener("drop", event => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  openFile(event.dataTransfer.files[0]);
});
wide.addEventListener("change", place);
document.fonts.ready.then(place);

const carried = location.hash.match(/^#deck=([\w-]+)$/);
if (carried) {
  unpacked(carried[1]).then(text => { area.value = text; mirror(); check(); }, () => {
    $("answer").textContent = "The link is not whole: its deck cannot be read.";
  });
} else {
  mirror();
  place();
}
