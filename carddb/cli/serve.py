"""The browser front."""

from __future__ import annotations

import click

from carddb.cli import show
from carddb.cli.session import Session
from carddb.errors import UsageError


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), help="The port (default: 8765, or the next that is free).")
@click.option("--public", is_flag=True, help="For others: read-only, without your files, with limits.")
@click.option("--sheets", is_flag=True, help="With --public: print sheets for others too.")
@click.option("--no-open", is_flag=True, help="Do not open the browser.")
@click.pass_obj
def serve(session: Session, host: str, port: int | None, public: bool, sheets: bool, no_open: bool) -> int:
    """Open carddb in the browser: check decks, look at cards, print, ask the referee.

    The first line is the address. On your own machine it holds a token, so that nobody else gets in.
    """
    from carddb.web.serving import serve as serve_project

    if sheets and not public:
        raise UsageError("--sheets goes with --public", "Leave it out: your own front prints.")

    def ready(address: str) -> None:
        show.echo(address)
        if not (public or no_open):
            click.launch(address)

    serve_project(session.project, host, port, public, sheets, ready)
    return 0
