"""Ban lists: show, diff, why, announce, lint, log, publish."""

from __future__ import annotations

import click

from carddb.cli.bans_log import announce, lint, log
from carddb.cli.bans_publish import publish
from carddb.cli.bans_show import diff, show
from carddb.cli.bans_why import why


@click.group()
def bans() -> None:
    """Ban lists: what they say on a day, why, and every announcement that made them so."""


for command in (show, diff, why, announce, lint, log, publish):
    bans.add_command(command)
