"""Pieces of HTML, every word of others escaped: tables in a notebook, sections and tables of a report."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape

from carddb.findings import Finding

_HEIGHT = 260
"""Pixels of a face in a notebook."""


def image_html(svg: bytes, label: str) -> str:
    """A drawing as an image of its own, so that its ids do not meet those of others."""
    source, words = f"data:image/svg+xml;base64,{b64encode(svg).decode('ascii')}", escape(label, quote=True)
    return f'<img src="{source}" alt="{words}" title="{words}" style="height:{_HEIGHT}px;margin:4px">'


def findings_html(findings: Iterable[Finding]) -> str:
    """A row a finding: severity, code, place, message and fix."""
    rows = [
        (f.severity.value, f.code, str(f.where[0]) if f.where else "", f.message, f.fix, ", ".join(f.rules))
        for f in findings
    ]
    return table_html(("severity", "code", "place", "message", "fix", "rules"), rows) if rows else ""


def table_html(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of texts."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def section(title: str, body: str) -> str:
    """A part of a report with its heading."""
    return f"<section><h2>{escape(title)}</h2>{body}</section>"


def table(label: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells, which scrolls by itself; a column whose name begins with # holds numbers."""
    head = "".join(
        f'<th scope="col" class="number">{escape(column[1:])}</th>' if column.startswith("#") else
        f'<th scope="col">{escape(column)}</th>' if column else "<td></td>"
        for column in columns
    )  # fmt: skip
    body = "\n".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scroll" role="region" aria-label="{escape(label)}" tabindex="0">{table}</div>'


def cell(text: str) -> str:
    """A cell of words."""
    return f"<td>{escape(text)}</td>"


def number_cell(text: str) -> str:
    """A cell with a number, which stands at the right."""
    return f'<td class="number">{escape(text)}</td>'


def list_cell(texts: Iterable[str]) -> str:
    """A cell of sentences, a point each."""
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f'<td class="sentences"><ul>{items}</ul></td>' if items else "<td></td>"


def bar_cell(share: float) -> str:
    """A bar as long as its share; the number stands beside it."""
    bars = f'<rect class="whole" width="100" height="1"/><rect class="part" width="{share * 100:.2f}" height="1"/>'
    svg = f'<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">{bars}</svg>'
    return f'<td class="share">{svg}</td>'
