"""Checks that a game is complete and sound: its files, cards, faces, colours, components, codes, bans and decks."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.cards.cards import Card, Pool
from carddb.core.errors import CarddbError
from carddb.core.plain_text import listed
from carddb.deck import Context, check
from carddb.findings import CardCount, Finding, Place, Severity, error, info, warning
from carddb.game.game import GameSpec
from carddb.game.parts import NO_PICTURE, ColourCodeSpec
from carddb.games import Game, GameFolder, load
from carddb.games.examples import codes_not_shown
from carddb.games.opening.cross_references import ban_file_findings, codes_unexplained, unknown_options, unknown_rules
from carddb.games.opening.folder import GAME_FILE
from carddb.games.opening.spec_reader import RULES_FILE
from carddb.layout.colours import VISIONS, contrast, difference, lightness, shades
from carddb.layout.drawing.bleed import PAPER
from carddb.layout.drawing.legibility import LEAST_CONTRAST
from carddb.layout.stock import CARDS, card_size
from carddb.press.components.components import print_components
from carddb.press.components.selection import variants
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.workshop import Workshop, layout_sizes, open_workshop, templates_of
from carddb.press.sheets.options import SheetOptions
from carddb.read.cards.file import CardFile
from carddb.read.decks.text import load_deck

APART = 15
"""The least difference of two colours in CIELAB, for every kind of vision: six times the smallest visible one (2.3)."""
GREYS_APART = 10
"""The least difference of two greys in L*: one step of Munsell's scale."""
GREY = "grey"
_MOST_PAIRS = 6
_COLOUR = re.compile("#[0-9a-fA-F]{6}")


def colour_findings(spec: GameSpec, symbols: Collection[str]) -> list[Finding]:
    """Returns findings about a game's colour codes and accent. `symbols` are the ids of the symbols in its library.

    If colours are too similar, a finding has the measured and the required difference, and suggests another colour.
    """
    findings = []
    ratio = contrast(spec.accent, PAPER)
    if ratio < LEAST_CONTRAST:
        better = next(shade for shade in shades(spec.accent) if contrast(shade, PAPER) >= LEAST_CONTRAST)
        message = (
            f"the accent {spec.accent} on {PAPER} has a contrast of {ratio:.2f}; text needs at least {LEAST_CONTRAST}"
            " to be readable"
        )
        data = {"ratio": round(ratio, 2), "least": LEAST_CONTRAST}
        findings.append(warning("contrast_low", message, fix=f"Use {better} in game.yaml.", data=data))
    for code in spec.colour_codes:
        for where, entries in _tables(spec.data, code.colours):
            colours = {key: _colour(entry, code.shade) for key, entry in entries.items()}
            wrong = [key for key, colour in colours.items() if not _COLOUR.fullmatch(colour)]
            if wrong or not entries:
                fault = f"no valid colour for {listed(wrong, 6)}" if wrong else "there are no colours at this path"
                message = f"colour code {where}: {fault}"
                findings.append(
                    error(
                        "colour_code_wrong",
                        message,
                        fix="Correct `colours` or `shade` under `colour_codes` in game.yaml.",
                    )
                )
                continue
            fix = "Correct signs in game.yaml."
            if unknown := [sign for sign in code.signs if sign.startswith("#") and sign[1:] not in symbols]:
                message = f"colour code {where}: the game has no symbol {listed(unknown, 6)}"
                findings.append(error("colour_code_wrong", message, fix=fix))
            if code.signs and len(code.signs) != len(entries):
                message = f"colour code {where} has {len(code.signs)} signs for {len(entries)} colours"
                findings.append(error("colour_code_wrong", message, fix=fix))
            findings += _alike(where, colours, _signs(code, entries))
    return findings


