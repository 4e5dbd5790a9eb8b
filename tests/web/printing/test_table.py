"""The page of a game's table in the browser: its plan, and the files that `carddb table` writes."""

from __future__ import annotations

import html
import io
import re
import zipfile
from pathlib import Path

import pytest

from carddb.door import Project
from tests.web.front import serving

pytestmark = pytest.mark.door


@pytest.mark.full
def test_the_page_has_the_plan_and_the_files_of_the_command(tmp_path: Path) -> None:
    """The picture and the files are those of the command; a wrong game, file or paper is told with a remedy."""
    with serving(tmp_path) as server:
        shown = server.ask("/print/table?game=guarda").body.decode()
        (picture,) = re.findall(r'src="(/print/table/plan[^"]*)"', shown)
        plan = server.ask(html.unescape(picture))
        assert plan.status == 200 and plan.body == Project(tmp_path).table("plan.png", "guarda").data
        room = server.ask("/print/table/room.pcio?game=guarda&paper=a4&url=")
        saved = server.ask("/print/table/tabletop.zip?game=guarda&paper=a4&url=https://example.org/t")
        wrong = ["plan.png?game=gurda", "plan.png?game=", "plan.pdf?game=guarda&paper=a99"]
        wrong.append("tabletop.zip?game=guarda&url=ftp:x")
        for path, status in (("plan.gif?game=guarda", 404), *((path, 400) for path in wrong)):
            assert server.ask(f"/print/table/{path}").status == status, path
        assert all('href="/print/table?game=guarda"' in server.ask(page).body.decode() for page in (
            "/cards?game=guarda", "/print/components?game=guarda", "/print?game=guarda"))  # fmt: skip
    assert "widgets.json" in zipfile.ZipFile(io.BytesIO(room.body)).namelist()
    names = zipfile.ZipFile(io.BytesIO(saved.body)).namelist()
    assert {"guarda.json", "guarda-rules.pdf", "guarda-faces-1.png", "guarda-part-1.png"} <= set(names)
    assert all(b"example.org" not in each.body for each in (room, plan))


@pytest.mark.full
def test_a_server_that_does_not_print_lays_no_table(tmp_path: Path) -> None:
    """A public server answers with the page only if it prints."""
    with serving(tmp_path, public=True) as server:
        assert server.ask("/print/table?game=guarda", owner=False).status == 403
        assert "/print/table" not in server.ask("/cards?game=guarda", owner=False).body.decode()
