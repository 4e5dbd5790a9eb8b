// The studio: checks a cell when it is left, then updates the faces, and shows files saved on disk at once.
import { Bench } from "./bench.js";
import { Faces } from "./faces.js";
import { Findings } from "./findings.js";
import { Grid } from "./grid.js";
import { $, element, messageOf, parameters, plural } from "./parts.js";
import { Server } from "./server.js";
import { Strip } from "./strip.js";
import { CardTable } from "./table.js";

document.documentElement.classList.add("js");
const game = $("studio").dataset.game;
const server = new Server(game, take), cards = new CardTable($("grid"), game);
const faces = new Faces(drawn), bench = new Bench(server, faces, choose), strip = new Strip(server, faces, goTo);
const findings = new Findings(faces, goTo);
const grid = new Grid(cards, { commit, select, undo: (ref, field) => choose(ref, field, "drop"), moved: point });
const tip = element("div", undefined, "tip-of-cell");
tip.hidden = true;
document.body.append(tip);
let state = null, later = 0;

function say(text) { $("said").textContent = text; }

// The server's answers.

function take(answer) {
  if (answer.error) {
    say(`${answer.error}. ${answer.remedy ?? ""}`);
    return;
  }
  const fields = ({ columns }) => columns.map(column => column.field).join();
  if (state && fields(state) !== fields(answer)) {
    location.reload();                    // a column was added or removed: build the page again
    return;
  }
  state = answer;
  if (answer.message !== undefined) say(answer.message);
  if (!state.rows.some(row => row.ref === cards.selected)) cards.selected = state.rows[0]?.ref ?? "";
  bench.show(state.rows.find(row => row.ref === cards.selected));   // first, because the user looks at its face
  cards.set(state);
  strip.show(state.rows, cards.selected);
  showCounts();
  showFindings();
  point(grid.ref, grid.field);
}

function showCounts() {
  const parts = [plural(state.drafts, "draft")];
  if (state.faulty) parts.push(`${plural(state.faulty, "cell")} to mend`);
  if (state.news) parts.push(`${plural(state.news, "card")} changed in files`);
  $("counts").textContent = parts.join(", ");
  $("facts").textContent = plural(state.rows.length, "card");
}

function showFindings() {
  findings.showFaults(state);
  findings.show(state, cards.selected);
  strip.mark(new Set(state.rows.filter(row => findings.isWrong(row)).map(row => row.ref)));
}

function drawn(ref, facts, image) {
  bench.showMeasures(facts, image);
  if (facts.fault) findings.showFaults(state);
  later ||= setTimeout(() => { later = 0; showFindings(); }, 100);
}

// Actions at the table.

function select(ref) {
  if (ref === cards.selected || !state) return;
  cards.select(ref);
  strip.select(ref);
  server.remember(ref);
  bench.show(cards.row(ref));
  findings.show(state, ref);
}

async function commit(cells) {
  for (const [ref, field, text] of cells) {
    cards.row(ref).texts[field] = text;
    const cell = cards.cell(ref, field);
    if (cell) (cell.querySelector("a") ?? cell).textContent = text;
    cell?.classList.add("drafted");
  }
  await server.post("/studio/edit", { cells: JSON.stringify(cells) });
  const messages = cells.map(([ref, field]) => cards.row(ref) && messageOf(cards.row(ref), field)).filter(Boolean);
  say(messages.join("; "));
}

function choose(ref, field, which) {
  const row = cards.row(ref);
  if (row && (field in row.drafts || which !== "drop")) server.post("/studio/choose", { ref, field, which });
}

function point(ref, field) {              // shows the message of a cell below it
  const row = cards.row(ref), cell = row && cards.cell(ref, field), message = cell && messageOf(row, field);
  tip.hidden = !message || !$("grid").contains(document.activeElement);
  if (tip.hidden) return;
  tip.textContent = message;
  const box = cell.getBoundingClientRect();
  tip.style.left = `${Math.min(box.left, innerWidth - 250)}px`;
  tip.style.top = `${box.bottom + 1}px`;
}
cards.scroller.addEventListener("scroll", () => point(grid.ref, grid.field));
cards.table.addEventListener("focusout", () => { tip.hidden = true; });

function goTo(ref, heading) {
  const column = state.columns.find(each => each.field === heading || each.label === heading)?.field;
  grid.go(ref, column && !cards.hidden.has(column) ? column : "name");
}

function step(direction, test) {
  const list = state.rows, at = cards.index(cards.selected);
  for (let number = 1; number <= list.length; number++) {
    const row = list[(at + direction * number + list.length * 2) % list.length];
    if (test(row)) return goTo(row.ref, Object.keys(row.faults)[0] ?? Object.keys(row.drafts)[0]);
  }
  return say("none");
}

// Forms and keys.

$("store").addEventListener("submit", event => { event.preventDefault(); server.post("/studio/store", {}); });
server.looks.addEventListener("submit", event => event.preventDefault());
server.looks.addEventListener("change", () => { server.remember(cards.selected); server.refresh(); });
$("game").addEventListener("change", () => { location.href = `/studio?${parameters({ game: $("game").value })}`; });
$("ask").addEventListener("submit", event => {
  event.preventDefault();
  server.remember(cards.selected);
  server.refresh();
});
document.querySelector("#add form")?.addEventListener("submit", async event => {
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(event.target)), ref = fields.ref.trim();
  await server.post("/studio/add", fields);
  if (cards.row(ref)) goTo(ref);
});

const KEYS = {
  s: () => $("store").requestSubmit(), "/": () => $("q").focus(),
  f: () => step(1, row => findings.isWrong(row)),
  "]": () => step(1, row => row.before || row.is_new), "[": () => step(-1, row => row.before || row.is_new),
  t: () => server.looks.elements.trim.click(), b: () => server.looks.elements.bleed.click(),
  z: () => server.looks.elements.safe.click(), x: () => server.looks.elements.text.click(),
};
document.addEventListener("keydown", event => {
  const key = event.code.startsWith("Key") ? event.code.slice(3).toLowerCase() : event.key;
  if (!event.altKey || event.ctrlKey || event.metaKey || !(key in KEYS) || !state) return;
  event.preventDefault();
  KEYS[key]();
});

new EventSource(`/studio/events?${parameters({ game })}`).addEventListener("saved", () => server.refresh());
server.refresh();
