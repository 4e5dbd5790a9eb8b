"""Writing decks in the canonical text form, and remedies as edits of a deck's text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from carddb.cards.cards import HEADER_KEYS, Card, Deck, Entry
from carddb.core.groups import grouped
from carddb.core.names import capital, fold
from carddb.core.plain_text import first_of
from carddb.findings import Finding
from carddb.game.game import GameSpec
from carddb.read.decks.builder import MAX_COUNT


def write_deck(deck: Deck, spec: GameSpec) -> str:
    """Returns the canonical text of a deck, which reads back as the same deck, with the copies of a card added up."""
    lines = ["# carddb deck 1", *(f"{key}: {value}" for key, value in header_pairs(deck, spec))]
    for section in sections_of(deck, spec):
        lines += ["", f"## {section_label(section, spec)} ({deck.size(section)})"]
        for count, entry in summed(deck, section, spec):
            lines.append(f"{count} {entry.card.name} [{entry.card.ref}]" if entry.card else f"{count} {entry.name}")
    lines += ["", f"# fingerprint {deck.fingerprint()}"]
    return "\n".join(lines) + "\n"


def sections_of(deck: Deck, spec: GameSpec) -> list[str]:
    """Returns the sections in which a deck has cards, in the game's order."""
    used = dict.fromkeys(entry.section for entry in deck.entries)
    return [section for section in dict.fromkeys((*spec.sections, *used)) if section in used]


def header_pairs(deck: Deck, spec: GameSpec) -> Iterator[tuple[str, str]]:
    """Yields the header lines of a deck, each as a key and a one-line value."""
    values = {**deck.headers, "game": deck.game}
    names = {key: key for key in HEADER_KEYS} | dict(spec.header)
    for key, name in names.items():
        value = " ".join(values.get(name, "").splitlines()).strip()
        if value:
            yield capital(key), value


def section_label(section: str, spec: GameSpec) -> str:
    """Returns a section's heading: its label if that reads back as the section, else its key."""
    label = spec.section_label(section)
    return label if spec.section_words.find(label) in (section, None) else section


def summed(deck: Deck, section: str, spec: GameSpec) -> list[tuple[int, Entry]]:
    """Returns (count, entry) for the cards of a section, by type and name, unknown ones last; high counts are split."""
    by_ref = grouped((entry.ref, entry) for entry in deck.entries if entry.section == section)
    order = {kind: index for index, kind in enumerate(spec.types)}

    def rank(entry: Entry) -> tuple[int, str, str, str]:
        kind = order.get(entry.card.type, len(order)) if entry.card else len(order) + 1
        return kind, fold(entry.name), entry.name, entry.ref

    cards = sorted(by_ref.values(), key=lambda entries: rank(entries[0]))
    return [(count, own[0]) for own in cards for count in readable_counts(sum(entry.count for entry in own))]


def readable_counts(total: int) -> list[int]:
    """Returns counts that add up to `total`, none of them higher than a line may have."""
    full, rest = divmod(total, MAX_COUNT)
    return [MAX_COUNT] * full + ([rest] if rest else [])


_COUNT = re.compile(r"\d+")
_MOST_NAMES = 6
"""The most cards that a remedy lists by name."""


class LineEdit(NamedTuple):
    """The lines that replace the one numbered `line`, none to delete it; `line` 0 adds them at the end of the text."""

    line: int
    texts: tuple[str, ...]


class Remedy(NamedTuple):
    """One way to remedy a finding: a description, and the edits of the text."""

    words: str
    edits: tuple[LineEdit, ...]


def remedies(text: str, deck: Deck, spec: GameSpec, finding: Finding) -> list[Remedy]:
    """Returns the remedies of a finding that are edits of the text; empty if the user must choose a card first."""
    lines = text.splitlines()
    if finding.code == "card_unknown" and finding.where:
        number, name = finding.where[0].line, finding.cards[0].name
        line = lines[number - 1] if 0 < number <= len(lines) else ""
        return [
            Remedy(f"Write “{near}”", (LineEdit(number, (line.replace(name, near, 1),)),))
            for near in (finding.data.get("nearest", ()) if name in line else ())
        ]
    if finding.code == "format_unknown" and finding.where and 0 < finding.where[0].line <= len(lines):
        number, name = finding.where[0].line, str(finding.data.get("format", ""))
        near, line = spec.format_words.nearest(name), lines[number - 1]
        edits = (LineEdit(number, (near.join(line.rsplit(name, 1)),)),) if near and name else ()
        return [Remedy(f"Write “{near}”", edits)] if edits else []
    offered = (_remedy(lines, deck, spec, fix) for fix in finding.fixes)
    return [remedy for remedy in offered if remedy]


