"""The index of the rule ids of a document."""

from __future__ import annotations

from carddb.layout.documents.blocks import Document, contents, plain
from carddb.layout.documents.index import rule_index


def test_rule_ids_are_looked_up_by_their_page() -> None:
    """Ids that follow each other on one page share a line, each kind for itself; untold ones are left out."""
    document = Document("Rules", (), indexed=("S-1", "R-1", "S-2", "S-3", "S-4", "S-10"), index_title="Index")
    places = {"S-1": "1", "S-2": "1", "S-3": "1, 2", "S-10": "2", "R-1": "2"}
    lines = [plain(content).split("\t") for content in contents(rule_index(document, places))]
    assert lines == [["Index"], ["R-1", "2"], ["S-1–2", "1"], ["S-3", "1, 2"], ["S-10", "2"]]
    assert rule_index(document, {}) == ()
