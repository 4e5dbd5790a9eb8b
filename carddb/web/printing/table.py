"""The page of a game's table: its plan as a picture, and its files for programs in which people play online."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.printing.online_table import Program, TableRequest, table_file
from carddb.core.options import declared
from carddb.layout.stock import PAPERS
from carddb.web.http.answers import as_file, refuse_others
from carddb.web.http.front import Front
from carddb.web.http.modes import Unknown
from carddb.web.http.pages import front_of, page
from carddb.web.printing.print_room import check_printing

_FILES: Mapping[str, tuple[Program, str]] = {
    "plan.png": ("plan", "image/png"),
    "plan.pdf": ("plan", "application/pdf"),
    "room.pcio": ("pcio", "application/zip"),
    "tabletop.zip": ("tts", "application/zip"),
}
"""The program and the media type of each file."""
_PAPER: str = declared(TableRequest)["paper"].default


def _asked(request: Request) -> tuple[Front, Mapping[str, str]]:
    """Returns the `Front` and the fields of a request. Raises Forbidden if this server does not print."""
    front = front_of(request)
    check_printing(front)
    refuse_others(request.query_params, "game", "paper", "url")
    return front, request.query_params


async def show(request: Request) -> Response:
    """Shows the plan of a game's table, with buttons for its files."""
    front, fields = _asked(request)

    def work() -> dict[str, Any]:
        project = front.project()
        games = project.all_games()
        return {"games": games, "game": project.game(fields.get("game") or games[0].key)}

    chosen = {"paper": fields.get("paper") or _PAPER, "url": fields.get("url", "")}
    return page("printing/table.html", front, "print", papers=PAPERS, **chosen, **await front.run(work))


async def file(request: Request) -> Response:
    """Answers with a file of the table; that for Tabletop Simulator has the pictures too."""
    front, fields = _asked(request)
    name, key = request.path_params["name"], fields.get("game", "")
    if name not in _FILES:
        raise Unknown(f"a table has no file {name}", f"Known: {', '.join(_FILES)}.")
    program, media = _FILES[name]
    paper = fields.get("paper") or _PAPER

    def work() -> bytes:
        project = front.project()
        asked = TableRequest((project.game(key).key,), program, paper=paper, url=fields.get("url", ""))
        with TemporaryDirectory() as place:
            return table_file(project, asked, Path(place) / f"{key}.{name.partition('.')[2]}").data

    return as_file(await front.run(work), f"{key}-{name}", media)


ROUTES = [Route("/print/table", show), Route("/print/table/{name}", file)]
