"""Rule sheets and the handbook: complete HTML documents made by carddb, each with its own style and fonts."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from starlette.responses import RedirectResponse, Response

from carddb.app.documents import Hit, print_credits
from carddb.app.games.explanation import find_entries
from carddb.app.printing.changes import ChangeRequest, changes_file
from carddb.app.printing.changes import changes as changes_of
from carddb.app.referee import entry_words
from carddb.app.workspace.clock import today
from carddb.games import Game
from carddb.web.http.answers import Asked, as_file, day_of, route, text_of
from carddb.web.http.modes import Unknown, unknown
from carddb.web.http.pages import environment, page
from carddb.web.printing.print_room import check_printing

_MOST_ENTRIES, _MOST_PLACES = 12, 12
"""The most rules and codes that a search shows, and the most places of one document."""
_DAYS_BACK = 30
"""The number of days for which changes are shown if no first day is chosen."""
_STYLE = re.compile(rb"<style>(.*?)</style>", re.S)


def document(data: bytes, head: str, with_script: bool = False) -> Response:
    """Answers with a complete HTML document, with `head` added above as a bar with links to the other pages.

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


def index(asked: Asked) -> Response:
    """Lists the rule sheets and the handbook. For a search, shows the places in which its words occur."""
    fields, project = asked.query("q", "game"), asked.project
    words, key = fields.get("q", "").strip(), text_of(fields, "game")
    groups: dict[str, list[tuple[str, Hit]]] = {}
    for hit in asked.front.documents.search(project, words, key) if words else ():
        passage, game = hit.passage, hit.passage.game
        title = f"Rules of {project.game(game).spec.name}" if game else "Handbook"
        path = f"/rules/{game}" if game else f"/handbook/{passage.file}.html"
        groups.setdefault(title, []).append((f"{path}#{passage.anchor}" if passage.anchor else path, hit))
    values: dict[str, Any] = {
        "entries": find_entries(project, words, key, True) if words else [], "groups": groups, "query": words,
        "games": project.all_games(), "game": key, "most_entries": _MOST_ENTRIES, "most_places": _MOST_PLACES,
    }  # fmt: skip
    values |= entry_words(project, asked.front.referee, values["entries"])
    return page("documents/documents.html", asked.front, "rules", **values)


def _of_game(make: Callable[[Asked, str], bytes]) -> Callable[[Asked], Response]:
    """Returns a function that answers with a document of the game in the address, which `make` makes."""

    def answer(asked: Asked) -> Response:
        key = asked.path_params["game"]
        with unknown():
            data, game = make(asked, key), asked.project.game(key)
        return document(data, _head(game))

    return answer


rule_sheet = _of_game(lambda asked, key: asked.front.documents.rule_sheet(asked.project, key))
credits = _of_game(lambda asked, key: print_credits(asked.project, key, "html").data)


def handbook(asked: Asked) -> Response:
    """Shows a chapter of the handbook."""
    name = asked.path_params["name"]
    data = asked.front.documents.handbook(asked.project, name)
    if data is None:
        raise Unknown(f"the handbook has no chapter {name}", "Choose a chapter at /handbook/index.html.")
    return document(data, _head(None))


def changes(asked: Asked) -> Response:
    """Shows what changed in a game between two days, or the form without the first; with `as`, a file of that kind."""
    fields, project = asked.query("game", "from", "to", "q", "as"), asked.project
    kind = fields.get("as", "")
    if kind == "pdf":
        check_printing(asked.front)
    key, since, until = text_of(fields, "game"), day_of(fields, "from"), day_of(fields, "to")
    query = fields.get("q", "").strip()
    values = {
        "game": key, "query": query, "until": until or "", "since": since or today() - timedelta(_DAYS_BACK),
        "games": project.searched_games(None), "may_print": asked.front.may_print,
    }  # fmt: skip
    if not since or not key:
        return page("documents/changes.html", asked.front, "cards", **values)
    data = changes_file(
        changes_of(project, ChangeRequest(query, key, since.isoformat(), str(until or ""))), kind or "html"
    )
    if not data:
        raise Unknown("no face looks different, so there is nothing to print", "Read the changes as a page instead.")
    if kind:
        return as_file(data, f"{key}-changes.{kind}", "application/octet-stream")
    form = environment().get_template("documents/_changes_head.html").render(**values)
    return document(data, _head(project.game(key)) + form)


ROUTES = [
    route("/rules", index),
    route("/rules/{game}", rule_sheet),
    route("/credits/{game}", credits),
    route("/changes", changes),
    route("/handbook", lambda _: RedirectResponse("/handbook/index.html", status_code=303)),
    route("/handbook/{name}", handbook),
]
