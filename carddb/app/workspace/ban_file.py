"""Storing ban lists and the sample cards of games in a catalogue: all of a file, or nothing if it has an error."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from types import MappingProxyType

from carddb.app.workspace.clock import now, today
from carddb.bans.lint import KnownCards, Places, allows_waivers
from carddb.bans.log import with_references
from carddb.cards.cards import SAMPLE
from carddb.catalog.announcements import AnnounceResult
from carddb.catalog.store import Catalog
from carddb.core.errors import GameError
from carddb.core.plain_text import amount
from carddb.findings import has_errors
from carddb.games import Game
from carddb.read.documents.bans import ReadBans, read_bans


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
    """Adds ban lists and announcements to the catalogue, or nothing if there is an error; returns all findings."""
    read = by_reference(catalog, game, read)
    faulty = has_errors(read.findings)
    if faulty and not read.log.announcements:
        return AnnounceResult(catalog.ban_log(game.key), findings=tuple(read.findings))
    result = catalog.announce(
        game.key,
        read.log,
        known_cards(catalog, game, read.places),
        day=day or today(),
        author=author,
        source=source,
        recorded_at=now(),
        sample=sample,
        dry_run=dry_run or faulty,
    )
    return result._replace(findings=(*read.findings, *result.findings), applied=result.applied and not faulty)


def known_cards(catalog: Catalog, game: Game, places: Places = MappingProxyType({})) -> KnownCards:
    """Returns what a game's ban lists may name, and whether notice may be waived; `places` is as in `KnownCards`."""
    spec = game.spec
    return KnownCards(catalog.refs(game.key), places, spec.all_fields(), spec.formats, allows_waivers(spec.readings))


def by_reference(catalog: Catalog, game: Game, read: ReadBans) -> ReadBans:
    """Returns the contents of a ban list file, with the codes of printings replaced by the references of the cards."""
    refs, codes = catalog.refs(game.key), catalog.printing_codes(game.key)
    if not codes:
        return read
    return read._replace(log=with_references(read.log, lambda card: card if card in refs else codes.get(card, card)))


def in_sums(result: AnnounceResult) -> str:
    """Returns a summary of what was stored, such as `2 announcements added, 1 known already`."""
    sums = f"{amount(len(result.added), 'announcement')} added, {len(result.unchanged)} known already"
    return sums + ("; lists, levels and groups set as in the file" if result.terms else "")


def load_samples(catalog: Catalog, games: Iterable[Game]) -> int:
    """Loads sample cards and ban lists of games; returns the number of cards. Raises GameError for faulty lists."""
    total = 0
    for game in games:
        if game.own_file is None:
            continue
        records = game.own_file.records
        catalog.load(
            game.spec, records, day=today(), sets=frozenset({SAMPLE}), author="carddb",
            source=f"{game.key}/cards.csv", recorded_at=now(),
        )  # fmt: skip
        total += len(records)
        if game.folder.bans_file:
            source = f"{game.key}/{game.folder.bans_file.name}"
            result = put(
                catalog, game, read_bans(game.folder.source(game.folder.bans_file)), source, "carddb", sample=True
            )
            if result.refused:
                fault = result.findings[0].message
                raise GameError(f"the ban lists of {game.key} cannot be used: {fault}", f"Correct {source}.")
    return total
