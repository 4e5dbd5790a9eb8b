"""A static website of games: the same pages as files, with a search that needs no server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from carddb.app.bans.lists import BanListState, ban_list_in_language, hold_report, lists_on
from carddb.app.cards.faces import CardFaces, FaceRequest, picture_files
from carddb.app.cards.gallery import caption, shown_fields
from carddb.app.cards.search import search
from carddb.app.decks.check import CheckRequest, check_deck
from carddb.app.decks.page import own_decks
from carddb.app.documents import game_credits
from carddb.app.printing import site_prints
from carddb.app.printing.site_prints import DOCUMENTS, Print, print_all
from carddb.app.workspace.published_folder import checked_address
from carddb.app.workspace.workspace import Workspace, root_of
from carddb.cards.cards import Card, Deck
from carddb.cards.query import folded, searched_fields
from carddb.core.dates import spoken
from carddb.core.executors import HERE, Executor, ExecutorRequest, open_executor
from carddb.core.files import file_inside
from carddb.core.names import SPELT_OUT, natural
from carddb.core.options import Option
from carddb.findings import VERDICTS
from carddb.game.game import GameSpec
from carddb.game.parts import PAGE_WORDS, PageWords
from carddb.games import Game
from carddb.layout.stock import card_size
from carddb.paint.documents.typography import NO_BREAK
from carddb.press import Step
from carddb.press.documents.credits import uncredited
from carddb.press.faces.card_pictures import file_names
from carddb.read.decks.text import OpenedDeck, open_deck
from carddb.web.bans import ban_words
from carddb.web.documents import with_head
from carddb.web.http.pages import LETTERS, STATIC, environment, face_pixels, house_look


class PageLanguage(NamedTuple):
    """The language of a page, the game's language for texts that are not translated, and carddb's texts for pages."""

    lang: str
    fallback: str
    words: PageWords

    def text(self, name: str, /, **values: object) -> str:
        """Returns one of carddb's texts in the page's language, with its values filled in."""
        text: str = getattr(self.words, name)
        for key, value in values.items():
            text = text.replace(f"{{{key}}}", str(value))
        return text

    def language_of(self, name: str) -> str:
        """Returns the language of one of carddb's texts, which is English if the text is not translated."""
        return "en" if getattr(self.words, name) == getattr(PAGE_WORDS, name) else self.lang


_ASSETS = ("style.css", "mark.svg", "site.js", "pictures.js")
_LEAST_PRINTS = 2
"""The fewest files that are printed for a game."""
_SPREAD = 5
"""The number of cards that are shown as a sample of a game or of a deck."""


class SiteRequest(NamedTuple):
    """The request for a site: the keys of its games (none means all that have cards), the day, and its URL.

    `executor` runs the drawing and printing. `lang` is the language of cards and games; empty means each game's own.
    """

    games: Annotated[tuple[str, ...], Option("A game (default: all that have cards).", flag="--game", metavar="G")] = ()
    on: Annotated[date | None, Option("The cards and lists as of this day (default: today).")] = None
    url: Annotated[str, Option("The address of the folder on the web, for the sitemap and the feeds.", "")] = ""
    since: Annotated[date | None, Option("List what changed since this day, as a page and a feed.")] = None
    executor: ExecutorRequest = HERE
    lang: str = ""


class SiteCard(NamedTuple):
    """A card on the site: the stem of its file names, its label, the paths of its faces, and their size in pixels.

    `of_game` are those of its texts that are in the game's own language.
    """

    stem: str
    card: Card
    label: str
    front: str
    back: str
    width: int
    height: int
    of_game: frozenset[str]

    @property
    def group(self) -> str:
        """The heading under which the site lists the card: the first part of its label."""
        return self.label.partition(" · ")[0]

    def words(self, fields: Sequence[str]) -> str:
        """Returns the texts of `fields` for the search, one on each line, simplified as a server's search does."""
        texts = (self.card.get(name) for name in fields)
        return "\n".join(folded(text) for text in texts if isinstance(text, str))


class SiteDeck(NamedTuple):
    """A deck on the site: its name, its verdict as a sentence, the stem of its files' names, the file, and the deck."""

    name: str
    sentence: str
    stem: str
    opened: OpenedDeck
    deck: Deck


