"""The texts of a printed deck list (head and foot, verdict, findings as sentences), and the deck list as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from carddb.cards.cards import Deck, Entry
from carddb.core import groups
from carddb.core.names import capital
from carddb.core.plain_text import tally
from carddb.findings import VERDICTS, Finding, Severity, counts, verdict
from carddb.game.rule_parts import SectionSpec
from carddb.games import Game


@dataclass(frozen=True, slots=True)
class CheckedDeck:
    """A checked deck: its findings, and the format, day and catalogue with which it was checked.

    `code` is the content of a QR code beside the fingerprint; if it is empty, there is no QR code.
    """

    deck: Deck
    findings: tuple[Finding, ...]
    format: str
    on: date
    catalogue: str = ""
    code: str = ""


_QUOTED = re.compile(r"(?<!\w)'([^']*)'(?!\w)")
LONGEST_NAME, _LONGEST_VALUE, _LONGEST, _LONGEST_FIX, _LONGEST_ADVICE = 70, 40, 600, 300, 300
"""The most characters of a name in the list, of a value in the head, of a finding, of its fix, and of the advice."""
_MOST_TOTALS = 6
"""The most totals on a list. The totals of the types are left out if there would be more."""


def deck_words(checked: CheckedDeck, game: Game) -> dict[str, Any]:
    """Returns the texts of the head, the totals and the foot of a deck list, by name."""
    deck, spec = checked.deck, game.spec
    words = spec.data.get("deck_list", {})
    rarities = groups.totals(
        (str(e.card.get("rarity")).replace("_", " "), e.count) for e in deck.entries if e.card and e.card.get("rarity")
    )
    order = [choice.replace("_", " ") for choice in (spec.fields["rarity"].of if "rarity" in spec.fields else ())]
    advice = [f.message for f in checked.findings if f.severity is Severity.INFO and not any(p.line for p in f.where)]
    event = " · ".join(filter(None, (deck.headers.get("event"), deck.headers.get("date"))))
    player, place = words.get("lines", ("Player", "Event and table"))
    name, _, digits = deck.fingerprint().partition(":")
    return {
        "name": clipped(deck.name or "unnamed deck", LONGEST_NAME),
        "context": [*filter(None, [checked.format]), _day(checked.on)],
        "lines": [
            ("Deck", clipped(deck.name, _LONGEST_VALUE)),
            (player, clipped(deck.headers.get("player", ""), _LONGEST_VALUE)),
            (place, clipped(event, _LONGEST_VALUE)),
        ],
        "totals": totals(deck, game),
        "fingerprint": f"{name}: " + " ".join(digits[at : at + 4] for at in range(0, len(digits), 4)),
        "rarities": ", ".join(f"{rarities[name]} {name}" for name in order if rarities[name]),
        "advice": clipped(" ".join(advice), _LONGEST_ADVICE),
        "ticks": list(words.get("ticks", ("cards counted", "list agrees with deck", "sleeves alike"))),
        "sign": words.get("sign", "Judge, time"),
        "catalogue": f"catalogue {checked.catalogue}" if checked.catalogue else "",
    }


def totals(deck: Deck, game: Game) -> list[tuple[str, str, str]]:
    """Returns the totals as (figure, label, note): all cards, each section, each type, and the game's own sums.

    The note of a section states how many cards it may have. An empty optional section is left out, and so are the types
    if there would be too many totals.
    """
    spec = game.spec
    counted = {key: part for key, part in spec.sections.items() if part.counted}
    used = {key: part for key, part in counted.items() if deck.size(key) or part.size[0]} or counted
    sections = [(str(deck.size(key)), part.label or key.capitalize(), _bounds(part)) for key, part in used.items()]
    own = [
        (clipped(figure, _LONGEST_VALUE), label, clipped(note, _LONGEST_VALUE))
        for figure, label, note in own_sums(deck, game)
    ]
    every = [_total([e for e in deck.entries if e.section in counted], "Cards in all")] if len(sections) > 1 else []
    types = _types(deck, game)
    room = _MOST_TOTALS - len(sections) - len(own) - len(every)
    return [*every, *sections, *(types if 1 < len(types) <= room else []), *own]


def _types(deck: Deck, game: Game) -> list[tuple[str, str, str]]:
    """Returns a total for each type of card, counted in the sections that may have several types."""
    spec = game.spec
    mixed = {key for key, part in spec.sections.items() if part.counted and len(part.types) > 1}
    entries = (entry for entry in deck.entries if entry.section in mixed)
    by_type = groups.grouped((spec.shown_type(entry.card), entry) for entry in entries if entry.card)
    kinds = dict.fromkeys((*spec.types, *by_type))
    return [_total(by_type[kind], spec.plural_of(kind)) for kind in kinds if kind in by_type]


def _total(entries: Sequence[Entry], label: str) -> tuple[str, str, str]:
    different = len({entry.card.ref if entry.card else entry.name for entry in entries})
    return str(sum(entry.count for entry in entries)), label, f"{different} different"


def own_sums(deck: Deck, game: Game) -> list[tuple[str, str, str]]:
    """Returns the sums that the game's hook `deck_sums` adds, as (figure, label, note); empty without the hook."""
    sums = game.hook("deck_sums")
    return list(sums(deck, game.spec)) if sums else []


