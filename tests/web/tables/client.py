"""A player at a table of the front without script: reads its page, presses its buttons as forms."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from tests.web.front import Answer, Server

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def posted(server: Server, path: str, fields: Mapping[str, Any], owner: bool = True) -> Answer:
    """A form sent from a page of the front."""
    token = server.front.form_token if not server.front.public else ""
    body = urlencode({**fields, "form_token": token}, doseq=True).encode()
    return server.ask(path, body, headers=FORM, owner=owner)


def begun(server: Server, kind: str, **fields: Any) -> TableClient:
    """A table begun by its form."""
    answer = posted(server, f"/tables/begin/{kind}", fields, owner=not server.front.public)
    assert answer.status == 303, answer.body.decode()
    return TableClient(server, answer.headers["location"])


class TableClient:
    """The page of one seat; `seen` is everything that the server has sent to it."""

    def __init__(self, server: Server, path: str) -> None:
        self.server = server
        self.path = path
        self.seen: list[str] = []

    @property
    def owner(self) -> bool:
        return not self.server.front.public

    def page(self) -> str:
        """The source of the page."""
        answer = self.server.ask(self.path, owner=self.owner)
        assert answer.status == 200, answer.body.decode()
        text = html.unescape(answer.body.decode())
        self.seen.append(text)
        return text

    @property
    def mark(self) -> str:
        return str(re.findall(r'data-mark="([^"]*)"', self.page())[0])

    def buttons(self) -> list[dict[str, str]]:
        """What each button of the page does."""
        return [dict(parse_qsl(value)) for value in re.findall(r'name="do" value="([^"]*)"', self.page())]

    def press(self, action: str, mark: str | None = None, **fields: Any) -> Answer:
        """An action sent as a form does, with the mark of the page as it is unless another is given."""
        values = {"action": action, "mark": self.mark if mark is None else mark, **fields}
        answer = posted(self.server, self.path, values, owner=self.owner)
        self.seen.append(answer.body.decode())
        return answer

    @property
    def say(self) -> str:
        """The sentence that says what is to do."""
        return str(re.findall(r'id="say"[^>]*>([^<]*)<', self.page())[0])

    @property
    def seats(self) -> list[TableClient]:
        """The seats, for who began the table."""
        part = self.page().partition('class="links"')[2].partition("</div>")[0]
        return [TableClient(self.server, path) for path in re.findall(r'href="([^"]+)"', part)]

    @property
    def log(self) -> list[str]:
        """The lines of the log, the newest first."""
        part = self.page().partition('id="log">')[2].partition("</ol>")[0]
        return [re.sub(r"<[^>]+>", "", line).strip() for line in part.split("</li>") if line.strip()]
