"""Files of cards into the catalogue: drop one, say what its columns mean, look at every row, load it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.cards.card_import import (
    ImportChoices,
    ImportPreview,
    PendingImport,
    as_line,
    file_name,
    import_meanings,
    is_loadable,
    is_shown,
    load_command,
    load_import,
    other_sums,
    preview_import,
)
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, UsageError
from carddb.game.parts import LEFT_OUT
from carddb.games import Game
from carddb.read.cards.lines import EVERY_OTHER
from carddb.read.cards.raw_table import ColumnMeaning, proposed_columns
from carddb.read.source import fetch
from carddb.web.http.answers import status_of
from carddb.web.http.forms import sent_form
from carddb.web.http.front import Front
from carddb.web.http.pages import front_of, page
from carddb.web.http.refusals import Forbidden, Unknown

_COLUMN = "column."
MOST_COLUMNS = 120
"""Columns that have a field of the form; what further ones mean is as proposed."""
_MOST_SHOWN = 300
"""Findings and changes that are listed."""


def _owner(request: Request) -> Front:
    """Returns the front of an owner. Raises Forbidden on one for others."""
    front = front_of(request)
    if front.has_worker:
        raise Forbidden("cards are loaded by their owner", "Run `carddb serve` on your own machine.")
    return front


def _pending(request: Request, front: Front) -> PendingImport:
    """Returns the file that an address names. Raises Unknown."""
    pending = front.imports.find(request.path_params["key"])
    if pending is None:
        raise Unknown("this file is not waiting any more", "Drop it again at /import.")
    return pending


async def show(request: Request) -> Response:
    """Shows where a file is dropped."""
    return await _start(_owner(request), request.query_params)


async def _start(front: Front, fields: Mapping[str, str], fault: CarddbError | None = None) -> Response:
    def work() -> dict[str, Any]:
        project = front.project()
        return {"games": project.all_games(), "game": fields.get("game") or project.settings.game or ""}

    values = await front.run(work)
    answer = page("cards/import.html", front, "cards", **values, address=fields.get("url", ""), fault=fault)
    answer.status_code = status_of(fault) if fault else 200
    return answer


async def bring(request: Request) -> Response:
    """Takes a file, or fetches that of an address, and leads to its preview."""
    front = _owner(request)
    fields, _, files = await sent_form(request)
    address = fields.get("url", "").strip()
    try:
        game = (await front.run(lambda: front.project().game(fields.get("game", "")))).key
        if "file" in files:
            file = files["file"][-1]
            pending = PendingImport(file_name(file.name), file.data, ImportChoices(game))
        elif address:
            # Not in the one working thread: an address may take ten seconds to answer.
            source = await run_in_threadpool(fetch, address)
            pending = PendingImport(source.name, source.getvalue(), ImportChoices(game), address)
        else:
            raise UsageError("there is no file", "Choose one, or name an address.")
    except CarddbError as fault:
        return await _start(front, fields, fault)
    return RedirectResponse(f"/import/{front.imports.add(pending)}", status_code=303)


async def preview(request: Request) -> Response:
    """Shows the meanings of a file's columns, its rows with every fault, and what loading it would change."""
    front = _owner(request)
    pending = _pending(request, front)
    return await _preview(front, request.path_params["key"], pending, note=request.query_params.get("note", ""))


async def _preview(
    front: Front, key: str, pending: PendingImport, note: str = "", refusal: CarddbError | None = None
) -> Response:
    def work() -> dict[str, Any]:
        project = front.project()
        game = project.game(pending.choices.game)
        try:
            values = {"fault": None, **_shown(game, preview_import(project, pending))}
        except CarddbError as fault:
            values = {"fault": fault, "preview": None, "result": None, "columns": [], "every_other": EVERY_OTHER}
        reads_html = project.settings.reads_html(game.key)
        return {**values, "game": game, "games": project.all_games(), "reads_html": reads_html}

    values = await front.run(work)
    command = as_line(values["preview"].command if values["preview"] else load_command(pending, {}))
    common = {"key": key, "pending": pending, "command": command, "note": note, "refusal": refusal}
    return page("cards/import_preview.html", front, "cards", **common, **values)


