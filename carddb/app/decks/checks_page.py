"""The page of many checked decks: how many are legal, each with its verdict, its reasons and its fingerprint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from markupsafe import Markup

from carddb.app.decks.batch import Unreadable
from carddb.app.decks.check import Report
from carddb.app.decks.rows import DeckCounts, DeckRow, deck_row
from carddb.findings import VERDICTS, Finding, gravest_first

_WORDS = {**VERDICTS, "unreadable": "Unreadable"}
_SIGNS = {"legal": "✓", "illegal": "✕", "not_checkable": "?", "unreadable": "!"}
_STYLE = """\
:root{color-scheme:light dark;--ink:#1a1a1c;--mid:#5e6064;--line:#cfd0d1;--red:#8e1b2e;--on-red:#fff;--paper:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#ececee;--mid:#a9abaf;--line:#46484c;--red:#f2b8c0;--on-red:#2a0a10;
  --paper:#17181a}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:2rem 1.25rem;background:var(--paper);color:var(--ink);
  font:1rem/1.45 "IBM Plex Sans","Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
h1{font:600 2.1rem/1.1 Spectral,Georgia,serif;margin:0 0 1rem;padding-bottom:.7rem;border-bottom:3px solid var(--ink)}
.totals{display:flex;flex-wrap:wrap;gap:.6rem 2.4rem;margin:0 0 1.4rem;padding:0;list-style:none;color:var(--mid)}
.totals b{font:600 1.9rem/1 Spectral,Georgia,serif;color:var(--ink);margin-right:.3em}
table{width:100%;border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:.6rem 1rem .6rem 0;border-bottom:1px solid var(--line)}
thead th{font-size:.875rem;color:var(--mid);border-bottom:1.5px solid var(--ink)}
tbody th{font:600 1.1rem/1.3 Spectral,Georgia,serif}
small{display:block;font:400 .875rem/1.4 "IBM Plex Sans",Arial,sans-serif;color:var(--mid)}
.verdict{display:inline-block;white-space:nowrap;font-weight:700;border:2px solid var(--ink);border-radius:.3rem;
  padding:.1rem .55rem}
.illegal .verdict{background:var(--red);border-color:var(--red);color:var(--on-red)}
.unreadable .verdict,.not_checkable .verdict{border-style:dashed}
ol{margin:0;padding-left:1.2rem}
ol li+li{margin-top:.45rem}
summary{cursor:pointer;color:var(--mid);margin-top:.4rem}
details ol{margin-top:.4rem}
code{font:.875rem/1.4 "IBM Plex Mono",Consolas,monospace;white-space:nowrap}
@media(max-width:44rem){
  thead{position:absolute;left:-99rem}
  table,tbody,tr,th,td{display:block}
  tr{padding:.8rem 0;border-bottom:1px solid var(--line)}
  tbody th,td{border:0;padding:.15rem 0}
}
@media print{body{padding:0;max-width:none;font-size:9pt}details:not([open])>*{display:block}tr,li{break-inside:avoid}}
"""
_HEAD = Markup(
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n<link rel="icon" href="data:,">\n'
    "<title>Checked decks</title>\n<style>{}</style>\n</head>\n<body>\n<h1>Checked decks</h1>\n"
    '<ul class="totals">{}</ul>\n<table>\n<thead><tr><th scope="col">Deck</th><th scope="col">Verdict</th>'
    '<th scope="col">Reasons</th><th scope="col">Fingerprint</th></tr></thead>\n<tbody>\n'
)
_FOOT = "\n</tbody>\n</table>\n</body>\n</html>\n"
_SHOWN = 3
"""Reasons of a deck that stand open; the rest unfolds."""


def checks_page(counts: DeckCounts, rows: Iterable[str]) -> Iterator[bytes]:
    """The page as UTF-8, without a script, in several parts; every word of a deck is text."""
    summary = counts.summary
    totals = [(summary["decks"], "deck" if summary["decks"] == 1 else "decks")]
    totals += [(summary[key], word.lower()) for key, word in _WORDS.items() if summary[key]]
    items = Markup("").join(Markup("<li><b>{}</b>{}</li>").format(count, word) for count, word in totals)
    yield _HEAD.format(Markup(_STYLE), items).encode()
    for number, row in enumerate(rows):
        yield (f"\n{row}" if number else row).encode("utf-8", "replace")
    yield _FOOT.encode()


def page_row(report: Report | Unreadable) -> str:
    """The row of a deck."""
    row = deck_row(report)
    return Markup(
        '<tr class="{}"><th scope="row">{}<small>{}</small></th><td><span class="verdict">{} {}</span></td>'
        "<td>{}</td><td><code>{}</code></td></tr>"
    ).format(
        report.verdict, row.deck, " · ".join(filter(None, (row.player, row.file))), _SIGNS[report.verdict],
        _WORDS[report.verdict], _reasons(report, row), row.fingerprint,
    )  # fmt: skip


def _reasons(report: Report | Unreadable, row: DeckRow) -> Markup:
    """The reasons with their fixes, the first few open."""
    if not isinstance(report, Report):
        return Markup("{}").format(row.reason)
    grave = gravest_first(report.findings)
    if not grave:
        return Markup("every rule of the deck holds")
    rest = grave[_SHOWN:]
    more = Markup('<details><summary>and {} more</summary><ol start="{}">{}</ol></details>').format(
        len(rest), _SHOWN + 1, _items(rest)
    )
    return Markup("<ol>{}</ol>{}").format(_items(grave[:_SHOWN]), more if rest else "")


def _items(findings: list[Finding]) -> Markup:
    return Markup("").join(
        Markup("<li>{}<small>{}</small></li>").format(
            finding.message, " · ".join(filter(None, (finding.fix, finding.code, ", ".join(finding.rules))))
        )
        for finding in findings
    )
