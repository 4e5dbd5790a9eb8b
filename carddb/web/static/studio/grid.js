// A table edited like a spreadsheet: one cell has the focus, Enter edits it and moves down, several cells can be pasted.
export class Grid {
  constructor(cards, { commit, select, undo, moved }) {
    this.cards = cards;                   // the CardTable
    this.commit = commit;                 // (list of [ref, field, text])
    this.select = select;                 // (ref)
    this.undo = undo;                     // called with (ref, field) to drop a cell's draft
    this.moved = moved;                   // (ref, field)
    this.ref = this.field = "";
    this.input = null;
    this.stays = false;                   // whether the edited card stays selected while Enter goes down
    cards.isActive = (ref, field) => ref === this.ref && field === this.field;
    const { table, scroller } = cards;
    table.addEventListener("focusin", event => this.#focused(event.target.closest("td")));
    table.addEventListener("mousedown", event => this.#pressed(event));
    table.addEventListener("click", event => { if (event.target.closest("a")) event.preventDefault(); });
    table.addEventListener("dblclick", () => this.edit());
    scroller.addEventListener("keydown", event => this.input ? this.#keyOfInput(event) : this.#keyOfCell(event));
    scroller.addEventListener("paste", event => this.#pasted(event));
    scroller.addEventListener("copy", event => this.#copied(event));
  }

  #focused(cell) {
    const ref = cell?.closest("tr").dataset.ref;
    if (!cell || (ref === this.ref && cell.dataset.f === this.field)) return;
    for (const other of this.cards.table.querySelectorAll('td[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
    [this.ref, this.field] = [ref, cell.dataset.f];
    if (!this.stays) this.select(ref);
    this.moved(ref, this.field);
  }

  #pressed(event) {
    const cell = event.target.closest("td");
    if (!cell || event.target === this.input) return;
    event.preventDefault();
    if (cell === document.activeElement) this.edit(undefined, true);   // the second click
    else cell.focus();
  }

  move(down, right) {
    const { rows } = this.cards, fields = this.cards.fields();
    const row = rows[Math.min(rows.length - 1, Math.max(0, this.cards.index(this.ref) + down))];
    const column = Math.min(fields.length - 1, Math.max(0, fields.indexOf(this.field) + right));
    if (row) this.go(row.ref, fields[column]);
  }

  go(ref, field) { this.cards.reveal(ref, field)?.focus({ preventScroll: true }); }

  #column() { return this.cards.columns.find(column => column.field === this.field); }
  #text() { return this.cards.row(this.ref)?.texts[this.field] ?? ""; }

  edit(text, within = false) {            // within: at the end of the text; otherwise it is replaced as one types
    const column = this.#column();
    if (this.input || !column?.editable) return;
    this.select(this.ref);
    const cell = this.cards.reveal(this.ref, this.field);
    const input = document.createElement(column.is_long ? "textarea" : "input");
    input.value = text ?? this.#text();
    input.setAttribute("aria-label", `${this.field} of ${this.ref}`);
    const choices = document.getElementById(`of-${this.field}`);
    if (choices && !column.is_long) input.setAttribute("list", choices.id);
    cell.classList.add("editing");
    cell.append(input);
    this.input = input;
    const [ref, field] = [this.ref, this.field];
    input.addEventListener("blur", () => this.#end(true, ref, field));
    input.focus({ preventScroll: true });
    if (within) input.setSelectionRange(input.value.length, input.value.length);
    else if (text === undefined) input.select();
  }

  #end(isChange, ref = this.ref, field = this.field) {
    const { input } = this;
    if (!input) return;
    this.input = null;
    const cell = input.closest("td"), text = input.value.trim(), before = this.cards.row(ref)?.texts[field] ?? "";
    input.remove();
    cell.classList.remove("editing");
    if (isChange && text !== before.trim()) this.commit([[ref, field, text]]);
  }

  #keyOfInput(event) {
    if (event.key === "Escape") {
      this.#end(false);
      this.go(this.ref, this.field);
    } else if (event.key === "Enter" && !event.shiftKey) {
      this.#end(true);
      this.stays = true;
      this.move(event.altKey ? 0 : 1, 0);
      this.stays = false;
    } else if (event.key === "Tab") {
      this.#end(true);
      this.move(0, event.shiftKey ? -1 : 1);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #keyOfCell(event) {
    if (!this.ref || event.altKey || event.ctrlKey && event.key !== "Home" && event.key !== "End" || event.metaKey) return;
    const rows = this.cards.rows.length, columns = this.cards.columns.length;
    const moves = {
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
      PageUp: [-12, 0], PageDown: [12, 0], Home: [event.ctrlKey ? -rows : 0, -columns], End: [event.ctrlKey ? rows : 0, columns],
    };
    if (event.key in moves) this.move(...moves[event.key]);
    else if (event.key === "Enter" || event.key === "F2") this.edit(undefined, event.key === "F2");
    else if (event.key === "Escape") this.undo(this.ref, this.field);
    else if (event.key === "Delete" || event.key === "Backspace") this.#set([[this.ref, this.field, ""]]);
    else if (event.key.length === 1 && event.key !== " ") this.edit(event.key);
    else return;
    event.preventDefault();
  }

  #set(cells) {
    const editable = new Set(this.cards.columns.filter(column => column.editable).map(column => column.field));
    const changed = cells.filter(([ref, field, text]) => editable.has(field) && (this.cards.row(ref)?.texts[field] ?? "") !== text);
    if (changed.length) this.commit(changed);
  }

  #pasted(event) {
    if (this.input || !this.ref) return;
    event.preventDefault();
    const lines = rowsOf(event.clipboardData.getData("text/plain")), fields = this.cards.fields();
    const top = this.cards.index(this.ref), left = fields.indexOf(this.field);
    this.#set(lines.flatMap((line, down) => line.map((text, right) => [this.cards.rows[top + down]?.ref, fields[left + right], text]))
      .filter(([ref, field]) => ref && field));
  }

  #copied(event) {
    if (this.input || !this.ref || !getSelection().isCollapsed) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", this.#text());
  }
}

function rowsOf(text) {                   // as spreadsheet programs copy: tabs between cells, quotes around line ends
  const rows = [[]];
  const pattern = /(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))(\t|\n|$)/gy;
  const source = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  for (let match; (match = pattern.exec(source));) {
    rows.at(-1).push((match[1] ?? match[2]).replace(match[1] === undefined ? /$^/g : /""/g, '"').trim());
    if (match[3] === "\n") rows.push([]);
    if (pattern.lastIndex >= source.length && match[3] !== "\t") break;
    if (!match[3]) break;
  }
  return rows;
}
