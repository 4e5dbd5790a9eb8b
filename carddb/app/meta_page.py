"""A meta report as HTML: charts and tables that need no script.

Written beside its tables it is a page by itself, under a policy that lets nothing else in; the browser's front sets the
same charts and tables in its own frame.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from datetime import date
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING

from carddb.app.deck_meta import NO_ARCHETYPE
from carddb.app.meta_tables import meta_tables
from carddb.app.words import amount

if TYPE_CHECKING:
    from carddb.app.deck_meta import Meta
    from carddb.app.meta_rows import MetaDeck
    from carddb.findings import Finding

MOST_ROWS = 50
"""The rows of a chart or a table; all of them are in the tables as CSV."""
REPORT_STYLE = """\
.report>p{max-width:46rem}
.report section{margin-top:2.25rem}
.report h2{border-bottom:1px solid var(--ink);padding-bottom:.35rem;margin-bottom:.75rem}
.report .quiet{max-width:46rem;margin-bottom:.75rem}
.report .scroll{overflow-x:auto;margin-bottom:1.5rem;\
background:linear-gradient(270deg,var(--paper) 50%,transparent) 100% 0/2.5rem 100% no-repeat local,\
linear-gradient(270deg,var(--line),transparent) 100% 0/1rem 100% no-repeat}
.report table{border-collapse:collapse;width:100%}
.report th{font-weight:500;color:var(--mid);text-align:left;vertical-align:bottom}
.report :is(td,th){padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line)}
.report td{vertical-align:top;overflow-wrap:break-word;min-width:7rem}
.report :is(td,th):first-child{position:sticky;left:0;z-index:1;background:var(--paper)}
.report .number{text-align:right;white-space:nowrap;width:1%;min-width:0;padding-right:1.25rem}
.report .sentences{min-width:12rem}
.report .share{min-width:4rem;width:26%;vertical-align:middle}
.report svg{display:block;width:100%;height:.8rem}
.report .whole{fill:var(--line)}
.report .part{fill:var(--red)}
.report ul{margin:0;padding:0 0 0 1.1rem;list-style:disc}
@media print{.report .scroll{overflow:visible;background:none}}
"""
"""The charts and tables within any page that defines the colours."""
_PAGE_STYLE = """\
:root{color-scheme:light dark;--paper:#fdfcf9;--ink:#1e1b18;--mid:#5a544b;--line:#cfc8ba;--red:#8e1b2e}
@media (prefers-color-scheme:dark){:root{--paper:#191714;--ink:#ece6da;--mid:#b3aa9b;--line:#454036;--red:#f0979b}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:70rem;padding:1.5rem clamp(1rem,4vw,3rem) 3rem;background:var(--paper);color:var(--ink);\
font:1.0625rem/1.5 "Alegreya Sans",Optima,Candara,"Gill Sans","Trebuchet MS",sans-serif;\
font-variant-numeric:lining-nums tabular-nums}
h1,h2{font-family:Cardo,"Iowan Old Style",Palatino,Georgia,serif;font-weight:400;line-height:1.15;text-wrap:balance}
h1{font-size:clamp(1.9rem,1.3rem + 2.6vw,3rem);margin:0 0 .5rem}
h2{font-size:1.5rem;margin:0}
p{margin:0}
.quiet{color:var(--mid)}
a{color:inherit;text-decoration-color:var(--red);text-underline-offset:.2em}
@media print{body{max-width:none;padding:0}}
"""


def meta_page(meta: Meta) -> bytes:
    """A page by itself, in UTF-8, beside its tables as CSV."""
    style = _PAGE_STYLE + REPORT_STYLE
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'"
    title = meta_title(meta)
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f"<title>{escape(title)}</title><style>{style}</style>"
    )
    files = ", ".join(f'<a href="{name}">{name}</a>' for name in meta_tables(meta))
    foot = f'<p class="quiet">Every row is in the tables: {files}.</p>'
    body = f"<main><h1>{escape(title)}</h1>{meta_body(meta)}{foot}</main>"
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}</body></html>\n'.encode()


def meta_title(meta: Meta) -> str:
    """`What 40 decks of Cahrd say together`"""
    return f"What {amount(len(meta.decks), 'deck')} of {meta.game.spec.name} say together"


def meta_body(meta: Meta) -> str:
    """The charts and tables, without a page around them; what a draft forbids comes first."""
    parts = [f"<p>{escape(meta.sentence)}</p>"]
    if meta.draft:
        decks = [(deck, deck.coming) for deck in meta.affected]
        title = f"The draft forbids something of {len(decks)} of {amount(len(meta.decks), 'deck')}"
        parts.append(_findings(title, decks, meta.mends_by_draft()))
    parts += [_cards(meta), _archetypes(meta), _pairs(meta)]
    if meta.not_legal:
        faults = [(deck, [(None, finding) for finding in deck.faults]) for deck in meta.not_legal]
        parts.append(_findings(f"Not legal: {amount(len(faults), 'deck')}", faults, meta.mends()))
    if meta.unread:
        rows = ([_cell(file), _cell(reason)] for file, reason in meta.unread)
        parts.append(_section("Not counted", _table("Files not counted", ("File", "Reason"), rows)))
    lines = "\n".join(filter(None, parts))
    return f'<div class="report">{lines}</div>'


def _cards(meta: Meta) -> str:
    rows = (
        [
            _cell(meta.names[card.ref]),
            _chart(card.share),
            _number(f"{card.share * 100:.0f} %"),
            _number(str(card.decks)),
            _number(f"{card.average:.1f}"),
            _cell(", ".join(f"{copies}: {decks}" for copies, decks in card.by_copies.items())),
        ]
        for card in meta.cards[:MOST_ROWS]
    )
    columns = ("Card", "", "#Share", "#Decks", "#Copies", "Decks by copies")
    return _section(f"Cards that most decks hold{_of(len(meta.cards))}", _table("Cards", columns, rows))


def _archetypes(meta: Meta) -> str:
    if not meta.archetypes:
        return ""
    rows = [
        [
            _cell(meta.archetype_name(each)),
            _chart(len(each.decks) / len(meta.decks)),
            _number(f"{len(each.decks) / len(meta.decks) * 100:.0f} %"),
            _number(str(len(each.decks))),
            _number(str(meta.legal_in(each))),
            _cell(meta.decks[each.decks[0]].name),
            _cell(", ".join(f"{card.average:.1f} {meta.names[card.ref]}" for card in each.core)),
        ]
        for each in meta.archetypes
    ]
    lone = sum(not deck.archetype for deck in meta.decks)
    if lone:
        share = lone / len(meta.decks)
        rest = [_cell(NO_ARCHETYPE), _chart(share), _number(f"{share * 100:.0f} %"), _number(str(lone))]
        rows.append([*rest, *[_cell("")] * 3])
    how = (
        "Decks that are alike: the copies that both have, of those that either has, a card counting the more the fewer "
        "decks hold it. An archetype is named by the cards that tell it from the others; its core is in three quarters "
        "of its decks."
    )
    columns = ("Archetype", "", "#Share", "#Decks", "#Legal", "Typical deck", "Core")
    return _section("Archetypes", f'<p class="quiet">{how}</p>{_table("Archetypes", columns, rows)}')


def _pairs(meta: Meta) -> str:
    if not meta.pairs:
        return ""
    rows = (
        [
            _cell(meta.names[pair.first]),
            _cell(meta.names[pair.second]),
            _chart(pair.share),
            _number(f"{pair.share * 100:.0f} %"),
            _number(f"{pair.lift:.1f}"),
        ]
        for pair in meta.pairs[:MOST_ROWS]
    )
    how = (
        "The share is that of decks with both cards. Lift is how many times it is what it would be by chance; the "
        "pairs that are most above chance come first."
    )
    table = _table("Pairs of cards", ("Card", "With", "", "#Share", "#Lift"), rows)
    return _section("Pairs beyond chance", f'<p class="quiet">{how}</p>{table}')


def _findings(
    title: str,
    decks: Sequence[tuple[MetaDeck, Sequence[tuple[date | None, Finding]]]],
    mends: Sequence[tuple[str, int]],
) -> str:
    rows = (
        [
            _cell(deck.name),
            _list(f"{f'From {day}: ' if day else ''}{finding.message}" for day, finding in findings),
            _list(finding.fix for _, finding in findings if finding.fix),
            _cell(deck.player),
            _cell(deck.archetype),
        ]
        for deck, findings in decks[:MOST_ROWS]
    )
    columns = ("Deck", "Finding", "Smallest mend", "Player", "Archetype")
    table = _table(title, columns, rows) if decks else ""
    counts = ([_number(str(number)), _cell(fix)] for fix, number in mends[:MOST_ROWS])
    fixes = _table(f"{title}, by smallest mend", ("#Decks", "Smallest mend"), counts) if mends else ""
    return _section(title + _of(len(decks)), table + fixes)


def _of(rows: int) -> str:
    return f" (the first {MOST_ROWS} of {rows})" if rows > MOST_ROWS else ""


def _section(title: str, body: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{body}</section>"


def _table(label: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells, which scrolls by itself; a column whose name begins with # holds numbers."""
    head = "".join(
        f'<th scope="col" class="number">{escape(column[1:])}</th>' if column.startswith("#") else
        f'<th scope="col">{escape(column)}</th>' if column else "<td></td>"
        for column in columns
    )  # fmt: skip
    body = "\n".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scroll" role="region" aria-label="{escape(label)}" tabindex="0">{table}</div>'


def _cell(text: str) -> str:
    return f"<td>{escape(text)}</td>"


def _number(text: str) -> str:
    return f'<td class="number">{escape(text)}</td>'


def _list(texts: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f'<td class="sentences"><ul>{items}</ul></td>' if items else "<td></td>"


def _chart(share: float) -> str:
    """A bar as long as its share; the number stands beside it."""
    bars = f'<rect class="whole" width="100" height="1"/><rect class="part" width="{share * 100:.2f}" height="1"/>'
    svg = f'<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">{bars}</svg>'
    return f'<td class="share">{svg}</td>'
