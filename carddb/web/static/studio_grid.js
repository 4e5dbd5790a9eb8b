// A table that is edited like a spreadsheet: one cell has the focus, Enter edits it and goes down, several are pasted.
export class Grid {
  constructor(table, { commit, select, undo }) {
    this.table = table;
    this.commit = commit;                 // (list of [ref, field, text])
    this.select = select;                 // (ref)
    this.undo = undo;                     // (ref, field): the draft of a cell goes
    this.cell = null;
    this.input = null;
    table.addEventListener("focusin", event => this.#focused(event.target.closest("td")));
    table.addEventListener("mousedown", event => this.#pressed(event));
    table.addEventListener("click", event => { if (event.target.closest("a")) event.preventDefault(); });
    table.addEventListener("dblclick", () => this.edit());
    table.addEventListener("keydown", event => this.input ? this.#keyOfInput(event) : this.#keyOfCell(event));
    table.addEventListener("paste", event => this.#pasted(event));
    table.addEventListener("copy", event => this.#copied(event));
    const first = table.querySelector("tbody td");
    if (first) first.tabIndex = 0;
  }

  static ref(cell) { return cell.closest("tr").dataset.ref; }
  static editable(cell) { return cell.getAttribute("aria-readonly") !== "true"; }

  #focused(cell) {
    if (!cell || cell === this.cell) return;
    for (const other of this.table.querySelectorAll('td[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
    const row = this.cell?.closest("tr");
    this.cell = cell;
    if (row !== cell.closest("tr")) this.select(Grid.ref(cell));
    this.onmove?.(cell);
  }

  #pressed(event) {
    const cell = event.target.closest("td");
    if (!cell || event.target === this.input) return;
    event.preventDefault();
    cell.focus();
  }

  move(down, right) {
    const row = this.cell.closest("tr");
    const rows = [...this.table.tBodies[0].rows];
    const to = rows[Math.min(rows.length - 1, Math.max(0, rows.indexOf(row) + down))];
    const shown = [...row.cells].filter(cell => !cell.hidden).map(cell => cell.cellIndex);
    const column = Math.min(shown.length - 1, Math.max(0, shown.indexOf(this.cell.cellIndex) + right));
    this.go(to.cells[shown[column]]);
  }

  go(cell) {
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  edit(text) {
    const cell = this.cell;
    if (!cell || this.input || !Grid.editable(cell)) return;
    this.before = cell.textContent;
    const input = document.createElement(cell.classList.contains("long") ? "textarea" : "input");
    input.value = text ?? this.before;
    input.setAttribute("aria-label", `${cell.dataset.f} of ${Grid.ref(cell)}`);
    const choices = document.getElementById(`of-${cell.dataset.f}`);
    if (choices && input.tagName === "INPUT") input.setAttribute("list", choices.id);
    cell.classList.add("editing");
    cell.append(input);
    this.input = input;
    input.addEventListener("blur", () => this.#end(true));
    input.focus({ preventScroll: true });
    if (text === undefined) input.select();
  }

  #end(keep) {
    const { input, cell, before } = this;
    if (!input) return;
    this.input = null;
    const text = input.value.trim();
    input.remove();
    cell.classList.remove("editing");
    if (keep && text !== before.trim()) this.commit([[Grid.ref(cell), cell.dataset.f, text]]);
  }

  #keyOfInput(event) {
    if (event.key === "Escape") {
      this.#end(false);
      this.cell.focus();
    } else if (event.key === "Enter" && !event.shiftKey) {
      this.#end(true);
      this.move(event.altKey ? 0 : 1, 0);
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
    if (!this.cell || event.altKey || event.ctrlKey && event.key !== "Home" && event.key !== "End" || event.metaKey) return;
    const rows = this.table.tBodies[0].rows.length, columns = this.cell.closest("tr").cells.length;
    const moves = {
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
      PageUp: [-12, 0], PageDown: [12, 0], Home: [event.ctrlKey ? -rows : 0, -columns], End: [event.ctrlKey ? rows : 0, columns],
    };
    if (event.key in moves) this.move(...moves[event.key]);
    else if (event.key === "Enter" || event.key === "F2") this.edit();
    else if (event.key === "Escape") this.undo(Grid.ref(this.cell), this.cell.dataset.f);
    else if (event.key === "Delete" || event.key === "Backspace") this.#set([[this.cell, ""]]);
    else if (event.key.length === 1 && event.key !== " ") this.edit(event.key);
    else return;
    event.preventDefault();
  }

  #set(pairs) {
    const cells = pairs.filter(([cell, text]) => cell && Grid.editable(cell) && cell.textContent !== text);
    if (cells.length) this.commit(cells.map(([cell, text]) => [Grid.ref(cell), cell.dataset.f, text]));
  }

  #pasted(event) {
    if (this.input || !this.cell) return;
    event.preventDefault();
    const lines = rowsOf(event.clipboardData.getData("text/plain"));
    const rows = [...this.table.tBodies[0].rows], top = rows.indexOf(this.cell.closest("tr")), left = this.cell.cellIndex;
    this.#set(lines.flatMap((line, down) => line.map((text, right) => [rows[top + down]?.cells[left + right], text])));
  }

  #copied(event) {
    if (this.input || !this.cell || !getSelection().isCollapsed) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", this.cell.textContent);
  }
}

function rowsOf(text) {                   // as spreadsheet programs copy: tabs between cells, quotes round line ends
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
