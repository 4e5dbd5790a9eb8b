// The gallery: highlights the fields of the query, suggests how to continue it, and searches while it is typed.
const $ = id => document.getElementById(id);
const field = $("q"), form = $("ask"), offers = $("offers");
const words = JSON.parse(form.dataset.words);
const PARTS = ["asked", "facts", "facets", "result", "tip", "pad"];
document.documentElement.classList.add("js");
let latest = 0, timer = 0, at = -1;

function paint() {                        // highlights field names in an element behind the input, whose own text is transparent
  const ghost = $("ghost");
  ghost.replaceChildren(...field.value.split(/(\b\w+(?=[:=<>!]))/).map((part, number) => {
    const span = document.createElement("span");
    if (number % 2) span.className = part in words ? "k" : "bad";
    span.textContent = part;
    return span;
  }));
  ghost.scrollLeft = field.scrollLeft;
}

async function search() {
  const number = ++latest;
  const address = `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`;
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (number !== latest || !page.getElementById("result")) return;
  const failed = "fault" in page.getElementById("result").dataset, open = $("facets").open;
  for (const id of PARTS) {
    if (failed && ["asked", "facts", "facets", "result"].includes(id)) continue;   // keep the last cards while the query is incomplete
    $(id).replaceWith(page.getElementById(id));
  }
  $("facets").open = open;
  field.toggleAttribute("aria-invalid", failed);
  document.title = page.title;
  document.dispatchEvent(new Event("found"));
  if (!failed) history.replaceState(null, "", address);
}

function term() {                         // the incomplete term before the caret
  const before = field.value.slice(0, field.selectionStart);
  const [, name, value] = before.match(/(?:^|[\s(-])(?:(\w+)[:=])?([\w-]*)$/) ?? [];
  return { before, name, value: value ?? "" };
}

function offer() {
  const { name, value } = term();
  const choices = name ? words[name] ?? [] : value ? Object.keys(words).map(word => word + ":") : [];
  const near = choices.filter(word => word.startsWith(value.toLowerCase()) && word !== value).slice(0, 8);
  at = -1;
  offers.replaceChildren(...near.map((word, number) => {
    const item = document.createElement("li");
    item.role = "option";
    item.id = `offer-${number}`;
    item.textContent = word;
    item.addEventListener("mousedown", event => { event.preventDefault(); take(word); });
    return item;
  }));
  offers.hidden = !near.length;
  field.setAttribute("aria-expanded", String(Boolean(near.length)));
  field.removeAttribute("aria-activedescendant");
}

function take(word) {
  const { before, value } = term();
  const start = before.length - value.length, after = field.value.slice(before.length);
  field.value = before.slice(0, start) + word + (word.endsWith(":") ? "" : " ") + after.trimStart();
  field.selectionStart = field.selectionEnd = start + word.length + (word.endsWith(":") ? 0 : 1);
  field.focus();
  changed();
}

function mark(step) {
  const items = [...offers.children];
  if (!items.length) return;
  at = (at + step + items.length) % items.length;
  items.forEach((item, number) => item.setAttribute("aria-selected", String(number === at)));
  field.setAttribute("aria-activedescendant", `offer-${at}`);
}

function changed() {
  paint();
  offer();
  clearTimeout(timer);
  timer = setTimeout(search, 220);
}

field.addEventListener("input", changed);
field.addEventListener("scroll", paint);
field.addEventListener("blur", () => { offers.hidden = true; });
field.addEventListener("keydown", event => {
  if (offers.hidden) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    mark(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter" && at >= 0) {
    event.preventDefault();
    take(offers.children[at].textContent);
  } else if (event.key === "Escape") {
    offers.hidden = true;
    field.setAttribute("aria-expanded", "false");
  }
});
form.addEventListener("submit", event => { event.preventDefault(); search(); });
paint();
