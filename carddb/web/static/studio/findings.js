// The list of findings about cards, each with its line, and banners about the files that faces depend on.
import { $, button, element, placeOf, plural, quoted } from "./parts.js";

const MOST = 40;                          // the most findings listed; those of the selected card come first
const ALIKE = new Set(["text_too_small", "contrast_low", "glyph_missing", "text_overlap", "icon_faint", "icon_unknown"]);

export class Findings {
  #faults = "";

  constructor(faces, goTo) {
    this.faces = faces;
    this.goTo = goTo;                     // (ref, column)
  }

  of(row) { return [...row.findings, ...(this.faces.facts.get(row.ref)?.findings ?? [])]; }
  isWrong(row) { return this.of(row).some(finding => finding.severity === "error"); }

  show(state, selected) {
    const all = state.rows.flatMap(row => this.of(row).map(finding => [row, finding]));
    const first = all.filter(([row]) => row.ref === selected), others = all.filter(([row]) => row.ref !== selected);
    const list = [...first, ...others, ...state.findings.map(finding => [null, finding])];
    const causes = new Map();             // faces that show the same fault of a template or an icon are one item
    for (const [row, finding] of list) {
      const { field, icon, characters } = finding.data, isSame = ALIKE.has(finding.code) && row.ref !== selected;
      const cause = isSame ? JSON.stringify([finding.code, field, icon, characters]) : causes.size;
      causes.get(cause)?.[2].add(row.ref) ?? causes.set(cause, [row, finding, new Set()]);
    }
    const items = [...causes.values()];
    $("findings").replaceChildren(...items.slice(0, MOST).map(([row, finding, more]) => this.#item(row, finding, more.size)));
    if (items.length > MOST) $("findings").append(element("li", `and ${plural(items.length - MOST, "more finding")}`, "small"));
    const wrong = state.rows.filter(row => this.isWrong(row)).length, left = Math.min(this.faces.left(), state.rows.length);
    $("looked").textContent = left ? `${(state.rows.length - left).toLocaleString("en")} of ${plural(state.rows.length, "face")} looked at`
      : wrong ? `${plural(wrong, "card")} with errors` : "no error";
  }

  #item(row, finding, more) {
    const item = element("li"), head = element("p"), place = finding.where[0];
    head.append(element("b", quoted(finding.message) + (more ? `; the same on ${plural(more, "more card")}` : "")));
    const parts = place ? [place.file, place.line && `line ${place.line}`, place.column_name && `column ${place.column_name}`] : [];
    const from = place ? parts.filter(Boolean).join(", ") : row ? placeOf(row) : "";
    item.append(head, element("p", `${from} ${finding.code}`.trim(), "small"));
    if (finding.fix) item.append(element("p", quoted(finding.fix)));
    if (row) item.lastElementChild.append(" ", button(row.ref, () => this.goTo(row.ref, place?.column_name), "as-link"));
    return item;
  }

  showFaults(state) {                     // errors of the game's files, then of the templates that the faces need
    const faults = new Map(state.faults.map(fault => [JSON.stringify(fault), [fault, ""]]));
    for (const row of state.rows) {
      const facts = this.faces.facts.get(row.ref);
      if (facts?.fault) faults.set(JSON.stringify(facts.fault), [facts.fault, facts.last]);
    }
    const text = [...faults.keys()].join();
    if (this.#faults === text) return;
    this.#faults = text;
    $("faults").replaceChildren(...[...faults.values()].map(banner));
  }
}

function banner([fault, drawnAt]) {
  const part = element("div", undefined, "fault"), words = element("p", quoted(fault.message) + " ");
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
  words.append(element("b", quoted(fault.fix)));
  part.append(words);
  return part;
}
