"""Where the picture of a card lies: the file that the card names, or the one that the game's pattern leads to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from carddb.cards.cards import Card
from carddb.core.amounts import first_of
from carddb.findings import CardCount, Finding, warning
from carddb.game.card_fields import PICTURES, PLACEHOLDER
from carddb.game.game import GameSpec

_ENDINGS = (".png", ".webp", ".jpg", ".jpeg", ".svg")
_NOT_IN_NAMES = re.compile(r'[\\/:*?"<>|\x00-\x1f]')
"""What no system has in the name of a file, or takes for a folder."""
_MOST_NAMED = 12


def art_names(spec: GameSpec, card: Card) -> list[str]:
    """The names that the game's pattern has for the picture of a card, as written first, then with other endings."""
    fields = PLACEHOLDER.findall(spec.art)
    if not spec.art or any(_value(card, name) == "" for name in fields):
        return []
    name = PLACEHOLDER.sub(lambda match: _NOT_IN_NAMES.sub("-", _value(card, match[1])), spec.art)
    stem, point, ending = name.rpartition(".")
    if not point or f".{ending.lower()}" not in _ENDINGS:
        return [f"{name}{other}" for other in _ENDINGS]
    return list(dict.fromkeys([name, *(f"{stem}{other}" for other in _ENDINGS)]))


def art_name(spec: GameSpec, card: Card, folders: Sequence[Path]) -> str:
    """The picture of a card: its own, else the first by the pattern that one of the folders has; empty where none."""
    if card.get("art"):
        return str(card.get("art"))
    return next((name for name in art_names(spec, card) for root in folders if (root / name).is_file()), "")


def picture_paths(spec: GameSpec, cards: Iterable[Card], folders: Sequence[Path]) -> list[Path]:
    """What says whether the pictures of some cards are as they were: their files, and the folders of the pattern."""
    names = {str(card.get(field)) for card in cards for field in PICTURES if card.get(field)}
    if spec.art:
        pictures = [name for card in cards for name in _by_pattern(spec, card, folders)]
        names |= {*pictures, *(Path(name).parent.as_posix() for name in pictures)}
    return [folder / name for folder in folders for name in sorted(names)]


def pictures_missing(spec: GameSpec, cards: Sequence[Card], folders: Sequence[Path]) -> list[Finding]:
    """One warning for all cards of a game with a pattern that have no picture."""
    if not spec.art:
        return []
    lacking = [card for card in cards if not art_name(spec, card, folders)]
    if not lacking:
        return []
    refs = first_of([card.ref for card in lacking], _MOST_NAMED)
    expected = next(iter(art_names(spec, lacking[0])), spec.art)
    return [
        warning(
            "pictures_missing", f"{len(lacking)} of {len(cards)} cards have no picture: {refs}",
            cards=tuple(CardCount(card.ref, card.name) for card in lacking), data={"pattern": spec.art},
            fix=f"Expected, as PNG, WebP, JPEG or SVG: {expected} in {' or '.join(map(str, folders))}.",
        )
    ]  # fmt: skip


def _by_pattern(spec: GameSpec, card: Card, folders: Sequence[Path]) -> Iterator[str]:
    """The picture of a card by the pattern; the name it is expected by where there is none."""
    if not card.get("art"):
        names = art_names(spec, card)
        yield from [art_name(spec, card, folders) or names[0]] if names else []


def _value(card: Card, field: str) -> str:
    value = card.ref if field == "ref" else card.get(field)
    return "" if value is None else str(value)
