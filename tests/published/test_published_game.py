"""A stand-in of a published living card game goes in by the commands of the handbook, without a program between.

Its database has a JSON file for each card with nested attributes, packs in a file of their own, printings with other
keys, translations as folders, a file for each day of a restricted list, and formats with snapshots that name pools of
cards.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from carddb.app.decks.check import CheckRequest
from carddb.app.printing.selection import select
from carddb.door import Project
from tests.conftest import Told

Call = Callable[..., Told]
LANGUAGES = ("de", "fr", "es", "ja")
FACTIONS = ("red", "blue", "green", "neutral")
GAME = """\
key: stand-in
prefix: std
name: Stand-in
card_size: poker
identity: [name]
fields:
  faction: {type: choice, of: [red, blue, green, neutral], required: true}
  influence: {type: integer, min: 0, max: 5}
  points: {type: integer, min: 0}
  text: {type: text}
  flavour: {type: text}
  illustrator: {type: text, translate: false}
types:
  identity:
    face: card.svg
    fields: {deck_size: {type: integer, required: true}, influence_limit: {type: integer, required: true}}
  agenda: {face: card.svg}
  asset: {face: card.svg}
sections:
  leader: {label: Identity, size: [1, 1], types: [identity]}
  main: {label: Deck, types: [agenda, asset]}
limits:
- {total: -type:identity, min: "@leader.deck_size", over: [main], label: Deck, code: too_small}
- {copies: -type:identity, max: 3, over: [main], code: too_many}
- budget: faction!=neutral faction!=@leader.faction
  of: influence
  weights: {"name=\\"Card 2\\"": {cost: 0, when: faction=@leader.faction, min: 6}}
  max: "@leader.influence_limit"
  over: [main]
  label: Influence
  code: influence
- budget: type:agenda
  of: points
  min: {10: 4, 15: 6, every: 5, add: 2}
  over: [main]
  label: Agenda points
  code: agenda_points
formats:
  standard:
    name: Standard
    rotation:
      snapshots:
        rows: formats.standard.snapshots
        effective: date_start
        legal: card_pool_id
        names:
        - {rows: card_pools, value: [card_cycle_ids, card_set_ids]}
        - {rows: packs.packs.data, id: [id, attributes.cycle], value: [attributes.name]}
  eternal: {name: Eternal}
default_format: eternal
"""
BANS = """\
lists: {standard: {title: Standard, zone: UTC, format: standard, budget: 7, surcharge_of: influence}}
levels:
  1: {max_copies: 0, status: official}
  2: {at_most_different: 1, status: official}
  3: {points: 3, status: official}
  4: {surcharge: 1, status: official}
