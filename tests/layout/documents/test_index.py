"""The index of a book, and the index of the rule ids of a document."""

from __future__ import annotations

from carddb.layout.documents.blocks import Document, Heading, Paragraph, Span, contents, plain
from carddb.layout.documents.index import Mention, index, rule_index, terms


def test_rule_ids_are_looked_up_by_their_page() -> None:
    """Ids that follow each other on one page share a line, each kind for itself; untold ones are left out."""
    document = Document("Rules", (), indexed=("S-1", "R-1", "S-2", "S-3", "S-4", "S-10"), index_title="Index")
    places = {"S-1": "1", "S-2": "1", "S-3": "1, 2", "S-10": "2", "R-1": "2"}
    lines = [plain(content).split("\t") for content in contents(rule_index(document, places))]
    assert lines == [["Index"], ["R-1", "2"], ["S-1–2", "1"], ["S-3", "1, 2"], ["S-10", "2"]]
    assert rule_index(document, {}) == ()


def test_terms_that_begin_a_sentence_have_small_letters() -> None:
    """The capital of a sentence's first word becomes small in the index; a name with further capitals keeps its own."""
    bold = tuple(Span(text, bold=True) for text in ("Add a card", "Alignment:", "PDF/X-4", "The Game Crafter."))
    assert list(terms(bold)) == ["add a card", "alignment", "PDF/X-4", "Game Crafter"]


def test_the_index_has_sections_for_signs_digits_and_letters() -> None:
    """Elements of a template stand under Signs, and what begins with a digit under 0–9."""
    mentions = [Mention(term, "1", "x.md") for term in ("<circle>", "3 cards", "card")]
    heads = [plain(block.content) for block in index("Index", mentions).blocks if isinstance(block, Heading)]
    assert heads == ["0–9", "Signs", "C"]


def test_parts_of_a_name_stand_below_it_and_plurals_under_their_singular() -> None:
    """Commands, with their parts below, and classes, without, are apart from words spelled alike; files are whole."""
    words = ("face", "faces", "deck", "Deck", "Deck.size", "events.db", "carddb deck", "carddb deck new")
    mentions = [Mention(term, str(page), "x.md") for page, term in enumerate(words)]
    shown = [plain(content).replace("\u2003", " ") for content in contents(index("Index", mentions).blocks)]
    assert shown == ["D", "deck 2", "Deck 3", "deck 6", "new 7", "E", "events.db 5", "F", "face 0, 1"]


def test_a_column_of_the_index_that_begins_with_a_part_names_its_command_again() -> None:
    """Each part of a command knows the command, so that it can be repeated at the head of a column; others do not."""
    mentions = [Mention(term, "1", "x.md") for term in ("carddb deck", "carddb deck new", "face")]
    blocks = index("Index", mentions).blocks
    assert [plain(block.under) for block in blocks if isinstance(block, Paragraph)] == ["", "deck", ""]
