"""What the examples of a game show: decks, card files and questions, and the codes that they raise.

They lie in one folder, in folders as one likes. A `.deck` is checked, against the `cards.csv` of the folder where there
is one. A `.csv`, or a `.json` that is a list, is read as a card file. Any other `.json` is a question: `op`, or `odds`
for one of chances, and `input`. A `.yaml` is a list of questions, `op` and `given`, as the cases are that tell what
each answer must be; one that is not a list tells of ban lists, as `bans.yaml` does. Where the game plays sessions, its
`play_example` answers a question that has a `session`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from carddb.cards import Pool
from carddb.deck import Context, check
from carddb.findings import Finding, Place, error, info
from carddb.games.cross_references import bans_astray
from carddb.games.loaded import Game
from carddb.games.rulebook import RULES_FILE, codes_named, shared_codes
from carddb.read import located_document
from carddb.read.card_file import read_cards
from carddb.read.deck_text import load_deck

POOL_FILE = "cards.csv"


def codes_unexplained(game: Game) -> list[Finding]:
    """An error for each code that the game names and nobody explains, or only by half."""
    book = {**shared_codes(), **game.rule_book.codes}
    return [
        error(
            "code_unexplained",
            f"nothing says what the finding {code} means, and what mends it",
            Place(str(game.folder.path / RULES_FILE)),
            fix="Write its cause and its fix under codes.",
        )
        for code in sorted({*codes_named(game.spec), *game.rule_book.codes})
        if code not in book or not (book[code].cause and book[code].fix)
    ]


def codes_lacking(game: Game, pool: Pool, on: date) -> list[Finding]:
    """An error for each code of the game's own that no example raises, and what is wrong with the examples."""
    own = {code for code in codes_named(game.spec) if code not in shared_codes()} | set(game.rule_book.codes)
    if not own or (game.has_rules and not game.folder.trusted):
        return []
    if game.folder.bundled and not game.folder.examples.is_dir():
        return [info("examples_absent", "the examples of the bundled games come with the sources")]
    shown, faults = codes_shown(game, pool, on)
    return faults + [
        error(
            "code_not_shown",
            f"no example raises {code}",
            Place(str(game.folder.examples)),
            fix="Put a deck, a card file or a question there that raises it.",
        )
        for code in sorted(own - shown.keys())
    ]


def codes_shown(game: Game, pool: Pool, on: date) -> tuple[Mapping[str, list[Path]], list[Finding]]:
    """For each code the files that raise it, and what is wrong with the examples themselves.

    `pool` is the game's own, `on` the day for decks. Raises GameError for what an outside program raises.
    """
    shown: defaultdict[str, list[Path]] = defaultdict(list)
    faults: list[Finding] = []
    folder = game.folder.examples
    pool = _own_pool(folder / POOL_FILE, game) or pool
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        for code in _raised(path, game, pool, on, faults):
            if path not in shown[code]:
                shown[code].append(path)
    return shown, faults


def _own_pool(path: Path, game: Game) -> Pool | None:
    if not path.is_file():
        return None
    file = read_cards(path, game.spec, default_set="examples", images_root=path.parent)
    return Pool(game.spec.card(record.ref, record.values) for record in file.records)


def _raised(path: Path, game: Game, pool: Pool, on: date, faults: list[Finding]) -> Iterator[str]:
    if path.suffix == ".deck":
        deck, found = load_deck(path, game.spec, pool)
        found = [*found, *check(deck, game.spec, pool, Context(on=on), game.checks)]
        yield from (finding.code for finding in found)
    elif path.suffix == ".csv":
        yield from _of_cards(path, game)
    elif path.suffix in (".json", ".yaml"):
        parsed, found = located_document.load(path)
        faults.extend(found)
        value = parsed.value if parsed else []
        if path.suffix == ".json" and isinstance(value, list):
            yield from _of_cards(path, game)
        elif path.suffix == ".yaml" and isinstance(value, Mapping):
            yield from (finding.code for finding in bans_astray(path, pool))
        else:
            for question in value if isinstance(value, list) else [value]:
                yield from _answered(path, question, game, pool, faults)


def _of_cards(path: Path, game: Game) -> Iterator[str]:
    file = read_cards(path, game.spec, default_set="examples", images_root=path.parent)
    yield from (finding.code for finding in file.findings)


def _answered(path: Path, question: Any, game: Game, pool: Pool, faults: list[Finding]) -> Iterator[str]:
    """Every word of an answer: the codes are among them."""
    asked = question if isinstance(question, Mapping) else {}
    play = game.hook("play_example")
    if "session" in asked and play:
        yield from _words(play(asked, game.spec))
        return
    known, name = (game.odds, asked["odds"]) if "odds" in asked else (game.operations, asked.get("op"))
    operation = known.get(str(name).removeprefix(f"{game.spec.prefix}."))
    if operation is None:
        faults.append(error("example_invalid", f"the game has no question {name!r}", Place(str(path))))
        return
    yield from _words(operation.ask(game.spec, asked.get("input", asked.get("given", {})), pool))


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _words(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _words(item)
