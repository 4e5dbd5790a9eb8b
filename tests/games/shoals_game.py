"""A game from outside with 400 cards, made by rule: two sides, four factions, five sets, printings, three languages."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parent.parent / "outside" / "shoals"
SETS = ("core", "ebb", "flow", "surge", "gale")
FACTIONS = {"harbour": ("guild", "crown"), "sea": ("reef", "storm")}
_PER_SET = 80
_FIRST = ("Salt", "Tin", "Amber", "Low", "Grey", "Long", "Cold", "Deep", "Iron", "Glass", "Wide", "Old", "Pale", "Slow",
          "Tall", "Bright", "Dry", "Green", "Hard", "Lost")  # fmt: skip
_NOUNS = {
    "captain": "Captain",
    "cargo": "Cargo",
    "port": "Quay",
    "ship": "Sloop",
    "crew": "Hand",
}
_OF = ("of Morning", "of Evening", "of Winter", "of Harvest")
WORDS = {
    "de": {"captain": "Kapitän", "cargo": "Fracht", "port": "Kai", "ship": "Schaluppe", "crew": "Hand"},
    "fr": {"captain": "Capitaine", "cargo": "Cargaison", "port": "Quai", "ship": "Sloop", "crew": "Matelot"},
    "es": {"captain": "Capitán", "cargo": "Carga", "port": "Muelle", "ship": "Balandro", "crew": "Marinero"},
}
"""The nouns in other languages."""
Row = dict[str, Any]


def write_game(folder: Path) -> Path:
    """The folder of the game, with its cards, their words in three more languages, and its printings."""
    shutil.copytree(SOURCE, folder)
    cards = list(rows())
    (folder / "cards.csv").write_text(_csv(cards), "utf-8")
    for language in WORDS:
        (folder / f"cards.{language}.csv").write_text(_csv(list(translated(cards, language))), "utf-8")
    (folder / "core.printings.csv").write_text(_csv(list(printings(cards))), "utf-8")
    known = {card["ref"]: card for card in cards}
    for part, decks in (("examples", dict(faulty_decks(known))), ("decks", legal_decks(known))):
        (folder / part).mkdir()
        for name, text in decks.items():
            (folder / part / f"{name}.deck").write_text(text, "utf-8")
    return folder


def rows() -> Iterator[Row]:
    """The cards: of each set 4 captains, and of the rest a half for each side, in turn of every faction."""
    for number in range(len(SETS) * _PER_SET):
        set_, at = SETS[number // _PER_SET], number % _PER_SET
        side = "harbour" if at % 2 == 0 else "sea"
        kind = _kind(at, side)
        faction = "neutral" if at % 10 in (8, 9) and kind != "captain" else FACTIONS[side][(at // 2) % 2]
        row: Row = {
            "ref": f"SHO-{number + 1:03}",
            "name": _name(kind, number),
            "type": kind,
            "set": set_,
            "side": side,
            "faction": faction,
            "influence": "" if faction == "neutral" or kind == "captain" else 1 + at % 5,
            "copies": 6 if at % 20 == 17 else 1 if kind == "captain" or at % 20 == 13 else "",
            "cost": at % 7,
            "keywords": "legend" if at % 20 in (3, 4, 13) else "",
            "text": "" if kind == "captain" else f"Gain {1 + at % 4} coins. *Nobody remembers why.*",
            "points": 1 + at // 12 % 3 if kind == "cargo" else "",
            "deck_size": (30 if at < 2 else 45) if kind == "captain" else "",
            "influence_limit": (15 if at < 2 else 12) if kind == "captain" else "",
            "turned_name": f"{_name(kind, number)}, ashore" if kind == "captain" else "",
            "turned_text": "All your ships stay where they are." if kind == "captain" else "",
        }
        yield row


def _kind(at: int, side: str) -> str:
    if at < 4:
        return "captain"
    if side == "harbour":
        return ("cargo", "port", "crew")[(at // 4) % 3]
    return ("ship", "crew")[(at // 4) % 2]


def _name(kind: str, number: int) -> str:
    if number == 4 * 15 + 6:
        return "Salt Museum"
    return f"{_FIRST[number % 20]} {_NOUNS[kind]} {_OF[number // 20 % 4]} {number // 80 + 1}"


def translated(cards: Sequence[Row], language: str) -> Iterator[Row]:
    """The names of two cards of three, and every second text, in a language."""
    for number, card in enumerate(cards):
        if number % 3 != 2:
            name = card["name"].replace(_NOUNS[card["type"]], WORDS[language][card["type"]])
            yield {"ref": card["ref"], "name": name, "text": f"[{language}] {card['text']}" if number % 2 else ""}


def printings(cards: Sequence[Row]) -> Iterator[Row]:
    """A second printing, in the set core, of every eighth card of the other sets."""
    for at, card in enumerate(card for card in cards if card["set"] != "core" and int(card["ref"][4:]) % 8 == 0):
        yield {
            "card": card["ref"],
            "code": f"9{at:04}",
            "set": "core",
            "position": 100 + at,
            "released": "2026-02-01",
            "quantity": 3,
        }


def deck_text(counts: Mapping[str, int], cards: Mapping[str, Row], format_: str = "standard", more: str = "") -> str:
    """A deck: the captain first, then the rest by name."""
    captain, rest = (
        [f"{count} {cards[ref]['name']}" for ref, count in counts.items() if (cards[ref]["type"] == "captain") is first]
        for first in (True, False)
    )
    return "\n".join(["Game: shoals", f"Format: {format_}", "", "Captain", *captain, "", "Main deck", *rest, more, ""])


def legal_deck(cards: Mapping[str, Row], captain: str, sets: Sequence[str] = ("core", "flow")) -> dict[str, int]:
    """A legal deck for a captain: cards of its faction and neutral ones, of these sets, cargo as it must be."""
    leader = cards[captain]
    own = [card for card in cards.values() if card["side"] == leader["side"] and card["set"] in sets]
    own = [card for card in own if card["faction"] in (leader["faction"], "neutral") and card["type"] != "captain"]
    plain = [card for card in own if card["type"] != "cargo" and not card["keywords"] and not card["copies"]]
    counts: dict[str, int] = {captain: 1}
    size, points = int(leader["deck_size"]), {30: 12, 45: 20}[int(leader["deck_size"])]
    if leader["side"] == "harbour":
        for card in (card for card in own if card["type"] == "cargo" and not card["keywords"] and not card["copies"]):
            taken = min(3, points // card["points"])
            if taken:
                counts[card["ref"]] = taken
                points -= taken * card["points"]
    for card in plain:
        room = size + 1 - sum(counts.values())
        if room > 0:
            counts[card["ref"]] = min(3, room)
    return counts


def legal_decks(cards: Mapping[str, Row]) -> dict[str, str]:
    """A deck for each faction, legal before there was a list, by name."""
    captains = {"guild": "SHO-001", "reef": "SHO-002", "crown": "SHO-003", "storm": "SHO-004"}
    return {name: deck_text(legal_deck(cards, captain), cards) for name, captain in captains.items()}


def _csv(values: Sequence[Row]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(values[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(values)
    return out.getvalue()


def faulty_decks(cards: Mapping[str, Row]) -> Iterator[tuple[str, str]]:
    """For each code of the game a deck that raises it, and nothing else of the game's own."""
    harbour, sea = legal_deck(cards, "SHO-003"), legal_deck(cards, "SHO-002", ("core", "flow"))
    yield "one_captain", deck_text({**sea, "SHO-082": 1}, cards, "eternal")
    yield "spare_size", deck_text(sea, cards, more=f"\nSpare cards\n{_spare(cards, sea, 11)}")
    yield "spare_captain", deck_text(sea, cards, more=f"\nSpare cards\n1 {cards['SHO-162']['name']}")
    chosen = [cards[ref]["name"] for ref in list(sea)[1:4]]
    yield "opening_size", deck_text(sea, cards, more="\nOpening\n" + "\n".join(f"2 {name}" for name in chosen))
    yield "opening_not_in_deck", deck_text(sea, cards, more=f"\nOpening\n1 {cards['SHO-007']['name']}")
    yield "too_small", deck_text(dict.fromkeys(sea, 1), cards)
    yield "too_many_copies", deck_text({**sea, list(sea)[2]: 5}, cards)
    yield "wrong_side", deck_text({**sea, "SHO-009": 1}, cards)
    yield "influence", deck_text({**sea, **_others(cards, "storm", ("ship", "crew"), 3)}, cards)
    yield "cargo_points", deck_text({**harbour, **_cargo(cards, harbour)}, cards)
    yield "foreign_cargo", deck_text(_foreign(cards, harbour), cards)
    legends = [ref for ref, card in cards.items() if card["keywords"] and card["side"] == "sea"]
    legends = [ref for ref in legends if cards[ref]["faction"] in ("reef", "neutral") and cards[ref]["set"] != "core"]
    yield "legends", deck_text({**sea, **dict.fromkeys(legends[:5], 1)}, cards, "eternal")
    yield "not_alone", deck_text({**_alone(cards, ("core", "ebb", "flow")), "SHO-012": 2}, cards, "singleton")
    yield "not_singleton", deck_text(_alone(cards, ("flow", "gale")), cards, "singleton")
    yield "rotated", deck_text(legal_deck(cards, "SHO-002", ("surge", "gale")), cards)


