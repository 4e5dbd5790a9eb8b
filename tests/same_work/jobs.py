"""The fixed list of what is done: scenes by part, each a folder in which commands run one after the other."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
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
    pasted = [path for path in (TESTS / "read" / "decks" / "pasted").iterdir() if path.name.split(".")[1] == game]
    return sorted([*own, *pasted])


def lay_decks(scene: Scene, game: str) -> list[str]:
    """Puts every deck of a game into the scene; returns their names."""
    return [scene.put(f"{path.parent.name}/{path.name}", path) for path in [*sample_decks(game), *tested_decks(game)]]


def check(game: str, scene: Scene) -> None:
    """Checks every deck: the words, the data, many at once; and by formats and days through Python."""
    decks = lay_decks(scene, game)
    for deck in decks:
        if not deck.startswith("pasted/"):
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
    prefix, lines = OPERATIONS[game], []
    first: dict[str, Any] = {}
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
        scene.run(*words, "--paper", "a4", "--fold", "--ink", "light", "-o", "fold.pdf", pages=False)
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


def guide(game: str, scene: Scene) -> None:
    """Writes a game's rules as PDF and HTML, as a booklet, and on one page."""
    for paper in ("letter", "a4"):
        scene.run("guide", game, "--on", DAY, "--paper", paper, "-o", f"{paper}.pdf", pages=paper == "letter")
    scene.run("guide", game, "--on", DAY, "-o", "guide.html")
    scene.run("guide", game, "--on", DAY, "--json", "-o", "told.html")
    scene.run("guide", game, "--on", DAY, "--summary", "-o", "summary.pdf")
    scene.run("guide", game, "--on", DAY, "--reference", "-o", "reference.pdf")
    scene.run("guide", game, "--on", DAY, "--rulings", "-o", "rulings.pdf")
    scene.run("guide", game, "--on", DAY, "--booklet", "-o", "booklet.pdf", pages=False)
    scene.run("guide", game, "--booklet-test", "-o", "test.pdf")


def site(game: str, scene: Scene) -> None:
    """Writes a game as a web site, with its decks."""
    for path in sample_decks(game):
        scene.put(path.name, path)
    scene.run(
        "site", "-o", "site", "--game", game, "--on", DAY, "--jobs", "1", "--url", "https://example.org/", pages=False
    )
    names = [path.relative_to(scene.folder).as_posix() for path in scene.folder.rglob("site/**/*") if path.is_file()]
    scene.add("site", "files", scene.sum("\n".join(sorted(names)).encode()))


