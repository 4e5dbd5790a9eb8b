"""The command `load`, which loads files into the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from carddb.app.cards.card_import import map_hints, save_columns
from carddb.app.cards.load import LoadReport, LoadRequest, load_files, load_sources, path_of, read_joins, sums_of
from carddb.catalog.search import LoadResult
from carddb.cli import show
from carddb.cli.options import declared_options, verb
from carddb.cli.session import Session
from carddb.findings import Severity
from carddb.read.cards.file import PRINTINGS, is_printing_file


def _columns(context: click.Context, parameter: click.Parameter, pairs: tuple[str, ...]) -> dict[str, str]:
    """Returns texts such as `HEADER=FIELD` as a mapping of headers to fields. Raises BadParameter for another text."""
    split = [pair.rpartition("=") for pair in pairs]
    for pair, (header, _, field) in zip(pairs, split, strict=True):
        if not (header.strip() and field.strip()):
            raise click.BadParameter(f"{pair!r} does not have the form HEADER=FIELD, as in Title=name")
    return {header.strip(): field.strip() for header, _, field in split}


@verb()
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True, readable=False), metavar="FILE...")
@declared_options(LoadRequest, ("game", "lang", "set_name", "sheet", "day"))
@click.option(
    "--map", "columns", multiple=True, metavar="HEADER=FIELD", callback=_columns,
    help="Load the column with this heading into this field.",
)  # fmt: skip
@click.option(
    "--join",
    "joins",
    multiple=True,
    metavar="FILE:KEY=KEY",
    help="Join a second file where its first KEY equals the second KEY of the loaded file; its columns are called "
    "as in packs.name.",
)
@declared_options(LoadRequest, ("html", "reviewed"))
@click.option("--save-map", is_flag=True, help="Store --map and --html in carddb.toml.")
@declared_options(LoadRequest, ("prune", "force", "keep_samples", "dry_run"))
@click.option("--json", "json_", is_flag=True, help="Show the result as JSON.")
def load(
    session: Session,
    /,
    files: tuple[str, ...],
    columns: dict[str, str],
    joins: tuple[str, ...],
    save_map: bool,
    json_: bool,
    **options: Any,
) -> int:
    """Load cards from CSV, TSV, XLSX, ODS, JSON or YAML, and ban lists from a bans.yaml: all of a file or nothing.

    Every fault of a file is listed with sheet, row and column. Cards are matched by reference; a change becomes a
    revision that applies from a day on, and nothing is ever removed (--prune retires cards). A missing column leaves
    its field unchanged; an empty cell clears the field. A cards.patch.csv beside cards.json is loaded after it.
    Translations are in columns such as name.ja, or in a file such as cards.ja.csv.

    A folder means all its card files; an https address means the file there, or the table of a published Google Sheet.
    With --map, `attributes.text=text` names a key inside JSON, `HEADER=-` ignores a column, and `*=-` ignores all
    unknown columns.
    """
    sources = load_sources(files)
    request = LoadRequest(columns=columns, joins=read_joins(joins), **options)
    report = load_files(session.project, sources, request)
    if save_map and report.ok and not request.dry_run:
        table = PRINTINGS.key if all(is_printing_file(path_of(source)) for source in sources) else ""
        save_columns(session.project, session.project.only_game(request.game), columns, request.html, table)
    if json_:
        show.as_json(report.to_json())
    else:
        _show(session, report)
        for hint in map_hints(session.project, sources, report, request) if report.refused else ():
            session.say(hint)
    return 0 if report.ok else 1


def _show(session: Session, report: LoadReport) -> None:
    """Prints the findings, the changed cards (in a dry run or with -v), and a summary line for each file."""
    show.findings(report.findings, err=True, least=Severity.INFO if session.verbose else Severity.WARNING)
    for loaded, sums in sums_of(report):
        if loaded in report.cards and (report.dry_run or session.verbose):
            for line in _changes(loaded.result):
                show.echo(line)
        session.say(sums)
    if report.refused:
        session.say(report.refusal)


def _changes(result: LoadResult) -> Iterator[str]:
    marks = (("+", result.added), ("~", result.changed), ("+", result.restored), ("-", result.retired))
    for mark, changes in marks:
        for change in changes:
            yield f"{mark} {change.ref} {change.name}"
            for name, (old, new) in change.fields.items() if mark == "~" else ():
                yield f"    {name}: {show.one_line(old, 60)} -> {show.one_line(new, 60)}"
