"""The findings of a stored deck list as pages show them: numbered, at their lines, with the remedies of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from carddb.app.decks.page import DeckPage
from carddb.app.events.tournament import request_of
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.events.records import Entry, Event

_GRAVE = ("error", "not_checkable")


class NumberedFinding(NamedTuple):
    """A stored finding, the place that it has among all, and remedies in words.

    Those that keep a deck from being legal have a number.
    """

    number: int
    at: int
    finding: Mapping[str, Any]
    remedies: list[str]

    @property
    def lines(self) -> list[int]:
        """The lines that it is about."""
        return [place["line"] for place in self.finding["where"] if place["line"]]


def numbered(project: Workspace, event: Event, entry: Entry | None) -> list[NumberedFinding]:
    """The findings of a list, the grave ones numbered."""
    if entry is None:
        return []
    deck = _deck(project, event, entry)
    number, result = 0, []
    for at, finding in enumerate(entry.verdict.findings):
        number += finding["severity"] in _GRAVE
        own = number if finding["severity"] in _GRAVE else 0
        result.append(NumberedFinding(own, at, finding, _remedies(deck, at, finding)))
    return result


def lines_of(entry: Entry | None, findings: Sequence[NumberedFinding]) -> list[tuple[str, list[NumberedFinding]]]:
    """Every line of a list with the numbered findings that are about it."""
    beside: dict[int, list[NumberedFinding]] = {}
    for each in findings:
        for line in dict.fromkeys(each.lines if each.number else ()):
            beside.setdefault(line, []).append(each)
    texts = entry.text.split("\n") if entry else []
    return [(text, beside.get(number, [])) for number, text in enumerate(texts, 1)]


def mended(project: Workspace, event: Event, entry: Entry | None, fix: str) -> str:
    """The text of a list after a remedy, which a button names by finding and way. Raises UsageError."""
    number, _, way = fix.partition(":")
    if entry is None or not (number.isdecimal() and way.isdecimal()) or len(fix) > 12:
        raise UsageError("this is no remedy", "Press one of the buttons.")
    return _deck(project, event, entry).mended(int(number), int(way)).rstrip("\n")


def _deck(project: Workspace, event: Event, entry: Entry) -> DeckPage:
    return DeckPage(project, f"{entry.text}\n", request_of(event.terms))


def _remedies(deck: DeckPage, at: int, finding: Mapping[str, Any]) -> list[str]:
    """The remedies of a stored finding; none where a check today finds something else in its place."""
    now = deck.report.findings
    is_same = at < len(now) and now[at].code == finding["code"]
    return [remedy.words for remedy in deck.remedies(now[at])] if is_same else []
