"""The fixed list of what is done: scenes by part, each a folder in which commands run one after the other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from tests.same_work.running import REPOSITORY, Scene

Play = Callable[[Scene], None]

DAY = "2026-06-20"
DAYS = ("2025-01-20", DAY, "2026-11-21")
"""A day under early ban lists, one under those of the examples, and one after the last that was announced."""
GAMES = ("cahrd", "empires-and-generals", "rishar", "guarda", "cdg-solo")
OPERATIONS = dict(zip(GAMES, ("cahrd", "eg", "rishar", "guarda", "cdg"), strict=True))
"""What the names of each game's operations begin with."""
FORMATS = {
    "cahrd": ("battle", "war"),
    "empires-and-generals": ("standard", "ancient_rumble", "peaceful_past", "knights_of_valor", "alone_in_the_dark"),
    "guarda": ("3x3", "5x5", "6x6", "9x9"),
    "cdg-solo": ("paths-of-glory", "wilderness-war", "commands-and-colors", "generic-virtual"),
}
OWN = "lanterns"
"""A game of its owner's folder, with a rules.py."""
TESTS = REPOSITORY / "tests"


def folder_of(game: str) -> str:
    return game.replace("-", "_")


def sample_decks(game: str) -> list[Path]:
    """Lists the decks that come with a game."""
    return sorted((REPOSITORY / "carddb" / "games" / folder_of(game) / "decks").rglob("*.deck"))


def tested_decks(game: str) -> list[Path]:
    """Lists the decks that tests have of a game, by their game's folder or the name in their own."""
    own = [path for kind in ("codes", "decks") for path in (TESTS / "games" / folder_of(game) / kind).glob("*.deck")]
    pasted = [path for path in (TESTS / "pasted").iterdir() if path.name.split(".")[1] == game]
    return sorted([*own, *pasted])


def lay_decks(scene: Scene, game: str) -> list[str]:
    """Puts every deck of a game into the scene; returns their names."""
    return [scene.put(f"{path.parent.name}/{path.name}", path) for path in [*sample_decks(game), *tested_decks(game)]]


def check(game: str, scene: Scene) -> None:
    """Checks every deck: the words, the data, many at once; and by formats and days through Python."""
    decks = lay_decks(scene, game)
    for deck in decks:
        scene.run("check", deck, "--game", game, "--on", DAY)
    samples = [deck for deck in decks if deck.startswith(("decks/", "demo/"))]
    for deck in samples:
        scene.run("check", deck, "--game", game, "--on", DAY, "--json")
        for day in DAYS:
            scene.run("check", deck, "--on", day, "--event", "2026-12-31")
        scene.run("forecast", deck, "--on", DAYS[0])
        scene.run("forecast", deck, "--on", DAYS[0], "--json")
    scene.run("check", *decks, "--game", game, "--on", DAY, "--jobs", "1")
    scene.run("check", *decks, "--game", game, "--on", DAY, "--jobs", "1", "--json", name="check all --json")
    for ending in ("html", "csv", "json"):
        scene.run("check", "decks", "--on", DAY, "--jobs", "1", "--report", f"report.{ending}")
    for form in FORMATS.get(game, ()):
        scene.ask(f"check --format {form}", partial(_checks, decks, game, form, DAYS))
    if game not in FORMATS:
        scene.ask("check", partial(_checks, decks, game, None, DAYS))


def _checks(decks: list[str], game: str, form: str | None, days: tuple[str, ...]) -> Mapping[str, str]:
    import carddb

    club = carddb.open(".")
    return {
        f"{deck} --on {day}": json.dumps(_report(club, deck, game, form, day), ensure_ascii=False, indent=1)
        for deck in decks
        for day in days
    }


def _report(club: Any, deck: str, game: str, form: str | None, day: str) -> Any:
    import carddb

    try:
        return club.check(deck, game=game, format=form, on=day).to_json()
    except carddb.CarddbError as fault:
        return f"{type(fault).__name__}: {fault}"


