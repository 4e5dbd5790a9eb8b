"""Rule sheets and the handbook: complete HTML documents made by carddb, each with its own style and fonts."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.documents import Hit, print_credits
from carddb.app.games.ask import found_rules
from carddb.app.printing.changes import ChangeRequest, changes_file
from carddb.app.printing.changes import changes as changes_of
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.games import Game
from carddb.web.http.answers import as_file, day_of, refuse_others, text_of
from carddb.web.http.front import Front
from carddb.web.http.modes import Unknown, unknown
from carddb.web.http.pages import environment, front_of, page
from carddb.web.printing.print_room import check_printing

_MOST_ENTRIES, _MOST_PLACES = 12, 12
"""The most rules and codes that a search shows, and the most places of one document."""
_DAYS_BACK = 30
"""The days that changes go back if nothing else is chosen."""
_STYLE = re.compile(rb"<style>(.*?)</style>", re.S)


def document(data: bytes, head: str, with_script: bool = False) -> Response:
    """Answers with a complete HTML document, with `head` inserted as a bar that leads back to the other pages.

    The Content-Security-Policy allows the document's own styles (by digest), this server's style sheets, and nothing
    from elsewhere; with `with_script` also this server's scripts.
    """
    digests = [base64.b64encode(hashlib.sha256(style).digest()).decode() for style in _STYLE.findall(data)]
    styles = " ".join(["'self'", *(f"'sha256-{digest}'" for digest in digests)])
    policy = f"default-src 'none'; style-src {styles}; font-src 'self' data:; img-src data:; "
    policy += "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    policy += "; script-src 'self'; connect-src 'self'" if with_script else ""
    return Response(with_head(data, head), media_type="text/html", headers={"Content-Security-Policy": policy})


def with_head(data: bytes, head: str) -> bytes:
    """Returns a complete HTML document with `head` at the beginning of its body."""
    return data.replace(b"<body>\n", b"<body>\n" + head.encode(), 1)


def _head(game: Game | None) -> str:
    return environment().get_template("documents/_document_head.html").render(game=game)


async def index(request: Request) -> Response:
    """Lists the rule sheets and the handbook. For a search, shows the places in which its words occur."""
    refuse_others(request.query_params, "q", "game")
    front, words = front_of(request), request.query_params.get("q", "").strip()
    key = text_of(request.query_params, "game")

    def work() -> dict[str, Any]:
        project = front.project()
        values: dict[str, Any] = {"games": project.all_games(), "entries": [], "groups": {}}
        if not words:
            return values
        groups: dict[str, list[tuple[str, Hit]]] = {}
        for hit in front.documents.search(project, words, key):
            passage, game = hit.passage, hit.passage.game
            title = f"Rules of {project.game(game).spec.name}" if game else "Handbook"
            path = f"/rules/{game}" if game else f"/handbook/{passage.file}.html"
            groups.setdefault(title, []).append((f"{path}#{passage.anchor}" if passage.anchor else path, hit))
        return values | {"entries": found_rules(project, words, key), "groups": groups}

    most = {"most_entries": _MOST_ENTRIES, "most_places": _MOST_PLACES}
    return page("documents/documents.html", front, "rules", query=words, game=key, **most, **await front.run(work))


async def _of_game(request: Request, make: Callable[[Front, Workspace, str], bytes]) -> Response:
    """Answers with a document of the game that the address names."""
    front, key = front_of(request), request.path_params["game"]

    def work() -> tuple[bytes, Game]:
        project = front.project()
        with unknown():
            return make(front, project, key), project.game(key)

    data, game = await front.run(work)
    return document(data, _head(game))


async def rule_sheet(request: Request) -> Response:
    """Shows the rule sheet of a game."""
    return await _of_game(request, lambda front, project, key: front.documents.rule_sheet(project, key))


async def credits(request: Request) -> Response:
    """Shows the credits of a game's pictures."""
    return await _of_game(request, lambda _, project, key: print_credits(project, key, "html").data)


async def handbook(request: Request) -> Response:
    """Shows a chapter of the handbook."""
    front, name = front_of(request), request.path_params["name"]

    data = (await front.run(lambda: front.documents.handbook(front.project()))).get(name)
    if data is None:
        raise Unknown(f"the handbook has no chapter {name}", "Look into /handbook/index.html.")
    return document(data, _head(None))


async def changes(request: Request) -> Response:
    """Shows what changed in a game between two days; without a day, the form that asks for it.

    With `as`, answers with the changes as a file of this kind.
    """
    fields, front = request.query_params, front_of(request)
    refuse_others(fields, "game", "from", "to", "q", "as")
    kind = fields.get("as", "")
    if kind == "pdf":
        check_printing(front)
    key, since, until = text_of(fields, "game"), day_of(fields, "from"), day_of(fields, "to")
    query, begin = fields.get("q", "").strip(), since or today() - timedelta(_DAYS_BACK)

    def work() -> tuple[bytes, str, dict[str, Any]]:
        project = front.project()
        values = {
            "game": key, "query": query, "until": until or "", "since": begin, "games": project.searched_games(None),
        }  # fmt: skip
        if not since or not key:
            return b"", "", values
        asked = ChangeRequest(query, key, since.isoformat(), until)
        form = environment().get_template("documents/_changes_head.html").render(may_print=front.may_print, **values)
        data = changes_file(changes_of(project, asked), kind or "html")
        if not data:
            raise Unknown("no face looks different, and nothing is printed", "Look at the changes as a page.")
        return data, _head(project.game(key)) + form, values

    data, head, values = await front.run(work)
    if not data:
        return page("documents/changes.html", front, "cards", **values)
    return as_file(data, f"{key}-changes.{kind}", "application/octet-stream") if kind else document(data, head)


async def first_chapter(_: Request) -> Response:
    return RedirectResponse("/handbook/index.html", status_code=303)


ROUTES = [
    Route("/rules", index),
    Route("/rules/{game}", rule_sheet),
    Route("/credits/{game}", credits),
    Route("/changes", changes),
    Route("/handbook", first_chapter),
    Route("/handbook/{name}", handbook),
]