def tell(game: str, scene: Scene) -> None:
    """Tells of a game: what it has, its rules, its codes and its chances; of one whether it is whole."""
    scene.run("games", game)
    scene.run("games", game, "--json")
    scene.run("rules", "coverage", game)
    said = scene.run("rules", "coverage", game, "--json")
    rules = re.findall(r'"id": "([A-Z]+-[0-9]+)"', said.out.decode())
    codes = sorted(
        yaml.safe_load((REPOSITORY / "carddb" / "games" / folder_of(game) / "rules.yaml").read_text("utf-8"))["codes"]
    )
    for name in [*rules[:: max(1, len(rules) // 20)], *codes[:: max(1, len(codes) // 20)]]:
        scene.run("explain", name, "--game", game)
        scene.run("explain", name, "--game", game, "--json")
    scene.run("explain", "--search", "card", "--game", game)
    scene.run("explain", "nosuchcode", "--game", game)
    if game == "guarda":  # it draws all that a game has, which is compared elsewhere
        scene.run("conform", game, "--on", DAY, "--json")
    scene.run("odds", game)
    for words in ODDS.get(game, ()):
        scene.run("odds", game, *words)
        scene.run("odds", game, *words, "--json")


ODDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "cahrd": (("--officers", "12"), ("opening_hand", "--officers", "9", "--deck-size", "45")),
    "rishar": (
        ("--off", "Spearmen", "--def", "Soldier"),
        ("skirmish", "--off", "3 aggressor reach", "--def", "2", "--off-mod", "1"),
        ("unopposed", "--off", "Spearmen"),
        ("rout", "--units", "9"),
    ),
    "guarda": (("cover", "--cell", "1,2", "--cards", "5"), ("placement", "--n", "6")),
    "cdg-solo": (("space", "--space", "B", "--rolls", "3"), ("nominated", "--spaces", "AD"), ("first_round",)),
}


def decks(game: str, scene: Scene) -> None:
    """Helps with decks: numbers, chances, repairs, new ones, other formats, and what many say together."""
    names = lay_decks(scene, game)
    samples = [name for name in names if name.startswith("decks/")]
    for deck in samples[:4]:
        scene.run("decks", "stats", deck, "--on", DAY)
        scene.run("decks", "stats", deck, "--on", DAY, "--json")
        scene.run("decks", "diff", deck, samples[0], "--on", DAY)
        scene.run("decks", "diff", deck, samples[0], "--on", DAY, "--json")
    for deck in [*samples[:1], *names[len(samples) :][:6]]:
        scene.run("decks", "fix", deck, "--game", game, "--on", DAY)
        scene.run("decks", "fix", deck, "--game", game, "--on", DAY, "--json")
    form = FORMATS.get(game, ("",))[0]
    choice = ("--format", form) if form else ()
    scene.run("decks", "new", "--game", game, *choice, "--on", DAY, "--seed", "7", "-o", "new.deck")
    scene.run("decks", "new", "--game", game, *choice, "--on", DAY, "--balanced", "-o", "balanced.deck")
    half = (scene.folder / samples[0]).read_text("utf-8").splitlines()
    scene.put("half.deck", "\n".join(half[: len(half) * 2 // 3]) + "\n")
    scene.run("decks", "fill", "half.deck", "--game", game, "--on", DAY, "--seed", "3")
    scene.run("decks", "fill", "half.deck", "--game", game, "--on", DAY, "--seed", "3", "--write")
    for ending in ("deck", "txt", "csv", "json", "yaml", "cod", "o8d", "dek", "xlsx"):
        scene.run("decks", "convert", samples[0], "--on", DAY, "-o", f"converted.{ending}")
    words = ("--hand", "5", "--draws", "2", "--games", "400", "--seed", "5", "--on", DAY, "--jobs", "1")
    scene.run("decks", "odds", samples[0], "--holds", "1 -name:none", *words)
    scene.run("decks", "odds", samples[0], "--holds", "1 -name:none", *words, "--json")
    scene.run("meta", "decks", "--on", DAY, "--jobs", "1")
    scene.run("meta", "decks", "--on", DAY, "--jobs", "1", "--json")
    scene.run("meta", "decks", "--on", DAY, "--jobs", "1", "-o", "meta")


def bans(lists: str, scene: Scene) -> None:
    """Tells the ban lists on several days, why, from when to when; and publishes them."""
    for name in lists.split("+"):
        for day in DAYS:
            scene.run("bans", "show", name, "--on", day)
            scene.run("bans", "show", name, "--on", day, "--json")
        scene.run("bans", "show", name, "--on", DAYS[2], "--known-at", DAY, "--json")
        scene.run("bans", "diff", name, DAYS[0], DAYS[1])
        scene.run("bans", "diff", name, DAYS[0], DAYS[1], "--json")
        said = scene.run("bans", "show", name, "--on", DAYS[2], "--json", quiet=True)
        for ref in sorted(set(re.findall(r'"ref": "([^"]+)"', said.out.decode())))[:25]:
            scene.run("bans", "why", ref, "--on", DAY)
            scene.run("bans", "why", name, ref, "--on", DAYS[2], "--json")
    for words in (("log",), ("log", "--json"), ("lint",), ("lint", "--json")):
        scene.run("bans", *words)
    for ending in ("yaml", "json"):
        scene.run("bans", "log", "-o", f"log.{ending}")
        scene.run("bans", "lint", f"log.{ending}")
    for path in sorted((TESTS / "games" / "cahrd" / "bans").iterdir()):
        scene.run("bans", "announce", scene.put(path.name, path), "--game", "cahrd", "--from", DAY, "--dry-run")
    scene.run("bans", "publish", *lists.split("+"), "--on", DAY, "--url", "https://example.org/", "-o", "published")


def simulate(_: str, scene: Scene) -> None:
    """Plays whole games by seed."""
    words = ("simulate", "guarda", "--seed", "3", "--jobs", "1")
    for more in (("--games", "60"), ("--games", "40", "--players", "3"), ("--games", "60", "--json")):
        scene.run(*words, *more)
    scene.run("simulate", "rishar")


def processes(game: str, scene: Scene) -> None:
    """Does in two processes what one does elsewhere."""
    many = ("--jobs", "2")
    for path in sample_decks(game):
        scene.put(f"decks/{path.name}", path)
    scene.run("check", "decks", "--on", DAY, *many, "--json")
    scene.run("meta", "decks", "--on", DAY, *many, "--json")
    question = {"op": "guarda.cover_odds", "input": {"cell": [1, 2], "cards": 5}}
    scene.put("batch.jsonl", "".join(json.dumps({"id": number, **question}) + "\n" for number in range(300)))
    scene.run("judge", "--batch", "batch.jsonl", *many)
    scene.run("simulate", game, "--games", "60", "--seed", "3", *many)
    scene.run("sheets", "", "--game", game, "--on", DAY, "--no-remember", *many, "--png", "png", "--dpi", "75")
    scene.run("site", "-o", "site", "--game", game, "--on", DAY, *many, pages=False)


def handbook(_: str, scene: Scene) -> None:
    """Writes the manual."""
    scene.run("handbook", "-o", "handbook.pdf")
    scene.run("handbook", "-o", "pages")


def misuse(_: str, scene: Scene) -> None:
    """Shows help, lists what there is, and refuses what is wrong."""
    said = scene.run("--help")
    verbs = re.findall(r"^  ([a-z]+)  ", said.out.decode().partition("Commands:")[2], re.MULTILINE)
    for verb in verbs:
        scene.run(verb, "--help")
    for verb in ("decks", "printer", "bans", "solo", "battle", "event", "rules"):
        said = scene.run(verb, "--help", quiet=True)
        for word in re.findall(r"^  ([a-z-]+)  ", said.out.decode().partition("Commands:")[2], re.MULTILINE):
            scene.run(verb, word, "--help")
    scene.put("empty.deck", "")
    scene.put("words.deck", "Game: cahrd\nthis is no card\n3 Nosuch Card\n0 Greek Fire\n")
    scene.put("bad.csv", "ref,name,type\nX-1,,nosuch\n")
    scene.put("bad.json", "{")
    for words in (
        ("games",), ("games", "--json"), ("nosuchverb",), ("check", "nosuch.deck"), ("check", "empty.deck"),
        ("check", "words.deck", "--on", DAY), ("check", "words.deck", "--on", DAY, "--json"),
        ("check", "words.deck", "--on", "2026-02-31"), ("check", "words.deck", "--format", "wra"),
        ("check", "words.deck", "--option", "nosuch=1"), ("load", "bad.csv", "--game", "rishar"),
        ("load", "bad.json", "--game", "rishar"), ("judge", "eg.nosuch"), ("judge", "eg.compare", "bad.json"),
        ("sheets", "nosuch:1", "-o", "x.pdf"), ("sheets", "game:rishar", "--paper", "a44", "-o", "x.pdf"),
        ("sheets", "words.deck", "-o", "x.pdf", "--on", DAY), ("explain", "card_unknown"),
        ("explain", "bad_count", "--json"),
        ("--catalog", "nosuch.db", "cards"), ("bans", "show", "shrot"), ("guide", "nosuch", "-o", "x.pdf"),
        ("components", "guarda", "nosuch", "-o", "x.pdf"), ("-q", "check", "words.deck", "--on", DAY),
    ):  # fmt: skip
        scene.run(*words)


def lanterns(_: str, scene: Scene) -> None:
    """Does everything with a game of one's own, trusted by --games, and once as data alone by carddb.toml."""
    scene.put(OWN, TESTS / "outside" / OWN)
    own = ("--games", OWN)
    scene.run(*own, "load", f"{OWN}/cards.csv", "--game", OWN)
    for path in sorted((scene.folder / OWN).rglob("*.deck")):
        deck = path.relative_to(scene.folder).as_posix()
        for options in ((), ("--json",), ("--format", "red"), ("--option", "bright_night=true")):
            scene.run(*own, "check", deck, "--on", DAY, *options)
        scene.run(*own, "decks", "fix", deck, "--on", DAY)
    deck = f"{OWN}/decks/quiet.deck"
    for words in (
        ("cards", "--game", OWN), ("cards", "--game", OWN, "--json"), ("games", OWN), ("games", OWN, "--json"),
        ("conform", OWN, "--on", DAY), ("conform", OWN, "--on", DAY, "--json"), ("rules", "coverage", OWN),
        ("export", "--game", OWN, "--on", DAY, "-o", "own.csv"), ("decks", "stats", deck, "--on", DAY),
        ("sheets", "", "--game", OWN, "--on", DAY, "--no-remember", "-o", "all.pdf"),
        ("sheets", "", "--game", OWN, "--on", DAY, "--no-remember", "--jobs", "1", "--png", "png", "--dpi", "75"),
        ("sheets", "", "--game", OWN, "--on", DAY, "--no-remember", "--jobs", "1", "--svg", "svg"),
        ("decklist", deck, "--on", DAY, "-o", "list.pdf"), ("components", OWN, "--on", DAY, "-o", "components.pdf"),
        ("guide", OWN, "--on", DAY, "-o", "guide.pdf"), ("guide", OWN, "--on", DAY, "-o", "guide.html"),
        ("site", "-o", "site", "--game", OWN, "--on", DAY, "--jobs", "1"),
        ("preflight", "", "--game", OWN, "--on", DAY), ("explain", "no_wind", "--game", OWN),
    ):  # fmt: skip
        scene.run(*own, *words)
    scene.put("carddb.toml", f'games = ["{OWN}"]\n')
    scene.run("check", deck, "--on", DAY)
    scene.run("check", deck, "--on", DAY, "--json")
    scene.run("sheets", "", "--game", OWN, "--on", DAY, "--no-remember", "-o", "untrusted.pdf")
    scene.run("guide", OWN, "--on", DAY, "-o", "untrusted.html")


def new_game(_: str, scene: Scene) -> None:
    """Begins a game of one's own, and does what its last lines say."""
    said = scene.run("init", "mine", "--new-game", "night-market")
    for line in said.err.decode().partition("Next:\n")[2].splitlines():
        words = shlex.split(line)[1:]
        if line.startswith("  carddb "):
            scene.run(*words, *(() if words[0] == "load" else ("--on", DAY)), within="mine")


def printed(_: str, scene: Scene) -> None:
    """Remembers what was printed: what changed since, what is missing, what to throw away; and printers that miss."""
    head = "ref,name,type,rarity,strength,life,text\n"
    rows = [
        "M-1,Rider,soldier,common,3,3,Fast.\n",
        "M-2,Archer,soldier,common,2,2,\n",
        "M-3,Scout,soldier,common,1,1,\n",
    ]
    scene.put("carddb.toml", 'game = "empires-and-generals"\n')
    scene.put("cards.csv", head + "".join(rows))
    scene.run("load", "cards.csv", "--set", "mine", "--from", "2026-01-01")
    scene.run("sheets", "set:mine", "--on", DAY, "-o", "first.pdf", "--manifest", "first.json")
    rows[1] = "M-2,Archer,soldier,common,2,3,Far.\n"
    scene.put("cards.csv", head + "".join(rows))
    scene.run("load", "cards.csv", "--set", "mine", "--from", "2026-03-01")
    for words in (
        ("history", "M-2"), ("history", "M-2", "--json"), ("show", "M-2", "--on", "2026-02-01", "--json"),
        ("sheets", "set:mine", "--on", DAY, "--since", "last", "-o", "since.pdf", "--json"),
        ("sheets", "set:mine", "--on", DAY, "--since", "first.json", "-o", "second.pdf", "--pull-list", "pull.txt"),
    ):  # fmt: skip
        scene.run(*words)
    scene.put("owned.csv", "ref,count\nM-1,1\n")
    scene.run(
        "sheets", "set:mine", "--on", DAY, "--missing", "owned.csv", "-o", "missing.pdf", "--no-remember", "--json"
    )
    for verb in (
        ("calibrate", "home", "-o", "scales.pdf"),
        ("set", "home", "--read", "E6,E2,E7,F14,E4,E18", "--paper", "letter"),
        ("calibrate", "home", "-o", "again.pdf"), ("show", "home"), ("show", "--json"), ("list",), ("list", "--json"),
    ):  # fmt: skip
        scene.run("printer", *verb)
    scene.run("sheets", "set:mine", "--on", DAY, "--no-remember", "--printer", "home", "-o", "corrected.pdf")
    scene.run("doctor", name="doctor, whose words are of the machine", quiet=True)


def elsewhere(_: str, scene: Scene) -> None:
    """Gives cards to print shops and to Tabletop Simulator."""
    orders = {
        "rishar": ("mpc-poker", "--png", "rishar-shop"),
        "guarda": ("tgc-poker", "--png", "guarda-shop"),
        "cahrd": ("drivethru-poker", "-o", "cahrd-shop.pdf"),
    }
    for game, order in orders.items():
        deck = scene.put(f"{game}.deck", sample_decks(game)[-1])
        words = ("sheets", deck, "--on", DAY, "--no-remember", "--jobs", "1")
        scene.run(*words, "--profile", *order, pages=False)
        scene.run(*words, "--tts", f"{game}-tts", "--dpi", "75", "--url", "https://example.org/")
        scene.run("decks", "convert", deck, "--on", DAY, "-o", f"{game}.tts.json")
    scene.run("components", "cahrd", "tracking", "--on", DAY, "-o", "tracking.xlsx")


def event(_: str, scene: Scene) -> None:
    """Holds a tournament: the lists that are handed in, their table, and all of it on paper."""
    for path in sample_decks("cahrd"):
        scene.put(f"decks/{path.name}", path)
    for words in (
        ("new", "Spring", "--day", "2036-05-01", "--game", "cahrd", "--format", "war", "--zone", "UTC"),
        ("list",), ("submit", "spring", "decks"), ("show", "spring"), ("show", "spring", "--csv", "table.csv"),
        ("player", "spring", "grain-roads", "--json"), ("lock", "spring"), ("unlock", "spring"), ("recheck", "spring"),
        ("print", "spring", "-o", "lists.pdf"), ("forget", "spring", "long-game"),
        ("show", "spring", "--sort", "player"),
    ):  # fmt: skip
        scene.run("event", *words)


SOLO = """status
roll 1
play A ops
next
roll 2
status
play B ops
log
undo
roll 6
end-phase"""
SET_UP = {
    "commands-and-colors": ("start-phase S1=5 S2=5",),
    "empire-of-the-sun": ("set-up south_pacific", "start-phase JP=6 US=5"),
    "for-the-people": ("start-phase US=6 CS=6",),
    "wilderness-war": ("start-phase BR=8 FR=7",),
}
"""How a session begins, where it is not by the first phase alone."""
ADA = """Game: rishar
Commander: Ada
Path: steel
Role: savant
Progression: 10
## Army
1 Spearmen [RIS-001]
1 Soldier [RIS-002]
1 Oath of the Line [RIS-015]
"""
BO = """Game: rishar
Commander: Bo
Path: steel
Role: healer
Progression: 4
Favors: 1
## Army
3 Soldier [RIS-002]
"""
"""The armies of the worked example of the rules."""


def play(_: str, scene: Scene) -> None:
    """Plays a card-driven game alone in each module, and two Battles, by single commands and lines."""
    scene.run("solo", "modules")
    said = scene.run("solo", "modules", "--json")
    for module in re.findall(r'"(?:id|module|key)": "([^"]+)"', said.out.decode()):
        scene.run("solo", "modules", module)
        scene.run("solo", "template", module, "-o", f"{module}.csv")
        with (scene.folder / f"{module}.csv").open(encoding="utf-8", newline="") as file:
            rows = [
                {key: value or ("2" if key == "ops" else "") for key, value in row.items()}
                for row in csv.DictReader(file)
            ]
        written = io.StringIO()
        writer = csv.DictWriter(written, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
        cards = scene.put(f"{module}-cards.csv", written.getvalue())
        session = ("solo", "--session", f"{module}.json")
        scene.run(*session, "new", "--module", module, "--seed", "5", "--decks", cards)
        for line in (*SET_UP.get(module, ("start-phase",)), *SOLO.splitlines()):
            scene.run(*session, *line.split(), name=f"{module} {line}")
        scene.run(*session, "status", "--json", name=f"{module} status --json")
        scene.run(*session, "log", "--json", name=f"{module} log --json")
    ada, bo = scene.put("ada.deck", ADA), scene.put("bo.deck", BO)
    _battle(scene, (ada, bo), "spear", "soldier", "4 2 3", "", "2 soldier", "", "")
    armies = [scene.put(path.name, path) for path in sample_decks("rishar")[2:]]
    _battle(scene, armies, *["", "1", "", "2", "pass", "1", "3", "", ""] * 4)


def _battle(scene: Scene, armies: Sequence[str], *lines: str) -> None:
    file = f"{armies[0]}.json"
    given = "".join(f"{line}\n" for line in lines)
    scene.run("battle", "new", *armies, "--session", file, "--first", "a", "--seed", "1", given=given)
    for words in (
        ("status",),
        ("status", "--json"),
        ("log",),
        ("log", "--json"),
        ("record",),
        ("hand", "a"),
        ("undo",),
    ):
        scene.run("battle", "--session", file, *words)
    scene.run("battle", "--session", file, "report", "-o", f"{armies[0]}.pdf")


def begin(_: str, scene: Scene) -> None:
    """Does the main job on sample data, and begins projects."""
    scene.run("demo", "--output", "../made", quiet=True)  # it speaks of today
    made = sorted(path.name for path in (scene.folder.parent / "made").iterdir())
    scene.add("demo", "files", scene.sum(" ".join(made).encode()))
    for words in (("init", "club"), ("init", "bare", "--bare")):
        scene.run(*words)
    scene.run("check", "sample.deck", "--on", DAY, within="club")
    scene.run("cards", "type:soldier strength>=6 -rarity:rare", within="club")


_BY_GAME: dict[str, Callable[[str, Scene], None]] = {
    "check": check,
    "judge": judge,
    "cards": cards,
    "sheets": sheets,
    "faces": faces,
    "components": components,
    "decklist": decklist,
    "guide": guide,
    "site": site,
    "tell": tell,
    "decks": decks,
}
_OTHERS: dict[str, tuple[Callable[[str, Scene], None], tuple[str, ...]]] = {
    "bans": (bans, ("short+long",)),
    "own": (lanterns, (OWN,)),
    "new": (new_game, ("game",)),
    "printed": (printed, ("again",)),
    "elsewhere": (elsewhere, ("shops",)),
    "event": (event, ("evening",)),
    "play": (play, ("tables",)),
    "begin": (begin, ("projects",)),
    "simulate": (simulate, ("guarda",)),
    "processes": (processes, ("guarda",)),
    "handbook": (handbook, ("whole",)),
    "misuse": (misuse, ("words",)),
}
PARTS = (*_BY_GAME, *_OTHERS)


def scenes() -> Iterator[tuple[str, Play]]:
    """Yields every scene with its name, part by part."""
    for part, play in _BY_GAME.items():
        for game in GAMES:
            yield f"{part}/{game}", partial(play, game)
    for part, (play, subjects) in _OTHERS.items():
        for subject in subjects:
            yield f"{part}/{subject}", partial(play, subject)
