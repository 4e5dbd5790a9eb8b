"""What a notebook shows of values: small pieces of HTML, every word of others escaped, faces as images."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from carddb.findings import VERDICTS, Finding

if TYPE_CHECKING:
    from carddb.app.ban_lists import BanListState
    from carddb.app.deck_check import Report
    from carddb.app.deck_checks import Reports
    from carddb.app.project_cards import CardList, ProjectCard

_HEIGHT = 260
"""Pixels of a face in a notebook."""


def card_html(card: ProjectCard) -> str:
    """The face of a card. It is an image of its own, so that its ids do not meet those of other faces."""
    source = f"data:image/svg+xml;base64,{b64encode(card.svg()).decode('ascii')}"
    label = escape(f"{card.name} [{card.ref}]", quote=True)
    return f'<img src="{source}" alt="{label}" title="{label}" style="height:{_HEIGHT}px;margin:4px">'


def cards_html(cards: CardList, most: int) -> str:
    """The faces of the first cards of a search, and how many there are."""
    faces = "".join(card_html(card) for card in cards[:most])
    more = f", {len(cards) - most} more not shown" if len(cards) > most else ""
    return f'<div style="display:flex;flex-wrap:wrap">{faces}</div><p>{len(cards)} cards{more}</p>'


def report_html(report: Report) -> str:
    """The verdict of a deck and a row a finding."""
    deck = report.deck
    title = f"<p><b>{VERDICTS[report.verdict]}</b>: {escape(deck.name or deck.file or 'a deck')}"
    return f"{title}, {escape(report.sentence)} {escape(report.fingerprint)}</p>{findings_html(report.findings)}"


def reports_html(reports: Reports) -> str:
    """A row a deck, and the sums."""
    from carddb.app.deck_rows import COLUMNS

    return f"{table_html(COLUMNS, reports.rows())}<p>{escape(reports.sentence)}</p>"


def ban_list_html(state: BanListState) -> str:
    """A ban list on a day: a row a card, then the groups."""
    rows = [(card["name"], card["ref"], card["level"], card["since"]) for card in state.to_json()["cards"]]
    groups = "".join(f"<li>{escape(words)}</li>" for words in state.group_words())
    title = f"<p><b>{escape(state.ban_list.title)}</b>, on {state.day}, {escape(state.fingerprint)}</p>"
    return title + table_html(("card", "ref", "level", "since"), rows) + (f"<ul>{groups}</ul>" if groups else "")


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