def edited(text: str, edits: Sequence[LineEdit]) -> str:
    """Returns a text with the edits applied."""
    lines = text.splitlines()
    for edit in sorted((edit for edit in edits if edit.line), reverse=True):
        lines[edit.line - 1 : edit.line] = edit.texts
    return "\n".join([*lines, *(line for edit in edits if not edit.line for line in edit.texts)]) + "\n"


def recounted(text: str, deck: Deck, spec: GameSpec, card: Card, more: int) -> list[LineEdit]:
    """Returns the edits that give a deck `more` copies of a card (fewer if negative), in its line or in a new one."""
    lines = text.splitlines()
    own = [entry for entry in deck.entries if entry.ref == card.ref and 0 < entry.place.line <= len(lines)]
    if more < 0:
        out = min(-more, sum(entry.count for entry in own))
        return _removal(lines, own, out) if out else []
    if own:
        last = own[-1]
        return [LineEdit(last.place.line, (_with_count(lines[last.place.line - 1], last, last.count + more),))]
    section = next((key for key, part in spec.sections.items() if card.type in part.types), next(iter(spec.sections)))
    return [_put(lines, deck, spec, section, f"{more} {card.name}")]


def _remedy(lines: Sequence[str], deck: Deck, spec: GameSpec, fix: Mapping[str, Any]) -> Remedy | None:
    """Returns the remedy for a finding's `fix` that removes or moves cards, or None for any other fix."""
    if set(fix) not in ({"remove"}, {"move"}):
        return None
    ((kind, parts),) = fix.items()
    by_ref = grouped((entry.ref, entry) for entry in deck.entries)
    removals = [_removal(lines, by_ref[part["ref"]], part["count"]) for part in parts]
    if not all(removals):
        return None
    edits = tuple(edit for edits in removals for edit in edits)
    if kind == "remove":
        return Remedy(f"Take out {_counted(deck, parts)}", edits)
    names = {entry.ref: entry.name for entry in deck.entries}
    put = [_put(lines, deck, spec, part["to"], f"{part['count']} {names[part['ref']]}") for part in parts]
    words = f"Move {_counted(deck, parts)} to {section_label(parts[0]['to'], spec)}"
    return Remedy(words, (*edits, *_joined(put)))


def _counted(deck: Deck, parts: Sequence[Mapping[str, Any]]) -> str:
    """Returns cards as text, `1 Trebuchet, 2 Siege Train`; of many, the first ones and how many others there are."""
    names = {entry.ref: entry.name for entry in deck.entries}
    return first_of([f"{part['count']} {names.get(part['ref'], part['ref'])}" for part in parts], _MOST_NAMES)


def _removal(lines: Sequence[str], entries: Sequence[Entry], count: int) -> list[LineEdit]:
    """Returns the edits that remove `count` copies of a card, from its last line on; empty if there are too few."""
    left, edits = int(count), []
    for entry in reversed(entries):
        if not left or not 0 < entry.place.line <= len(lines):
            continue
        out = min(left, entry.count)
        left -= out
        line = lines[entry.place.line - 1]
        fewer = _with_count(line, entry, entry.count - out)
        edits.append(LineEdit(entry.place.line, () if out == entry.count else (fewer,)))
    return [] if left else edits


def _with_count(line: str, entry: Entry, count: int) -> str:
    """Returns a card line with a new count: in place of the first number that is the old one, else in front."""
    old = next((match for match in _COUNT.finditer(line) if int(match[0]) == entry.count), None)
    return line[: old.start()] + str(count) + line[old.end() :] if old else f"{count} {line.strip()}"


def _put(lines: Sequence[str], deck: Deck, spec: GameSpec, section: str, line: str) -> LineEdit:
    """Returns the edit that adds a card line at the end of a section, below a heading if the section is new."""
    last = max((entry.place.line for entry in deck.entries if entry.section == section), default=0)
    if last:
        return LineEdit(last, (lines[last - 1], line))
    return LineEdit(0, ("", f"## {section_label(section, spec)}", line))


def _joined(edits: Sequence[LineEdit]) -> Iterator[LineEdit]:
    """Yields the edits, with those of the same line merged."""
    for line in dict.fromkeys(edit.line for edit in edits):
        texts = [edit.texts for edit in edits if edit.line == line]
        shared = 1 if line else 2
        yield LineEdit(line, (*texts[0], *(text for more in texts[1:] for text in more[shared:])))
