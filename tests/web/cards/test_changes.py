"""The page of changes in the browser: asked for by a form, with the page that `carddb changes` writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.front import serving

pytestmark = pytest.mark.door


def test_changes_are_asked_for_and_shown(tmp_path: Path) -> None:
    """Without a day there is a form; with one, the page, whose own style and pictures the answer allows, and files.

    Errata without a changed face are told, not handed out empty.
    """
    (tmp_path / "carddb.toml").write_text('game = "guarda"\n', "utf-8")
    with serving(tmp_path) as server:
        form = server.ask("/changes?game=guarda")
        shown = server.ask("/changes?game=guarda&from=2026-01-01&q=ref=1-A")
        wrong = server.ask("/changes?game=guarda&from=soon")
        chosen = "/changes?game=guarda&from=2026-01-01&to=&q=ref=1-A&as="
        notes, feed, other = (server.ask(f"{chosen}{kind}") for kind in ("md", "xml", "docx"))
        errata = server.ask("/changes?game=guarda&from=2026-01-01&to=2026-01-02&as=pdf")
        gallery = server.ask("/cards?game=guarda")
    assert form.status == 200 and 'name="from"' in form.body.decode()
    text = shown.body.decode()
    assert shown.status == 200 and "from 1 January 2026 to" in text
    assert 'action="/changes"' in text and "/style.css" in text
    assert "img-src data:" in shown.headers["content-security-policy"]
    assert notes.body.startswith(b"# Guarda: changes from 2026-01-01") and b"<feed" in feed.body
    assert (other.status, errata.status) == (400, 404) and "&amp;as=pdf" in text
    assert wrong.status == 400 and "/changes?game=guarda" in gallery.body.decode()
