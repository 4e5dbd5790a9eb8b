"""The search through rules, rule sheets and the handbook: words folded, answered with the place."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from carddb.app.documents import Passage, search_passages
from carddb.app.games.explanation import find_entries
from carddb.app.workspace.words import WordSearch
from carddb.door import Project
from tests.rows import every
from tests.web.front import serving

FULL = pytest.mark.full


@every("words", ["zizka", "ŽIŽKA wag", "fast stand", "Zizka's"])
def test_words_are_compared_without_case_accents_and_endings(words: str) -> None:
    """A word fits one that begins with it, whatever its letters look like."""
    assert WordSearch(words).fits("Žižka's wagons stand fast") and not WordSearch(words).fits("Žiž stands")


def test_no_words_fit_nothing() -> None:
    """An empty search, or one of signs alone, answers with nothing."""
    assert not WordSearch("").fits("a text") and not WordSearch("?!").fits("a text")


def test_an_excerpt_shows_the_words_and_stays_short() -> None:
    """Of a long line the part round the first word is shown, with every word marked."""
    text = "before " * 100 + "the hand has its size " + "after " * 100
    pieces = WordSearch("size hand").excerpt(text)
    assert [piece for piece, is_match in pieces if is_match] == ["hand", "size"]
    shown = "".join(piece for piece, _ in pieces)
    assert len(shown) < 340 and shown.startswith("… ") and shown.endswith("…")
    assert shown.strip("… ") in text


def test_a_heading_comes_before_a_line_and_a_line_before_a_section() -> None:
    """What a section is about stands above what it only mentions."""
    apart = Passage("", "one", "One", "Apart", "apart", ("the hand", "its size"))
    line = Passage("", "one", "One", "Line", "line", ("nothing", "the size of a hand"))
    heading = Passage("", "one", "One", "Hand size", "hand-size", ("seven cards",))
    other = Passage("", "one", "One", "Other", "other", ("a hand",))
    assert [hit.passage for hit in search_passages([apart, line, heading, other], "hand size")] == [
        heading,
        line,
        apart,
    ]


def test_a_rule_is_found_by_its_id_or_by_its_words() -> None:
    """An id answers with its rule alone; words with the code that is called so, and all rules that have them."""
    project = Project()
    assert [entry["name"] for entry in find_entries(project, "c 35", "cahrd")] == ["C-35"]
    entries = find_entries(project, "hand size", "cahrd")
    assert entries[0]["name"] == "hand_size"
    assert len({(entry["kind"], entry["name"]) for entry in entries}) == len(entries)
    texts = [entry["text"] for entry in entries if entry["kind"] == "rule"]
    assert all(WordSearch("hand size").fits(text) for text in texts)


@pytest.mark.full
@pytest.mark.door
@pytest.mark.parametrize(("words", "room"), [("pointer", "/rules/"), pytest.param("deck", "/handbook/", marks=FULL)])
def test_every_place_of_an_answer_is_in_its_page(tmp_path: Path, words: str, room: str) -> None:
    """Each link of a search leads to a page that has the section it names."""
    with serving(tmp_path) as server:
        page = server.ask(f"/rules?q={words}&game=guarda").body.decode()
        places = [unescape(place) for place in re.findall(r'<dt><a href="([^"]+)"', page)]
        places = [place for place in places if place.startswith(room)]
        assert places
        for place in places:
            path, _, anchor = place.partition("#")
            answer = server.ask(path)
            assert answer.status == 200
            assert not anchor or f'<section id="{anchor}"'.encode() in answer.body
        assert "Nothing has all these words" in server.ask("/rules?q=qqxyzzy&game=guarda").body.decode()