def _spare(cards: Mapping[str, Row], deck: Mapping[str, int], count: int) -> str:
    names = [card["name"] for ref, card in cards.items() if _plain(card, "reef", "flow") and ref not in deck]
    return "\n".join(f"1 {name}" for name in names[:count])


def _plain(card: Row, faction: str, set_: str) -> bool:
    kept = card["faction"] in (faction, "neutral") and card["set"] == set_ and card["side"] == "sea"
    return kept and card["type"] != "captain" and not card["keywords"]


def _others(cards: Mapping[str, Row], faction: str, types: Sequence[str], least: int) -> dict[str, int]:
    """Three copies each of three cards of another faction that cost much."""
    dear = [
        ref for ref, card in cards.items()
        if card["faction"] == faction and card["type"] in types and int(card["influence"] or 0) >= least
        and not card["keywords"] and not card["copies"] and card["set"] == "flow"
    ]  # fmt: skip
    return dict.fromkeys(dear[:3], 3)


def _cargo(cards: Mapping[str, Row], deck: Mapping[str, int]) -> dict[str, int]:
    """One more card of cargo than a deck may have."""
    return {
        ref: 2
        for ref, card in cards.items()
        if card["type"] == "cargo" and card["faction"] == "crown" and card["set"] == "flow" and ref not in deck
    }


def _foreign(cards: Mapping[str, Row], deck: Mapping[str, int]) -> dict[str, int]:
    """A copy of cargo replaced by one of the other faction with as many points."""
    out = dict(deck)
    own = next(ref for ref in deck if cards[ref]["type"] == "cargo")
    points = cards[own]["points"]
    other = next(
        ref for ref, card in cards.items()
        if card["type"] == "cargo" and card["faction"] == "guild" and card["points"] == points and card["set"] == "flow"
    )  # fmt: skip
    out[own] -= 1
    out[other] = 1
    return out


def _alone(cards: Mapping[str, Row], sets: Sequence[str]) -> dict[str, int]:
    """A legal deck with one of each."""
    refs = [ref for set_ in sets for ref, card in cards.items() if _plain(card, "reef", set_)]
    return {"SHO-002": 1, **dict.fromkeys(refs[:31], 1)}
