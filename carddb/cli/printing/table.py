"""The command `table`, for a game on an online table. It imports rule sheets, which no other printing needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from carddb.app.printing.online_table import TableRequest, table_file
from carddb.cli import show
from carddb.cli.options import declared_options, taken, verb
from carddb.cli.session import Session


@verb()
@click.argument("names", nargs=-1, required=True, metavar="GAME|DECK...")
@show.output_option("The saved object (.json; .zip with its pictures), the room (.pcio) or the plan (.png, .pdf).")
@declared_options(TableRequest)
def table(session: Session, /, names: tuple[str, ...], output: Path, **options: Any) -> int:
    """Lay a whole game on an online table, with decks on their zones and components beside them, or draw a plan.

    Name a deck for each player, or a game to use its example decks.
    """
    request = TableRequest(names, **taken(TableRequest, options))
    return session.write_printed(output, table_file(session.project, request, output))