def site_files(project: Workspace, request: SiteRequest) -> tuple[dict[str, bytes], list[str]]:
    """Returns a site's files by path, and the paths of its start pages. Raises UsageError, TemplateError, FontError."""
    request = request._replace(url=checked_address(request.url).rstrip("/"))
    games = [project.game(key) for key in request.games] or project.all_games()
    files = {f"assets/{name}": (STATIC / name).read_bytes() for name in _ASSETS}
    files |= {f"assets/{name}": data for name, data in house_look().items()}
    shown: list[tuple[_GameSite, Sequence[SiteCard]]] = []
    prints: list[Print] = []
    pictures: dict[str, Path] = {}
    with open_executor(request.executor, len(games) * _LEAST_PRINTS) as executor:
        for game in games:
            cards = search(project, "", game.key, request.on, request.lang)
            if not cards:
                continue
            site = _GameSite(project, game, request, cards)
            with project.working(f"drawing {game.spec.name}", len(cards)) as step:
                tiles, drawn = site.draw(executor, step)
            files |= {f"{game.key}/{path}": data for path, data in (*drawn.items(), *site.pages(tiles))}
            shown.append((site, _spread(tiles)))
            prints += site.prints()
            pictures |= picture_files(project, game, cards)
        with project.working("printing", len(prints)) as step:
            for printed in print_all(project, executor, prints, pictures):
                files |= printed
                step("")
    for site, _ in shown:
        rooms = {f"{site.game.key}/{name}": room for name, room in DOCUMENTS.items()}
        bans = f"{site.game.key}/bans/"
        rooms |= {path: "bans" for path in files if path.startswith(bans) and path.endswith(".html")}
        files |= {path: with_head(files[path], site.head(path, room)) for path, room in rooms.items() if path in files}
    files["index.html"] = _index(shown, request)
    if request.url:
        pages = sorted(path for path in files if path.endswith(".html"))
        files["sitemap.xml"] = _page("site/sitemap.xml", url=request.url, pages=pages)
    return files, ["index.html", *(f"{site.game.key}/index.html" for site, _ in shown)]


def _page(template: str, **values: Any) -> bytes:
    return environment().get_template(template).render(**values).encode()


