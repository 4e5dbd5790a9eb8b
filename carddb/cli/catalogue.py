"""Files into the catalogue and out of it: load, export."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from carddb.cli import show
from carddb.cli.announced import put, sums
from carddb.cli.arguments import QueryCommand, query_argument
from carddb.cli.clock import DAY, now, today
from carddb.cli.session import Session, user
from carddb.errors import UsageError
from carddb.findings import Severity, has_errors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from carddb.catalog.announcements import AnnounceResult
    from carddb.catalog.store import LoadResult
    from carddb.findings import Finding
    from carddb.games import Game
    from carddb.read.card_file import CardFile

_HEAD = 4096
_KEYS = "note|lists|levels|groups|window|announcements"
_BANS = re.compile(rf"""(?:\s|#[^\n]*\n|---)*(?:\{{\s*)?["']?(?:{_KEYS})["']?\s*:""")
"""How a file of ban lists begins; one of cards begins with a list."""


@click.command()
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, allow_dash=True, readable=False),
    metavar="FILE...",
)
@click.option("--game", "key", metavar="G", help="The game of the cards; needed where the project names none.")
@click.option("--set", "set_name", metavar="S", help="The set of cards that name none (default: the file's stem).")
@click.option("--from", "day", type=DAY, help="The day from which changes are in force (default: today).")
@click.option("--prune", is_flag=True, help="Retire the cards of these sets that the file lacks.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--json", "json_", is_flag=True, help="The result as JSON.")
@click.pass_obj
def load(
    session: Session,
    files: tuple[Path, ...],
    key: str | None,
    set_name: str | None,
    day: date | None,
    prune: bool,
    dry_run: bool,
    json_: bool,
) -> int:
    """Load cards from CSV, TSV, XLSX, ODS, JSON or YAML, and ban lists from a bans.yaml: all of a file or nothing.

    Every fault of a file is listed with sheet, row and column. Cards are matched by reference; a change is a
    revision in force from a day, and nothing is ever removed (--prune retires).
    """
    game = session.only_game(key)
    lists = [path for path in files if _holds_bans(path)]
    read = [_read(session, game, path, set_name) for path in files if path not in lists]
    results: list[tuple[CardFile, LoadResult]] = []
    good = [file for file in read if not has_errors(file.findings)]
    if good:
        with session.catalog(create=True, keep=not dry_run) as catalog:
            for file in good:
                with show.progress(f"loading {file.file}", session.quiet):
                    result = catalog.load(
                        game.spec,
                        file.records,
                        day=day or today(),
                        sets=_sets(file, set_name),
                        author=user(),
                        source=file.file,
                        recorded_at=now(),
                        prune=prune,
                        dry_run=dry_run,
                    )
                results.append((file, result))
    announced = [(path, _load_bans(session, game, path, day, dry_run)) for path in lists]
    found = [f for file in read for f in file.findings] + [f for _, result in results for f in result.findings]
    found += [f for _, result in announced for f in result.findings]
    found = game.with_rules(found)
    if json_:
        show.as_json(_as_json(found, results, announced, dry_run))
    else:
        show.findings(found, err=True, least=Severity.INFO if session.verbose else Severity.WARNING)
        for file, result in results:
            _report(session, file, result, dry_run)
        for path, told in announced:
            if not told.refused:
                session.say(f"{path}: {'would be: ' if dry_run else ''}{sums(told)}")
    refused = [file.file for file in read if file not in good] + [file.file for file, r in results if r.refused]
    refused += [str(path) for path, told in announced if told.refused]
    if refused and not json_:
        session.say(f"nothing was stored of {', '.join(refused)}: {show.tally(found)}")
    return 1 if refused else 0


def _read(session: Session, game: Game, path: Path, set_name: str | None) -> CardFile:
    from carddb.read.card_file import read_cards
    from carddb.read.source import standard_input

    stream: Path | BinaryIO = standard_input() if str(path) == "-" else path
    default = set_name or ("stdin" if str(path) == "-" else path.stem)
    file = read_cards(stream, game.spec, default_set=default, images_root=session.project.art_folder)
    file.findings.extend(game.faults_of((game.spec.card(row.ref, row.values), row.place) for row in file.records))
    return file


