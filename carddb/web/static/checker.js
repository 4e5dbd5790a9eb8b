// The checker: the server checks the deck while it is typed, and its answer replaces parts of the page.
const $ = id => document.getElementById(id);
const area = $("text"), form = $("deck-form"), wide = matchMedia("(min-width:46rem)");
const PARTS = ["name", "facts", "answer", "steps", "of-all", "figs", "forecast", "numbers", "begin", "submit", "trial", "difference"];
document.documentElement.classList.add("js");
$("link").hidden = !area.value.trim();

const MOST = Number($("lines").dataset.most);   // the most lines shown as text with notes; a longer deck is a plain field
let latest = 0, timer = 0, busy = false, waiting = null, judged = null, pressed = -1;   // judged: the text that the notes are about

async function check(button) {            // one check at a time: text typed meanwhile is checked afterwards
  if (busy) {
    waiting = () => check(button);
    return;
  }
  const number = ++latest, body = new FormData(form);
  if (button?.name) body.set(button.name, button.value);
  body.delete("file");
  busy = true;
  form.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch("/check", { method: "POST", body });
    const text = await answer.text();
    const page = new DOMParser().parseFromString(text, "text/html");
    if (page.getElementById("lines")) {
      if (!waiting && area.value === body.get("deck").replace(/\r\n/g, "\n")) {
        const text = page.getElementById("text").value;
        if (button?.name && text !== area.value) change(text);
        show(page);
        if (button?.id === "check") form.scrollIntoView();   // the verdict stands at its head
      }
    } else {
      refused(text);
    }
  } catch {
    state("The server does not answer. Try again in a moment.");
  } finally {
    busy = false;
    const next = waiting;
    waiting = null;
    if (next) next();
    else if (number === latest) form.removeAttribute("aria-busy");
  }
}

function refused(text) {                  // an answer that is not a page is JSON with an error and a remedy
  const { error, remedy } = JSON.parse(text);
  state(`${error}. ${remedy}`);
}

function state(words) {
  const line = document.createElement("p");
  line.className = "state";
  line.textContent = words;
  $("answer").replaceChildren(line);
}

function show(page) {
  const focused = document.activeElement, inSteps = $("steps").contains(focused), at = pressed;
  judged = area.value;
  pressed = -1;
  for (const id of PARTS) $(id).replaceWith(page.getElementById(id));
  $("link").hidden = !area.value.trim();
  swap(".sentence", page);
  swap(".readings", page);
  swap("#h-deck ~ .row", page);
  for (const kind of ["empty", "long"]) {
    $("lines").classList.toggle(kind, page.getElementById("lines").classList.contains(kind));
  }
  document.querySelector("#lines ol").replaceWith(page.querySelector("#lines ol"));
  mirror();
  place();
  document.title = page.title;
  dress(page);
  if ($("h-steps")) $("h-steps").focus();
  else if (document.activeElement === document.body && (at >= 0 || inSteps)) {
    const next = remedies();                // a remedy's button goes with its note
    (next[Math.min(Math.max(at, 0), next.length - 1)] ?? $("undo")).focus({ preventScroll: true });
  } else if (document.activeElement === document.body && focused.id) $(focused.id)?.focus({ preventScroll: true });
}

function dress(page) {                    // the page looks like the game that the deck is of, and names it in its head
  const skin = page.getElementById("skin").getAttribute("href");
  if ($("skin").getAttribute("href") !== skin) $("skin").setAttribute("href", skin);
  document.querySelector(".head .game")?.remove();
  document.querySelector(".head .mark").after(...page.querySelectorAll(".head .game"));
}

function remedies() {
  return [...document.querySelectorAll("[name=fix]")];
}

function change(text) {                   // changes the text by a button, to be undone as one step
  $("before").value = area.value;
  $("undone").hidden = false;
  area.value = text;
}

function undo() {
  area.value = $("before").value;
  $("undone").hidden = true;
  area.focus({ preventScroll: true });
  mirror();
  check();
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

function mirror() {                       // copies the typed text into the lines shown with notes
  const rows = area.value.split("\n"), list = document.querySelector("#lines ol"), long = rows.length > MOST;
  if (long !== $("lines").classList.contains("long")) list.replaceChildren();
  $("lines").classList.toggle("long", long);
  area.rows = long ? 24 : Math.max(rows.length + 2, 12);
  if (long) return;
  while (list.children.length < rows.length) list.append(line());
  while (list.children.length > rows.length) list.lastElementChild.remove();
  list.querySelectorAll(".t").forEach((text, at) => { if (text.textContent !== rows[at]) text.textContent = rows[at]; });
}

function line() {
  const item = document.createElement("li"), row = document.createElement("div"), text = document.createElement("span");
  row.className = "ln";
  text.className = "t";
  row.append(text);
  item.append(row);
  return item;
}

function place() {                        // pushes notes down so that none covers another
  const long = $("lines").classList.contains("long");
  let free = -1e9;
  for (const note of document.querySelectorAll("#lines .note")) {
    const top = note.parentNode.offsetTop, down = long ? 0 : Math.max(0, free - top);
    note.style.setProperty("--dy", down + "px");
    free = top + down + note.offsetHeight + 14;
  }
  $("lines").style.minHeight = wide.matches && !long && free > 0 ? free + "px" : "";
}

function edit(edits) {                    // an edit is [line number from 1, new lines]; 0 appends them
  const rows = area.value.replace(/\n+$/, "").split("\n");
  for (const [number, texts] of [...edits].sort((one, other) => other[0] - one[0])) {
    if (number) rows.splice(number - 1, 1, ...texts);
    else rows.push(...texts);
  }
  change(rows.join("\n") + "\n");
  mirror();
  check();
}

async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
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
  $("link").textContent = "Copied.";
  $("link-says").textContent = /^(127\.|localhost$|\[::1\]$)/.test(location.hostname)
    ? "The link works only on this computer, while this server runs."
    : `The link opens this deck at ${location.host}; the deck itself is in the link.`;
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
  pressed = remedies().indexOf(button);
  if (button?.dataset.edits && area.value === judged) edit(JSON.parse(button.dataset.edits));
  else if (button?.id === "undo") undo();
  else if (["check", "deal"].includes(button?.id) || ["fix", "mend", "leave"].includes(button?.name)) check(button);
  else return;
  event.preventDefault();
});
form.addEventListener("change", event => {
  if (event.target.id === "file") openFile(event.target.files[0]);
  else if (event.target !== area && event.target.name !== "drop") check();
});
form.addEventListener("click", event => { if (event.target.id === "link") copyLink(); });
area.addEventListener("input", () => { $("undone").hidden = true; mirror(); later(); });
document.addEventListener("keydown", event => {
  if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || $("undone").hidden) return;
  event.preventDefault();
  undo();
});
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
    state("The link is incomplete, so its deck cannot be read. Copy the whole link.");
  });
} else {
  judged = area.value;
  mirror();
  place();
}
