"""Finding cards by a query or a reference, the history of a card, and the cards found as tables and files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, NamedTuple, TypeVar

from carddb.app.cards.translations import cards_in_language, cards_to_translate, notify_lacking, translation_bytes
from carddb.app.workspace.clock import today
from carddb.app.workspace.day_cards import types_gone
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card, Pool
from carddb.cards.query import Query, folded, searched_fields
from carddb.catalog.search import Revision
from carddb.core.errors import QueryError, UsageError, check_kind
from carddb.core.names import NearNames, did_you_mean, likeness, natural
from carddb.game.game import GameSpec
from carddb.games import Game
from carddb.read.cards.export import write_cards, write_printings

Hit = TypeVar("Hit")
_USUAL = "ref,name,type,rarity,set"


class FieldColumn(NamedTuple):
    """A column of a table of cards: its name, and the name of the field in each game, by the game's key."""

    name: str
    names: Mapping[str, str]

    def of(self, card: Card) -> tuple[str, Any]:
        """Returns the field's name in the card's game, and the card's value of it (None if it has none)."""
        name = self.names.get(card.game, self.name)
        value = card.get(name)
        return name, None if value == "" else value

    def value(self, card: Card) -> Any:
        """Returns the card's value of the field; None if it has none."""
        return self.of(card)[1]


def sorted_cards(cards: Iterable[Card], specs: Sequence[GameSpec], order: str) -> list[Card]:
    """Returns the cards sorted by the fields in `order`, such as `rarity,-strength`; a minus reverses the order.

    Cards without a value come last. Numbers are sorted by size, choices in the game's order, and texts naturally, so
    that 9 comes before 10. Raises UsageError for an unknown field.
    """
    out = list(cards)
    for part in reversed(_parts(order)):
        column = _column(part.removeprefix("-"), specs)
        rank = _rank(column, specs)
        out.sort(key=lambda card: rank(column.value(card)), reverse=part.startswith("-"))
        out.sort(key=lambda card: column.value(card) is None)
    return out


def columns(cards: Iterable[Card], specs: Sequence[GameSpec], names: str = "") -> list[FieldColumn]:
    """Returns the columns in `names`, such as `name,type`, without those in which no card has a value.

    Without `names`, these are the usual columns. Raises UsageError for an unknown field.
    """
    cards = list(cards)
    chosen = [_column(name, specs, optional=not names) for name in _parts(names or _USUAL)]
    return [column for column in chosen if any(column.value(card) is not None for card in cards)]


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _column(word: str, specs: Sequence[GameSpec], optional: bool = False) -> FieldColumn:
    """Returns the column that `word` means. Raises UsageError if no game has this field, unless it is `optional`."""
    names = {spec.key: "game" if word == "game" else spec.field_words.find(word) for spec in specs}
    keys = {key: name for key, name in names.items() if name}
    if not keys and not optional:
        fields = dict.fromkeys(name for spec in specs for name in spec.all_fields())
        raise UsageError(f"there is no field {word!r}", did_you_mean(word, fields))
    return FieldColumn(next(iter(keys.values()), word), keys)


def _rank(column: FieldColumn, specs: Sequence[GameSpec]) -> Any:
    """Returns a sort key for a column's values: numbers are ranked by size, choices by place, and texts naturally."""
    fields = [spec.all_fields().get(column.names.get(spec.key, "")) for spec in specs]
    places = {value: at for field in fields if field for at, value in enumerate(field.of)}

    @cache
    def of_text(text: str) -> Any:
        return (1, places[text], "") if text in places else (2, natural(text), "")

    def rank(value: Any) -> Any:
        if isinstance(value, int | float):
            return 0, value, ""
        return of_text(value if isinstance(value, str) else "" if value is None else str(value))

    return rank