def _holds_bans(path: Path) -> bool:
    """Whether a file is one of ban lists: by its name, or by how it begins."""
    if path.suffix.lower() not in (".yaml", ".yml", ".json"):
        return False
    return path.stem == "bans" or bool(_BANS.match(_beginning(path)))


def _beginning(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD).decode("utf-8", "replace").removeprefix("\ufeff")
    except OSError:
        return ""


def _load_bans(session: Session, game: Game, path: Path, day: date | None, dry_run: bool) -> AnnounceResult:
    from carddb.read.bans import read_bans

    with session.catalog(create=True, keep=not dry_run) as catalog:
        return put(catalog, game, read_bans(path), str(path), user(), day=day, dry_run=dry_run)


def _sets(file: CardFile, set_name: str | None) -> frozenset[str]:
    """The sets that a file speaks for."""
    sets = {str(record.values["set"]) for record in file.records}
    return frozenset(sets | ({set_name} if set_name else set()))


def _report(session: Session, file: CardFile, result: LoadResult, dry_run: bool) -> None:
    """The diff where it is asked for, and one line of sums."""
    if result.refused:
        return
    marks = (("+", result.added), ("~", result.changed), ("+", result.restored), ("-", result.retired))
    if dry_run or session.verbose:
        for mark, changes in marks:
            for change in changes:
                click.echo(f"{mark} {change.ref} {change.name}")
                for name, (old, new) in change.fields.items() if mark == "~" else ():
                    click.echo(f"    {name}: {show.one_line(old, 60)} -> {show.one_line(new, 60)}")
    sums = [f"{len(result.added)} added", f"{len(result.changed)} changed", f"{len(result.unchanged)} unchanged"]
    sums += [f"{len(result.restored)} restored"] if result.restored else []
    sums += [f"{len(result.retired)} retired"] if result.retired else []
    session.say(f"{file.file}: {'would be: ' if dry_run else ''}{', '.join(sums)}")


def _as_json(
    found: Iterable[Finding],
    results: Iterable[tuple[CardFile, LoadResult]],
    announced: Iterable[tuple[Path, AnnounceResult]],
    dry_run: bool,
) -> dict[str, Any]:
    loaded = [{"file": file.file, **result.to_json(), "findings": []} for file, result in results]
    return {
        "schema": "carddb.load/1",
        "dry_run": dry_run,
        "files": loaded,
        "bans": [
            {"file": str(path), "added": list(told.added), "unchanged": list(told.unchanged), "terms": told.terms}
            for path, told in announced
        ],
        "findings": [finding.to_json() for finding in found],
    }


@click.command(cls=QueryCommand)
@query_argument()
@show.output_option("CSV, TSV, XLSX, JSON or YAML by its ending; - for standard output.")
@click.option("--game", "key", metavar="G", help="The game.")
@click.option("--format", "format_", metavar="F", help="The format, where the file's name does not tell.")
@click.option("--on", "day", type=DAY, help="The cards as they stood on this day (default: today).")
@click.pass_obj
def export(
    session: Session, query: tuple[str, ...], output: Path, key: str | None, format_: str | None, day: date | None
) -> int:
    """Write cards to a file; loading an untouched export changes nothing."""
    from carddb.query import parse
    from carddb.read.export import write_cards

    game = session.only_game(key)
    fmt = format_ or output.suffix.lower().removeprefix(".") or "csv"
    known = ("csv", "tsv", "xlsx", "json", "yaml", "yml")
    if fmt not in known:
        raise UsageError(f"cards are not written as {fmt!r}", f"Known: {', '.join(known)}.")
    wanted = parse(" ".join(query), game.spec.all_fields())
    with session.catalog() as catalog:
        cards = catalog.given(game.spec, wanted, day=day or today())
    if not cards:
        session.say("no card matches")
        return 1
    session.write(output, write_cards(cards, game.spec, "yaml" if fmt == "yml" else fmt))
    session.say(f"{output}: {len(cards)} cards")
    return 0
