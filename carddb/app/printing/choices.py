"""The choices of forms for print sheets and components: the values of each option, in order, with their labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from carddb.app.printing.options import PAPER
from carddb.app.printing.printers import FIRST_TRAY, open_book
from carddb.app.workspace.words import component_need
from carddb.app.workspace.workspace import Workspace
from carddb.core.names import capital
from carddb.core.units import to_mm
from carddb.games import Game
from carddb.layout.stock import CARDS, PAPERS, STOCKS, describe, paper_label, paper_name
from carddb.press.components.selection import EVERY_MODULE, modules_of, spreadsheets, variants
from carddb.press.shops.shops import profile, profiles


class Choice(NamedTuple):
    """A value of an option, its label, and a remark; the value is empty for the default."""

    value: str
    label: str
    remark: str = ""


class ChoiceGroup(NamedTuple):
    """Choices under a heading, such as the products of one shop."""

    label: str
    choices: Sequence[Choice]


_KINDS = [
    Choice("", "Sheets to cut, a PDF"),
    Choice("png", "Pictures of each card, PNG"),
    Choice("svg", "Drawings of each card, SVG"),
    Choice("tts", "Tabletop Simulator"),
]


BOX = "box."
"""The prefix of the products that are boxes."""
_BOXES = [
    Choice(f"{BOX}tuck", "A box with a lid to tuck in"),
    Choice(f"{BOX}two-part", "A box with a lid to take off"),
    Choice(f"{BOX}dividers", "Dividers with tabs"),
]


class PrintChoices:
    """The choices for printing in a project. The default comes first, with an empty value."""

    def __init__(self, project: Workspace) -> None:
        self._defaults = project.settings.defaults

    def __getitem__(self, name: str) -> list[Choice]:
        """Returns the values of an option. Raises InputError if the file of printers cannot be used."""
        option = PAPER[name]
        own_words = (Choice(key, *option.labels.get(key, (key,))) for key in option.choices)
        choices = _NAMED[name]() if name in _NAMED else list(own_words)
        if option.hint:  # the user types a value, and these are suggestions.
            return choices
        own = self._defaults.get(name) or option.default or "none"
        first = [choice._replace(value="") for choice in choices if choice.value == own]
        return [
            *(first or [Choice("", *option.labels.get("", (own,)))]),
            *(choice for choice in choices if choice.value != own),
        ]

    def preselected(self, given: Mapping[str, str]) -> dict[str, str]:
        """Returns the calibrated printer for a form, with its paper, flip and tray where they are not the default.

        Empty if the form or the project chooses a printer, or if none is calibrated for what `given` chooses.
        Raises InputError if the file of printers cannot be used.
        """
        if "printer" in given or self._defaults.get("printer"):
            return {}
        usual = {name: str(self._defaults.get(name) or PAPER[name].default or "") for name in ("paper", "flip", "tray")}
        usual["tray"] = usual["tray"] or FIRST_TRAY
        book, fitting = open_book(), list[tuple[int, dict[str, str]]]()
        for printer in book.printers:
            for feed, _ in book.entries(printer):
                values = {"paper": paper_name(feed.paper), "flip": feed.flip, "tray": feed.tray}
                if values["paper"] in PAPERS and all(given.get(name) in (None, "", values[name]) for name in values):
                    others = {name: value for name, value in values.items() if value != usual[name]}
                    fitting.append((len(others), {"printer": printer, **others}))
        return min(fitting, key=lambda each: each[0], default=(0, {}))[1]

    @property
    def calibrated_papers(self) -> list[Choice]:
        """The papers, and the cards fed singly, on which a test page can be printed."""
        sizes = [stock.paper for stock in STOCKS.values() if stock.paper and stock.paper not in PAPERS.values()]
        return _papers() + [Choice(paper_name(size), "Index cards", describe(size)) for size in sizes]

    @property
    def products(self) -> list[ChoiceGroup]:
        """The products in groups: sheets and pictures, then for each print shop its card products."""
        shops: dict[str, list[Choice]] = {}
        for name, offer in profiles().items():
            label = f"{capital(offer.key.replace('-', ' '))}, {describe(offer.trim)}"
            shops.setdefault(offer.shop.name, []).append(Choice(name, label, offer.upload))
        return [
            ChoiceGroup("Here", _KINDS),
            ChoiceGroup("For these cards", _BOXES),
            *(ChoiceGroup(name, choices) for name, choices in shops.items()),
        ]


def _papers() -> list[Choice]:
    return [Choice(name, paper_label(size), describe(size)) for name, size in PAPERS.items()]


_STOCK_WORDS = {"plain": "Plain, to cut", "card": "Single cards, a page each"}
_NAMED: Mapping[str, Callable[[], list[Choice]]] = {
    "paper": _papers,
    "stock": lambda: [Choice(key, _STOCK_WORDS.get(key, capital(stock.label))) for key, stock in STOCKS.items()],
    "card_size": lambda: [Choice(name, describe(size)) for name, size in CARDS.items()],
    "printer": lambda: [Choice(name, name) for name in open_book().printers],
}
"""The values of options that are defined in other modules: papers, stocks, card sizes, and calibrated printers."""


class ProductFacts(NamedTuple):
    """A shop's product as texts: the sizes of the file and of the card, bleed and safe area, and a caution."""

    label: str
    upload: str
    card: str
    bleed: str
    safe: str
    caution: str


def product_facts(name: str) -> ProductFacts:
    """Returns the facts about a shop's product. Raises UsageError for an unknown product."""
    product = profile(name)
    bleed, safe = (f"{to_mm(length):.2f} mm" for length in (product.bleed, product.safe))
    return ProductFacts(product.label, product.upload, describe(product.trim), bleed, safe, product.shop.caution)


class ComponentChoice(NamedTuple):
    """A component: what it is printed for, as text, and whether it can be a spreadsheet to fill in."""

    key: str
    id: str
    label: str
    need: str
    spreadsheet: bool


class VariantChoice(NamedTuple):
    """A property in which components differ, with its values; the default comes first, with an empty value."""

    key: str
    values: Sequence[Choice]


class ComponentChoices:
    """The components of a game, and the choices among them."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @property
    def components(self) -> list[ComponentChoice]:
        """The components that can be drawn."""
        tables = spreadsheets(self._game)
        return [
            ComponentChoice(key, part.id, part.label or key, component_need(part), key in tables)
            for key, part in self._game.spec.components.items()
            if part.drawn
        ]

    @property
    def modules(self) -> list[Choice]:
        """The modules that components are printed for: the deck's module, each module, and all; or nothing."""
        modules = [Choice(*pair) for pair in modules_of(self._game.spec).items()]
        return [Choice("", "the deck’s"), *modules, Choice(EVERY_MODULE, "every module")] if modules else []

    @property
    def variants(self) -> list[VariantChoice]:
        """The variants of components, each with the values that are printed."""
        spec, values = self._game.spec, dict[str, list[Choice]]()
        cards = self._game.in_print(self._game.own_cards)
        for key, value in (pair for variant in variants(spec, cards) for pair in variant.items()):
            variant = spec.variants[key]
            is_default = value == str(variant.default)
            label = variant.label.replace("{}", value)
            values.setdefault(key, []).insert(0 if is_default else len(values.get(key, ())),
                                              Choice("" if is_default else value, label))  # fmt: skip
        return [VariantChoice(key, choices) for key, choices in values.items()]
