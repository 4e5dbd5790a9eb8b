"""The validated deck list: verdict, findings, cards with tick boxes, fingerprint; as pages or as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from carddb.findings import CardCount, Finding, Severity, verdict
from carddb.game import GameSpec, SectionSpec
from carddb.layout.columns import Block, Item, Measures, flow
from carddb.layout.display import Face
from carddb.layout.face import draw
from carddb.layout.stock import paper_label, paper_size
from carddb.paint.pdf import faces_pdf
from carddb.pool import Deck, Entry
from carddb.press.workshop import BASE, Workshop
from carddb.units import mm, to_mm

_TEMPLATE = f"{BASE}/deck-list.svg"
_SHOWN = 3
_BOX_TOP, _FINDING, _FOOT, _LATER_TOP = 46.4, 11.4, 42.6, 30.0
_ROWS = (5.62, 5.3, 5.0, 4.6)
_LONG = 36
_LONGEST = 190
_WORDS = {"legal": "Legal", "illegal": "Not legal", "not_checkable": "Not checkable"}


@dataclass(frozen=True, slots=True)
class Judged:
    """A deck with its findings, the format and day it was judged by, and the catalogue it was judged against."""

    deck: Deck
    findings: tuple[Finding, ...]
    format: str
    on: date
    catalogue: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One card of the list: `numbers` are those of the findings it is guilty of."""

    name: str
    count: int
    numbers: tuple[int, ...] = ()


def deck_list_pdf(
    workshop: Workshop, judged: Judged, paper: str = "letter", lang: str = "en", creation: int = 0
) -> bytes:
    """The deck list as PDF. Raises UsageError for an unknown paper."""
    faces, _ = deck_list_faces(workshop, judged, paper)
    title = f"Deck list: {judged.deck.name or 'unnamed'}"
    return faces_pdf(faces, workshop.studio.book, workshop.images, title=title, lang=lang, creation=creation)


def deck_list_faces(workshop: Workshop, judged: Judged, paper: str) -> tuple[list[Face], list[Finding]]:
    """The pages of the list, and what is wrong with them."""
    size = paper_size(paper)
    spec = workshop.game.spec
    grave = _grave(judged.findings)
    shown = grave[:_SHOWN]
    box = max(25.0, len(shown) * _FINDING + 3.2 + (4.2 if len(grave) > _SHOWN else 0))
    top = _BOX_TOP + box + 14
    height = to_mm(size.height)
    blocks = _blocks(judged, spec, shown)
    row, pages = _flowed(blocks, height, top)
    page = {"width": to_mm(size.width), "height": height, "total": len(pages), "paper": paper_label(size), "row": row}
    common = {
        "game": {"name": spec.name},
        "deck": _deck(judged, spec, box),
        "verdict": _verdict(judged, grave, shown),
    }
    faces: list[Face] = []
    findings: list[Finding] = []
    for number, items in enumerate(pages, start=1):
        place = {**page, "number": number, "top": top if number == 1 else _LATER_TOP}
        listed = [{"kind": i.kind, "column": i.column, "y": to_mm(i.y), "value": i.value} for i in items]
        subject = CardCount("", f"deck list, page {number}")
        drawn = draw(workshop.studio, _TEMPLATE, {**common, "page": place, "items": listed}, subject)
        faces.append(drawn.face)
        findings.extend(drawn.findings)
    return faces, findings


def _grave(findings: Sequence[Finding]) -> list[Finding]:
    """What a judge must see, the gravest first."""
    order = list(Severity)
    return sorted((f for f in findings if f.severity is not Severity.INFO), key=lambda f: order.index(f.severity))


def _flowed(blocks: Sequence[Block], height: float, top: float) -> tuple[float, list[list[Item]]]:
    """The widest rows at which the list takes one page, else narrow rows over several."""
    ends = height - _FOOT - 4
    later = height - 22 - _LATER_TOP
    for row in _ROWS:
        measures = Measures(mm(row), mm(8.4), mm(3.4))
        pages = flow(blocks, [mm(height - 22 - top), mm(later)], mm(ends - top), measures)
        if len(pages) == 1:
            return row, pages
    last = max((i.y + (mm(8.4) if i.kind == "heading" else mm(_ROWS[0])) for i in pages[-1]), default=0)
    return _ROWS[-1], pages if last <= mm(ends - _LATER_TOP) else [*pages, []]


def _blocks(judged: Judged, spec: GameSpec, shown: Sequence[Finding]) -> list[Block]:
    """The cards by section and type; a section of one type carries the section's name."""
    numbers: dict[int, list[int]] = {}
    for number, finding in enumerate(shown, start=1):
        for place in finding.where if len(finding.where) < _LONG else ():
            if place.line and number not in numbers.setdefault(place.line, []):
                numbers[place.line].append(number)
    blocks: list[Block] = []
    for section, part in spec.sections.items():
        groups: dict[str, list[Entry]] = {kind: [] for kind in spec.types}
        for entry in judged.deck.entries:
            if entry.section == section:
                groups.setdefault(entry.card.type if entry.card else "", []).append(entry)
        for kind, entries in groups.items():
            if entries:
                blocks.append(_block(_heading(section, part, kind, spec), entries, numbers))
    return blocks


