"""Ban lists from a file into a catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carddb.cli.clock import now, today
from carddb.cli.show import amount
from carddb.findings import has_errors

if TYPE_CHECKING:
    from datetime import date

    from carddb.catalog.announcements import AnnounceResult
    from carddb.catalog.store import Catalog
    from carddb.games import Game
    from carddb.read.bans import ReadBans


def put(
    catalog: Catalog,
    game: Game,
    read: ReadBans,
    source: str,
    author: str,
    *,
    day: date | None = None,
    sample: bool | None = None,
    dry_run: bool = False,
) -> AnnounceResult:
    """What a file says into the catalogue; refused, with every finding, where one is an error."""
    from carddb.bans.lint import KnownCards
    from carddb.catalog.announcements import AnnounceResult

    faulty = has_errors(read.findings)
    if faulty and not read.log.announcements:
        return AnnounceResult(catalog.ban_log(game.key), findings=tuple(read.findings))
    result = catalog.announce(
        game.key,
        read.log,
        KnownCards(catalog.refs(game.key), read.places),
        day=day or today(),
        author=author,
        source=source,
        recorded_at=now(),
        sample=sample,
        dry_run=dry_run or faulty,
    )
    return result._replace(findings=(*read.findings, *result.findings))


def sums(result: AnnounceResult) -> str:
    """`2 announcements added, 1 known already`."""
    said = f"{amount(len(result.added), 'announcement')} added, {len(result.unchanged)} known already"
    return said + (", lists, levels and groups set" if result.terms else "")
