"""What changes the cards of the studio: cells, new cards, the choice between two texts, storing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.studio.room import StudioRoom
from carddb.app.studio.sitting import StoreReport
from carddb.core.amounts import amount
from carddb.core.errors import UsageError
from carddb.web.http.answers import as_json as json_answer
from carddb.web.studio.request import FIELDS, page_request, studio_address, studio_form, studio_state, studio_work


async def edit(request: Request) -> Response:
    """Gives cells a new text: `cells` as JSON, or the fields of one card's form."""
    fields = await studio_form(request)
    if "cells" in fields:
        cells = _cells(fields["cells"])
    else:
        ref = fields.get("ref", "")
        cells = {(ref, name.removeprefix("field.")): text for name, text in fields.items() if name[:6] == "field."}
    return await _changed(request, fields, lambda room: room.sitting.edit(_only_new(room, cells)))


def _only_new(room: StudioRoom, cells: Mapping[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """The cells whose text differs from what stands in them."""
    return {
        (ref, name): text
        for (ref, name), text in cells.items()
        if "\n".join(text.splitlines()).strip() != room.sitting.row(ref).texts.get(name, "").strip()
    }


def _cells(text: str) -> dict[tuple[str, str], str]:
    """Cells of a form: `[["REF", "field", "text"], ...]`. Raises UsageError."""
    try:
        return {(str(ref), str(name)): str(value) for ref, name, value in json.loads(text)}
    except (ValueError, TypeError):
        raise UsageError("cells is no list of cells", 'Send [["REF", "field", "text"]].') from None


async def add(request: Request) -> Response:
    """Begins a new card, as a draft for the end of a file."""
    fields = await studio_form(request)
    values = {name.removeprefix("field."): text for name, text in fields.items() if name[:6] == "field."}
    ref, file = fields.get("ref", ""), fields.get("file", "")
    return await _changed(request, fields, lambda room: room.sitting.add(ref, file, values))


async def choose(request: Request) -> Response:
    """Settles what differs from the file: `theirs` drops the draft, `mine` lets it stand; `drop` forgets a draft."""
    fields = await studio_form(request)
    ref, name, which = fields.get("ref", ""), fields.get("field", ""), fields.get("which", "")
    if which not in ("theirs", "mine", "drop"):
        raise UsageError(f"there is no choice {which!r}", "Known: theirs, mine, drop.")

    def work(room: StudioRoom) -> None:
        if which == "mine":
            room.sitting.keep_mine(ref, name)
        else:
            room.sitting.drop((ref, name))

    return await _changed(request, fields, work)


async def store(request: Request) -> Response:
    """Stores the drafts, and says what came of it."""
    fields = await studio_form(request)
    words: list[str] = []
    return await _changed(request, fields, lambda room: words.append(store_words(room.sitting.store())), words)


def store_words(report: StoreReport) -> str:
    """What came of storing, in a sentence or two."""
    parts = [*report.refused]
    if report.changes:
        where = f", {' and '.join(report.files)} written" if report.files else ""
        parts.insert(0, f"{amount(len(report.changes), 'card')} stored{where}")
    if report.unfiled:
        parts.append(f"{', '.join(report.unfiled)} could be written into no file and is in the catalogue alone")
    return "; ".join(parts) or "nothing new to store"


async def _changed(
    request: Request, fields: Mapping[str, str], work: Callable[[StudioRoom], object], words: list[str] | None = None
) -> Response:
    """Changes something, and answers with the table, or without script with the page again."""
    viewing = page_request({name: fields[name] for name in FIELDS if name in fields})

    def both(room: StudioRoom) -> tuple[dict[str, Any], str]:
        work(room)
        address = studio_address(room, viewing, fields.get("ref", ""), stored=(words or [""])[0])
        return studio_state(room, viewing), address

    answer, address = await studio_work(request, fields, both)
    if "application/json" in request.headers.get("accept", ""):
        return json_answer({**answer, "message": (words or [""])[0]})
    return RedirectResponse(address, status_code=303)


ROUTES = [
    Route("/studio/edit", edit, methods=["POST"]),
    Route("/studio/add", add, methods=["POST"]),
    Route("/studio/choose", choose, methods=["POST"]),
    Route("/studio/store", store, methods=["POST"]),
]
"""The forms of the studio; each answers with the table, or without script with the page."""
