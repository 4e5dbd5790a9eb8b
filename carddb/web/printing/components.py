"""The components of a game in the print room: what is chosen, its sheets as they will be, and the file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.documents.page_pictures import whole_page_png
from carddb.app.printing.choices import PrintChoices
from carddb.app.printing.component_choices import ComponentChoices
from carddb.app.printing.component_prints import component_spreadsheet
from carddb.app.workspace.print_files import PrintedFile
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError
from carddb.press.sheets.ink_estimate import percent
from carddb.web.http.answers import Unknown, as_file
from carddb.web.http.forms import sent_form, text_of_file
from carddb.web.http.front import Front
from carddb.web.http.pages import front_of, page
from carddb.web.printing.component_form import ComponentForm
from carddb.web.printing.print_room import check_printing

_DPI = 60
MOST_SHOWN = 24
"""Sides of sheets that the page shows."""
_OF_OWNER = ("printer", "tray")
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


async def _sent(request: Request) -> ComponentForm:
    """The form as it was sent; the file of a deck is its text. Raises UsageError."""
    front = front_of(request)
    fields = dict(request.query_params)
    if request.method == "POST":
        fields, files = await sent_form(request)
        if "file" in files:
            fields |= {"deck_name": files["file"].name, "deck_text": text_of_file(files["file"])}
    if front.public:
        fields = {name: value for name, value in fields.items() if name not in _OF_OWNER}
    return ComponentForm(fields)


async def show(request: Request) -> Response:
    """The components of a game, and what those that are chosen come to."""
    front = front_of(request)
    check_printing(front)
    form = await _sent(request)
    return await _page(front, form, quick=request.method == "GET" or bool(form.fields.get("quick")))


async def _page(front: Front, form: ComponentForm, quick: bool) -> Response:
    return page("printing/components.html", front, "print", **await front.run(lambda: _values(front, form, quick)))


def _values(front: Front, form: ComponentForm, quick: bool) -> dict[str, Any]:
    """What the template sees; `quick` without what takes drawing."""
    project, fields = front.project(), form.fields
    games = project.all_games()
    values: dict[str, Any] = {
        "games": games, "fields": fields, "choices": PrintChoices(project), "fault": None, "printed": None,
        "more": form.has_measures, "house": form.house_options, "ink": "…", "command": "", "most_shown": MOST_SHOWN,
        "pictures": "",
    }  # fmt: skip
    game = project.game(fields.get("game") or games[0].key)
    form = ComponentForm({**fields, "game": game.key})
    values |= {"game": game, "of_game": ComponentChoices(game), "chosen": form.names}
    try:
        form.request(project)
        values["command"] = form.command(None if front.public else project)
        if not quick:
            values["printed"] = _printed(front, project, form)
            values["ink"] = _ink(values["printed"])
            values["pictures"] = "" if fields.get("deck_text") else _address(form.fields)
    except CarddbError as fault:
        values["fault"] = fault
    return values


def _ink(printed: PrintedFile) -> str:
    """The share of its pages that is ink, in words."""
    return percent(printed.ink().page) if printed.ink else "–"


def _address(fields: Mapping[str, str]) -> str:
    return urlencode({name: value for name, value in fields.items() if value and name != "quick"})


def _printed(front: Front, project: Workspace, form: ComponentForm) -> PrintedFile:
    return front.prints.components(project, form.request(project), form.on, form.paper)


async def picture(request: Request) -> Response:
    """A side of a sheet as PNG, counted from 1."""
    front, number = front_of(request), request.path_params["number"]
    check_printing(front)
    form = await _sent(request)

    def work() -> bytes:
        printed = _printed(front, front.project(), form)
        if not 1 <= number <= min(printed.pages, MOST_SHOWN):
            raise Unknown("there is no picture of that side", "Look at what the page says.")
        return whole_page_png(printed.data, number - 1, _DPI)

    return Response(await front.run(work), media_type="image/png", headers={"Cache-Control": "no-store"})


async def file(request: Request) -> Response:
    """The file of the command: sheets, or one component as a spreadsheet."""
    front = front_of(request)
    check_printing(front)
    form = await _sent(request)

    def work() -> bytes:
        project = front.project()
        if form.fields.get("spreadsheet"):
            return component_spreadsheet(project, form.request(project)).data
        return _printed(front, project, form).data

    try:
        data = await front.run(work)
    except CarddbError:
        return await _page(front, form, quick=False)  # the page says what is wrong
    ending, kind = ("xlsx", _XLSX) if form.fields.get("spreadsheet") else ("pdf", "application/pdf")
    return as_file(data, f"{form.fields.get('game')}-components.{ending}", kind)


ROUTES = [
    Route("/print/components", show, methods=["GET", "POST"]),
    Route("/print/components/file", file, methods=["POST"]),
    Route("/print/components/{number:int}.png", picture, methods=["GET", "POST"]),
]