def _bounds(part: SectionSpec) -> str:
    least, most = part.size
    if most is None:
        return f"{least} or more" if least else ""
    return f"{least} to {most}" if least < most else f"exactly {least}"


def verdict_words(checked: CheckedDeck, grave: Sequence[Finding]) -> dict[str, Any]:
    """Returns the texts of the verdict by name: `count` counts the `grave` findings, `calm` says that none exist."""
    answer = verdict(checked.findings)
    played = f"{checked.format}, " if checked.format else ""
    return {
        "legal": answer == "legal",
        "illegal": answer == "illegal",
        "word": VERDICTS[answer],
        "count": tally(counts(grave)),
        "note": ("checked for", _day(checked.on)),
        "calm": f"No findings. Every rule of the deck holds ({played}checked for {_day(checked.on)}).",
    }


def finding_words(finding: Finding) -> dict[str, str]:
    """Returns `message`, `fix`, `code` and `rules` of a finding as texts, shortened for a deck list."""
    return {
        "message": clipped(_sentence(finding.message), _LONGEST),
        "fix": clipped(_sentence(finding.fix), _LONGEST_FIX),
        "code": finding.code,
        "rules": clipped(", ".join(finding.rules), _LONGEST_VALUE),
    }


def _day(day: date) -> str:
    """Returns a day in words, with non-breaking spaces."""
    return f"{day.day}\u00a0{day:%B}\u00a0{day.year}"


def clipped(text: str, length: int) -> str:
    """Returns `text`, cut after a word to at most `length` characters."""
    return text if len(text) <= length else text[: length - 1].rsplit(" ", 1)[0] + " …"


def _sentence(text: str) -> str:
    """Returns the text of a finding as a sentence on one line, with curved quotation marks and no markup."""
    text = text.replace("*", "").replace("{", "(").replace("}", ")").replace("\n", " ")
    text = _QUOTED.sub("‘\\1’", text)
    text = text if text.endswith((".", "!", "?")) or not text else f"{text}."
    return capital(text)


def deck_list_json(checked: CheckedDeck, game: Game, report: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a deck list as JSON data: `report`, which `check --json` shows, and the deck's digest, sums and cards."""
    sums = [{"label": label, "figure": figure, "note": note} for figure, label, note in own_sums(checked.deck, game)]
    cards = [
        {"section": e.section, "ref": e.card.ref if e.card else None, "name": e.card.name if e.card else e.name,
         "type": e.card.type if e.card else None, "count": e.count}
        for e in checked.deck.entries
    ]  # fmt: skip
    head = {**report, "schema": "carddb.decklist/1", "digest": checked.deck.digest()}
    return {**head, **({"sums": sums} if sums else {}), "cards": cards}
