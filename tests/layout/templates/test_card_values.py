"""What a template sees of a card: every field of the game, the words for fields, on fronts and backs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from carddb.core.errors import TemplateError
from carddb.games import folders, load
from carddb.layout.templates.card_values import CardValues, Label
from carddb.layout.templates.template import Templates
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.workshop import open_workshop
from carddb.press.templates.foreign_templates import ForeignTemplates
from tests.conftest import OUTSIDE
from tests.rows import every

CONTEXT = {
    "card": CardValues({"ref": "A-1", "light": 3}, {"light": 0, "text": 0}, "Lamp"),
    "label": Label.of("Lamp type", {"light": "Light"}, {"light": {"3": "dim"}}),
    "data": {"hand": 4},
    "lang": "ja",
}


def rendered(source: str, kind: Callable[[dict[str, str]], Templates] = Templates) -> str:
    return kind({"t/a.svg": source}).render("t/a.svg", CONTEXT)


@every("kind", [Templates, ForeignTemplates])
@every(
    "source, text",
    [
        ("[{{ card.text }}{{ card['text'] }}]", "[]"),
        ("{{ card.text == '' }} {{ card.text == none }} {{ card.text == 0 }}", "True True False"),
        ("{{ card.text < 3 }} {{ card.text >= 3 }} {{ card.light >= 3 }}", "False False True"),
        ("{{ card.text is defined }} {{ card.text | default('-') }} {{ card.text | length }}", "False - 0"),
        ("{% for one in card.text %}x{% endfor %}{{ 'yes' if card.text else 'no' }}", "no"),
        ("[{{ card.text.inner.more }}]", "[]"),
        ("{{ label }}: {{ label('light') }}, {{ data.hand }}, {{ lang }}", "Lamp type: Light, 4, ja"),
        ("{{ label('light', 3) }}, {{ label('light', 4) }}", "dim, 4"),
        ("{{ card.get('text', 7) }} {{ card.items() | length }}", "7 2"),
    ],
)
def test_an_absent_field_is_empty(source: str, text: str, kind: Callable[[dict[str, str]], Templates]) -> None:
    """It prints as nothing and compares as such, in a process of its own too; label, data and lang are there."""
    assert rendered(source, kind) == text


@pytest.mark.parametrize("source", ["{{ card.lihgt }}", "{{ card['lihgt'] }}", "{{ card.lihgt > 2 }}"])
def test_an_unknown_field_names_the_nearest(source: str) -> None:
    """A field that the game does not have is an error with the card, its fields, and the one that was meant."""
    with pytest.raises(TemplateError) as error:
        rendered(source)
    assert "Lamp: there is no field 'lihgt'" in str(error.value)
    assert "Did you mean light? Fields: light, ref, text" in str(error.value)


@pytest.mark.parametrize(
    ("source", "message", "remedy"),
    [
        ("{{ {'lamp': 1}.lmap }}", "the mapping has no key 'lmap'", "Did you mean lamp?"),
        ("{{ {'lamp': 1}['lmap'] }}", "the mapping has no key 'lmap'", "Did you mean lamp?"),
        ("{% import 'own.svg' as own %}{{ own.tga() }}", "own.svg has no macro 'tga'", "Did you mean tag?"),
    ],
)
def test_an_unknown_entry_or_macro_names_the_nearest(source: str, message: str, remedy: str) -> None:
    """So does an entry of a table and a macro of a template, in words that are not those of Python."""
    with pytest.raises(TemplateError) as error:
        Templates({"card.svg": source, "own.svg": "{% macro tag() %}{% endmacro %}"}).render("card.svg", {})
    assert error.value.reason == message and error.value.remedy == remedy


def test_an_unknown_label_names_the_nearest() -> None:
    """So does a label of a field that there is not."""
    with pytest.raises(TemplateError, match="the game has no field 'lihgt'"):
        rendered("{{ label('lihgt') }}")


def test_a_back_may_speak_of_its_card(tmp_path: Path) -> None:
    """A back that shows something of its card is one for each; any other is one for all."""
    path = Path(copytree(OUTSIDE / "lanterns", tmp_path / "lanterns"))
    numbers = []
    for name in ("plain", "{{ card.name }}"):
        (path / "templates" / "back.svg").write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63.5 88.9"><title>{name}</title></svg>', "utf-8"
        )
        game, _ = load(folders([(path, True)])["lanterns"])
        assert game
        cards = [game.spec.card(f"L-{n}", {"name": f"Lamp {n}", "type": "lamp", "light": n}) for n in (1, 2)]
        bank = FaceBank(open_workshop(game, cards))
        backs = [bank.back(card) for card in cards]
        numbers.append(len(set(backs)))
        titles = {bank[back].title for back in backs if back is not None}
    assert numbers == [1, 2] and titles == {"Lamp 1", "Lamp 2"}