def judge(game: str, scene: Scene) -> None:
    """Asks the referee every case of the tests, by batch; and one question of each operation with its rules."""
    prefix, lines, first = OPERATIONS[game], [], {}
    for path in sorted((TESTS / "games" / folder_of(game) / "cases").glob("*.yaml")):
        for number, case in enumerate(yaml.safe_load(path.read_text("utf-8")), 1):
            question = json.loads(json.dumps(case.get("given", {}), default=str))
            first.setdefault(case["op"], question)
            lines.append(
                {"id": f"{path.stem} {number} {case['op']}", "op": f"{prefix}.{case['op']}", "input": question}
            )
    batch = scene.put("cases.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    said = scene.run("judge", "--batch", batch, "--jobs", "1", name="judge --batch cases")
    for line, answer in zip(lines, said.out.splitlines(), strict=True):
        scene.add(str(line["id"]), "answer", scene.sum(answer))
    for operation, question in first.items():
        file = scene.put(f"{operation}.json", json.dumps(question))
        scene.run("judge", f"{prefix}.{operation}", file, "--why")
    scene.run("judge", "--list", game)
    scene.run("judge", "--list", game, "--json")
    for path in sorted((TESTS / "games" / folder_of(game) / "codes").glob("*.json")):
        sample = json.loads(path.read_text("utf-8"))
        if isinstance(sample, dict) and {"op", "input"} <= set(sample):
            scene.run("judge", sample["op"], given=json.dumps(sample["input"]), name=f"judge {path.name}")


def cards(game: str, scene: Scene) -> None:
    """Searches, shows and exports the cards, and brings an export back."""
    scene.run("cards", "--game", game, "--on", DAY)
    scene.run("cards", "--game", game, "--on", DAY, "--json")
    scene.run("cards", "--game", game, "--sort", "type,-name", "--columns", "name,type,set", "a")
    scene.run("cards", "--game", game, "-a or name:b")
    refs = card_refs(scene, game)
    for ref in refs[:: max(1, len(refs) // 12)]:
        scene.run("show", ref, "--game", game, "--on", DAY)
        scene.run("history", ref, "--game", game)
        scene.run("history", ref, "--game", game, "--json")
    for ref in refs[:: max(1, len(refs) // 30)]:
        scene.run("show", ref, "--game", game, "--json")
    scene.run("cards", "--game", game, "nosuchfield:1")
    scene.run("show", "no-such-card", "--game", game)
    for ending in ("csv", "tsv", "xlsx", "json", "yaml"):
        scene.run("export", "--game", game, "--on", DAY, "-o", f"cards.{ending}")
        scene.run("load", f"cards.{ending}", "--game", game, "--dry-run")
    scene.run("export", "--game", game, "--on", DAY, "--printings", "-o", "printings.csv")


def card_refs(scene: Scene, game: str) -> list[str]:
    """Returns the references of a game's cards, in their order."""
    said = scene.run("cards", "--game", game, "--json", quiet=True)
    return [card["ref"] for card in json.loads(said.out)["cards"]]


def sheets(game: str, scene: Scene) -> None:
    """Prints all cards, and a deck in several ways; then once more from what is kept."""
    everything = ("sheets", "", "--game", game, "--on", DAY, "--no-remember")
    scene.run(*everything, "-o", "all.pdf")
    scene.run(*everything, "-o", "again.pdf", name="again", pages=False)
    scene.run(*everything, "--dry-run", "--json")
    for deck in [scene.put(path.name, path) for path in sample_decks(game)[:1]]:
        words = ("sheets", deck, "--on", DAY, "--no-remember", "--allow-illegal")
        scene.run(*words, "--paper", "a4", "-o", "a4.pdf")
        scene.run(*words, "--paper", "a4", "--fold", "--ink", "light", "-o", "fold.pdf")
        scene.run(
            *words, "--gutter", "4mm", "--bleed", "2mm", "--marks", "cards", "--guides", "-o", "gutter.pdf", pages=False
        )
        scene.run(*words, "--flip", "short-edge", "--outlines", "--ink", "text", "-o", "short.pdf", pages=False)
        scene.run(*words, "--stock", "card", "--card-size", "tarot", "-o", "tarot.pdf", pages=False)


def faces(game: str, scene: Scene) -> None:
    """Draws every card as SVG and PNG, and proofs of some."""
    everything = ("sheets", "", "--game", game, "--on", DAY, "--no-remember", "--jobs", "1")
    scene.run(*everything, "--svg", "svg")
    scene.run(*everything, "--png", "png", "--dpi", "75")
    refs = card_refs(scene, game)
    for ref in refs[:: max(1, len(refs) // 5)]:
        name = re.sub(r"\W+", "-", ref)
        for ending in ("pdf", "png", "svg"):
            scene.run("proof", ref, "--game", game, "--on", DAY, "--dpi", "120", "-o", f"{name}.{ending}")
    scene.run("preflight", "", "--game", game, "--on", DAY)
    scene.run("preflight", "", "--game", game, "--on", DAY, "--json")


def components(game: str, scene: Scene) -> None:
    """Prints a game's components."""
    scene.run("components", game, "--on", DAY, "-o", "all.pdf")
    deck = [scene.put(path.name, path) for path in sample_decks(game)[-1:]]
    scene.run(
        "components", game, "--deck", deck[0], "--on", DAY, "--paper", "a4", "--ink", "light", "--no-contents",
        "-o", "deck.pdf",
    )  # fmt: skip


def decklist(game: str, scene: Scene) -> None:
    """Writes the deck lists of every sample deck."""
    for path in sample_decks(game):
        deck = scene.put(f"decks/{path.name}", path)
        for ending in ("pdf", "txt", "json"):
            scene.run("decklist", deck, "--on", DAY, "-o", f"{path.stem}.{ending}")
    scene.run("decklist", "decks", "--on", DAY, "--paper", "a4", "-o", "folder.pdf")


_BY_GAME: dict[str, Callable[[str, Scene], None]] = {
    "check": check,
    "judge": judge,
    "cards": cards,
    "sheets": sheets,
    "faces": faces,
    "components": components,
    "decklist": decklist,
}
PARTS = tuple(_BY_GAME)


def scenes() -> Iterator[tuple[str, Play]]:
    """Yields every scene with its name, part by part."""
    for part, play in _BY_GAME.items():
        for game in GAMES:
            yield f"{part}/{game}", partial(play, game)
