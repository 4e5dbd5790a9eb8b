"""The command for a game on an online table: `table`. It imports rule sheets, which other printing does without."""

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
    """Lay a whole game on an online table, decks on their zones and components beside them, or draw its plan.

    Name a deck for each player, or a game, which then has its example decks.
    """
    request = TableRequest(names, **taken(TableRequest, options))
    return session.write_printed(output, table_file(session.project, request, output))
