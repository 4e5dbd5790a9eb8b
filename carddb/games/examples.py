"""The examples of a game (decks, card files, questions), and the codes of the findings and refusals that they cause.

The examples are files in one folder and its subfolders:

- a `.deck` is checked, against the `cards.csv` of the folder if there is one;
- a `.csv`, or a `.json` that is a list, is read as a card file;
- any other `.json` is a question: `op`, or `odds` for a question about chances, and `input`;
- a `.yaml` that is a list has questions in the form of test cases, each with `op` and `given`;
- any other `.yaml` holds ban lists, like `bans.yaml`.

A question with a `session`, a saved game at the game's table, is an action in that game: `action` and its `input`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from carddb.cards.cards import Pool
from carddb.core.groups import grouped
from carddb.core.names import did_you_mean
from carddb.deck import Context, check
from carddb.findings import Finding, Place, error, info
from carddb.game.frozen import as_plain
from carddb.games.opening.cross_references import ban_file_findings
from carddb.games.opening.game import Game
from carddb.games.opening.spec_reader import finding_codes, shared_codes
from carddb.play.question import Refusal
from carddb.play.table.engine import act, load
from carddb.read.cards.file import CardReading, read_cards
from carddb.read.decks.text import load_deck
from carddb.read.documents import located_document
from carddb.read.source import texts_of

POOL_FILE = "cards.csv"


def codes_not_shown(game: Game, pool: Pool, on: date) -> list[Finding]:
    """Returns an error for each own code that no example causes, and the faults of examples, checked as of `on`."""
    own = {code for code in finding_codes(game.spec) if code not in shared_codes()} | set(game.rule_book.codes)
    if not own or (game.has_rules and not game.folder.trusted):
        return []
    if game.folder.bundled and not game.folder.examples.is_dir():
        return [info("examples_absent", "the examples of the bundled games come with the sources")]
    shown, faults = codes_shown(game, pool, on)
    return faults + [
        error(
            "code_not_shown",
            f"no example causes a finding or refusal {code}",
            Place(str(game.folder.examples)),
            fix=f"Put a deck, a card file or a question that causes {code} into this folder.",
        )
        for code in sorted(own - shown.keys())
    ]


def codes_shown(game: Game, pool: Pool, on: date) -> tuple[Mapping[str, list[Path]], list[Finding]]:
    """Returns the examples that cause each code, `{code: files}`, and the faults of the examples themselves.

    `pool` has the game's cards, unless the examples have a card file for their decks; `on` is the day of deck checks.
    Raises GameError if the program of a game outside carddb fails.
    """
    faults: list[Finding] = []
    folder = game.folder.examples
    if (folder / POOL_FILE).is_file():
        file = read_cards(game.folder.source(folder / POOL_FILE), CardReading(game.spec, "examples", folder))
        pool = Pool(game.spec.card(record.ref, record.values) for record in file.records)
    paths = sorted(folder.rglob("*")) if folder.is_dir() else []
    raised = ((path, dict.fromkeys(_codes_raised(path, game, pool, on, faults))) for path in paths)
    return grouped((code, path) for path, codes in raised for code in codes), faults


def _codes_raised(path: Path, game: Game, pool: Pool, on: date, faults: list[Finding]) -> Iterator[str]:
    if path.suffix == ".deck":
        deck, findings = load_deck(game.folder.source(path), game.spec, pool)
        findings = [*findings, *check(deck, game.spec, pool, Context(on=on), game.checks)]
        yield from (finding.code for finding in findings)
    elif path.suffix == ".csv":
        yield from _card_file_codes(path, game)
    elif path.suffix in (".json", ".yaml"):
        parsed, findings = located_document.load(game.folder.source(path))
        faults.extend(findings)
        value = parsed.value if parsed else []
        if path.suffix == ".json" and isinstance(value, list):
            yield from _card_file_codes(path, game)
        elif path.suffix == ".yaml" and isinstance(value, Mapping):
            yield from (finding.code for finding in ban_file_findings(game, path, pool))
        else:
            for question in value if isinstance(value, list) else [value]:
                yield from _answer_words(path, question, game, pool, faults)


def _card_file_codes(path: Path, game: Game) -> Iterator[str]:
    file = read_cards(game.folder.source(path), CardReading(game.spec, "examples", path.parent))
    cards = ((game.spec.card(record.ref, record.values), record.place) for record in file.records)
    yield from (finding.code for finding in (*file.findings, *game.faults_of(cards)))


def _answer_words(path: Path, question: Any, game: Game, pool: Pool, faults: list[Finding]) -> Iterator[str]:
    """Yields the texts in an answer, among them codes; for an action, its warnings or refusal. Adds to `faults`."""
    fields = question if isinstance(question, Mapping) else {}
    if "session" in fields and game.table:
        try:
            session = load(game.table, game.spec, json.dumps(fields["session"]))
            after = act(game.table, session, fields["action"], fields.get("input", {}))
            yield from getattr(after.table, "warnings", ())
        except Refusal as refusal:
            yield refusal.reason
        return
    operations, name = (game.odds, fields["odds"]) if "odds" in fields else (game.operations, fields.get("op"))
    operation = operations.get(str(name).removeprefix(f"{game.spec.prefix}."))
    if operation is None:
        fix = did_you_mean(str(name), operations)
        faults.append(error("example_invalid", f"the game has no question {name!r}", Place(str(path)), fix=fix))
        return
    answer = operation.ask(game.spec, fields.get("input", fields.get("given", {})), pool)
    yield from (text for _, text in texts_of(as_plain(answer)))
