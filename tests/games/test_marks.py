"""A reading of ours is never printed without its mark, and no mark without what it means in sight."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import Any
from xml.etree import ElementTree

import pytest

from carddb.game.parts import DECIDED, RULE_MARK, SIGN
from carddb.games import Game
from carddb.layout.documents.blocks import Heading, Paragraph, RuleIds, Table, contents, rule_ids
from carddb.layout.drawing.face import with_measures
from carddb.press.documents.guide import Voice, guide_document
from carddb.press.faces.workshop import Workshop, context_of, open_workshop, template_for, templates_of
from tests.games.referee_samples import game
from tests.rows import every, usually

GAMES = ("cahrd", "cdg-solo", "empires-and-generals", "guarda", "rishar")


def words_of_components(bundled: Game) -> Iterator[tuple[str, str]]:
    """Yields what each component of a game is called, and the words of both its sides, for each of its rows."""
    shop, spec = open_workshop(bundled), bundled.spec
    hook = bundled.hook("component_data")
    for key, part in spec.components.items():
        for row in part.rows or ({},):
            for template in {part.template, part.back} - {"", "same"}:
                stem = template.removesuffix(".svg")
                path = f"{bundled.folder.template_folder.name}/{template}"
                yield f"{key} {stem} {dict(row)}", words_of(shop, path, hook(stem, spec, {**part.data, **row}))


def words_of(shop: Workshop, template: str, context: Mapping[str, Any]) -> str:
    """Returns the words of a filled-in template, with single spaces."""
    filled = shop.kit.templates.render(template, with_measures(shop.kit, context, None))
    return " ".join(re.sub(r"[*_]", "", " ".join(ElementTree.fromstring(filled).itertext())).split())


@usually("key", GAMES, "guarda")
@pytest.mark.full
def test_a_mark_on_a_component_has_its_legend_in_sight(key: str) -> None:
    """Each side of each component that has the mark also says what it means."""
    bundled = game(key)
    legend = f"{SIGN} {bundled.spec.sheet_words.card_footnote}"
    words = dict(words_of_components(bundled))
    assert [name for name, said in words.items() if SIGN in said.replace(legend, "") and legend not in said] == []
    assert [name for name, said in words.items() if legend in said and SIGN not in said.replace(legend, "")] == []


@usually("key", GAMES, "guarda")
def test_a_mark_on_a_card_has_its_meaning_in_sight(key: str) -> None:
    """Each card that comes with a game and has the mark on its face also says there that this is ours."""
    bundled = game(key)
    shop = open_workshop(bundled, bundled.own_cards)
    legend = f"{SIGN} {bundled.spec.sheet_words.card_footnote}"
    without = []
    for card in bundled.own_cards:
        front = template_for(shop, templates_of(bundled, card)[0], None)
        words = words_of(shop, front, context_of(shop, card))
        signs, told = words.count(SIGN), words.count(f"{SIGN} our") + words.count(legend)
        if signs and (signs == told or not told):
            without.append(f"{card.ref}: {words}")
    assert without == []


@usually("voice", ["whole", "summary"])
@usually("key", GAMES)
def test_a_sheet_marks_every_rule_that_has_a_reading_of_ours(key: str, voice: Voice) -> None:
    """Rule sheet and summary have the mark behind each id with a ruling, and its legend on every page."""
    bundled = game(key)
    document, _ = guide_document(bundled, voice=voice)
    decided = set(bundled.spec.data[DECIDED])
    marks = list(rule_ids((Paragraph(document.lead), *document.blocks)))
    assert any(decided.intersection(mark.rules) for mark in marks)
    assert all((f"{rule}{SIGN}" in mark.text) == (rule in decided) for mark in marks for rule in mark.rules)
    words = bundled.spec.sheet_words
    assert document.footnote == (words.rulings_footnote if voice == "summary" else words.footnote)


@usually("voice", ["rulebook", "reference", "summary"])
@usually("key", GAMES)
def test_a_paragraph_that_tells_a_reading_of_ours_is_marked_once(key: str, voice: Voice) -> None:
    """It has one mark at its end, unless the heading or the head of the table above has it and all below are ours."""
    document, _ = guide_document(game(key), voice=voice)
    is_below = False
    for block in document.blocks:
        heads = [block.content] if isinstance(block, Heading) else block.head if isinstance(block, Table) else ()
        signed = any(isinstance(part, RuleIds) and part.sign for head in heads for part in head)
        is_below = signed if isinstance(block, Heading) else is_below
        for text in contents([block]):
            marks = [part for part in text if isinstance(part, RuleIds) and part.rules]
            assert len(marks) <= 1 and (not marks or text[-1] is marks[0])
            for mark in marks:
                assert bool(mark.sign) == (bool(mark.decided) and not (signed or is_below)), mark
                assert not (signed or is_below) or mark.decided == set(mark.rules), mark


_ID = re.compile(r"[A-Z]+-\d+")
_ADMITTED = re.compile(r"our reading|a proposal|to be confirmed")
"""Words that say in the sentence itself that it is a reading of ours."""
_COMMON_WORDS = """
    a all an and any are as at be been by can do does each for from has have he her if in into is it its may no not of
    on one only or other our out per so than that the their them then there they this to up when which who with
    you your
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_NAMES = ("title", "probable_title", "publisher", "imprint")
_KEYS_OF_RULES = ("rule", "rules", "readings")


