"""Print jobs from a request: the options of `carddb sheets` by name, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from carddb.app.printing.options import PaperOptions, sheet_options
from carddb.app.printing.selection import select_cards, select_deck
from carddb.app.printing.sheet_job import PrintResult, SheetJob
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.web.http.requests import CHECK_FIELDS, check_request, deck_of, text_of

PAPER_FIELDS = tuple(PaperOptions.__annotations__)
SHEET_FIELDS = (*CHECK_FIELDS, "q", "allow_illegal", "allow_faults", *PAPER_FIELDS)


def job_of(project: Workspace, fields: Mapping[str, Any]) -> SheetJob:
    """The job that a request describes: a deck, or the cards of a query `q`. Raises UsageError, QueryError."""
    request = check_request(fields)
    on = request.on or today()
    if "deck" in fields:
        selection = select_deck(project, deck_of(fields), request)
    else:
        query = text_of(fields, "q")
        if query is None:
            raise UsageError("nothing is chosen", 'Send a "deck", or a query as "q".')
        selection = select_cards(project, query, request.game, on)
    paper = cast(PaperOptions, {name: fields[name] for name in PAPER_FIELDS if fields.get(name) not in (None, "")})
    allowed = [fields.get(name) is True for name in ("allow_illegal", "allow_faults")]
    return SheetJob(project, selection, sheet_options(project, paper, on), on, *allowed)


def sheets_of(project: Workspace, fields: Mapping[str, Any]) -> PrintResult:
    """The sheets of a request; empty where its deck or its faces forbid them."""
    job = job_of(project, fields)
    return job.print_sheets() if job.may_print() else PrintResult(job, None, [])
