"""A game for the web without a server: the same pages as files, with a search that works from a disk too."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.sax.saxutils import escape

from carddb.app.ban_lists import BanListState, hold_report, lists_on
from carddb.app.ban_publication import publish
from carddb.app.card_faces import CardFaces, Drawers, FaceRequest
from carddb.app.card_page import shown_fields
from carddb.app.card_search import search
from carddb.app.deck_check import CheckRequest, check_deck
from carddb.app.deck_lists import deck_list
from carddb.app.page_fonts import FONTS, page_font
from carddb.app.web_address import checked_address
from carddb.cards import Card
from carddb.executors.choice import HERE, ExecutorRequest, open_executor
from carddb.findings import VERDICTS
from carddb.layout.stock import card_size
from carddb.names import fold
from carddb.press.card_pictures import file_names
from carddb.press.component_selection import EVERY_MODULE
from carddb.press.face_templates import templates_of
from carddb.units import to_mm
from carddb.web.ban_words import ban_words
from carddb.web.pages import environment

if TYPE_CHECKING:
    from carddb.app.notices import Step
    from carddb.app.project import Project
    from carddb.games import Game

_STATIC = Path(__file__).parent / "static"
_ASSETS = ("style.css", "mark.svg", "site.js")


class SiteRequest(NamedTuple):
    """What a site shows: games by key (none: all that have cards), the day, and where it will stand on the web.

    `processes` above 1 lets forked workers draw, in a program without threads; the cluster of `executor` draws instead.
    """

    games: tuple[str, ...] = ()
    on: date | None = None
    url: str = ""
    processes: int = 1
    executor: ExecutorRequest = HERE


class SiteCard(NamedTuple):
    """A card on the site: the stem of its files, its type in words, its faces by path, and their measures."""

    stem: str
    card: Card
    label: str
    front: str
    back: str
    width: int
    height: int

    @property
    def words(self) -> str:
        """What the search looks through, folded."""
        texts = (str(self.card.get(name) or "") for name in ("ref", "name", "text", "effect", "special", "trait"))
        return fold(f"{' '.join(texts)} {self.label}")


def site_files(project: Project, request: SiteRequest) -> tuple[dict[str, bytes], list[str]]:
    """The files of a site by path, and those by which readers come in. Raises UsageError, TemplateError, FontError."""
    url = checked_address(request.url).rstrip("/")
    games = [project.game(key) for key in request.games] or project.all_games()
    files: dict[str, bytes] = dict(_assets())
    shown: list[tuple[Game, int]] = []
    with open_executor(request.executor, 1) as executor:  # processes of this machine are forked
        drawers = Drawers(request.processes, request.executor, executor)
        for game in games:
            cards = search(project, "", game.key, request.on)
            if not cards:
                continue
            shown.append((game, len(cards)))
            with project.working(f"drawing {game.spec.name}", len(cards)) as step:
                of_game = _of_game(project, game, cards, request, drawers, step)
                files |= {f"{game.key}/{path}": data for path, data in of_game}
    files["index.html"] = _page("site_index.html", root="", games=shown)
    if url:
        files["sitemap.xml"] = _sitemap(url, files)
    return files, ["index.html", *(f"{game.key}/index.html" for game, _ in shown)]


def _assets() -> Iterator[tuple[str, bytes]]:
    for name in _ASSETS:
        yield f"assets/{name}", (_STATIC / name).read_bytes()
    for name in FONTS:
        yield f"assets/fonts/{name}", page_font(name)


def _page(template: str, **values: Any) -> bytes:
    return environment().get_template(template).render(**values).encode()


def _of_game(
    project: Project, game: Game, cards: Sequence[Card], request: SiteRequest, drawers: Drawers, step: Step
) -> Iterator[tuple[str, bytes]]:
    """The files of one game by their path in its folder."""
    drawn: dict[str, bytes] = {}
    tiles = list(_faces(project, game, cards, drawn, step, drawers))
    yield from drawn.items()
    lists = _ban_lists(project, game, request)
    yield from ((f"bans/{path}", data) for path, data in lists.items())
    decks = list(_decks(project, game, request.on))
    for deck in decks:
        yield from deck["files"].items()
    yield from _card_pages(game, tiles, lists_on(project, game.key, request.on))
    yield "rules.html", project.guide(game.key, kind="html").data
    yield "rules.pdf", project.guide(game.key).data
    yield "components.pdf", project.components(game.key, module=EVERY_MODULE, on=request.on).data
    sheets = project.sheets(
        f"game:{game.key}", game=game.key, on=request.on, allow_faults=True, processes=request.processes
    )
    if sheets.data:
        yield "cards.pdf", sheets.data
    index = [{"name": tile.card.name, "words": tile.words, "page": f"cards/{tile.stem}.html"} for tile in tiles]
    yield "cards.js", f"window.CARDS = {json.dumps(index, ensure_ascii=False)};\n".encode()
    common = {"root": "../", "game": game, "tiles": tiles, "decks": decks, "bans": bool(lists)}
    yield "index.html", _page("site_game.html", **common)


def _faces(
    project: Project, game: Game, cards: Sequence[Card], drawn: dict[str, bytes], step: Step, drawers: Drawers
) -> Iterator[SiteCard]:
    """Every card with its faces, which go into `drawn`; a back that several cards have is there once."""
    faces, size, backs = CardFaces(), card_size(game.spec.card_size), dict[str, str]()
    width, height = round(to_mm(size.width) * 8), round(to_mm(size.height) * 8)
    fronts = faces.fronts(project, game, cards, drawers)
    for card, file, data in zip(cards, file_names(cards, ".svg"), fronts, strict=True):
        front, template = f"faces/{file}", templates_of(game, card)[1]
        drawn[front] = data
        if template and template not in backs:
            image = faces.image(project, game, card, FaceRequest("back"))
            backs[template] = f"faces/back-{image.digest[:12]}.svg"
            drawn[backs[template]] = image.data
        back = backs.get(template or "", "")
        yield SiteCard(file.removesuffix(".svg"), card, game.spec.label_of(card.type), front, back, width, height)
        step()


def _card_pages(game: Game, tiles: Sequence[SiteCard], lists: Sequence[BanListState]) -> Iterator[tuple[str, bytes]]:
    """The page of each card, with its neighbours, its fields, and what ban lists say of it."""
    for at, tile in enumerate(tiles):
        values = {
            "before": tiles[at - 1] if at else None,
            "after": tiles[at + 1] if at + 1 < len(tiles) else None,
            "fields": shown_fields(game.spec, tile.card),
            "bans": [ban_words(hold_report(listed, [tile.card.ref])) for listed in lists],
        }
        page = _page("site_card.html", root="../../", game=game, tile=tile, card=tile.card, **values)
        yield f"cards/{tile.stem}.html", page


def _decks(project: Project, game: Game, on: date | None) -> Iterator[dict[str, Any]]:
    """The decks of the project's folder, else the game's examples, each with its list, its text and its PDF."""
    own = sorted(((project.settings.root or project.folder) / "decks").glob("*.deck"))
    for path in own or game.folder.decks:
        report = check_deck(project, path, CheckRequest(on=on))
        if report.game.key != game.key:
            continue
        stem = f"decks/{path.stem}"
        pdf, text = (deck_list(project, report, kind, "letter").data for kind in ("pdf", "deck"))
        name = report.deck.name or path.stem
        verdict = VERDICTS[report.verdict]
        yield {"name": name, "verdict": verdict, "sentence": report.sentence, "stem": stem,
               "files": {f"{stem}.pdf": pdf, f"{stem}.deck": text}}  # fmt: skip


def _ban_lists(project: Project, game: Game, request: SiteRequest) -> Mapping[str, bytes]:
    """The publication of the game's ban lists; nothing where it has none."""
    names = [f"{game.key}:{listed.state.list}" for listed in lists_on(project, game.key, request.on)]
    url = f"{request.url.rstrip('/')}/{game.key}/bans" if request.url else ""
    return publish(project, names, request.on, None, url=url).files if names else {}


def _sitemap(url: str, files: Mapping[str, bytes]) -> bytes:
    pages = sorted(path for path in files if path.endswith(".html"))
    entries = "".join(f"<url><loc>{escape(f'{url}/{path}')}</loc></url>\n" for path in pages)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    return f"{head}{entries}</urlset>\n".encode()
