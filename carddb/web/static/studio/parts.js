// Helpers that all parts of the studio share: elements, texts, URLs.
export const $ = id => document.getElementById(id);

export function element(tag, text, className) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (className) node.className = className;
  return node;
}

export function button(text, work, className) {
  const node = element("button", text, className);
  node.type = "button";
  node.addEventListener("click", work);
  return node;
}

export function plural(count, word) { return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`; }

export function quoted(text) {            // with typographic quotation marks, as on all other pages
  return text.replace(/`[^`]*`|(?<!\w)(['"])(.+?)\1(?!\w)/g, (whole, mark, inside) => mark ? `“${inside}”` : whole);
}

export function parameters(values) {
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value));
}

export function placeOf(row) { return [row.file, row.line && `line ${row.line}`].filter(Boolean).join(", "); }

export function messageOf(row, field) {   // the error or conflict of a cell
  if (field in row.conflicts) return `${row.file} now has “${row.conflicts[field]}”`;
  const before = row.drafts[field];
  if (row.faults[field]) return quoted(row.faults[field]) + (before ? ` (was ${before})` : "");
  return row.findings.filter(finding => finding.where[0]?.column_name === field).map(finding => quoted(finding.message)).join("; ");
}
