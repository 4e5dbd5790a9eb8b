"""The pages of what a game needs besides its cards: its components as sheets, and its table as a plan and as files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.responses import Response

from carddb.app.printing.component_prints import ComponentRequest, component_spreadsheet
from carddb.app.printing.online_table import Program, TableRequest, table_file
from carddb.app.printing.options import PAPER
from carddb.app.printing.print_room import PrintChoices, module_choices, variant_choices
from carddb.app.printing.selection import is_deck_file
from carddb.app.workspace.published_folder import PrintedFile
from carddb.app.workspace.words import component_need
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, UsageError
from carddb.core.names import did_you_mean
from carddb.core.options import declared
from carddb.layout.stock import PAPERS, card_size, describe
from carddb.paint.rasterizer import page_png
from carddb.press.components.selection import EVERY_MODULE, modules_of, spreadsheets
from carddb.press.sheets.card_sheets import percent
from carddb.web.http.answers import Asked, as_file, route, text_of_file
from carddb.web.http.modes import Unknown
from carddb.web.http.pages import page
from carddb.web.printing import print_room

_PART, _VALUE = "part.", "set."
"""The prefixes of the fields that choose a component, and of those that choose the value of a variant."""
_PLAYERS = declared(ComponentRequest)["players"]


class ComponentForm(print_room.PaperForm):
    """The form for printing components."""

    OWN = ("game", "players", "deck", "deck_name", "deck_text", "module", "no_contents", "on", "spreadsheet")
    PREFIXES = (_PART, _VALUE, print_room.HOUSE_OPTION)
    UPLOADED = ("deck_text", "icc")

    @property
    def names(self) -> list[str]:
        """The keys of the chosen components; empty for all of them."""
        return [*print_room.prefixed(self.fields, _PART)]

    def request(self, project: Workspace) -> ComponentRequest:
        """Returns what is to be printed, which names no file of the server. Raises UsageError for an unknown module."""
        key, module = self.text("game"), self.text("module")
        modules = modules_of(project.game(key).spec)
        if module and module not in (*modules, EVERY_MODULE):
            remedy = did_you_mean(module, modules) or "Leave the module out: this game has none."
            raise UsageError(f"there is no module {module!r}", remedy)
        players, values = self.typed([_PLAYERS]).get("players"), print_room.prefixed(self.fields, _VALUE)
        contents, names, options = not self.fields.get("no_contents"), tuple(self.names), self.house_options
        return ComponentRequest(key, names, players, self._deck, module, values, contents, options)

    def command(self, project: Workspace | None) -> str:
        """Returns the command line that makes the same file, with the folders that `project` names if given."""
        deck = self.text("deck_name") if self.fields.get("deck_text") else ""
        chosen = {"players": self.text("players"), "deck": deck or self._deck, "module": self.text("module"),
                  "on": self.text("on"), "set": print_room.prefixed(self.fields, _VALUE), "option": self.house_options,
                  "no_contents": bool(self.fields.get("no_contents"))}  # fmt: skip
        file = f"components.{'xlsx' if self.fields.get('spreadsheet') else 'pdf'}"
        words = [*self.names, *print_room.option_words(chosen), *self.words(self.paper)]
        return print_room.command_line(project, "components", self.text("game"), *words, "-o", file)

    @property
    def _deck(self) -> str:
        """The text of the uploaded deck, or the name of a deck. Raises UsageError for the name of a file."""
        if text := self.text("deck_text"):
            return text.replace("\r\n", "\n") + "\n"
        name = self.text("deck")
        if is_deck_file(name):
            raise UsageError(f"{name!r} is the name of a file, not of a deck", "Open the file with the button.")
        return name


_DPI = 60
MOST_SHOWN = 24
"""The number of sides of sheets that the page shows."""


def _form(asked: Asked) -> ComponentForm:
    """Returns the form of a request, with an uploaded deck as its text.

    Raises Forbidden if this server does not print, UsageError for an unknown field.
    """
    print_room.check_printing(asked.front)
    fields = asked.sent.fields if asked.method == "POST" else dict(asked.query_params)
    if "file" in asked.sent.files:
        file = asked.sent.files["file"][-1]
        fields |= {"deck_name": file.name, "deck_text": text_of_file(file)}
    fields = print_room.with_profile(fields, asked.sent.files)
    ComponentForm(fields)  # raises UsageError for an unknown field
    return ComponentForm.of(fields, asked.front.public)


def show(asked: Asked) -> Response:
    """Shows the components of a game, and the sheets of the chosen ones."""
    form = _form(asked)
    return _page(asked, form, quick=asked.method == "GET" or bool(form.fields.get("quick")))


def _page(asked: Asked, form: ComponentForm, quick: bool = False) -> Response:
    """Shows the form. With `quick`, leaves out what would have to be drawn."""
    project, fields, public = asked.project, form.fields, asked.front.public
    games = project.all_games()
    game = project.game(fields.get("game") or games[0].key)
    form = ComponentForm({**fields, "game": game.key})
    values: dict[str, Any] = {
        "games": games, "fields": fields, "choices": PrintChoices(project), "fault": None, "printed": None,
        "more": form.has_measures, "seldom": print_room.seldom_chosen(public), "paper": PAPER,
        "house": form.house_options, "ink": "…", "command": "", "most_shown": MOST_SHOWN,
        "pictures": "", "game": game, "chosen": form.names, "modules": module_choices(game),
        "components": {key: part for key, part in game.spec.components.items() if part.drawn}, "need": component_need,
        "variants": variant_choices(game), "spreadsheets": spreadsheets(game),
        "measure": lambda part: describe(card_size(part.size or game.spec.card_size)),
    }  # fmt: skip
    try:
        form.request(project)
        values["command"] = form.command(None if public else project)
        if not quick:
            values["printed"] = _printed(asked, form)
            ink = values["printed"].ink
            values["ink"] = percent(ink().page) if ink else "–"
            values["pictures"] = form.query
    except CarddbError as fault:
        values["fault"] = fault
    return page("printing/components.html", asked.front, "print", **values)


def _printed(asked: Asked, form: ComponentForm) -> PrintedFile:
    return asked.front.prints.components(asked.project, form.request(asked.project), form.on, form.paper)


def picture(asked: Asked) -> Response:
    """Answers with one side of a sheet as PNG. Sides are counted from 1."""
    printed, number = _printed(asked, _form(asked)), asked.path_params["number"]
    if not 1 <= number <= min(printed.pages, MOST_SHOWN):
        most = min(printed.pages, MOST_SHOWN)
        raise Unknown(f"there is no picture of side {number}", f"Choose a side from 1 to {most}.")
    data = page_png(printed.data, number - 1, _DPI)
    return Response(data, media_type="image/png", headers={"Cache-Control": "no-store"})


def file(asked: Asked) -> Response:
    """Answers with the sheets as PDF, or with the component as a spreadsheet if the form says so."""
    form = _form(asked)
    title = f"{form.fields.get('game')}-components"
    try:
        if form.fields.get("spreadsheet"):
            data = component_spreadsheet(asked.project, form.request(asked.project)).data
            return as_file(data, f"{title}.xlsx")
        printed = _printed(asked, form)
        return print_room.as_printed(title, printed.data, printed.cut_files)
    except CarddbError:
        return _page(asked, form)  # which shows the error


_TABLE_FILES: Mapping[str, Program] = {
    "plan.png": "plan", "plan.pdf": "plan", "room.pcio": "pcio", "tabletop.zip": "tts",
}  # fmt: skip
"""The files of a table, each with the program that reads it."""
_PAPER: str = declared(TableRequest)["paper"].default


def _table_fields(asked: Asked) -> Mapping[str, str]:
    """Returns the fields of a request. Raises Forbidden if this server does not print."""
    print_room.check_printing(asked.front)
    return asked.query("game", "paper", "url")


def show_table(asked: Asked) -> Response:
    """Shows the plan of a game's table, with buttons for its files."""
    fields, project = _table_fields(asked), asked.project
    games = project.all_games()
    return page(
        "printing/table.html", asked.front, "print", games=games, papers=PAPERS, url=fields.get("url", ""),
        game=project.game(fields.get("game") or games[0].key), paper=fields.get("paper") or _PAPER,
    )  # fmt: skip


def table(asked: Asked) -> Response:
    """Answers with a file of the table. The file for Tabletop Simulator is an archive that has the pictures too."""
    fields, name = _table_fields(asked), asked.path_params["name"]
    if name not in _TABLE_FILES:
        raise Unknown(f"a table has no file {name}", f"Choose one of {', '.join(_TABLE_FILES)}.")
    key = asked.project.game(fields.get("game", "")).key
    request = TableRequest((key,), _TABLE_FILES[name], paper=fields.get("paper") or _PAPER, url=fields.get("url", ""))
    with TemporaryDirectory() as place:
        data = table_file(asked.project, request, Path(place) / f"{key}.{name.partition('.')[2]}").data
    return as_file(data, f"{key}-{name}")


ROUTES = [
    route("/print/components", show, ["GET", "POST"]),
    route("/print/components/file", file, ["POST"]),
    route("/print/components/{number:int}.png", picture, ["GET", "POST"]),
    route("/print/table", show_table),
    route("/print/table/{name}", table),
]
