// The studio: cells are checked as they are left, faces follow, and what is saved on disk is seen at once.
import { Grid } from "./studio_grid.js";
import { Faces } from "./studio_faces.js";

const $ = id => document.getElementById(id);
const studio = $("studio"), table = $("grid"), game = studio.dataset.game;
const looks = $("looks"), token = $("store").querySelector("input");
document.documentElement.classList.add("js");
let state = null, selected = table.querySelector('tr[aria-selected="true"]')?.dataset.ref ?? "", last = Promise.resolve();
const rows = new Map();
const tip = document.createElement("div");
tip.className = "tip-of-cell";
tip.hidden = true;
document.body.append(tip);

const faces = new Faces(drawn);
const grid = new Grid(table, { commit, select, undo: (ref, field) => choose(ref, field, "drop") });
grid.onmove = cell => point(cell);

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// What is asked of the server, and its answers in their order.

function question() {
  const form = new FormData(looks);
  const over = ["trim", "bleed", "safe", "text"].filter(name => form.get(name));
  return { game, q: $("q").value, size: form.get("size"), side: form.get("side"), ink: form.get("ink"), over: over.join(",") };
}

function parameters(values) {
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value));
}

function post(path, values) {
  last = last.catch(() => {}).then(async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...question(), ...values })) body.append(name, value ?? "");
    body.append(token.name, token.value);
    const answer = await fetch(path, { method: "POST", body, headers: { Accept: "application/json" } });
    take(await answer.json());
  });
  return last;
}

function refresh() {
  last = last.catch(() => {}).then(async () => {
    const answer = await fetch(`/studio/state?${parameters(question())}`);
    take(await answer.json());
  });
  return last;
}

function take(answer) {
  if (answer.error) {
    say(`${answer.error}. ${answer.remedy ?? ""}`);
    return;
  }
  if (state && state.columns.map(column => column.field).join() !== answer.columns.map(column => column.field).join()) {
    location.reload();                    // a column more or less: the page is set anew
    return;
  }
  state = answer;
  rows.clear();
  for (const row of state.rows) rows.set(row.ref, row);
  if (answer.message !== undefined) say(answer.message);
  fillTable();
  fillCounts();
  fillStrip();
  fillFaults();
  if (!rows.has(selected)) selected = state.rows[0]?.ref ?? "";
  fillBench();
}

function say(text) { $("said").textContent = text; }

// The table.

function fillTable() {
  const body = table.tBodies[0];
  const old = new Map([...body.rows].map(row => [row.dataset.ref, row]));
  state.rows.forEach((row, number) => {
    const line = old.get(row.ref) ?? newRow(row);
    old.delete(row.ref);
    if (body.rows[number] !== line) body.insertBefore(line, body.rows[number] ?? null);
    for (const cell of line.cells) fillCell(cell, row);
  });
  for (const line of old.values()) line.remove();
  if ($("columns").hidden) offerColumns();
  hideColumns();
  if (!table.querySelector('td[tabindex="0"]') && body.rows.length) body.rows[0].cells[0].tabIndex = 0;
  if (grid.cell) point(grid.cell);
}

function newRow(row) {
  const line = document.createElement("tr");
  line.dataset.ref = row.ref;
  for (const column of state.columns) {
    const cell = element("td", undefined, [column.is_number && "num", column.is_long && "long"].filter(Boolean).join(" "));
    cell.role = "gridcell";
    cell.dataset.f = column.field;
    cell.tabIndex = -1;
    if (!column.editable) cell.setAttribute("aria-readonly", "true");
    line.append(cell);
  }
  return line;
}

function fillCell(cell, row) {
  const field = cell.dataset.f, text = row.texts[field] ?? "";
  cell.classList.toggle("drafted", field in row.drafts);
  const wrong = field in row.faults || field in row.conflicts;
  if (wrong) cell.setAttribute("aria-invalid", "true"); else cell.removeAttribute("aria-invalid");
  const holder = cell.querySelector("a") ?? cell;
  if (!cell.classList.contains("editing") && holder.textContent !== text) holder.textContent = text;
  const message = messageOf(row, field);
  if (message) cell.setAttribute("aria-description", message); else cell.removeAttribute("aria-description");
}

function messageOf(row, field) {
  if (field in row.conflicts) return `${row.file} has meanwhile “${row.conflicts[field]}”`;
  const before = row.drafts[field];
  return row.faults[field] ? row.faults[field] + (before ? ` (was ${before})` : "") : "";
}

