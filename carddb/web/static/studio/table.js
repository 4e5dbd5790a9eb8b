// The table of cards: of thousands of rows, only the visible ones and some above and below are in the page.
import { $, element, messageOf } from "./parts.js";

const SPARE = 20;                         // the extra rows above and below the visible ones
const WIDEST = 24, WIDEST_LONG = 44;      // in characters: the greatest widths of columns

export class CardTable {
  rows = [];
  columns = [];
  #at = new Map();                        // reference -> index of its row
  #lines = new Map();                     // reference -> its <tr>, if the row is in the page
  #height = 0;

  constructor(table, game) {
    this.table = table;
    this.body = table.tBodies[0];
    this.scroller = table.closest(".scroll");
    this.isActive = () => false;          // (ref, field) -> true if the cell has the focus, or had it last
    this.selected = this.body.querySelector('tr[aria-selected="true"]')?.dataset.ref ?? "";
    for (const line of this.body.rows) this.#lines.set(line.dataset.ref, line);
    this.#hidden = `carddb-studio-columns-${game}`;
    this.hidden = new Set(JSON.parse(localStorage.getItem(this.#hidden) ?? "[]"));
    let waiting = 0;
    this.scroller.addEventListener("scroll", () => { waiting ||= requestAnimationFrame(() => { waiting = 0; this.draw(); }); });
    addEventListener("resize", () => this.draw());
    for (const [name, isPrinting] of [["beforeprint", true], ["afterprint", false]]) addEventListener(name, () => { this.isPrinting = isPrinting; this.draw(); });
  }
  #hidden;

  set({ rows, columns }) {
    this.rows = rows;
    this.columns = columns;
    this.#at = new Map(rows.map((row, number) => [row.ref, number]));
    this.table.setAttribute("aria-rowcount", rows.length + 1);
    if ($("columns").hidden) this.#offerColumns();
    this.#setWidths();
    this.draw(true);
  }

  index(ref) { return this.#at.get(ref) ?? -1; }
  row(ref) { return this.rows[this.index(ref)]; }
  fields() { return this.columns.map(column => column.field).filter(field => !this.hidden.has(field)); }
  cell(ref, field) { return this.#lines.get(ref)?.querySelector(`td[data-f="${CSS.escape(field)}"]`) ?? null; }

  reveal(ref, field) {                    // scrolls the cell into view and returns it
    const top = this.index(ref) * this.#height, head = this.table.tHead.offsetHeight, box = this.scroller;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + this.#height + head > box.scrollTop + box.clientHeight) box.scrollTop = top + this.#height + head - box.clientHeight;
    this.draw();
    const cell = this.cell(ref, field);
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
    return cell;
  }

  select(ref) {
    this.selected = ref;
    for (const [each, line] of this.#lines) line.setAttribute("aria-selected", String(each === ref));
  }

  draw(all = false) {                     // `all`: also fill the rows that are in the page already
    this.#height ||= this.body.rows[0]?.offsetHeight ?? 0;
    const height = this.#height || 33, count = this.rows.length;
    const seen = this.isPrinting ? count : Math.ceil(this.scroller.clientHeight / height);
    const first = Math.max(0, Math.min(Math.floor(this.scroller.scrollTop / height), count - seen) - SPARE);
    const shown = this.rows.slice(first, first + seen + 2 * SPARE);
    const refs = new Set(shown.map(row => row.ref));
    for (const [ref, line] of this.#lines) if (!refs.has(ref)) this.#take(ref, line);
    shown.forEach((row, number) => {
      const old = this.#lines.get(row.ref), line = old ?? this.#newLine(row);
      if (this.body.rows[number] !== line) this.body.insertBefore(line, this.body.rows[number] ?? null);
      line.setAttribute("aria-rowindex", first + number + 2);
      if (all || !old) this.#fill(line, row);
    });
    this.table.style.marginTop = `${first * height}px`;
    this.table.style.marginBottom = `${Math.max(0, count - first - shown.length) * height}px`;
    if (!this.body.querySelector('td[tabindex="0"]') && shown.length) this.body.rows[0].cells[0].tabIndex = 0;
  }

  #take(ref, line) {                      // removes a row from the page; the text typed in it is kept
    if (line.contains(document.activeElement)) this.scroller.focus({ preventScroll: true });
    line.remove();
    this.#lines.delete(ref);
  }

  #newLine(row) {
    const line = element("tr");
    line.dataset.ref = row.ref;
    for (const column of this.columns) {
      const cell = element("td", undefined, [column.is_number && "num", column.is_long && "long"].filter(Boolean).join(" "));
      cell.role = "gridcell";
      cell.dataset.f = column.field;
      if (!column.editable) cell.setAttribute("aria-readonly", "true");
      line.append(cell);
    }
    this.#lines.set(row.ref, line);
    return line;
  }

  #fill(line, row) {
    line.setAttribute("aria-selected", String(row.ref === this.selected));
    for (const cell of line.cells) {
      const field = cell.dataset.f, text = row.texts[field] ?? "", message = messageOf(row, field);
      cell.hidden = this.hidden.has(field);
      cell.tabIndex = this.isActive(row.ref, field) ? 0 : -1;
      cell.classList.toggle("drafted", field in row.drafts);
      if (field in row.faults || field in row.conflicts) cell.setAttribute("aria-invalid", "true");
      else cell.removeAttribute("aria-invalid");
      if (message) cell.setAttribute("aria-description", message); else cell.removeAttribute("aria-description");
      const holder = cell.querySelector("a") ?? cell;
      if (!cell.classList.contains("editing") && holder.textContent !== text) holder.textContent = text;
    }
  }

  #setWidths() {                          // by all rows, so that columns do not move during scrolling
    for (const column of this.columns) {
      const head = this.table.tHead.querySelector(`[data-f="${CSS.escape(column.field)}"]`);
      const most = column.is_long ? WIDEST_LONG : WIDEST;
      const longest = this.rows.reduce((length, row) => Math.max(length, (row.texts[column.field] ?? "").length), column.label.length);
      head.style.minWidth = `${Math.min(most, longest) * .93 + 2}ch`;
      head.hidden = this.hidden.has(column.field);
    }
  }

  #offerColumns() {                       // the browser remembers the hidden columns
    const menu = $("columns");
    menu.hidden = false;
    menu.lastElementChild.replaceChildren(...this.columns.filter(column => !["ref", "name"].includes(column.field)).map(column => {
      const label = element("label"), box = element("input");
      box.type = "checkbox";
      box.checked = !this.hidden.has(column.field);
      box.addEventListener("change", () => {
        this.hidden[box.checked ? "delete" : "add"](column.field);
        localStorage.setItem(this.#hidden, JSON.stringify([...this.hidden]));
        this.#setWidths();
        this.draw(true);
      });
      label.append(box, column.label);
      return label;
    }));
  }
}
