"""The page of a game's table: its plan as a picture, and its files for programs in which people play online."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.responses import Response

from carddb.app.printing.online_table import Program, TableRequest, table_file
from carddb.core.options import declared
from carddb.layout.stock import PAPERS
from carddb.web.http.answers import Asked, as_file, route
from carddb.web.http.modes import Unknown
from carddb.web.http.pages import page
from carddb.web.printing.print_room import check_printing

_FILES: Mapping[str, tuple[Program, str]] = {
    "plan.png": ("plan", "image/png"),
    "plan.pdf": ("plan", "application/pdf"),
    "room.pcio": ("pcio", "application/zip"),
    "tabletop.zip": ("tts", "application/zip"),
}
"""The program and the media type of each file."""
_PAPER: str = declared(TableRequest)["paper"].default


def _fields(asked: Asked) -> Mapping[str, str]:
    """Returns the fields of a request. Raises Forbidden if this server does not print."""
    check_printing(asked.front)
    return asked.query("game", "paper", "url")


def show(asked: Asked) -> Response:
    """Shows the plan of a game's table, with buttons for its files."""
    fields, project = _fields(asked), asked.project
    games = project.all_games()
    return page(
        "printing/table.html", asked.front, "print", games=games, papers=PAPERS, url=fields.get("url", ""),
        game=project.game(fields.get("game") or games[0].key), paper=fields.get("paper") or _PAPER,
    )  # fmt: skip


def file(asked: Asked) -> Response:
    """Answers with a file of the table; that for Tabletop Simulator has the pictures too."""
    fields, name = _fields(asked), asked.path_params["name"]
    if name not in _FILES:
        raise Unknown(f"a table has no file {name}", f"Known: {', '.join(_FILES)}.")
    program, media = _FILES[name]
    key = asked.project.game(fields.get("game", "")).key
    request = TableRequest((key,), program, paper=fields.get("paper") or _PAPER, url=fields.get("url", ""))
    with TemporaryDirectory() as place:
        data = table_file(asked.project, request, Path(place) / f"{key}.{name.partition('.')[2]}").data
    return as_file(data, f"{key}-{name}", media)


ROUTES = [route("/print/table", show), route("/print/table/{name}", file)]