def _block(heading: str, entries: Sequence[Entry], numbers: Mapping[int, Sequence[int]]) -> Block:
    rows = tuple(
        Row(e.card.name if e.card else f"{e.name} (unknown)", e.count, tuple(numbers.get(e.place.line, ())))
        for e in entries
    )
    return Block(heading, sum(row.count for row in rows), rows)


def _heading(section: str, part: SectionSpec, kind: str, spec: GameSpec) -> str:
    if kind not in spec.types:
        return "Unknown cards"
    name = spec.types[kind].plural or spec.label_of(kind)
    return name if kind in part.types else f"{name} in {part.label or section}"


def _deck(judged: Judged, spec: GameSpec, box: float) -> dict[str, Any]:
    deck = judged.deck
    words = spec.data.get("deck_list", {})
    rarities = Counter(
        str(e.card.get("rarity")).replace("_", " ")
        for e in deck.entries
        if e.card and e.card.get("rarity")
        for _ in range(e.count)
    )
    order = [choice.replace("_", " ") for choice in (spec.fields["rarity"].of if "rarity" in spec.fields else ())]
    tallies = [
        (str(deck.size(key)), part.label or key.capitalize(), _bounds(part))
        for key, part in spec.sections.items()
        if part.counted
    ]
    advice = [f.message for f in judged.findings if f.severity is Severity.INFO and not any(p.line for p in f.where)]
    return {
        "name": deck.name or "unnamed deck",
        "context": f"{judged.format} on {judged.on.day} {judged.on:%B %Y}",
        "lines": [
            ("Deck", deck.name),
            ("Player", deck.headers.get("player", "")),
            ("Event and table", " · ".join(filter(None, (deck.headers.get("event"), deck.headers.get("date"))))),
        ],
        "box": box,
        "tallies": tallies,
        "fingerprint": _grouped(deck.fingerprint()),
        "rarities": ", ".join(f"{rarities[name]} {name}" for name in order if rarities[name]),
        "advice": " ".join(advice),
        "ticks": list(words.get("ticks", ("cards counted", "list agrees with deck", "sleeves alike"))),
        "sign": words.get("sign", "Judge, time"),
        "catalogue": f" · catalogue {judged.catalogue}" if judged.catalogue else "",
    }


def _bounds(part: SectionSpec) -> str:
    least, most = part.size
    if most is None:
        return f"{least} or more" if least else "any number"
    return f"{least} to {most}"


def _grouped(fingerprint: str) -> str:
    """`carddb1:7f3a9c21d0` as `carddb1: 7f3a 9c21 d0`, so that it can be read aloud."""
    name, _, digits = fingerprint.partition(":")
    return f"{name}: " + " ".join(digits[i : i + 4] for i in range(0, len(digits), 4))


def _verdict(judged: Judged, grave: Sequence[Finding], shown: Sequence[Finding]) -> dict[str, Any]:
    answer = verdict(judged.findings)
    return {
        "legal": answer == "legal",
        "illegal": answer == "illegal",
        "word": _WORDS[answer],
        "count": f"{len(grave) or 'no'} finding{'' if len(grave) == 1 else 's'}",
        "note": f"checked for {judged.on.day} {judged.on:%B %Y}",
        "findings": [
            {
                "message": _clipped(_plain(f.message), _LONGEST - len(f.fix)),
                "fix": _clipped(_plain(f.fix), _LONGEST * 2 // 3),
                "source": " · ".join(filter(None, (f.code, ", ".join(f.rules)))),
            }
            for f in shown
        ],
        "more": max(0, len(grave) - len(shown)),
        "calm": f"Every rule of the deck holds for {judged.format}.",
    }


def _clipped(text: str, length: int) -> str:
    """A text that leaves room for what stands beside it; `carddb check` has all of it."""
    length = max(40, length)
    return text if len(text) <= length else text[: length - 1].rsplit(" ", 1)[0] + " …"


def _plain(text: str) -> str:
    """Words of a finding as a sentence inside a marked-up text: none of its own marks."""
    text = text if text.endswith((".", "!", "?")) or not text else f"{text}."
    return text.replace("*", "").replace("{", "(").replace("}", ")").replace("\n", " ")


def deck_list_json(judged: Judged, report: Mapping[str, Any]) -> dict[str, Any]:
    """The report of `check --json` with the cards: section, reference, name, type, count; and the full digest."""
    cards = [
        {"section": e.section, "ref": e.card.ref if e.card else None, "name": e.card.name if e.card else e.name,
         "type": e.card.type if e.card else None, "count": e.count}
        for e in judged.deck.entries
    ]  # fmt: skip
    return {**report, "schema": "carddb.decklist/1", "digest": judged.deck.digest(), "cards": cards}
