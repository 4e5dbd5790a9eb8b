"""Guarda: its book has every rule, every code is explained and shown by an example."""

from __future__ import annotations

import json
import re
from pathlib import Path

from carddb.game.frozen import as_plain
from tests.games.guarda.samples import BOOK, SPEC, ask
from tests.rows import every

EXAMPLES = sorted((Path(__file__).parent / "codes").iterdir())


def test_book() -> None:
    """The book has every rule from G-1 to G-114 with tag, section and words; codes and data name only such rules."""
    assert list(BOOK["rules"]) == [f"G-{number}" for number in range(1, 115)]
    for rule in BOOK["rules"].values():
        assert rule["section"] and (rule["text"] or rule["ruling"])
    named = re.findall(r"\bG-\d+\b", json.dumps([BOOK["codes"], as_plain(SPEC)]))
    assert named and set(named) <= set(BOOK["rules"])


def test_examples_of_codes() -> None:
    """Every code of the book that names an example has the file, and every file is named."""
    named = {entry["example"] for entry in BOOK["codes"].values() if entry["example"]}
    assert named == {path.name for path in EXAMPLES}


@every("path", EXAMPLES)
def test_an_example_shows_its_code(path: Path) -> None:
    """The example question of a code is answered with it."""
    question = json.loads(path.read_text("utf-8"))
    answer = ask(question["op"].removeprefix("guarda."), **question["input"])
    assert path.stem in [answer.get("reason"), *answer.get("errors", ()), *answer.get("warnings", ())]


def test_the_shapes_of_the_cards_are_the_documents_own() -> None:
    """A sheet names G-11 beside the reading of the ids: columns, rows, X and ALL are the author's (G-11, G-15)."""
    guide = (Path(__file__).parents[3] / "carddb" / "games" / "guarda" / "guide.md").read_text("utf-8")
    rows = [line for line in guide.splitlines() if re.match(r"\| (V1|H1|X|ALL)\b", line)]
    assert len(rows) == 4 and all("{G-11, G-15}" in row for row in rows)