def _shown(game: Game, preview: ImportPreview) -> dict[str, Any]:
    """Returns the template's values for a preview."""
    findings, words = preview.report.findings, game.spec.field_words
    unmapped = (
        each.heading
        for each in preview.meanings
        if each.basis in ("none", "near") and each.heading not in preview.columns
    )
    anchors = {
        number
        for table in preview.tables
        for numbers in (
            table.faults,
            *(cell.faults for cell in table.headings),
            *(row.faults for row in table.rows),
            *(cell.faults for row in table.rows for cell in row.cells),
        )
        for number in numbers
    }
    return {
        "preview": preview, "result": preview.result, "loadable": is_loadable(preview), "anchors": anchors,
        "findings": list(enumerate(findings, 1))[:_MOST_SHOWN], "more_findings": max(0, len(findings) - _MOST_SHOWN),
        "sums": other_sums(preview.report), "most": _MOST_SHOWN,
        "columns": preview.meanings[:MOST_COLUMNS], "fields": {
            name: f"{words.labels[name]} ({name})" if words.labels.get(name) else name for name in words.keys
        },
        "more_columns": max(0, len(preview.meanings) - MOST_COLUMNS), "every_other": EVERY_OTHER,
        "unmapped": [] if EVERY_OTHER in preview.columns else list(unmapped),
    }  # fmt: skip


async def choose(request: Request) -> Response:
    """Looks again with other choices, or loads the file by those that the page showed."""
    front = _owner(request)
    key, pending = request.path_params["key"], _pending(request, front)
    fields = (await sent_form(request)).fields

    def work() -> str:
        project, before = front.project(), pending.choices
        meanings = import_meanings(project, pending)
        pending.choices = _choices(project, before, meanings, fields)
        if fields.get("do") != "load":
            return f"/import/{key}"
        if not is_shown(before, pending.choices, meanings):
            return f"/import/{key}?note=changed"
        load_import(project, pending)
        front.studios.clear()  # they read card files by the project file, which may have more columns now
        return f"/import/{key}/result"

    try:
        return RedirectResponse(await front.run(work), status_code=303)
    except CarddbError as fault:
        return await _preview(front, key, pending, refusal=fault)


def _choices(
    project: Workspace, now: ImportChoices, meanings: Sequence[ColumnMeaning], fields: Mapping[str, str]
) -> ImportChoices:
    """Returns the choices of a form. With another game or sheet the columns are proposed anew."""
    game, sheet = project.game(fields.get("game") or now.game).key, fields.get("sheet", "")
    columns = None
    if (game, sheet) == (now.game, now.sheet) and any(name.startswith(_COLUMN) for name in fields):
        columns = dict(proposed_columns(meanings[MOST_COLUMNS:]))
        for number, meaning in enumerate(meanings[:MOST_COLUMNS]):
            if value := fields.get(f"{_COLUMN}{number}"):
                columns[meaning.heading] = value
        columns |= {EVERY_OTHER: LEFT_OUT} if fields.get("every_other") else {}
    return ImportChoices(
        game, sheet, fields.get("set", "").strip(), fields.get("from", "").strip(), columns,
        bool(fields.get("prune")), bool(fields.get("force")), bool(fields.get("save_map")),
        bool(fields.get("html")),
    )  # fmt: skip


async def result(request: Request) -> Response:
    """Shows the result of loading a file."""
    front = _owner(request)
    key, pending = request.path_params["key"], _pending(request, front)
    if pending.report is None:
        return RedirectResponse(f"/import/{key}", status_code=303)
    game = await front.run(lambda: front.project().game(pending.choices.game))
    values = {"game": game, "pending": pending, "report": pending.report, "key": key, "most": _MOST_SHOWN}
    values["sums"] = other_sums(pending.report)
    return page("cards/import_result.html", front, "cards", **values)


ROUTES = [
    Route("/import", show, methods=["GET"]),
    Route("/import", bring, methods=["POST"]),
    Route("/import/{key}", preview, methods=["GET"]),
    Route("/import/{key}", choose, methods=["POST"]),
    Route("/import/{key}/result", result),
]