def content_words(text: str) -> frozenset[str]:
    """The words of a text that say something, without endings; what is filled in does not count."""
    words = re.findall(r"[a-z]+|\d+", re.sub(r"\{+.*?\}+", "", text.lower()))
    return frozenset(re.sub(r"(?<=...)(?:ing|ed|es|s)$", "", word) for word in words if word not in _COMMON)


def sentences(part: Any, where: Sequence[str] = (), named: frozenset[str] = frozenset()) -> Iterator[tuple[str, str]]:
    """Yields place and text of each sentence of a game's data that names no rule, neither itself nor beside it."""
    if isinstance(part, str):
        if not named and not _ID.search(part):
            yield from ((".".join(where), one) for one in re.split(r"(?<=[.;:])\s+", part))
    elif isinstance(part, Mapping):
        named = named.union(*(_ID.findall(str(part[key])) for key in _KEYS_OF_RULES if key in part))
        for key, value in part.items():
            if key in _NAMES:
                continue
            yield from sentences(value, (*where, str(key)), named)
    elif isinstance(part, list | tuple):
        for number, value in enumerate(part):
            yield from sentences(value, (*where, str(number)), named)


def told_passages(bundled: Game) -> Iterator[tuple[str, str]]:
    """Yields place and text of each sentence of a rule sheet or summary whose line names no rule."""
    for file in bundled.folder.own_guides:
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            if not RULE_MARK.search(line) and not line.startswith(("#", "|", "{", " ", "`")):
                yield from sentences(line, (file.name, str(number)))


@every("key", GAMES)
def test_a_sentence_in_the_words_of_a_reading_names_its_rule(key: str) -> None:
    """A sentence whose words are rather those of a reading than of any text of the source names rules, or says so.

    What names a rule gets the mark where the rule is a reading, so nothing of ours passes for the author's.
    """
    bundled = game(key)
    rules = bundled.rule_book.rules
    occurrences = Counter(word for rule in rules.values() for word in content_words(rule.words))
    source = [content_words(rule.text) for rule in rules.values() if rule.text]
    readings = {name: content_words(rule.ruling.reading) for name, rule in rules.items() if rule.ruling}

    def likeness(words: frozenset[str], other: frozenset[str]) -> float:
        weight = {word: log((len(rules) + 1) / (occurrences[word] + 0.5)) for word in words}
        return sum(weight[word] for word in words & other) / sum(weight.values())

    unmarked = []
    # `keys` says what the fields of a question mean, `now` what may be typed at a step, and nothing of the rules.
    printed = {name: part for name, part in bundled.spec.data.items() if name != "keys"}
    for where, sentence in (*sentences(printed), *told_passages(bundled)):
        words = content_words(sentence)
        if len(words) < 4 or where.endswith(".now") or _ADMITTED.search(sentence):
            continue
        nearest = max(readings, key=lambda name: likeness(words, readings[name]))
        as_reading = likeness(words, readings[nearest])
        if as_reading >= 0.7 and as_reading >= 0.25 + max(likeness(words, text) for text in source):
            unmarked.append(f"{where}: {sentence} ({nearest})")
    assert not unmarked, "\n".join(unmarked)
