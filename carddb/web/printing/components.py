"""The page that prints a game's components, such as boards and tokens: a form, a preview of the sheets, and the PDF."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.printing.choices import ComponentChoices, PrintChoices
from carddb.app.printing.component_prints import ComponentRequest, component_spreadsheet
from carddb.app.printing.image_archive import whole_page_png
from carddb.app.printing.options import PAPER
from carddb.app.printing.selection import is_deck_file
from carddb.app.workspace.published_folder import PrintedFile
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, UsageError
from carddb.core.names import did_you_mean
from carddb.core.options import declared
from carddb.press.components.selection import EVERY_MODULE, modules_of
from carddb.press.sheets.card_sheets import percent
from carddb.web.http.answers import as_file, sent_form, text_of_file
from carddb.web.http.front import Front
from carddb.web.http.modes import Unknown
from carddb.web.http.pages import front_of, page
from carddb.web.printing.print_room import (
    HOUSE_OPTION,
    PaperForm,
    as_printed,
    check_printing,
    command_line,
    option_words,
    prefixed,
    seldom_chosen,
    with_profile,
)

_PART, _VALUE = "part.", "set."
"""The prefix of the fields that choose a component, and of the fields that choose the value of a variant."""
_PLAYERS = declared(ComponentRequest)["players"]


class ComponentForm(PaperForm):
    """The form for printing components."""

    OWN = ("game", "players", "deck", "deck_name", "deck_text", "module", "no_contents", "on", "spreadsheet")
    PREFIXES = (_PART, _VALUE, HOUSE_OPTION)
    UPLOADED = ("deck_text", "icc")

    @property
    def names(self) -> list[str]:
        """The keys of the chosen components. Empty means all of them."""
        return [*prefixed(self.fields, _PART)]

    def request(self, project: Workspace) -> ComponentRequest:
        """Returns what is to be printed; it never names a file of the server.

        Raises UsageError for an unknown module.
        """
        key, module = self.text("game"), self.text("module")
        modules = modules_of(project.game(key).spec)
        if module and module not in (*modules, EVERY_MODULE):
            raise UsageError(f"there is no module {module!r}", did_you_mean(module, modules))
        players, contents = self.typed([_PLAYERS]).get("players"), not self.fields.get("no_contents")
        return ComponentRequest(
            key,
            tuple(self.names),
            players,
            self._deck,
            module,
            prefixed(self.fields, _VALUE),
            contents,
            self.house_options,
        )

    def command(self, project: Workspace | None) -> str:
        """Returns the command line that makes the same file.

        With `project`, it names the project's catalogue and folders.
        """
        deck = self.text("deck_name") if self.fields.get("deck_text") else ""
        chosen = {"players": self.text("players"), "deck": deck or self._deck, "module": self.text("module"),
                  "on": self.text("on"), "set": prefixed(self.fields, _VALUE), "option": self.house_options,
                  "no_contents": bool(self.fields.get("no_contents"))}  # fmt: skip
        file = f"components.{'xlsx' if self.fields.get('spreadsheet') else 'pdf'}"
        words = [*self.names, *option_words(chosen), *self.words(self.paper)]
        return command_line(project, "components", self.text("game"), *words, "-o", file)

    @property
    def _deck(self) -> str:
        """The text of the uploaded deck, else the name of a deck. Raises UsageError if that is the name of a file."""
        if text := self.text("deck_text"):
            return text.replace("\r\n", "\n") + "\n"
        name = self.text("deck")
        if is_deck_file(name):
            raise UsageError(f"{name!r} is the name of a file", "Open the deck with the button.")
        return name


_DPI = 60
MOST_SHOWN = 24
"""The number of sides of sheets that the page shows."""
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


async def _asked(request: Request) -> tuple[Front, ComponentForm]:
    """Returns the `Front` and the form of a request, with an uploaded deck as its text.

    Raises Forbidden if this server does not print, UsageError for an unknown field.
    """
    front = front_of(request)
    check_printing(front)
    fields = dict(request.query_params)
    if request.method == "POST":
        fields, _, files = await sent_form(request)
        if "file" in files:
            file = files["file"][-1]
            fields |= {"deck_name": file.name, "deck_text": text_of_file(file)}
        fields = with_profile(fields, files)
    ComponentForm(fields)  # raises UsageError for an unknown field
    return front, ComponentForm.of(fields, front.public)


async def show(request: Request) -> Response:
    """Shows the components of a game, and the sheets of the chosen ones."""
    front, form = await _asked(request)
    return await _page(front, form, quick=request.method == "GET" or bool(form.fields.get("quick")))


async def _page(front: Front, form: ComponentForm, quick: bool) -> Response:
    return page("printing/components.html", front, "print", **await front.run(lambda: _values(front, form, quick)))


def _values(front: Front, form: ComponentForm, quick: bool) -> dict[str, Any]:
    """Returns the template's values. With `quick`, leaves out what would have to be drawn."""
    project, fields = front.project(), form.fields
    games = project.all_games()
    values: dict[str, Any] = {
        "games": games, "fields": fields, "choices": PrintChoices(project), "fault": None, "printed": None,
        "more": form.has_measures, "seldom": seldom_chosen(front.public), "paper": PAPER,
        "house": form.house_options, "ink": "…", "command": "", "most_shown": MOST_SHOWN,
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
            ink = values["printed"].ink
            values["ink"] = percent(ink().page) if ink else "–"
            values["pictures"] = form.query
    except CarddbError as fault:
        values["fault"] = fault
    return values


def _printed(front: Front, project: Workspace, form: ComponentForm) -> PrintedFile:
    return front.prints.components(project, form.request(project), form.on, form.paper)


async def picture(request: Request) -> Response:
    """Answers with one side of a sheet as PNG. Sides are counted from 1."""
    front, form = await _asked(request)
    number = request.path_params["number"]

    def work() -> bytes:
        printed = _printed(front, front.project(), form)
        if not 1 <= number <= min(printed.pages, MOST_SHOWN):
            raise Unknown("there is no picture of that side", "Look at what the page says.")
        return whole_page_png(printed.data, number - 1, _DPI)

    return Response(await front.run(work), media_type="image/png", headers={"Cache-Control": "no-store"})


async def file(request: Request) -> Response:
    """Answers with the sheets as PDF, or with the component as a spreadsheet if the form says so."""
    front, form = await _asked(request)

    def work() -> Response:
        project, title = front.project(), f"{form.fields.get('game')}-components"
        if form.fields.get("spreadsheet"):
            return as_file(component_spreadsheet(project, form.request(project)).data, f"{title}.xlsx", _XLSX)
        printed = _printed(front, project, form)
        return as_printed(title, printed.data, printed.cut_files)

    try:
        return await front.run(work)
    except CarddbError:
        return await _page(front, form, quick=False)  # the page shows the error


ROUTES = [
    Route("/print/components", show, methods=["GET", "POST"]),
    Route("/print/components/file", file, methods=["POST"]),
    Route("/print/components/{number:int}.png", picture, methods=["GET", "POST"]),
]
