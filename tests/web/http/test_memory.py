"""What a server knows again after a restart."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.web.front import serving

pytestmark = pytest.mark.door

HEADERS = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}


def test_the_owners_browser_stays_signed_in(tmp_path: Path) -> None:
    """A page that is open while the owner's server is started again sends its form, and another server's is refused."""
    with serving(tmp_path) as server:
        entry = server.ask(f"/check?token={server.front.token}", owner=False)
        cookie = entry.headers["set-cookie"].partition(";")[0].partition("=")[2]
        page = server.ask("/check").body.decode()
        token = re.search(r'name="form_token" value="([^"]+)"', page)
    assert token and cookie not in page
    form = urlencode({"form_token": token[1], "deck": "Game: cahrd\n\n2 Trebuchet"}).encode()
    for folder, status in ((tmp_path, 200), (tmp_path / "other", 403)):
        folder.mkdir(exist_ok=True)
        with serving(folder) as server:
            sent = {**HEADERS, "Cookie": f"carddb_{server.port}={cookie}"}
            answer = server.ask("/check", form, owner=False, headers=sent)
            assert answer.status == status and answer.headers["content-type"].startswith("text/html")


def test_a_form_without_its_token_comes_back(tmp_path: Path) -> None:
    """The owner sees what he typed, beside a button that sends it with a fresh token; a program gets JSON."""
    with serving(tmp_path) as server:
        form = urlencode({"form_token": "old", "deck": "Game: cahrd\n\n2 Trebuchet"}).encode()
        page = server.ask("/check", form, headers=HEADERS)
        assert page.status == 403 and "2 Trebuchet" in page.body.decode() and "Send it again" in page.body.decode()
        token = re.search(r'name="form_token" value="([^"]+)"', page.body.decode())
        assert token and token[1] == server.front.form_token
        assert server.ask("/check", form, headers={**HEADERS, "Accept": "*/*"}).json()["error"]
