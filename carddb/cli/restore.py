"""The command `restore`."""

from __future__ import annotations

from pathlib import Path

import click

from carddb.app.restore import restore as restored
from carddb.cli.session import Session


@click.command()
@click.argument("copy", type=click.Path(path_type=Path))
@click.pass_obj
def restore(session: Session, copy: Path) -> int:
    """Put a copy of the catalogue, or of events.db, back in the place of the file.

    The copy is examined first. What was there, with its logs, is kept beside it under another name.
    """
    path, kept = restored(session.project, copy)
    session.say(f"{path}: put back from {copy}" + (f"; what was there is {kept}" if kept else ""))
    return 0
