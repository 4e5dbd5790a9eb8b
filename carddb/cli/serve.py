"""The commands `serve` and `site`: carddb in the browser, from a web server or as static pages."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Any

import click

from carddb.app.events import tournament
from carddb.app.workspace.published_folder import write_folder
from carddb.cli import show
from carddb.cli.options import LANG, declared_options, executor_options, executor_request, verb
from carddb.cli.session import Session
from carddb.core.errors import UsageError
from carddb.core.plain_text import amount
from carddb.web.http.front import FrontOptions
from carddb.web.server.serving import serve as serve_project
from carddb.web.site import SiteRequest, site_files


@verb()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), help="The port (default: 8765, or the next that is free).")
@click.option("--public", is_flag=True, help="Serve others: read-only, without your files, with limits.")
@click.option("--sheets", is_flag=True, help="With --public: allow others to print sheets.")
@click.option("--tables", is_flag=True, help="With --public: allow others to play at tables, which the server stores.")
@click.option(
    "--event", "key", default="", metavar="KEY", help="Serve only this event, to which players send lists by links."
)
@click.option("--new-secret", is_flag=True, help="With --event: make a new secret for the organiser.")
@click.option("--no-open", is_flag=True, help="Do not open the browser.")
def serve(
    session: Session,
    host: str,
    port: int | None,
    public: bool,
    sheets: bool,
    tables: bool,
    key: str,
    new_secret: bool,
    no_open: bool,
) -> None:
    """Open carddb in the browser: check decks, look at cards, print, ask the referee, play.

    The first line of output is the address. On your own machine, it has a token, so that nobody else gets in. For an
    event, the organiser signs in with a secret, which is shown only once, or with a code; players use their own links.
    """
    if sheets and not public:
        raise UsageError("--sheets only works with --public", "Leave --sheets out: your own server always prints.")
    if tables and not public:
        raise UsageError("--tables only works with --public", "Leave --tables out: your own server always has tables.")
    if key and public:
        raise UsageError("--event and --public cannot be combined", "Leave one of the two out.")
    if new_secret and not key:
        raise UsageError("--new-secret only works with --event", "Add --event KEY, the key of the event.")
    if key:
        return _serve_event(session, key, host, port, new_secret)

    with ExitStack() as files:

        def ready(address: str, own: str) -> None:
            show.echo(address)
            if not (public or no_open):
                with suppress(OSError):  # the address can still be opened by hand
                    click.launch(files.enter_context(page_to(own)))

        serve_project(session.project, host, port, FrontOptions(public=public, sheets=sheets, tables=tables), ready)


@contextmanager
def page_to(address: str) -> Iterator[str]:
    """Writes a file with a page that redirects to `address`, yields its name, and removes the file at the end.

    Only this user can read it. The browser opens this page, because every user of the machine can read command lines.
    """
    descriptor, name = mkstemp(".html", "carddb-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={address}">\n')
            file.write(f'<title>carddb</title><a href="{address}">carddb</a>\n')
        yield name
    finally:
        Path(name).unlink(missing_ok=True)


def _serve_event(session: Session, key: str, host: str, port: int | None, new_secret: bool) -> None:
    """Serves one event on the local network."""
    if host in ("0.0.0.0", "::"):
        remedy = "Give this machine's address in the network, as in --host 192.168.1.5."
        raise UsageError(f"a phone cannot open the address {host}", remedy)
    with tournament.open_event(session.project, key) as event:
        secret = tournament.new_secret(event) if new_secret or not event.secret_hash else ""

    def ready(address: str, code: str) -> None:
        show.echo(address)
        shown = f": {secret}" if secret else " that was shown before (--new-secret makes another)"
        show.echo(f"The organiser signs in at {address}sign-in with the secret{shown}")
        show.echo(f"or, once and within {tournament.CODE_MINUTES} minutes, with the code: {code}")
        if event.registration:
            show.echo(f"Players register at {address}join/{event.join_code}")
        session.say(
            "The connection is not encrypted: others on this network could read or change deck lists, links and the "
            "secret. Use a network that you trust."
        )

    serve_project(session.project, host, port, FrontOptions(event=key), ready)


@verb()
@show.output_option("The folder to write to.", folder=True)
@declared_options(SiteRequest)
@LANG
@executor_options("draw and print", trust=True)
def site(session: Session, /, output: Path, **options: Any) -> None:
    """Write a game as a web site without a server: gallery, card pages, decks, PDFs, rule sheets, ban lists.

    The site can be opened from a disk. Unchanged files are not written again; other files in the folder stay.
    """
    write_site(session, output, executor=executor_request(options), **options)


def write_site(session: Session, output: Path, **request: Any) -> None:
    """Writes the web site for the fields of a `SiteRequest`. Raises OutputError, UsageError and errors of drawing."""
    files, entrances = site_files(session.project, SiteRequest(**request))
    write_folder(session.project, output, files, entrances)
    session.say(f"{output / 'index.html'}: {amount(len(files), 'file')}")