def _tables(data: Mapping[str, Any], path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yields (path, table of colours) for the dotted `path` in `data`; if it ends in `*`, for every entry there."""
    *steps, last = path.split(".")
    here: Any = data
    for step in steps if last == "*" else [*steps, last]:
        here = here.get(step) if isinstance(here, Mapping) else None
    tables = here.items() if last == "*" and isinstance(here, Mapping) else [("", here)]
    for key, table in tables:
        entries = table.items() if isinstance(table, Mapping) else enumerate(table or (), start=1)
        yield ".".join(filter(None, (path.removesuffix(".*"), key))), {str(name): entry for name, entry in entries}


def _colour(entry: Any, shade: str) -> str:
    value = entry.get(shade) if shade and isinstance(entry, Mapping) else entry
    return value if isinstance(value, str) else ""


def _signs(code: ColourCodeSpec, entries: Mapping[str, Any]) -> Mapping[str, str | None]:
    """Returns, by key, the sign that distinguishes each entry besides its colour; None for an entry without a sign."""
    if code.signs:
        return dict(zip(entries, code.signs, strict=False))
    return {
        key: str(entry[code.sign]) if isinstance(entry, Mapping) and code.sign in entry else None
        for key, entry in entries.items()
    }


def _alike(where: str, colours: Mapping[str, str], signs: Mapping[str, str | None]) -> Iterator[Finding]:
    """Yields findings about pairs of colours that are too similar; only for information if signs distinguish them."""
    with_sign = {key for key, sign in signs.items() if sign is not None}
    for vision in ("", *VISIONS, GREY):
        least = GREYS_APART if vision == GREY else APART
        every = combinations(colours, 2)
        near = [(one, other) for one, other in every if _apart(colours[one], colours[other], vision) < least]
        signed = [(one, other) for one, other in near if {one, other} <= with_sign and signs[one] != signs[other]]
        bare = [pair for pair in near if pair not in signed]
        viewed = {"": "to every eye", GREY: "in a grey print"}.get(vision, f"with {vision}")
        for pairs in filter(None, (bare, signed)):
            figures = [[one, other, round(_apart(colours[one], colours[other], vision), 1)] for one, other in pairs]
            words = [f"{one} and {other} ({figure})" for one, other, figure in figures]
            message = (
                f"colour code {where}: too similar {viewed}, where the difference must be at least {least}: "
                f"{listed(words, _MOST_PAIRS)}"
            )
            data = {"vision": vision or "every", "least": least, "pairs": figures}
            if pairs is bare:
                yield warning("colours_alike", message, fix=_better(colours, pairs[0], least, vision), data=data)
            else:
                fix = "Different signs distinguish them, so nothing has to change."
                yield info("colours_alike", message, fix=fix, data=data)


def _better(colours: Mapping[str, str], pair: tuple[str, str], least: int, vision: str) -> str:
    """Returns advice to use a shade of one of the two colours, the nearest that differs enough from all other colours.

    It differs by `least` for every kind of vision or, if `vision` is `GREY`, in lightness. If there is no such shade,
    the advice is to choose other colours or signs.
    """
    eyes = (GREY,) if vision == GREY else ("", *VISIONS)
    for near in zip(*(shades(colours[key]) for key in pair), strict=True):
        for key, shade in zip(pair, near, strict=True):
            others = [colour for other, colour in colours.items() if other != key]
            if all(_apart(shade, other, eye) >= least for other in others for eye in eyes):
                return f"Use {shade} for {key}."
    return "Choose other colours, or give each a sign."


def _apart(one: str, other: str, vision: str) -> float:
    """Returns the difference of two colours for a kind of vision, or their difference in lightness for `GREY`."""
    return abs(lightness(one) - lightness(other)) if vision == GREY else difference(one, other, vision)


_LINE = re.compile(r"(?<=\.svg):\d+")
_MOST_NAMES = 12
"""The most cards that one finding names."""


class Subject:
    """A game to be checked as of a day, with data that several checks share; `art_folder` may have cards' pictures."""

    def __init__(self, game: Game, on: date, art_folder: Path) -> None:
        self.game = game
        self.on = on
        self._art_folder = art_folder
        self._told: set[str] = set()

    def is_news(self, cause: str) -> bool:
        """Returns True on the first call for a cause, such as a broken template, which many checks meet."""
        is_new = cause not in self._told
        self._told.add(cause)
        return is_new

    @cached_property
    def card_file(self) -> CardFile | None:
        """The file with the game's own cards; None if the game has no such file."""
        return self.game.read_own_file(self.game.picture_folders(self._art_folder))

    @cached_property
    def cards(self) -> Pool:
        """The cards in `card_file`."""
        records = self.card_file.records if self.card_file else ()
        return Pool(self.game.spec.card(row.ref, row.values) for row in records)

    @cached_property
    def workshop(self) -> Workshop:
        return open_workshop(self.game, art_folder=self._art_folder)

    @cached_property
    def sizes(self) -> list[str]:
        """The names of the card sizes, besides the default, for which the game's templates have a layout."""
        sources = self.workshop.kit.templates.sources
        return layout_sizes(self.game, [name for name in sources if name.startswith(f"{self.workshop.prefix}/")])


Check = Callable[[Subject], list[Finding]]


def cards_load(subject: Subject) -> list[Finding]:
    """Every card of its cards file loads."""
    if subject.card_file:
        cards = ((subject.game.spec.card(row.ref, row.values), row.place) for row in subject.card_file.records)
        return [*subject.card_file.findings, *subject.game.faults_of(cards)]
    return [info("cards_absent", "the game has no cards.csv")]


def faces_draw(subject: Subject) -> list[Finding]:
    """Every card has a face and a back, at every size that has templates."""
    cards = subject.cards
    findings = _drawn(subject, FaceBank(subject.workshop), cards, "")
    for name in subject.sizes:
        findings += _drawn(subject, FaceBank(subject.workshop, CARDS[name]), cards, f" at the size {name}")
    faceless = sorted({card.type for card in cards if not templates_of(subject.game, card)[0]})
    return findings + [
        warning("face_absent", f"cards of the type {kind} have no face", fix="Name a template in game.yaml.")
        for kind in faceless
    ]


def emblems_draw(subject: Subject) -> list[Finding]:
    """Every card with a picture can also be drawn without it, with its emblem or nothing in its place."""
    bare = [
        Card(card.game, card.ref, {**card.values, "art": NO_PICTURE})
        for card in subject.cards
        if card.get("art", NO_PICTURE) != NO_PICTURE
    ]
    return _drawn(subject, FaceBank(subject.workshop), bare, " without its picture")


def colours_tell(subject: Subject) -> list[Finding]:
    """Colours that carry a meaning can be distinguished by colour-blind people and in a grey print, or have signs."""
    return colour_findings(subject.game.spec, subject.workshop.kit.library.by_id)


def components_print(subject: Subject) -> list[Finding]:
    """Every component can be printed without faults, at every size that has templates."""
    parts = {key: part for key, part in subject.game.spec.components.items() if part.drawn}
    findings = [finding for key in parts for finding in _printed(subject, (key,))]
    if findings or all(part.when_named for part in parts.values()):
        return findings
    findings = _printed(subject, ())
    if cards := tuple(key for key, part in parts.items() if part.template and not part.size):
        findings += [finding for size in subject.sizes for finding in _printed(subject, cards, size)]
    return findings + [
        finding
        for values in variants(subject.game.spec, list(subject.cards))
        for finding in _printed(subject, tuple(parts), values=values)
    ]


def codes_explained(subject: Subject) -> list[Finding]:
    """Every code that the game names has a cause and a fix."""
    return codes_unexplained(subject.game)


def codes_shown(subject: Subject) -> list[Finding]:
    """Every code of the game is raised by one of its examples."""
    return codes_not_shown(subject.game, subject.cards, subject.on)


def bans_name_cards(subject: Subject) -> list[Finding]:
    """The ban lists are sound, and name only cards that exist."""
    path = subject.game.folder.bans_file
    return ban_file_findings(subject.game, path, subject.cards) if path else []


def rules_named(subject: Subject) -> list[Finding]:
    """Every rule id that the game uses is in its book of rules."""
    return [*unknown_rules(subject.game), *unknown_options(subject.game)]


def decks_legal(subject: Subject) -> list[Finding]:
    """Every deck that comes with the game is legal."""
    game, pool = subject.game, subject.cards
    findings: list[Finding] = []
    for path in game.folder.decks:
        deck, read = load_deck(game.folder.source(path), game.spec, pool)
        findings += [*read, *check(deck, game.spec, pool, Context(on=subject.on), game.checks)]
    return [finding for finding in findings if finding.severity in (Severity.ERROR, Severity.NOT_CHECKABLE)]


_CARDS_FILE = "cards.csv"
CHECKS: Mapping[Check, Sequence[str]] = {
    cards_load: (),
    faces_draw: (GAME_FILE, _CARDS_FILE),
    emblems_draw: (GAME_FILE, _CARDS_FILE),
    colours_tell: (GAME_FILE,),
    rules_named: (RULES_FILE,),
    codes_explained: (RULES_FILE,),
    decks_legal: (_CARDS_FILE,),
    codes_shown: (RULES_FILE, _CARDS_FILE),
    components_print: (GAME_FILE,),
    bans_name_cards: (_CARDS_FILE,),
}
"""The checks, in the order in which a designer works on what they check, each with the files that it needs."""


class CheckResult(NamedTuple):
    """A check's name, claim and findings. It was skipped if the file `waits_for` is missing or has errors."""

    name: str
    claim: str
    findings: list[Finding]
    waits_for: str = ""


def conform(folder: GameFolder, on: date, art_folder: Path | None = None) -> Iterator[CheckResult]:
    """Yields the results of all checks for the game in a folder, beginning with the findings about its files.

    If the game cannot be loaded, there is only that first result. Pictures of cards are looked for in the project's
    `art_folder`, then in the game's own. Raises InputError if a file cannot be read.
    """
    try:
        game, findings = load(folder)
    except CarddbError as fault:
        game, findings = None, [failed("the game", fault)]
    if game and game.has_rules and not folder.trusted:
        findings = [*findings, rules_not_run(game)]
    subject = Subject(game, on, art_folder or folder.path) if game else None
    if subject:
        findings = [*findings, *_undrawable(subject)]
    yield CheckResult("files_sound", "Its files say what such files may say.", findings)
    if subject:
        errors = (finding for finding in findings if finding.severity is Severity.ERROR)
        faulty = {Path(place.file).name for finding in errors for place in finding.where}
        for test, files in CHECKS.items():
            waits_for = next((file for file in files if _lacks(subject, file, faulty)), "")
            try:
                results = [] if waits_for else test(subject)
            except Exception as fault:  # a game's own program or template failed: the other checks go on
                results = [failed(test.__name__, fault)]
            yield CheckResult(test.__name__, (test.__doc__ or "").partition("\n")[0], results, waits_for)


def _lacks(subject: Subject, file: str, faulty: Collection[str]) -> bool:
    """Returns True if `file` has errors (is in `faulty`) or, for the cards file, if there are no cards."""
    if file == _CARDS_FILE:
        return not (subject.game.folder.cards_file and subject.cards)
    return file in faulty


def _undrawable(subject: Subject) -> Iterator[Finding]:
    """Yields findings about unknown sizes, and about faulty fonts or symbols, without which nothing can be drawn."""
    spec, file = subject.game.spec, Place(str(subject.game.folder.path / GAME_FILE))
    sizes = {
        "card_size": spec.card_size,
        **{f"layouts: {name}": name for name in spec.layouts},
        **{f"type {key}": kind.size for key, kind in spec.types.items() if kind.size},
        **{f"component {key}": part.size for key, part in spec.components.items() if part.size},
    }
    for what, size in sizes.items():
        try:
            _ = card_size(size)
        except CarddbError as fault:
            yield failed(what, fault)._replace(where=(file,))
    try:
        _ = subject.workshop
    except CarddbError as fault:
        yield failed("nothing can be drawn", fault)._replace(where=(file,))


def _drawn(subject: Subject, bank: FaceBank, cards: Iterable[Card], how: str) -> list[Finding]:
    """Returns findings about faces and backs, one for each cause. If a face cannot be drawn, the others still are."""
    by_cause: dict[str, list[tuple[Card, Exception]]] = {}
    for card in cards:
        try:
            sides = (bank.front(card), bank.back(card)) if templates_of(subject.game, card)[0] else ()
            for number in sides:
                if number is not None:
                    _ = bank[number]
        except Exception as fault:  # a game's own template or program failed: group by its message
            cause = _told(fault)[1].replace(f"{card.name}: ", "").replace(card.name, "").replace(card.ref, "")
            # The reader of SVG notices an unclosed tag only somewhere after it, and on each card in another line.
            cause = _LINE.sub("", cause) if "not well-formed" in cause else cause
            by_cause.setdefault(cause, []).append((card, fault))
    causes = {cause: parts for cause, parts in by_cause.items() if subject.is_news(cause)}
    return [*(not_drawn(cause, parts, how) for cause, parts in causes.items()), *bank.findings]


def _printed(
    subject: Subject, names: tuple[str, ...], size: str = "", values: Mapping[str, str] = MappingProxyType({})
) -> list[Finding]:
    """Returns findings about printing the named components; if `names` is empty, all with their list of contents."""
    try:
        return list(print_components(subject.workshop, names, SheetOptions(card_size=size), values=values).findings)
    except Exception as fault:  # a game's own template or program failed
        what = " ".join((*(names or ("the components together", size)), *values.values()))
        return [failed(what, fault)] if subject.is_news(_told(fault)[1]) else []


def not_drawn(cause: str, parts: Sequence[tuple[Card, Exception]], how: str) -> Finding:
    """Returns the finding that the cards of `parts` cannot be drawn for one cause; `how` says how they were drawn."""
    cards = tuple(CardCount(card.ref, card.name, 1) for card, _ in parts)
    card, fault = parts[0]
    if len(parts) == 1:
        return failed(f"{card.name} [{card.ref}]{how}", fault)._replace(cards=cards)
    kind, _, remedy = _told(fault)
    names = listed([f"{each.name} [{each.ref}]" for each in cards], _MOST_NAMES)
    message = f"{kind}{cause.strip(' .')}; {len(cards)} cards{how}: {names}"
    return error("conform_failed", message, cards=cards, fix=remedy)


def failed(what: str, fault: Exception) -> Finding:
    """Returns the finding that an error stopped a check; `what` is what the check could not do."""
    kind, message, remedy = _told(fault)
    return error("conform_failed", f"{what}: {kind}{message}", fix=remedy)


def _told(fault: Exception) -> tuple[str, str, str]:
    """Returns the class name of an error that is not carddb's own (else empty), its message, and its remedy."""
    if isinstance(fault, CarddbError):
        return "", fault.message, fault.remedy
    return f"{type(fault).__name__}: ", str(fault), ""


def rules_not_run(game: Game) -> Finding:
    """Returns the finding for a game whose program was not run because the user did not name its folder."""
    message = f"the program of {game.key}, rules.py, was not run"
    return Finding("rules_not_run", Severity.NOT_CHECKABLE, message, fix="Name its folder with --games to run it.")