function point(cell) {                    // the message of a cell hangs under it
  const row = rows.get(Grid.ref(cell)), message = row && messageOf(row, cell.dataset.f);
  tip.hidden = !message;
  if (!message) return;
  tip.textContent = message;
  const box = cell.getBoundingClientRect();
  tip.style.left = `${Math.min(box.left, innerWidth - 250)}px`;
  tip.style.top = `${box.bottom + 1}px`;
}
document.querySelector(".scroll").addEventListener("scroll", () => grid.cell && point(grid.cell));
table.addEventListener("focusout", () => { tip.hidden = true; });

// Columns that are left out, remembered by this browser.

const HIDDEN = `carddb-studio-columns-${game}`;
let hidden = new Set(JSON.parse(localStorage.getItem(HIDDEN) ?? "[]"));

function hideColumns() {
  for (const cell of table.querySelectorAll("[data-f]")) cell.hidden = hidden.has(cell.dataset.f);
}

function offerColumns() {
  const menu = $("columns");
  menu.hidden = false;
  menu.lastElementChild.replaceChildren(...state.columns.filter(column => !["ref", "name"].includes(column.field)).map(column => {
    const label = element("label"), box = element("input");
    box.type = "checkbox";
    box.checked = !hidden.has(column.field);
    box.addEventListener("change", () => {
      hidden[box.checked ? "delete" : "add"](column.field);
      localStorage.setItem(HIDDEN, JSON.stringify([...hidden]));
      hideColumns();
    });
    label.append(box, column.label);
    return label;
  }));
}

async function commit(cells) {
  for (const [ref, field, text] of cells) {
    const cell = cellOf(ref, field);
    if (cell) (cell.querySelector("a") ?? cell).textContent = text;
    cell?.classList.add("drafted");
  }
  await post("/studio/edit", { cells: JSON.stringify(cells) });
  const messages = cells.map(([ref, field]) => rows.has(ref) && messageOf(rows.get(ref), field)).filter(Boolean);
  say(messages.join("; "));
}

function cellOf(ref, field) {
  return table.querySelector(`tr[data-ref="${CSS.escape(ref)}"] td[data-f="${CSS.escape(field)}"]`);
}

function choose(ref, field, which) {
  const row = rows.get(ref);
  if (row && (field in row.drafts || which !== "drop")) post("/studio/choose", { ref, field, which });
}

function plural(count, word) { return `${count} ${word}${count === 1 ? "" : "s"}`; }

function fillCounts() {
  const parts = [plural(state.drafts, "draft")];
  if (state.faulty) parts.push(`${plural(state.faulty, "cell")} to mend`);
  if (state.news) parts.push(`${plural(state.news, "card")} changed in files`);
  $("counts").textContent = parts.join(", ");
  $("facts").textContent = plural(state.hits, "card") + (state.hits > state.rows.length ? `, ${state.rows.length} shown` : "");
}

// The bench.

function address(row, which, over) {
  const { size, side, ink, over: lines } = question();
  const v = which === "stored" ? row.before : row.now;
  const values = { state: which, side, size, ink, over: over ? lines : "", v: over && lines ? `${v}-${lines}` : v };
  return `/studio/face/${encodeURIComponent(game)}/${encodeURIComponent(row.ref)}.svg?${parameters(values)}`;
}

function select(ref) {
  if (ref === selected) return;
  selected = ref;
  history.replaceState(null, "", `/studio?${parameters({ ...question(), card: ref })}`);
  fillBench();
  for (const item of $("strip").children) item.classList.toggle("sel", item.dataset.ref === ref);
}

function fillBench() {
  for (const line of table.tBodies[0].rows) line.setAttribute("aria-selected", String(line.dataset.ref === selected));
  const row = rows.get(selected), pair = $("pair");
  if (!row || !pair) return;
  $("bench-title").textContent = row.name || row.ref;
  $("from").textContent = [row.file, row.line && `line ${row.line}`].filter(Boolean).join(", ")
    + (Object.keys(row.drafts).length ? `, ${plural(Object.keys(row.drafts).length, "draft")}` : "");
  pair.dataset.changed = String(Boolean(row.before));
  $("before").hidden = !row.before;
  const [before, after] = pair.querySelectorAll("img");
  if (after.dataset.ref !== row.ref && faces.facts.has(row.ref)) after.src = address(row, "now", false);
  after.dataset.ref = row.ref;
  if (row.now) faces.show(after, row.ref, address(row, "now", true), true);
  if (row.before) faces.show(before, row.ref, address(row, "stored", true), true);
  after.alt = `${row.name} as it is now`;
  before.alt = `${row.name} as stored`;
  looks.querySelector('[name="card"]').value = row.ref;
  fillDifferences(row);
  fillConflicts(row);
  fillFindings();
}

