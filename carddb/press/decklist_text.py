"""What a deck list says: its head and foot, the verdict, findings as sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from carddb.cards import Deck
from carddb.findings import VERDICTS, Finding, Severity, verdict
from carddb.games import Game
from carddb.layout.qr_code import qr_code
from carddb.rule_parts import SectionSpec

_QUOTED = re.compile(r"(?<!\w)'([^']*)'(?!\w)")
LONGEST_NAME, _LONGEST_VALUE, _LONGEST = 70, 40, 190
"""Characters of a name in the list, of a value in the head, of a finding with its fix."""


@dataclass(frozen=True, slots=True)
class CheckedDeck:
    """A deck with its findings, the format and day it was judged by, and the catalogue it was judged against.

    `code` is what a QR code beside the fingerprint says; without it there is none.
    """

    deck: Deck
    findings: tuple[Finding, ...]
    format: str
    on: date
    catalogue: str = ""
    code: str = ""


def deck_words(checked: CheckedDeck, game: Game, box: float) -> dict[str, Any]:
    """Head, sums and foot; `box` is the height of the verdict's box in millimetres."""
    deck, spec = checked.deck, game.spec
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
    tallies += [(figure, label, clipped(note, _LONGEST_VALUE)) for figure, label, note in own_sums(deck, game)]
    advice = [f.message for f in checked.findings if f.severity is Severity.INFO and not any(p.line for p in f.where)]
    return {
        "name": clipped(deck.name or "unnamed deck", LONGEST_NAME),
        "context": f"{checked.format} on {checked.on.day} {checked.on:%B %Y}",
        "lines": [
            ("Deck", clipped(deck.name, _LONGEST_VALUE)),
            ("Player", clipped(deck.headers.get("player", ""), _LONGEST_VALUE)),
            (
                "Event and table",
                clipped(
                    " · ".join(filter(None, (deck.headers.get("event"), deck.headers.get("date")))), _LONGEST_VALUE
                ),
            ),
        ],
        "box": box,
        "tallies": tallies,
        "fingerprint": _grouped(deck.fingerprint()),
        "code": qr_code(checked.code) if checked.code else None,
        "rarities": ", ".join(f"{rarities[name]} {name}" for name in order if rarities[name]),
        "advice": " ".join(advice),
        "ticks": list(words.get("ticks", ("cards counted", "list agrees with deck", "sleeves alike"))),
        "sign": words.get("sign", "Judge, time"),
        "catalogue": f" · catalogue {checked.catalogue}" if checked.catalogue else "",
    }


def own_sums(deck: Deck, game: Game) -> list[tuple[str, str, str]]:
    """The sums that a game adds of its own, by its `deck_sums(deck, spec)`: for each a figure, a label and a note."""
    sums = game.hook("deck_sums")
    return list(sums(deck, game.spec)) if sums else []


def _bounds(part: SectionSpec) -> str:
    least, most = part.size
    if most is None:
        return f"{least} or more" if least else "any number"
    return f"{least} to {most}"


def _grouped(fingerprint: str) -> str:
    """`carddb1:7f3a9c21d0` as `carddb1: 7f3a 9c21 d0`, so that it can be read aloud."""
    name, _, digits = fingerprint.partition(":")
    return f"{name}: " + " ".join(digits[i : i + 4] for i in range(0, len(digits), 4))


def verdict_words(checked: CheckedDeck, grave: Sequence[Finding], shown: int) -> dict[str, Any]:
    """The verdict and the first `shown` of the grave findings."""
    answer = verdict(checked.findings)
    return {
        "legal": answer == "legal",
        "illegal": answer == "illegal",
        "word": VERDICTS[answer],
        "count": f"{len(grave) or 'no'} finding{'' if len(grave) == 1 else 's'}",
        "note": "checked for\n" + _day(checked.on) if grave else "",
        "findings": [finding_words(finding, _LONGEST) for finding in grave[:shown]],
        "more": max(0, len(grave) - shown),
        "calm": f"Every rule of the deck holds ({checked.format}, checked for {_day(checked.on)}).",
    }


def finding_words(finding: Finding, longest: int) -> dict[str, str]:
    """A finding in the words of a printed list."""
    return {
        "message": clipped(_sentence(finding.message), longest - min(len(finding.fix), longest // 2)),
        "fix": clipped(_sentence(finding.fix), longest * 2 // 3),
        "source": " · ".join(filter(None, (finding.code, ", ".join(finding.rules)))),
    }


def _day(day: date) -> str:
    """A day that stays on one line."""
    return f"{day.day}\u00a0{day:%B}\u00a0{day.year}"


def clipped(text: str, length: int) -> str:
    """A text that leaves room for what stands beside it; `carddb check` has all of it."""
    length = max(40, length)
    return text if len(text) <= length else text[: length - 1].rsplit(" ", 1)[0] + " …"


def _sentence(text: str) -> str:
    """Words of a finding inside a marked-up text, as a sentence, none of its own marks taken for ours."""
    text = text.replace("*", "").replace("{", "(").replace("}", ")").replace("\n", " ")
    text = _QUOTED.sub("‘\\1’", text)
    text = text if text.endswith((".", "!", "?")) or not text else f"{text}."
    return text[:1].upper() + text[1:]