def search(project: Workspace, query: str, key: str | None, on: date | None, lang: str = "") -> list[Card]:
    """Returns the cards that `query` finds, in the game `key`, or else in every game that has the query's fields.

    A query with `game:` also finds cards of other games than the project's. With `lang`, it searches the cards' texts
    in this language, and a notice counts missing translations. Raises QueryError if no game understands the query.
    """
    searched = project.searched_games(key)
    mentioned = "game" in query.casefold()
    faults: list[tuple[Game, QueryError]] = []
    queries: list[tuple[Game, Query]] = []
    for game in _games(project, key) if mentioned else searched:
        try:
            parsed = game.spec.query(query)
        except QueryError as fault:
            faults.append((game, fault))
            continue
        if game in searched or "game" in parsed.fields():
            queries.append((game, parsed))
    if faults and not queries:
        # The games that the query names come first, then those that are searched. Of their faults, the furthest into
        # the query is reported; if there are several, the one whose nearest word is most like the unknown word.
        of_game = [fault for game, fault in faults if game.key in query.casefold()]
        of_searched = [fault for game, fault in faults if game in searched]
        raise max(of_game or of_searched, key=lambda fault: (fault.position, likeness(fault.word, fault.near)))
    found, day = list[Card](), on or today()
    with project.catalog() as catalog:
        for game, parsed in queries:
            cards = catalog.search(game.spec, parsed, day=day, lang=lang)
            if gone := types_gone(catalog, game):
                project.notify("card_types_gone", "", gone)
            if game.spec.is_foreign(lang):
                notify_lacking(project, game.spec, cards, catalog.translations(game.spec, lang, day=day), lang)
            found += cards
    return found


def find(project: Workspace, ref: str, key: str | None, on: date | None, lang: str = "") -> tuple[Game, Card]:
    """Returns a game and its card with the reference, the printing code or the name `ref`; see `Project.card`.

    Its texts are in the language `lang` if they are translated. Raises UsageError for no such card, or for several.
    """
    games, day = _games(project, key), on or today()
    with project.catalog() as catalog:
        hits = {game.key: (game, card) for game in games if (card := catalog.card(game.spec, ref, day=day))}
        hit = _only(ref, hits)
        if not hit:
            pools = [(game, catalog.pool(game.spec, day=day)) for game in games]
            hit = _only(ref, {game.key: (game, card) for game, pool in pools if (card := pool.by_reference(ref))})
        if not hit:
            namesakes = [(game, card) for game, pool in pools for card in pool.folded(ref) or pool.formerly(ref)]
            if len(namesakes) > 1:
                remedy = f"Name one by its reference: {', '.join(card.ref for _, card in namesakes)}."
                raise UsageError(f"{len(namesakes)} cards are called {ref!r}", remedy)
            hit = next(iter(namesakes), None)
        if not hit:
            words = [word for _, pool in pools for card in pool for word in (card.ref, card.name)]
            remedy = did_you_mean(ref, words, "Search for it by a word of its name: carddb cards WORD.")
            raise UsageError(f"no card has the reference or the name {ref!r}", remedy)
    game, card = hit
    return game.in_language(lang), cards_in_language(project, game, [card], lang, on)[0]


def by_reference(project: Workspace, ref: str, key: str | None, on: date) -> tuple[Game, Card] | None:
    """Returns the first searched game with a card or printing that has the code `ref`, and that card; else None."""
    with project.catalog() as catalog:
        games = project.searched_games(key)
        return next(((game, card) for game in games if (card := catalog.card(game.spec, ref, day=on))), None)


def history(project: Workspace, ref: str, key: str | None, lang: str = "") -> tuple[Game, list[Revision]]:
    """Returns the game and the revisions of the card `ref`, which may be retired; with `lang`, of its translations.

    Raises UsageError if no game has had such a card, or if several have.
    """
    with project.catalog() as catalog:
        games = _games(project, key)
        hits = {}
        for game in games:
            # `ref` is the reference of the card, or else the code of one of its printings.
            revisions = catalog.history(game.key, ref, lang)
            revisions = revisions or catalog.history(game.key, catalog.reference_of(game.key, ref) or ref, lang)
            if revisions:
                hits[game.key] = game, revisions
    if hit := _only(ref, hits):
        return hit
    game, card = find(project, ref, key, None)
    if card.ref != ref:
        return history(project, card.ref, game.key, lang)
    if lang:
        problem = f"{card.ref} of {game.spec.name} has no translation into {lang}"
        raise UsageError(problem, f"Load a file with translations: carddb load FILE --lang {lang}.")
    raise UsageError(f"no card has the reference {ref!r}", "Search for the card by its name: carddb cards WORD.")


def cards_json(cards: Iterable[Card], columns: Sequence[FieldColumn] = ()) -> dict[str, Any]:
    """Returns what `cards --json` shows: every field of the cards, or only the fields in `columns`."""

    def shown(card: Card) -> Mapping[str, Any]:
        chosen = (column.of(card) for column in columns)
        return {name: value for name, value in chosen if value is not None} if columns else card.values

    return {
        "schema": "carddb.cards/1",
        "cards": [{"game": card.game, "ref": card.ref, **shown(card)} for card in cards],
    }


