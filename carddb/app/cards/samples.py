"""The sample cards and ban lists of a game, which are no longer used once the user has loaded cards or lists."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from carddb.app.workspace.clock import today
from carddb.app.workspace.settings import write_settings
from carddb.app.workspace.workspace import Workspace, root_of
from carddb.cards.cards import SAMPLE, Pool
from carddb.catalog.store import Catalog
from carddb.core.errors import InputError
from carddb.core.files import read_inside
from carddb.core.names import fold
from carddb.core.plain_text import amount, is_or_are, listed
from carddb.games import Game
from carddb.read.decks.builder import MAX_BYTES
from carddb.read.decks.text import header_of, read_deck
from carddb.read.documents.bans import read_bans

_MOST_DECKS = 300


@dataclass(frozen=True, slots=True)
class Samples:
    """The samples of a game that are in use: the number of cards, the names of ban lists, and the user's decks.

    `decks` are the files of the user's decks that contain sample cards, each with the folded names of these cards.
    """

    cards: int = 0
    lists: tuple[str, ...] = ()
    decks: tuple[tuple[str, frozenset[str]], ...] = ()

    def unused_beside(self, own: Collection[str], own_lists: bool) -> Samples:
        """Returns the samples that are no longer used after the user has loaded cards or ban lists.

        `own` are the folded names of the cards. If there are any, no sample is used, and `decks` are those with a
        sample card whose name no own card has. If there are only own ban lists, the sample lists are not used.
        """
        if own and self.cards:
            return replace(self, decks=tuple((file, names) for file, names in self.decks if not names.issubset(own)))
        return Samples(lists=self.lists if own_lists else ())

    @property
    def words(self) -> str:
        """A sentence, without its full stop, that says what is no longer used; empty if everything is still used."""
        parts = [amount(self.cards, "sample card")] if self.cards else []
        parts += [f"the sample ban list{'s' * (len(self.lists) > 1)} {listed(self.lists)}"] if self.lists else []
        if not parts:
            return ""
        verb = is_or_are(self.cards + len(self.lists))
        text = f"{' and '.join(parts)} {verb} no longer used, because you have your own"
        if self.decks:
            files = listed([file for file, _ in self.decks])
            text += f"; your deck{'s' * (len(self.decks) > 1)} {files} will lack cards"
        return text


def samples_in_use(project: Workspace, game: Game) -> Samples:
    """Returns the samples of a game in use (now, or in a new catalogue), except cards that the project keeps."""
    if Catalog.exists(project.catalog_path):
        with project.catalog() as catalog:
            cards, lists = catalog.samples_in_use(game.key)
            pool = catalog.pool(game.spec, day=today()) if cards else Pool(())
            names = tuple(catalog.ban_log(game.key).lists) if lists else ()
    elif project.explicit_catalog or not game.folder.bundled:
        return Samples()
    else:
        pool, bans = game.own_cards, game.folder.bans_file
        names = tuple(read_bans(game.folder.source(bans)).log.lists) if bans else ()
    count = sum(card.set == SAMPLE for card in pool)
    if not count or project.settings.keeps_samples(game.key):
        return Samples(lists=names)
    return Samples(count, names, tuple(_decks(project, game, pool)))


def _decks(project: Workspace, game: Game, pool: Pool) -> Iterator[tuple[str, frozenset[str]]]:
    """Yields the decks in the project's folder that contain sample cards, with the folded names of these cards."""
    root = root_of(project)
    for path in sorted([*root.glob("*.deck"), *root.glob("decks/*.deck")])[:_MOST_DECKS]:
        try:
            text = read_inside(root, path, MAX_BYTES).decode("utf-8", "replace")
        except InputError:
            continue
        name = header_of(text, path.name, "game")
        if (project.game_called(name) if name else project.settings.game) == game.key:
            deck, _ = read_deck(text, game.spec, pool, path.name)
            cards = [entry.card for entry in deck.entries if entry.card and entry.card.set == SAMPLE]
            if cards:
                yield path.relative_to(root).as_posix(), frozenset(fold(card.name) for card in cards)


def keep_samples(project: Workspace, game: Game) -> None:
    """Writes into `carddb.toml` that a game's samples stay in use. Raises OutputError if this is not possible."""
    if project.settings.keeps_samples(game.key):
        return
    kept = project.settings.keep_samples
    keys = (*(kept if isinstance(kept, tuple) else ()), game.key)
    path = write_settings(root_of(project), {(): {"keep_samples": [*keys]}})
    project.settings = project.settings._replace(keep_samples=keys)
    project.notify("samples_kept", f"{path} now keeps the samples of {game.spec.name} in use beside your own cards")