function fillDifferences(row) {
  $("diff").replaceChildren(...Object.entries(row.differences).map(([field, parts]) => {
    const line = element("div"), words = element("dd");
    words.append(...parts.map(([kind, text]) =>
      kind === "same" ? text : element(kind === "old" ? "del" : "ins", text)));
    line.append(element("dt", field), words);
    return line;
  }));
}

function fillConflicts(row) {
  $("conflicts").replaceChildren(...Object.entries(row.conflicts).map(([field, theirs]) => {
    const box = element("div", undefined, "conflict"), buttons = element("p", undefined, "row");
    const words = element("p");
    words.append(element("b", field), ` was changed on disk meanwhile. ${row.file} has “${theirs}”, your draft “${row.texts[field]}”.`);
    for (const [which, label] of [["theirs", "Take theirs"], ["mine", "Keep mine"]]) {
      const button = element("button", label);
      button.type = "button";
      button.addEventListener("click", () => choose(row.ref, field, which));
      buttons.append(button);
    }
    box.append(words, buttons);
    return box;
  }));
}

function findingsOf(row) {
  return [...row.findings, ...(faces.facts.get(row.ref)?.findings ?? [])];
}

function fillFindings() {
  const list = [], wrong = [];
  for (const row of state.rows) {
    const of_row = findingsOf(row);
    if (of_row.some(finding => finding.severity === "error")) wrong.push(row.ref);
    for (const finding of of_row) {
      if (row.ref === selected) list.unshift([row, finding]); else list.push([row, finding]);
    }
  }
  for (const finding of state.findings) list.push([null, finding]);
  const shown = list.slice(0, 40);
  $("findings").replaceChildren(...shown.map(([row, finding]) => {
    const item = element("li"), head = element("p");
    const place = finding.where[0];
    head.append(element("b", finding.message));
    const from = row && !place ? [row.file, row.line && `line ${row.line}`].filter(Boolean).join(", ")
      : place ? [place.file, place.line && `line ${place.line}`, place.column_name && `column ${place.column_name}`].filter(Boolean).join(", ") : "";
    item.append(head, element("p", `${from} ${finding.code}`.trim(), "small"));
    if (finding.fix) item.append(element("p", finding.fix));
    if (row) {
      const button = element("button", row.ref, "as-link");
      button.type = "button";
      button.addEventListener("click", () => goTo(row.ref, place?.column_name));
      item.lastElementChild.append(" ", button);
    }
    return item;
  }));
  for (const item of $("strip").children) item.classList.toggle("bad", wrong.includes(item.dataset.ref));
  const left = faces.left();
  $("looked").textContent = left ? `${state.rows.length - Math.min(left, state.rows.length)} of ${plural(state.rows.length, "face")} looked at`
    : wrong.length ? `${plural(wrong.length, "card")} with errors` : "no error";
}

function drawn(ref, facts, image) {
  if (!facts.fault && image === $("after")?.querySelector("img")) $("measures").textContent = facts.measures.join(" · ");
  fillFaults();
  clearTimeout(drawn.timer);
  drawn.timer = setTimeout(fillFindings, 60);
}

function fillFaults() {                   // of the game's files, then of the templates that faces of the table need
  const box = $("faults"), faults = new Map(state.faults.map(fault => [JSON.stringify(fault), [fault, ""]]));
  for (const row of state.rows) {
    const facts = faces.facts.get(row.ref);
    if (facts?.fault) faults.set(JSON.stringify(facts.fault), [facts.fault, facts.last]);
  }
  const text = [...faults.keys()].join();
  if (box.dataset.text === text) return;
  box.dataset.text = text;
  box.replaceChildren(...[...faults.values()].map(([fault, drawnAt]) => {
    const part = element("div", undefined, "fault");
    part.role = "alert";
    part.append(element("h2", `${fault.file || "The faces"} cannot be used. You see the last good faces${drawnAt ? `, of ${drawnAt}` : ""}.`));
    if (fault.lines.length) {
      const lines = element("pre");
      lines.tabIndex = 0;
      for (const [number, source, isFaulty] of fault.lines) {
        lines.append(String(number).padStart(4) + "  ", isFaulty ? element("mark", source) : source, "\n");
      }
      part.append(lines);
    }
    const words = element("p", fault.message + " ");
    words.append(element("b", fault.fix));
    part.append(words);
    return part;
  }));
}

