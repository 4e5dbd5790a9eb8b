// The bench: the selected card's face as stored and as edited, their differences, and the conflicts to settle.
import { $, button, element, placeOf, plural } from "./parts.js";

export class Bench {
  constructor(server, faces, choose) {
    this.server = server;
    this.faces = faces;
    this.choose = choose;                 // (ref, field, which)
    this.pair = $("pair");
  }

  show(row) {
    if (!row || !this.pair) return;
    $("bench-title").textContent = row.name || row.ref;
    const drafts = Object.keys(row.drafts).length;
    $("from").textContent = placeOf(row) + (drafts ? `, ${plural(drafts, "draft")}` : "");
    this.pair.dataset.changed = String(Boolean(row.before));
    $("before").hidden = !row.before;
    const [before, after] = this.pair.querySelectorAll("img");
    if (after.dataset.ref !== row.ref && this.faces.facts.has(row.ref)) after.src = this.server.face(row, "now", false);
    after.dataset.ref = row.ref;
    if (row.now) this.faces.show(after, row.ref, this.server.face(row, "now", true), true);
    if (row.before) this.faces.show(before, row.ref, this.server.face(row, "stored", true), true);
    after.alt = `${row.name} as it is now`;
    before.alt = `${row.name} as stored`;
    this.server.looks.querySelector('[name="card"]').value = row.ref;
    $("diff").replaceChildren(...Object.entries(row.differences).map(difference));
    $("conflicts").replaceChildren(...Object.entries(row.conflicts).map(([field, theirs]) => this.#conflict(row, field, theirs)));
  }

  showMeasures(facts, image) {
    if (!facts.fault && image === this.pair?.querySelector("#after img")) $("measures").textContent = facts.measures.join(" · ");
  }

  #conflict(row, field, theirs) {
    const box = element("div", undefined, "conflict"), buttons = element("p", undefined, "row"), words = element("p");
    words.append(element("b", field), ` was changed on disk meanwhile. ${row.file} has “${theirs}”, your draft “${row.texts[field]}”.`);
    buttons.append(button("Take theirs", () => this.choose(row.ref, field, "theirs")),
                   button("Keep mine", () => this.choose(row.ref, field, "mine")));
    box.append(words, buttons);
    return box;
  }
}

function difference([field, parts]) {
  const line = element("div"), words = element("dd");
  words.append(...parts.map(([kind, text]) => kind === "same" ? text : element(kind === "old" ? "del" : "ins", text)));
  line.append(element("dt", field), words);
  return line;
}