def _spread(tiles: Sequence[SiteCard]) -> Sequence[SiteCard]:
    """Returns a few of the cards, which are sorted by type, so that they have different types if there are several."""
    return [tiles[at * len(tiles) // _SPREAD] for at in range(_SPREAD)] if len(tiles) > _SPREAD else tiles


def _index(sites: Sequence[tuple[_GameSite, Sequence[SiteCard]]], request: SiteRequest) -> bytes:
    """Returns the start page of all games, in the site's language or else in the language that all its games share."""
    languages = {site.page.lang for site, _ in sites}
    lang = request.lang or (languages.pop() if len(languages) == 1 else "en")
    games = [(site, site.page._replace(lang=lang), tiles) for site, tiles in sites]
    words = games[0][1] if games else PageLanguage(lang, lang, PAGE_WORDS)
    return _page("site/site_index.html", root="", page=words, games=games)


@dataclass(frozen=True)
class _GameSite:
    """A game on the site, with its cards in the site's language. A notice lists texts that are not translated."""

    project: Workspace
    game: Game
    request: SiteRequest
    cards: Sequence[Card]

    @cached_property
    def spec(self) -> GameSpec:
        """The game's specification in the site's language."""
        return self.game.in_language(self.request.lang).spec

    @cached_property
    def page(self) -> PageLanguage:
        own = self.spec.language
        return PageLanguage(self.request.lang or own, own, self.spec.page_words)

    @cached_property
    def of_game(self) -> frozenset[str]:
        """The texts of the game in its own language that a page may show."""
        spec = self.game.spec
        return frozenset({spec.name, spec.notice, *map(spec.plural_of, spec.types)} - {""})

    @cached_property
    def has_rule_sheet(self) -> bool:
        """True if the game has a rule sheet in the site's language or in one that it falls back to."""
        return self.game.folder.guide_in(self.request.lang).is_file()

    @cached_property
    def has_credits(self) -> bool:
        """True if cards have pictures. A notice tells which pictures lack artist, source or licence."""
        credits = game_credits(self.project, self.game.key, self.request.on)
        self.project.notify_once(uncredited(credits))
        return bool(credits)

    def draw(self, executor: Executor, step: Step) -> tuple[list[SiteCard], dict[str, bytes]]:
        """Returns the cards sorted by type, and their faces, the style sheet, fonts and cover by path in the folder."""
        with self.project.without("not_translated"):
            faces = CardFaces()
            drawn = dict(faces.look(self.project, self.game, LETTERS, self.request.lang))
            types = list(self.spec.types)
            tiles = sorted(
                self._faces(faces, drawn, step, executor),
                key=lambda tile: (not self.spec.caption and types.index(self.spec.shown_type(tile.card)), tile.group),
            )
            return tiles, drawn

    def pages(self, tiles: Sequence[SiteCard]) -> Iterator[tuple[str, bytes]]:
        """Yields the pages of the game and the words of its search, by path in the game's folder."""
        with self.project.without("not_translated"):
            yield from self._card_pages(tiles, self.ban_lists)
        decks = [(deck, self._parts(deck.deck, tiles)) for deck in self.decks]
        for deck, parts in decks:
            yield f"{deck.stem}.html", self._page("site/site_deck.html", "../../", "decks", deck=deck, parts=parts)
        shown = [(deck, _spread([tile for _, cards in parts for _, tile in cards])) for deck, parts in decks]
        if shown:
            yield "decks/index.html", self._page("site/site_decks.html", "../../", "decks", decks=shown)
        fields = searched_fields(self.spec.query_fields())
        index = [
            {"name": tile.card.name, "words": tile.words(fields), "page": f"cards/{tile.stem}.html"} for tile in tiles
        ]
        yield "cards.js", f"window.CARDS = {json.dumps(index, ensure_ascii=False)};\n".encode()
        values = {"tiles": tiles, "spelt_out": SPELT_OUT, "since": self.request.since, "credits": self.has_credits}
        kinds = [(label, list(cards)) for label, cards in groupby(tiles, lambda tile: tile.group)]
        yield "index.html", self._page("site/site_game.html", "../", "cards", kinds=kinds, **values)

    def head(self, path: str, room: str) -> str:
        """Returns the head, for the section `room`, of a page at `path` that is made without the site's templates."""
        return self._page("site/_site_head.html", "../" * path.count("/"), room).decode()

    def _parts(self, deck: Deck, tiles: Sequence[SiteCard]) -> list[tuple[str, list[tuple[int, SiteCard]]]]:
        """Returns the cards of each section of a deck with their copies, without cards that are not on the site."""
        tally, parts = deck.tally(), []
        for key, section in self.spec.sections.items():
            cards = [(tally[key, tile.card.ref], tile) for tile in tiles if (key, tile.card.ref) in tally]
            if cards:
                parts.append((section.label or key, cards))
        return parts

    def prints(self) -> Iterator[Print]:
        """Yields the print tasks of the game, longest first, so that parallel processes end at about the same time."""
        key, lang, on = self.game.key, self.request.lang, self.request.on
        home = f"{self.request.url}/{key}" if self.request.url else ""
        yield Print(key, partial(site_prints.sheets, key, lang, on))
        if self.ban_lists:
            names = tuple(f"{key}:{listed.state.list}" for listed in self.ban_lists)
            yield Print(key, partial(site_prints.ban_lists, names, lang, on, f"{home}/bans" if home else ""))
        if self.has_credits:
            yield Print(key, partial(site_prints.credits, key, on))
        if self.request.since:
            yield Print(key, partial(site_prints.changes, key, lang, on, self.request.since, home))
        if self.has_rule_sheet:
            yield Print(key, partial(site_prints.rules, key, lang, "rules.pdf", "rulebook"))
            yield Print(key, partial(site_prints.rules, key, lang, "rules.html", "rulebook"), tells_gaps=True)
            yield Print(key, partial(site_prints.rules, key, lang, "reference.html", "whole"))
        yield Print(key, partial(site_prints.components, key, lang, on))
        for deck in self.decks:
            yield Print(key, partial(site_prints.deck_files, lang, on, deck.opened, deck.stem))

    def _page(self, template: str, root: str, here: str, **values: Any) -> bytes:
        """Returns a page in the section `here`; `root` leads from the page to the folder of the site."""
        common = {
            "page": self.page, "spec": self.spec, "of_game": self.of_game, "up": root.removesuffix("../"),
            "cover": self.game.folder.has_cover, "rules": self.has_rule_sheet, "has_decks": bool(self.decks),
            "has_bans": bool(self.ban_lists),
        }  # fmt: skip
        return _page(template, root=root, here=here, **common, **values)

    def _faces(self, faces: CardFaces, drawn: dict[str, bytes], step: Step, executor: Executor) -> Iterator[SiteCard]:
        """Draws the faces of the cards into `drawn`, and yields the cards. A back that cards share is drawn once."""
        project, game, cards, lang = self.project, self.game, self.cards, self.request.lang
        backs = dict[tuple[str, str], str]()
        width, height = face_pixels(card_size(game.spec.card_size))
        fronts = faces.fronts(project, game, cards, lang, executor)
        own = {card.ref: card for card in search(project, "", game.key, self.request.on)}
        for card, file, data in zip(cards, file_names(cards, ".svg"), fronts, strict=True):
            front, back_of = f"faces/{file}", faces.back_of(project, game, card, lang)
            drawn[front] = data
            if back_of[0] and back_of not in backs:
                image = faces.image(project, game, card, FaceRequest("back", lang=lang))
                backs[back_of] = f"faces/back-{image.digest[:12]}.svg"
                drawn[backs[back_of]] = image.data
            back = backs.get(back_of, "")
            label, of_game = caption(self.spec, card), _texts(game.spec, own[card.ref])
            yield SiteCard(file.removesuffix(".svg"), card, label, front, back, width, height, of_game)
            step("")

    def _card_pages(self, tiles: Sequence[SiteCard], lists: Sequence[BanListState]) -> Iterator[tuple[str, bytes]]:
        """Yields the page of each card by its path."""
        for at, tile in enumerate(tiles):
            values = {
                "before": tiles[at - 1] if at else None,
                "after": tiles[at + 1] if at + 1 < len(tiles) else None,
                "fields": shown_fields(self.spec, tile.card),
                "bans": [ban_words(hold_report(listed, [tile.card.ref])) for listed in lists],
                "decks": [deck for deck in self.decks if any(tile.card.ref == card.ref for card in deck.deck.entries)],
            }
            page = self._page("site/site_card.html", "../../", "cards", tile=tile, card=tile.card, **values)
            yield f"cards/{tile.stem}.html", page

    @cached_property
    def decks(self) -> list[SiteDeck]:
        """The decks for this game in the project's `decks` folder or, if that is empty, the game's example decks.

        They are sorted by name; those without any card of the site are left out.
        """
        project, decks, refs = self.project, [], {card.ref for card in self.cards}
        own = own_decks(project)
        for path in own or self.game.folder.decks:
            opened = open_deck(file_inside(root_of(project), path) if own else self.game.folder.source(path))
            project.protect(path)
            report = check_deck(project, opened, CheckRequest(on=self.request.on))
            if report.game.key == self.game.key and not refs.isdisjoint(entry.ref for entry in report.deck.entries):
                name, word = report.deck.name or path.stem, VERDICTS[report.verdict]
                format_ = f"{report.format}, " if self.spec.formats else ""
                sentence = f"{word}: {format_}on {NO_BREAK.join(spoken(report.context.on).split())}"
                decks.append(SiteDeck(name, sentence, f"decks/{path.stem}", opened, report.deck))
        return sorted(decks, key=lambda deck: natural(deck.name))

    @cached_property
    def ban_lists(self) -> list[BanListState]:
        """The ban lists on the day, without later announcements, with the cards' names in the site's language."""
        days = [(each.ban_list, each.day) for each in lists_on(self.project, self.game.key, self.request.on)]
        lang = self.request.lang
        return [ban_list_in_language(self.project, one.known(day), lang, day).on(day) for one, day in days]


def _texts(spec: GameSpec, card: Card) -> frozenset[str]:
    """Returns the texts of a card that its page shows, which are in the language of `card`."""
    rows = shown_fields(spec, card)
    texts = (card.name, caption(spec, card), card.get("flavor"), *(part for row in rows for part in row))
    return frozenset(text for text in texts if isinstance(text, str) and any(map(str.isalpha, text)))