// The faces of the selection.

function fillStrip() {
  const strip = $("strip"), old = new Map([...strip.children].map(item => [item.dataset.ref, item]));
  const items = state.rows.filter(row => row.now).map(row => {
    const item = old.get(row.ref) ?? newFace(row);
    item.classList.toggle("drafted", Boolean(row.before) || row.is_new);
    item.classList.toggle("sel", row.ref === selected);
    item.querySelector("span").textContent = row.ref + (Object.keys(row.drafts).length ? " draft" : row.before ? " changed" : "");
    const image = item.querySelector("img");
    faces.watcher.observe(image);
    faces.show(image, row.ref, address(row, "now", false));
    return item;
  });
  if (items.some((item, number) => strip.children[number] !== item) || items.length !== strip.children.length) strip.replaceChildren(...items);
  const changed = state.rows.filter(row => row.before || row.is_new).length;
  $("strip-facts").textContent = plural(items.length, "face") + (changed ? `, ${changed} changed` : "");
}

function newFace(row) {
  const item = element("li"), link = element("a"), image = new Image();
  item.dataset.ref = row.ref;
  link.href = `/studio?${parameters({ game, card: row.ref })}`;
  image.loading = "lazy";
  image.alt = "";
  link.append(image, element("span"));
  item.append(link);
  return item;
}

function goTo(ref, heading) {
  const column = state.columns.find(each => each.field === heading || each.label === heading)?.field ?? "name";
  const cell = cellOf(ref, column) ?? cellOf(ref, "ref");
  if (cell) grid.go(cell);
}

function step(direction, test) {
  const list = state.rows, at = list.findIndex(row => row.ref === selected);
  for (let number = 1; number <= list.length; number++) {
    const row = list[(at + direction * number + list.length * 2) % list.length];
    if (test(row)) return goTo(row.ref, Object.keys(row.faults)[0] ?? Object.keys(row.drafts)[0]);
  }
  return say("none");
}

// Forms and keys.

$("store").addEventListener("submit", event => { event.preventDefault(); post("/studio/store", {}); });
looks.addEventListener("submit", event => event.preventDefault());
looks.addEventListener("change", () => {
  history.replaceState(null, "", `/studio?${parameters({ ...question(), card: selected })}`);
  refresh();
});
$("game").addEventListener("change", () => { location.href = `/studio?${parameters({ game: $("game").value })}`; });
$("ask").addEventListener("submit", event => {
  event.preventDefault();
  history.replaceState(null, "", `/studio?${parameters(question())}`);
  refresh();
});
document.querySelector("#add form")?.addEventListener("submit", async event => {
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(event.target));
  await post("/studio/add", fields);
  if (rows.has(fields.ref.trim())) goTo(fields.ref.trim());
});
$("strip").addEventListener("click", event => {
  const item = event.target.closest("li");
  if (!item) return;
  event.preventDefault();
  goTo(item.dataset.ref);
});

const KEYS = {
  s: () => $("store").requestSubmit(), "/": () => $("q").focus(),
  f: () => step(1, row => findingsOf(row).some(finding => finding.severity === "error")),
  "]": () => step(1, row => row.before || row.is_new), "[": () => step(-1, row => row.before || row.is_new),
  t: () => looks.elements.trim.click(), b: () => looks.elements.bleed.click(),
  z: () => looks.elements.safe.click(), x: () => looks.elements.text.click(),
};
document.addEventListener("keydown", event => {
  const key = event.code.startsWith("Key") ? event.code.slice(3).toLowerCase() : event.key;
  if (!event.altKey || event.ctrlKey || event.metaKey || !(key in KEYS) || !state) return;
  event.preventDefault();
  KEYS[key]();
});

new EventSource(`/studio/events?${parameters({ game })}`).addEventListener("saved", refresh);
refresh();