def card_json(card: Card) -> dict[str, Any]:
    """Returns what `show --json` shows."""
    printings = [printing.to_json() for printing in card.printings]
    also = {"printings": printings, "translated_names": list(card.translated_names)}
    return {
        "schema": "carddb.card/1", "game": card.game, "ref": card.ref, **card.values, "aliases": list(card.aliases),
        **{key: value for key, value in also.items() if value},
    }  # fmt: skip


def _games(project: Workspace, key: str | None) -> list[Game]:
    return [project.game(key)] if key else project.all_games()


def _only(ref: str, hits: Mapping[str, Hit]) -> Hit | None:
    """Returns the only value of `hits`, a mapping by game's key; None if it is empty. Raises UsageError for several."""
    if len(hits) > 1:
        raise UsageError(f"several games have a card {ref}", f"Choose the game with --game: {', '.join(hits)}.")
    return next(iter(hits.values()), None)


_MOST_WORDS = 5
"""The most words of a query that are corrected."""


def near_query(project: Workspace, query: str, key: str | None, on: date | None) -> tuple[str, int] | None:
    """Returns the query with unknown words replaced by the nearest words on cards, and how many cards it then finds.

    Returns None if no word can be replaced, or if the new query finds no card either.
    """
    for game in project.searched_games(key):
        better = _better(project, game, query, on or today())
        if better != query and (hits := search(project, better, key, on)):
            return better, len(hits)
    return None


def _better(project: Workspace, game: Game, query: str, on: date) -> str:
    """Returns the query with unknown words replaced by near words of a game's cards; unchanged if it is not valid."""
    try:
        texts = game.spec.query(query).texts()
    except QueryError:
        return query
    with project.catalog() as catalog:
        pool = catalog.pool(game.spec, day=on)
    for field, text in sorted(texts)[:_MOST_WORDS]:
        near = _nearest(game, pool, field, text)
        if near != text:
            value, quoted = near if re.fullmatch(r"\w+", near) else f'"{near}"', re.escape(text)
            query = re.sub(rf'"{quoted}"|\b{quoted}\b', value.replace("\\", r"\\"), query, flags=re.IGNORECASE)
    return query


def _nearest(game: Game, pool: Pool, field: str, text: str) -> str:
    """Returns the word or value on cards that is nearest to `text`; `text` itself if a card has it, or none is near."""
    fields = [field] if field else searched_fields(game.spec.query_fields())
    values = {value for card in pool for value in _values(card, fields)}
    words = {word for value in values for word in folded(value).split()}
    if field:
        is_known = any(folded(text) in folded(value) for value in values)
        words |= values
    else:
        is_known = any(word.startswith(text) for word in words)
    return text if is_known else next(iter(NearNames(sorted(words)).near(text)), text)


def _values(card: Card, fields: Iterable[str]) -> Iterable[str]:
    for field in fields:
        value = card.get(field)
        if isinstance(value, str):
            yield value
        yield from card.printed(field)


KINDS = ("csv", "tsv", "xlsx", "json", "yaml", "yml")


def export_cards(
    project: Workspace, query: str, kind: str, key: str | None, on: date | None, *, printings: bool = False,
    lang: str = "",
) -> tuple[bytes, int]:  # fmt: skip
    """Returns a file with the cards that `query` finds, with their values as they were loaded, and the number of cards.

    With `printings`, the file has the printings of the cards instead; with `lang`, their texts and the translations
    into this language. If no card is found, the file is empty. Raises QueryError if the query cannot be read,
    UsageError for an unknown kind of file or options that contradict each other.
    """
    if lang and printings:
        raise UsageError("printings are the same in every language", "Leave --lang or --printings out.")
    game = project.only_game(key)
    if not (lang and kind == "po"):
        check_kind("cards are", kind, KINDS)
    if lang and not game.spec.is_foreign(lang):
        raise UsageError(f"{lang} is the language of the game itself", "Leave --lang out.")
    spec, fmt, parsed, day = game.spec, "yaml" if kind == "yml" else kind, game.spec.query(query), on or today()
    with project.catalog() as catalog:
        if not (lang or printings):
            given = catalog.given(spec, parsed, day=day)
            return write_cards(given, spec, fmt) if given else b"", len(given)
        cards = catalog.search(spec, parsed, day=day)
        if lang:
            words = catalog.translations(spec, lang, day=day)
            rows = cards_to_translate(spec, cards, words, catalog.older_translations(spec.key, lang, day=day))
            return translation_bytes(spec, rows, lang, fmt) if rows else b"", len(rows)
    cards = [card for card in cards if card.printings]
    printed = [printing for card in cards for printing in card.printings]
    return write_printings(printed, fmt) if cards else b"", len(cards)
