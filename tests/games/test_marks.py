"""A reading of ours is never printed without its mark, and no mark without what it means in sight."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from carddb.findings import CardCount
from carddb.game.parts import DECIDED, SIGN
from carddb.games import Game
from carddb.layout.display_list import Run, walk
from carddb.layout.documents.blocks import Paragraph, rule_ids
from carddb.layout.drawing.face import draw
from carddb.press.documents.guide import guide_document
from carddb.press.faces.workshop import open_workshop
from tests.games.referee_samples import game

GAMES = ("cahrd", "cdg-solo", "empires-and-generals", "guarda", "rishar")


def drawn_words(bundled: Game) -> Iterator[tuple[str, str]]:
    """Yields what each component of a game is called, and the words of both its sides, for each of its rows."""
    shop, spec = open_workshop(bundled), bundled.spec
    hook = bundled.hook("component_data")
    for key, part in spec.components.items():
        for row in part.rows or ({},):
            for template in {part.template, part.back} - {"", "same"}:
                stem = template.removesuffix(".svg")
                data = hook(stem, spec, {**part.data, **row})
                face = draw(
                    shop.kit, f"{bundled.folder.template_folder.name}/{template}", data, CardCount("", stem)
                ).face
                runs = (run for run in walk(face.shapes) if isinstance(run, Run))
                words = " ".join(word.text for run in runs for word in run.words)
                yield f"{key} {stem} {dict(row)}", " ".join(words.split())


@pytest.mark.parametrize("key", GAMES)
def test_a_mark_on_a_component_has_its_legend_in_sight(key: str) -> None:
    """Each side of each component that has the mark also says what it means."""
    bundled = game(key)
    legend = f"{SIGN} {bundled.spec.sheet_words.card_footnote}"
    without = [
        name for name, words in drawn_words(bundled) if SIGN in words.replace(legend, "") and legend not in words
    ]
    assert without == []
    assert [
        name for name, words in drawn_words(bundled) if legend in words and SIGN not in words.replace(legend, "")
    ] == []


@pytest.mark.parametrize("summary", [False, True], ids=["rule sheet", "summary"])
@pytest.mark.parametrize("key", GAMES)
def test_a_sheet_marks_every_rule_that_has_a_reading_of_ours(key: str, summary: bool) -> None:
    """Rule sheet and summary have the mark behind each id with a ruling, and its legend on every page."""
    bundled = game(key)
    document, _ = guide_document(bundled, summary=summary)
    decided = set(bundled.spec.data[DECIDED])
    marks = list(rule_ids((Paragraph(document.lead), *document.blocks)))
    assert any(decided.intersection(mark.rules) for mark in marks)
    assert all((f"{rule}{SIGN}" in mark.text) == (rule in decided) for mark in marks for rule in mark.rules)
    words = bundled.spec.sheet_words
    assert document.footnote == (words.card_footnote if summary else words.footnote)