snapshots:
  files: restrictions/*.json
  list: format_id
  effective: date_start
  levels: {banned: 1, restricted: 2, points.3: 3, universal_faction_cost.1: 4}
"""
MAPS = {
    "cards": ("id=ref", "attributes.title=name", "attributes.kind=type", "attributes.faction_id=faction",
              "attributes.cost.influence=influence", "attributes.text=text", "attributes.points=points",
              "attributes.deck.size=deck_size", "attributes.deck.influence=influence_limit", "*=-"),
    "printings": ("card_id=card", "number=position", "packs.attributes.name=set", "packs.attributes.day=released",
                  "copies=quantity", "words.flavor=flavor", "*=-"),
    "translations": ("id=ref", "attributes.title=name", "attributes.text=text", "*=-"),
}  # fmt: skip


class Size(NamedTuple):
    """The numbers of cards and packs of a database."""

    cards: int
    packs: int
    restrictions: int = 43
    formats: int = 37


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), "utf-8")


def _formats(game: Path, size: Size) -> None:
    """Writes snapshots of a format, four a year: every two years another cycle of three packs is legal, and pack 0."""
    snapshots = [
        {"date_start": f"{2010 + number // 4}-{number % 4 * 3 + 1:02}-01", "card_pool_id": f"pool-{number // 8 % 2}"}
        for number in range(size.formats)
    ]
    _write(game / "formats" / "standard.json", {"id": "standard", "snapshots": snapshots[::-1]})
    pools = [{"id": f"pool-{n}", "card_cycle_ids": [f"cycle-{n}"], "card_set_ids": ["p-0"]} for n in range(2)]
    _write(game / "card_pools" / "standard.json", pools)


def _database(folder: Path, size: Size) -> None:
    """Writes a database in which card 0 is an identity, every tenth an agenda of two points, the rest assets."""
    for number in range(size.cards):
        kind = "identity" if number == 0 else "agenda" if number % 10 == 1 else "asset"
        attributes: dict[str, object] = {
            "title": f"Card {number}", "kind": kind, "text": f"Text {number}", "artist_id": "nobody",
            "faction_id": "red" if number < 2 else FACTIONS[number % 3], "cost": {"influence": 3, "money": 4},
        }  # fmt: skip
        attributes |= {"points": 2} if kind == "agenda" else {}
        attributes |= {"deck": {"size": 10, "influence": 3}} if kind == "identity" else {}
        _write(folder / "cards" / f"c-{number}.json", {"id": f"c-{number}", "attributes": attributes})
        for lang in LANGUAGES:
            words = {"title": f"Karte {number} {lang}", "text": f"{lang} {number}"}
            _write(folder / "translations" / lang / f"c-{number}.json", {"id": f"c-{number}", "attributes": words})
    packs = [
        {"id": f"p-{number}", "attributes": {
            "name": f"Pack {number}", "day": f"20{number % 80 + 10}-03-01", "cycle": f"cycle-{number // 3}"}}
        for number in range(size.packs)
    ]  # fmt: skip
    for place in (folder, folder / "games" / "stand-in" / "packs"):
        _write(place / "packs.json", {"data": packs})
    printings = [
        {"code": f"{number:05}", "card_id": f"c-{number}", "pack_id": f"p-{number % size.packs}", "number": number,
         "copies": 3, "illustrator": f"Painter {number}", "words": {"flavor": f"Said {number}"}}
        for number in range(size.cards)
    ]  # fmt: skip
    _write(folder / "printings.json", printings)
    for number in range(size.restrictions):
        day = f"20{10 + number // 12}-{number % 12 + 1:02}-01"
        _write(folder / "restrictions" / f"r-{number}.json", {
            "id": f"r-{number}", "format_id": "standard", "date_start": day, "banned": [f"c-{number + 10}"],
            "restricted": ["c-3", "c-4"], "points": {"3": ["c-5"]}, "universal_faction_cost": {"1": ["c-6"]},
        })  # fmt: skip
    (folder / "bans.yaml").write_text(BANS, "utf-8")


def _maps(kind: str) -> list[str]:
    return [word for pair in MAPS[kind] for word in ("--map", pair)]


@pytest.mark.parametrize("size", [Size(60, 6), pytest.param(Size(2_000, 60), marks=pytest.mark.full)])
def test_a_published_game_goes_in_by_commands_alone(call: Call, folder: Path, size: Size) -> None:
    """Cards, printings, four languages and a dated list are loaded as they are, and decks are judged by them."""
    game = folder / "games" / "stand-in"
    (game / "faces").mkdir(parents=True)
    (game / "game.yaml").write_text(GAME, "utf-8")
    (folder / "carddb.toml").write_text('game = "stand-in"\ngames = ["games/stand-in"]\n', "utf-8")
    _database(folder, size)
    _formats(game, size)
    told = call("load", "cards", "--set", "all", *_maps("cards"))
    assert told.code == 0 and f"cards: {size.cards} added" in told.err, told.err
    told = call("load", "printings.json", "--join", "packs.json:id=pack_id", *_maps("printings"))
    assert told.code == 0 and f"{size.cards} printings added" in told.err, told
    for lang in LANGUAGES:
        told = call("load", f"translations/{lang}", "--lang", lang, *_maps("translations"))
        assert told.code == 0 and f"{lang}: {size.cards} added" in told.err, told
    told = call("load", "bans.yaml")
    assert told.code == 0 and f"{size.restrictions} announcements added" in told.err, told
    assert "Karte 7 fr" in call("cards", "ref:c-7", "--lang", "fr").out
    assert call("cards", 'set:"Pack 1"', "--json").code == 0
    columns = dict(pair.rsplit("=", 1) for pair in MAPS["printings"])
    again = Project(folder).load("printings.json", columns=columns, joins=["packs.json:id=pack_id"])
    assert again.printings[0].result.unchanged == size.cards
    (card, _), *_ = select(Project(folder), ["00007"], CheckRequest(on=date(2020, 6, 1))).copies
    assert (card.ref, card.get("flavour"), card.get("illustrator")) == ("c-7", "Said 7", "Painter 7")
    _judged(call, folder)
    prints = set()
    for name, text in _pasted().items():
        (folder / f"{name}.deck").write_text(text, "utf-8")
        told = call("check", f"{name}.deck", "--game", "stand-in", "--on", "2020-06-01", "--json").json()
        assert [each["message"] for each in told["findings"] if each["severity"] == "error"] == [], name
        prints.add(told["deck"]["fingerprint"])
    assert len(prints) == 1


def _pasted() -> dict[str, str]:
    """Returns one deck in the forms in which sites of such games give it."""
    cards, url = {1: 2, 9: 3, 12: 3, 15: 2}, "https://cards.example/card"
    foot = "\n10 cards (min 10)\nCards up to Pack 3\n"
    by_type = {"Agenda (2)": (1,), "Asset (8)": (9, 12, 15)}
    by_set = {"Pack 1 (2)": (1,), "Pack 3 (6)": (9, 15), "Pack 0 (3)": (12,)}

    def form(head: str, groups: dict[str, tuple[int, ...]], title: str, line: str) -> str:
        parts = [title.format(group) + "".join("\n" + line.format(n=n, count=cards[n]) for n in groups[group])
                 for group in groups]  # fmt: skip
        return "\n\n".join([head, *parts, foot])

    return {
        "plain": form("Ten\n\nCard 0", by_type, "{}", "{count}x Card {n}"),
        "by-set": form("Ten\n\nCard 0", by_set, "{}", "{count}x Card {n}"),
        "markdown": form(
            f'## "Ten"\n\n[Card 0]({url}/00000) _(Pack 0)_',
            by_type,
            "###{}",
            "* {count}x [Card {n}](" + url + "/{n:05})",
        ),
        "bbcode": form(
            f"[b]Ten[/b]\n\n[url={url}/00000]Card 0[/url]",
            by_type,
            "[b]{}[/b]",
            "{count}x [url=" + url + "/{n:05}]Card {n}[/url]",
        ),
        "jinteki": "1 Card 0\n" + "".join(f"{count} Card {n}\n" for n, count in cards.items()),
        "slots": json.dumps({"name": "Ten", "slots": {"00000": 1} | {f"{n:05}": count for n, count in cards.items()}}),
    }


def _judged(call: Call, folder: Path) -> None:
    def codes(*cards: str, form: str = "eternal", day: str = "2020-06-01") -> set[str]:
        lines = "\n".join(cards)
        (folder / "a.deck").write_text(f"Game: stand-in\n\n## Identity\n1 [c-0]\n\n## Deck\n{lines}\n", "utf-8")
        told = call("check", "a.deck", "--format", form, "--on", day, "--json")
        return {each["code"] for each in json.loads(told.out)["findings"] if each["severity"] == "error"}

    own = ("2 [c-1]", "3 [c-9]", "3 [c-12]", "2 [c-15]")  # ten cards of its faction, four agenda points
    assert codes(*own) == set()
    assert codes(*own, "3 [c-18]", "2 [c-24]") == {"agenda_points"}  # fifteen cards need six
    assert codes(*own, "1 [c-4]") == set() and codes(*own, "2 [c-4]") == {"influence"}
    assert codes(*own, "3 [c-2]") == set()  # free with six cards of the faction
    assert codes("1 [c-1]", "1 [c-2]", "1 [c-4]") >= {"influence", "too_small"}
    found = {year: codes("3 [c-4]", form="standard", day=f"{year}-06-01") for year in range(2009, 2020)}
    assert [year for year in found if "not_in_rotation" not in found[year]] == [2012, 2013, 2016, 2017]
    assert "ban_restricted" in codes(*own, "1 [c-3]", "1 [c-4]", form="standard")
    assert "ban_banned" in codes(*own, "1 [c-13]", form="standard", day="2010-04-02")
    assert "ban_banned" not in codes(*own, "1 [c-13]", form="standard", day="2010-05-02")
